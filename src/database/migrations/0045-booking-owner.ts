import { type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'

const OWNER = sql`(select id from users where role in ('owner', 'local'))`
const REFERENCE = sql`"userId" bigint references users (id) on delete cascade`

/** The columns and constraints of the tables for SQLite, which cannot alter a primary key. */
const TABLES = {
  booking_settings: `"userId" bigint primary key references "users" ("id") on delete cascade,
    "provider" text not null, "baseUrl" text, "secret" text not null, "updatedAt" text not null`,
  booking_sync: `"userId" bigint primary key references "users" ("id") on delete cascade,
    "owner" text, "leaseUntil" text, "epoch" integer not null, "endedEpoch" integer not null, "outcome" text,
    "startedAt" text, "isFull" integer not null, "lastSyncAt" text, "lastSyncStatus" text, "lastError" text,
    "watermark" text, "lastFullAt" text`,
  bookings: `"userId" bigint not null references "users" ("id") on delete cascade, "uid" text not null,
    "provider" text not null, "eventId" bigint references "events" ("id") on delete set null,
    "eventVersion" integer not null, "replacedBy" text, "digest" text not null, "snapshot" text not null,
    "changedAt" text, "noticedAt" text, primary key ("userId", "uid")`,
  unreadable_bookings: `"id" integer primary key autoincrement,
    "userId" bigint not null references "users" ("id") on delete cascade, "name" text not null, "bookingId" text,
    "reason" text not null, "body" text, "size" integer not null, "readerVersion" text not null,
    "failedAt" text not null`,
}

const replaceInSqlite = async (db: Kysely<unknown>, table: string, definition: string): Promise<void> => {
  const { rows } = await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(db)
  const isKept = (name: string): boolean => name !== 'id' || table === 'unreadable_bookings'
  const columns = sql.join(rows.filter(({ name }) => isKept(name)).map(({ name }) => sql.ref(name)))
  const draft = sql.table(`new_${table}`)
  await sql`create table ${draft} (${sql.raw(definition)})`.execute(db)
  await sql`insert into ${draft} ("userId", ${columns}) select ${OWNER}, ${columns} from ${sql.table(table)}`.execute(
    db,
  )
  await sql`drop table ${sql.table(table)}`.execute(db)
  await sql`alter table ${draft} rename to ${sql.table(table)}`.execute(db)
}

const alterInPostgres = async (db: Kysely<unknown>): Promise<void> => {
  for (const table of Object.keys(TABLES).map((name) => sql.table(name))) {
    await sql`alter table ${table} add column ${REFERENCE}`.execute(db)
    await sql`update ${table} set "userId" = ${OWNER}`.execute(db)
    await sql`alter table ${table} alter column "userId" set not null`.execute(db)
  }
  for (const table of ['booking_settings', 'booking_sync'].map((name) => sql.table(name))) {
    await sql`alter table ${table} drop column id`.execute(db)
    await sql`alter table ${table} add primary key ("userId")`.execute(db)
  }
  await sql`alter table bookings drop constraint bookings_pkey`.execute(db)
  await sql`alter table bookings add primary key ("userId", uid)`.execute(db)
  await sql`alter table unreadable_bookings drop constraint unreadable_bookings_name_key`.execute(db)
}

/**
 * Every account has its own booking provider and bookings. Existing rows belong to the owner or the local account.
 */
export const bookingOwner = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  if (engine === 'postgres') await alterInPostgres(db)
  else {
    for (const [table, definition] of Object.entries(TABLES)) await replaceInSqlite(db, table, definition)
    // The foreign key finds the bookings of a deleted event by this column.
    await sql`create index "bookings_event" on "bookings" ("eventId")`.execute(db)
  }
  await sql`create unique index "unreadable_bookings_name" on "unreadable_bookings" ("userId", "name")`.execute(
    db,
  )
  await sql`create index "unreadable_bookings_user" on "unreadable_bookings" ("userId", "id")`.execute(db)
}
