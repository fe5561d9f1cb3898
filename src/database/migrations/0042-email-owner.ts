import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Engine } from '../database.ts'
import { emailWords } from '../word-index.ts'

const LOCAL_USER = sql`(select min(id) from users where role in ('owner', 'local'))`
const OWNER_OF_EMAIL = sql`(select emails."userId" from emails where emails.id = "emailId")`

/**
 * Every email belongs to an account, with its tags, links, attachments, rules and unsubscriptions. Mail of a mail
 * account goes to the user of that account, everything else to the local account.
 */
export const emailOwner = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  for (const name of EMAIL_INDEXES) await sql`drop index ${sql.ref(name)}`.execute(db)
  const ofMailAccount = sql`(select "userId" from mail_accounts where mail_accounts.id = emails."accountId")`
  await addOwner(db, engine, 'emails', sql`coalesce(${ofMailAccount}, ${LOCAL_USER})`)
  await addOwner(db, engine, 'attachments', sql`coalesce(${OWNER_OF_EMAIL}, ${LOCAL_USER})`)
  await addOwner(db, engine, 'mail_rules', LOCAL_USER)
  await rebuildChildren(db, engine)
  await createIndexes(db)
  await ownTallies(db)
  await rebuildWords(db, engine)
}

const EMAIL_INDEXES = [
  'emails_folder',
  'emails_unread',
  'emails_folder_unread',
  'emails_starred',
  'emails_with_attachments',
  'emails_urgency',
  'emails_account',
  'emails_thread',
  'emails_subject',
  'emails_message',
  'emails_list',
  'emails_listed',
]

/** SQLite cannot add a column that must not be null and has no default. */
const addOwner = async (
  db: Kysely<unknown>,
  engine: Engine,
  name: string,
  owner: RawBuilder<unknown>,
): Promise<void> => {
  const table = sql.table(name)
  await sql`alter table ${table} add column "userId" bigint references users (id) on delete cascade`.execute(
    db,
  )
  await sql`update ${table} set "userId" = ${owner}`.execute(db)
  if (engine === 'postgres') await sql`alter table ${table} alter column "userId" set not null`.execute(db)
}

/** The primary keys of these tables start with the account. SQLite cannot change a primary key in place. */
const rebuildChildren = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  const owner = sql`"userId" bigint not null references users (id) on delete cascade`
  const email = sql`"emailId" bigint not null references emails (id) on delete cascade`
  const tables = [
    {
      name: 'email_tags',
      columns: sql`${owner}, tag text not null, position bigint not null, ${email}`,
      copied: sql`tag, position, "emailId"`,
      key: sql`"userId", tag, position`,
    },
    {
      name: 'email_links',
      columns: sql`${owner}, "messageId" text not null, ${email}`,
      copied: sql`"messageId", "emailId"`,
      key: sql`"userId", "messageId", "emailId"`,
    },
    {
      name: 'unsubscriptions',
      columns: sql`${owner}, "listId" text not null, at text not null, by text not null, recipient text not null,
        "emailId" bigint references emails (id) on delete set null`,
      copied: sql`"listId", at, by, recipient, "emailId"`,
      key: sql`"userId", "listId"`,
    },
  ]
  for (const { name, columns, copied, key } of tables) {
    const [table, former] = [sql.table(name), sql.table(`${name}_former`)]
    await sql`alter table ${table} rename to ${former}`.execute(db)
    const formerKey = sql.ref(name === 'unsubscriptions' ? `${name}_pkey` : `${name}_pk`)
    if (engine === 'postgres') await sql`alter table ${former} drop constraint ${formerKey}`.execute(db)
    await sql`create table ${table} (${columns}, constraint ${sql.ref(`${name}_pk`)} primary key (${key}))`.execute(
      db,
    )
    await sql`insert into ${table} ("userId", ${copied})
      select coalesce(${OWNER_OF_EMAIL}, ${LOCAL_USER}), ${copied} from ${former}`.execute(db)
    await sql`drop table ${former}`.execute(db)
    await db.schema.createIndex(`${name}_email`).on(name).column('emailId').execute()
  }
}

