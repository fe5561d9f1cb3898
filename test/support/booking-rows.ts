import { ALL_ACCOUNTS } from '../../src/database/all-accounts.ts'
import type { Db } from '../../src/database/db.ts'
import { getLocalUserId } from '../../src/database/local-account.ts'

/** Inserts bookings with these texts, some of them rescheduled, and the sync state. */
export const fillBookings = async (db: Db, texts: readonly string[], at: string): Promise<void> => {
  const userId = await getLocalUserId(db)
  await db
    .insertInto('booking_settings')
    .values({ userId, provider: 'calcom', baseUrl: null, secret: 's1.sealed', updatedAt: at })
    .execute()
  await db
    .insertInto('booking_sync')
    .values({
      userId,
      owner: null,
      leaseUntil: null,
      epoch: 3,
      endedEpoch: 3,
      outcome: '{}',
      startedAt: at,
      isFull: 1,
      lastSyncAt: at,
      lastSyncStatus: 'partial',
      lastError: texts[1] ?? '',
      watermark: at,
      lastFullAt: null,
    })
    .execute()
  const events = await db.selectFrom('events').select('id').orderBy('id').modifyEnd(ALL_ACCOUNTS).execute()
  for (const [n, text] of texts.entries())
    await db
      .insertInto('bookings')
      .values({
        userId,
        uid: `uid-${n}${text}`,
        provider: 'calcom',
        eventId: events[n]?.id ?? null,
        eventVersion: n,
        replacedBy: n % 2 ? text : null,
        digest: text,
        snapshot: JSON.stringify({ title: text }),
        changedAt: at,
        noticedAt: null,
      })
      .execute()
  for (const [n, text] of texts.entries())
    await db
      .insertInto('unreadable_bookings')
      .values({
        userId,
        name: `name-${n}`,
        bookingId: n % 2 ? text : null,
        reason: text,
        body: text,
        size: n,
        readerVersion: '0.1.0',
        failedAt: at,
      })
      .execute()
}
