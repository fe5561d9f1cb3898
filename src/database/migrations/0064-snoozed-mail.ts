import { type Kysely, sql } from 'kysely'

/** Emails can be snoozed, pinned, and followed up. Few emails are, so the indexes are partial. */
export const snoozedMail = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table emails add column "snoozedUntil" text`.execute(db)
  await sql`alter table emails add column "followUpAt" text`.execute(db)
  await sql`alter table emails add column pinned integer not null default 0`.execute(db)
  await sql`alter table emails add column "returnedPosition" bigint`.execute(db)
  await sql`alter table emails add column "returnReason" text`.execute(db)
  for (const index of [
    sql`create index emails_snoozed on emails ("userId", position) where "snoozedUntil" is not null`,
    sql`create index emails_snooze_due on emails ("snoozedUntil") where "snoozedUntil" is not null`,
    sql`create index emails_follow_up_due on emails ("followUpAt") where "followUpAt" is not null`,
    sql`create index emails_pinned on emails ("userId", position) where pinned = 1`,
    sql`create unique index emails_returned on emails ("userId", "returnedPosition")
      where "returnedPosition" is not null`,
  ])
    await index.execute(db)
}
