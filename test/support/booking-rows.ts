import type { Db } from '../../src/database/db.ts'

/** Inserts bookings with these texts, some of them rescheduled, and the sync state. */
export const fillBookings = async (db: Db, texts: readonly string[], at: string): Promise<void> => {
  await db
    .insertInto('booking_settings')
    .values({ id: 1, provider: 'calcom', baseUrl: null, secret: 's1.sealed', updatedAt: at })
    .execute()
  await db
    .insertInto('booking_sync')
    .values({
      id: 1,
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
  const events = await db.selectFrom('events').select('id').orderBy('id').execute()
  for (const [n, text] of texts.entries())
    await db
      .insertInto('bookings')
      .values({
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
