import { hash } from 'node:crypto'
import type { Db } from '../../database/db.ts'
import { keepBody } from '../../platform/kept-body.ts'

/** Beyond these only the reason is kept. */
const MOST_BODIES = 500

export interface UnreadableBooking {
  bookingId: string | null
  reason: string
  /** JSON as it came. */
  body: string
}

/** One without an id is known by what it says. */
const toName = ({ bookingId, body }: UnreadableBooking): string =>
  bookingId ?? `sha256:${hash('sha256', body, 'base64url')}`

export const countUnreadable = async (db: Db): Promise<number> => {
  const { count } = await db
    .selectFrom('unreadable_bookings')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Stores bookings that could not be read, in place of what was stored of them before. */
export const saveUnreadable = async (
  tx: Db,
  bookings: readonly UnreadableBooking[],
  at: { readerVersion: string; failedAt: string },
): Promise<void> => {
  let count = await countUnreadable(tx)
  for (const booking of bookings) {
    const { body, size } = keepBody(booking.body)
    const row = {
      ...at,
      name: toName(booking),
      bookingId: booking.bookingId,
      reason: booking.reason,
      body: count < MOST_BODIES ? body : null,
      size,
    }
    await tx
      .insertInto('unreadable_bookings')
      .values(row)
      .onConflict((existing) => existing.column('name').doUpdateSet(row))
      .execute()
    count++
  }
}

export const deleteUnreadable = async (tx: Db, bookingIds: readonly string[]): Promise<void> => {
  if (bookingIds.length > 0)
    await tx.deleteFrom('unreadable_bookings').where('name', 'in', bookingIds).execute()
}

/** Those that were not met since: the provider has them no longer, or they can be read now. */
export const deleteUnreadableBefore = async (tx: Db, failedAt: string): Promise<void> => {
  await tx.deleteFrom('unreadable_bookings').where('failedAt', '<', failedAt).execute()
}

/** Whether another version of the service may be able to read some of them. */
export const hasStaleUnreadable = async (db: Db, readerVersion: string): Promise<boolean> =>
  (await db
    .selectFrom('unreadable_bookings')
    .select('id')
    .where('readerVersion', '!=', readerVersion)
    .limit(1)
    .executeTakeFirst()) !== undefined

export const listUnreadable = (db: Db, { limit, after }: { limit: number; after: number }) =>
  db
    .selectFrom('unreadable_bookings')
    .select(['id', 'bookingId', 'reason', 'size', 'failedAt'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit + 1)
    .execute()

export const findUnreadable = (db: Db, id: number): Promise<{ body: string | null } | undefined> =>
  db.selectFrom('unreadable_bookings').select('body').where('id', '=', id).executeTakeFirst()
