import { type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'

const SIXTY_DAYS_AGO = {
  sqlite: sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-60 days')`,
  postgres: sql`to_char(now() at time zone 'utc' - interval '60 days', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
}

/** Reservations that were found in emails, and the emails that are still to be read for them. */
export const reservations = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await sql`create table reservations (
    "emailId" bigint not null references emails (id) on delete cascade,
    key text not null,
    "userId" bigint not null references users (id) on delete cascade,
    type text not null,
    status text not null,
    "startAt" text not null,
    "endAt" text not null,
    "mailDate" text not null,
    facts text not null,
    constraint reservations_pk primary key ("emailId", "userId", key))`.execute(db)
  await sql`create index reservations_type on reservations ("userId", type, "startAt", key)`.execute(db)
  await sql`create index reservations_start on reservations ("userId", "startAt", key)`.execute(db)
  await sql`create index reservations_key on reservations ("userId", key)`.execute(db)
  await sql`create table reservation_mails (
    "emailId" bigint primary key references emails (id) on delete cascade,
    "userId" bigint not null references users (id) on delete cascade)`.execute(db)
  await sql`create index reservation_mails_user on reservation_mails ("userId", "emailId")`.execute(db)
  // Older mail is about trips and bills of the past.
  await sql`insert into reservation_mails ("emailId", "userId")
    select id, "userId" from emails
    where date >= ${SIXTY_DAYS_AGO[engine]} and folder in ('inbox', 'archive', 'other')
    order by id desc limit 20000`.execute(db)
}
