import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/db.ts'
import { filterOnly } from '../../../database/planner.ts'
import { PLACES } from '../../../database/positions.ts'
import type { EmailCounts } from './schema.ts'

const COUNT = sql<number>`count(*)`.as('count')

/** Folders of received mail. */
const RECEIVED = ['inbox', 'archive', 'other', 'trash'] as const

export interface PositionRange {
  from: number
  below: number
}

/** Part of a query: ranges of positions with their numbers. Some values need a type in PostgreSQL. */
const withRanges = (ranges: readonly PositionRange[]) =>
  sql`with ranges (number, first, below) as (values ${sql.join(
    ranges.map(
      ({ from, below }, number) =>
        sql`(${sql.lit(number)}, cast(${from} as bigint), cast(${below} as bigint))`,
    ),
  )})`

const isWithin = (email: string) =>
  sql`${sql.ref(`${email}.position`)} >= ranges.first and ${sql.ref(`${email}.position`)} < ranges.below`

/** Failed and cancelled emails stay in the folder, but were not sent. */
const wasSent = (email: string) =>
  sql`${sql.ref(`${email}.folder`)} = 'sent' and coalesce(${sql.ref(`${email}.deliveryStatus`)}, '')
    not in ('failed', 'cancelled')`

/** A mail to oneself is in the sent folder too. Its main folder is the inbox. */
const isSentToo = (place: string, userId: number) =>
  sql`${sql.ref(`${place}.userId`)} = ${userId} and ${sql.ref(`${place}.folder`)} = 'sent'`

const isReceived = (email: string) =>
  sql`${sql.ref(`${email}.folder`)} in (${sql.join(RECEIVED.map(sql.lit))})`

/** Counts received emails in each range with one query. */
export const countReceived = async (
  db: Db,
  userId: number,
  ranges: readonly PositionRange[],
): Promise<number[]> => {
  const { rows } = await sql<{ number: number; received: number }>`${withRanges(ranges)}
    select number, (
      select count(*) from emails as e where e."userId" = ${userId} and ${isReceived('e')} and ${isWithin('e')}
    ) as received
    from ranges`.execute(db)
  const counts = ranges.map(() => 0)
  for (const { number, received } of rows) counts[Number(number)] = Number(received)
  return counts
}

/** Counts received and sent emails in each range with one query. */
export const countTraffic = async (
  db: Db,
  userId: number,
  ranges: readonly PositionRange[],
): Promise<{ received: number; sent: number }[]> => {
  const { rows } = await sql<{ number: number; received: number; sent: number }>`
    ${withRanges(ranges)}
    select number,
      (select count(*) from emails as e where e."userId" = ${userId} and ${isReceived('e')} and ${isWithin('e')}) as received,
      (select count(*) from emails as e where e."userId" = ${userId} and ${wasSent('e')} and ${isWithin('e')})
        + (select count(*) from email_folders as f where ${isSentToo('f', userId)} and ${isWithin('f')}) as sent
    from ranges`.execute(db)
  const counts = ranges.map(() => ({ received: 0, sent: 0 }))
  for (const { number, received, sent } of rows)
    counts[Number(number)] = { received: Number(received), sent: Number(sent) }
  return counts
}

/**
 * Counts replies in each range, and returns the median time between a received email and its reply. A sent
 * email is a reply if the previous email of its thread is from another person.
 */
