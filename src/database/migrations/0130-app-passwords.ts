import { type Kysely, sql } from 'kysely'

/** Passwords of calendar, task and contact apps. */
export const appPasswords = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table app_passwords (
    id text primary key,
    "userId" bigint not null references users (id) on delete cascade,
    name text not null,
    hash text not null unique,
    username text not null,
    calendars text not null,
    tasks text not null,
    contacts text not null,
    invitations text not null,
    "createdAt" text not null,
    "lastUsedAt" text,
    version integer not null)`.execute(db)
  await sql`create index app_passwords_user on app_passwords ("userId", "createdAt", id)`.execute(db)
}
