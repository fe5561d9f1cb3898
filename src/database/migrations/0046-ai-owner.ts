import { type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'

const LOCAL = sql`(select id from users where role in ('owner', 'local'))`

/** The account of a token, or the owner for sessions and for deleted tokens. */
const OF_TOKEN = sql`coalesce(
  (select "userId" from access_tokens where access_tokens.id = "tokenId"), ${LOCAL})`

const USER = sql`"userId" bigint not null references users (id) on delete cascade`

/** Gives model settings, keys, usage, conversations and pending actions to accounts. */
export const aiOwner = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await sql`
    create table ai_settings_new (${USER}, model text not null, version integer not null, "updatedAt" text not null,
      constraint ai_settings_pk primary key ("userId"))`.execute(db)
  await sql`
    insert into ai_settings_new ("userId", model, version, "updatedAt")
    select ${LOCAL}, model, version, "updatedAt" from ai_settings where id = 1`.execute(db)
  await sql`drop table ai_settings`.execute(db)
  await sql`alter table ai_settings_new rename to ai_settings`.execute(db)

  await sql`
    create table ai_keys_new (${USER}, provider text not null, key text, "baseUrl" text, "givenFor" text not null,
      hint text not null, verified integer not null, reason text, "createdAt" text not null,
      "updatedAt" text not null, constraint ai_keys_pk primary key ("userId", provider))`.execute(db)
  await sql`
    insert into ai_keys_new ("userId", provider, key, "baseUrl", "givenFor", hint, verified, reason, "createdAt",
      "updatedAt")
    select ${LOCAL}, provider, key, "baseUrl", "givenFor", hint, verified, reason, "createdAt", "updatedAt"
    from ai_keys`.execute(db)
  await sql`drop table ai_keys`.execute(db)
  await sql`alter table ai_keys_new rename to ai_keys`.execute(db)

  await sql`
    create table ai_days_new (${USER}, day text not null, model text not null, "tokenId" text not null,
      requests bigint not null, "inputTokens" bigint not null, "outputTokens" bigint not null,
      "costNano" bigint not null, unpriced bigint not null,
      constraint ai_days_user_pk primary key ("userId", day, model, "tokenId"))`.execute(db)
  await sql`
    insert into ai_days_new ("userId", day, model, "tokenId", requests, "inputTokens", "outputTokens", "costNano",
      unpriced)
    select ${OF_TOKEN}, day, model, "tokenId", requests, "inputTokens", "outputTokens", "costNano", unpriced
    from ai_days`.execute(db)
  await sql`drop table ai_days`.execute(db)
  await sql`alter table ai_days_new rename to ai_days`.execute(db)

  for (const table of ['ai_requests', 'ai_conversations'])
    await sql`
      alter table ${sql.table(table)} add column "userId" bigint references users (id) on delete cascade`.execute(
      db,
    )
  for (const table of ['ai_requests', 'ai_conversations', 'ai_actions']) {
    await sql`update ${sql.table(table)} set "userId" = ${OF_TOKEN} where "userId" is null`.execute(db)
    if (engine === 'postgres')
      await sql`alter table ${sql.table(table)} alter column "userId" set not null`.execute(db)
  }

  for (const index of ['ai_conversations_latest', 'ai_conversations_of_token', 'ai_actions_status'])
    await sql`drop index ${sql.table(index)}`.execute(db)
  await sql`create index ai_requests_user on ai_requests ("userId", id)`.execute(db)
  await sql`create index ai_conversations_latest on ai_conversations ("userId", "updatedAt", id)`.execute(db)
  await sql`
    create index ai_conversations_of_token on ai_conversations ("userId", "tokenId", "updatedAt", id)`.execute(
    db,
  )
  await sql`create index ai_actions_user on ai_actions ("userId", id)`.execute(db)
  await sql`create index ai_actions_status on ai_actions ("userId", status, id)`.execute(db)
  await sql`create index ai_actions_pending on ai_actions ("expiresAt") where status = 'pending'`.execute(db)
}