/** One index per list, in list order; partial where most emails are excluded. */
const createIndexes = async (db: Kysely<unknown>): Promise<void> => {
  const statements = [
    sql`create index emails_user on emails ("userId", position)`,
    sql`create index emails_user_id on emails ("userId", id)`,
    sql`create index emails_folder on emails ("userId", folder, position)`,
    sql`create index emails_unread on emails ("userId", position) where read = 0`,
    sql`create index emails_folder_unread on emails ("userId", folder, position) where read = 0`,
    sql`create index emails_starred on emails ("userId", position) where starred = 1`,
    sql`create index emails_with_attachments on emails ("userId", position) where "hasAttachments" = 1`,
    sql`create index emails_urgency on emails ("userId", urgency, position) where urgency is not null`,
    sql`create index emails_account on emails ("userId", "accountId", position)`,
    sql`create index emails_thread on emails ("userId", "threadId", position)`,
    sql`create index emails_subject on emails ("userId", "subjectKey", position)`,
    sql`create index emails_message on emails ("userId", "messageId") where "messageId" is not null`,
    sql`create index emails_list on emails ("userId", "listId", folder, position) where "listId" is not null`,
    sql`create index emails_listed on emails ("userId", position, "listId", read) where "listId" is not null`,
    sql`create index attachments_user on attachments ("userId", id)`,
    sql`create index mail_rules_user on mail_rules ("userId", id)`,
  ]
  for (const statement of statements) await statement.execute(db)
}

/** Each account counts its own emails, and the messages that it fetched each day. */
const ownTallies = async (db: Kysely<unknown>): Promise<void> => {
  await sql`delete from tallies where name = 'emails'`.execute(db)
  await sql`insert into tallies (name, amount)
    select 'emails/' || cast("userId" as text), count(*) from emails group by "userId"`.execute(db)
  await sql`update tallies
    set name = 'messages-synced/' || cast(${LOCAL_USER} as text) || substr(name, 16)
    where name like 'messages-synced/%'`.execute(db)
}

interface StoredEmail {
  id: number
  userId: number
  position: number
  subject: string
  fromName: string
  fromAddress: string
  to: string
  cc: string
  bcc: string
  attachments: string
  text: string
}

const BATCH = 200
const MAX_SEARCHED_LENGTH = 100_000

const listNames = (json: string): string[] =>
  (JSON.parse(json) as { name: string; address: string }[]).map(({ name, address }) => `${name} ${address}`)

/** The words are indexed again, with the token of the account. */
const rebuildWords = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  const words = emailWords(engine)
  await sql`drop table email_words`.execute(db)
  for (const statement of words.create()) await statement.execute(db)
  for (let after = 0; ; ) {
    const { rows } = await sql<StoredEmail>`
      select id, "userId", position, subject, "fromName", "fromAddress", "to", cc, bcc, attachments,
        substr(email_bodies.text, 1, ${sql.lit(MAX_SEARCHED_LENGTH)}) as text
      from emails join email_bodies on email_bodies."emailId" = emails.id
      where id > ${after} order by id limit ${sql.lit(BATCH)} /* all accounts */`.execute(db)
    for (const email of rows) {
      const files = (JSON.parse(email.attachments) as { filename: string }[]).map(({ filename }) => filename)
      const insert = words.insertion(Number(email.position), Number(email.userId), {
        subject: email.subject,
        sender: `${email.fromName} ${email.fromAddress}`,
        recipients: [email.to, email.cc, email.bcc].flatMap(listNames).join(' ; '),
        body: [email.text, ...files].join(' ; '),
      })
      await insert.execute(db)
    }
    const last = rows.at(-1)
    if (last === undefined) return
    after = Number(last.id)
  }
}