export const measureReplies = async (
  db: Db,
  userId: number,
  ranges: readonly PositionRange[],
): Promise<{ replies: number; medianMs: number | null }[]> => {
  /** The position of the last email before `s` in its thread. */
  const lastBefore = (condition: RawBuilder<unknown>) => sql`(
    select e.position from emails as e
    where e."userId" = ${userId} and e."threadId" = s."threadId" and e.position < s.position and ${condition}
    order by e.position desc limit 1)`
  // The cross join fixes the join order, so that SQLite reads one index range for each interval.
  const columns = sql`select ranges.number, e.position, e."threadId", e."fromAddress"`
  const { rows } = await sql<{ number: number; replies: number; median: number }>`
    ${withRanges(ranges)},
    outgoing as (
      ${columns} from ranges cross join emails as e
      where e."userId" = ${userId} and ${wasSent('e')} and ${isWithin('e')}
      union all
      ${columns} from ranges cross join email_folders as f cross join emails as e
      where ${isSentToo('f', userId)} and ${isWithin('f')} and e."userId" = ${userId} and e.id = f."emailId"),
    sent as (
      select s.number, s.position,
        ${lastBefore(sql`${isReceived('e')} and e."fromAddress" <> s."fromAddress"`)} as received,
        ${lastBefore(wasSent('e'))} as earlier
      from outgoing as s),
    replies as (
      select number, position - received as wait,
        row_number() over (partition by number order by position - received) as place,
        count(*) over (partition by number) as replies
      from sent where received > coalesce(earlier, 0))
    select number, replies, avg(wait) as median from replies
    where place in ((replies + 1) / 2, (replies + 2) / 2)
    group by number, replies`.execute(db)
  const measured = ranges.map((): { replies: number; medianMs: number | null } => ({
    replies: 0,
    medianMs: null,
  }))
  for (const { number, replies, median } of rows)
    measured[Number(number)] = { replies: Number(replies), medianMs: Number(median) / PLACES }
  return measured
}

/** Counts the snoozed emails among the unread and the urgent ones of the tallies. */
export const countSnoozed = async (db: Db, userId: number): Promise<{ unread: number; urgent: number }> => {
  const row = await db
    .selectFrom('emails')
    .select([
      sql<number>`coalesce(sum(case when read = 0 and folder not in ('trash', 'junk') then 1 else 0 end), 0)`.as(
        'unread',
      ),
      sql<number>`coalesce(sum(case when urgency in ('high', 'critical') then 1 else 0 end), 0)`.as('urgent'),
    ])
    .where('userId', '=', userId)
    .where('snoozedUntil', 'is not', null)
    .executeTakeFirstOrThrow()
  return { unread: Number(row.unread), urgent: Number(row.urgent) }
}

/** A badge displays no more than "99+". */
const MAX_COUNTED = 100

/** Counts the emails behind the badges of the mail folders, each up to 100. */
export const countForBadges = async (db: Db, userId: number): Promise<EmailCounts> => {
  const emails = db.selectFrom('emails').select('threadId').where('userId', '=', userId)
  const unread = emails.where('read', '=', sql.lit(0))
  const inbox = unread.where('folder', '=', 'inbox').where('snoozedUntil', 'is', null)
  const counted = {
    inbox: inbox.where('returnedPosition', 'is', null),
    returned: unread.where('returnedPosition', 'is not', null),
    archive: unread.where('folder', '=', 'archive').where('returnedPosition', 'is', null),
    // Emails that have another main folder.
    archiveToo: db
      .selectFrom('email_folders')
      .select('emailId as threadId')
      .where('userId', '=', userId)
      .where('folder', '=', 'archive')
      .where('unread', '=', 1) as unknown as typeof unread,
    drafts: emails.where('folder', '=', 'drafts'),
    snoozed: db
      .selectFrom('emails')
      // SQLite would find the distinct threads by reading all emails in their order.
      .select(filterOnly('threadId').as('threadId'))
      .where('userId', '=', userId)
      .where('snoozedUntil', 'is not', null)
      .distinct(),
  }
  const counts = (await db
    .selectNoFrom((row) =>
      Object.entries(counted).map(([name, query]) =>
        row.selectFrom(query.limit(MAX_COUNTED).as('counted')).select(COUNT).as(name),
      ),
    )
    .executeTakeFirstOrThrow()) as unknown as Record<keyof typeof counted, number | string>
  return {
    inbox: Math.min(Number(counts.inbox) + Number(counts.returned), MAX_COUNTED),
    archive: Math.min(Number(counts.archive) + Number(counts.archiveToo), MAX_COUNTED),
    drafts: Number(counts.drafts),
    snoozed: Number(counts.snoozed),
  }
}
