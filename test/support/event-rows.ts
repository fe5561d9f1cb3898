import type { Db } from '../../src/database/db.ts'
import { getLocalUserId } from '../../src/database/local-account.ts'
import { spanClassOf } from '../../src/database/overlaps.ts'
import { ensureDefaultId } from '../../src/features/calendar/calendars/repository.ts'
import { BLANK, type EventFields, rowOf } from '../../src/features/calendar/event.ts'

const fieldsWith = (text: string, n: number): EventFields => ({
  ...BLANK,
  uid: `event-${n}@example.org`,
  title: text,
  description: text,
  location: text,
  start: '2026-03-02T09:00:00.000Z',
  end: '2026-03-02T10:00:00.000Z',
  allDay: n % 2 === 0,
  timezone: 'Europe/Berlin',
  bookingId: `booking-${n}`,
  organizer: { name: text, email: 'ana@example.org' },
  attendees: [{ name: text, email: 'li@example.org', status: 'accepted' }],
  reminders: [{ minutesBefore: 15 }],
  notes: text,
  tags: ['work'],
  recurrence: 'FREQ=WEEKLY;COUNT=3',
  bufferBefore: 15,
  bufferAfter: 30,
})

/** Inserts series with these texts, each with a computed and a changed occurrence. */
export const fillEvents = async (db: Db, texts: readonly string[], at: string): Promise<void> => {
  const userId = await getLocalUserId(db)
  const kept = {
    userId,
    calendarId: await ensureDefaultId(db, userId, at),
    changedBy: null,
    mirrorOf: null,
    sequence: 1,
    extra: '{}',
    revisedAt: at,
    nextReminderAt: at,
    createdAt: at,
    updatedAt: at,
    version: 2,
  }
  const mirror = { userId, sourceCalendarId: kept.calendarId, targetCalendarId: kept.calendarId }
  await db
    .insertInto('calendar_mirrors')
    .values({ ...mirror, detail: 'busy', version: 1, createdAt: at, updatedAt: at })
    .execute()
  for (const [n, text] of texts.entries()) {
    const fields = fieldsWith(text, n)
    const { id } = await db
      .insertInto('events')
      .values(rowOf(fields, { ...kept, seriesId: null, recurrenceId: '' }))
      .returning('id')
      .executeTakeFirstOrThrow()
    const one = { ...fields, recurrence: null, bookingId: null }
    const place = { seriesId: id, recurrenceId: '2026-03-09T09:00:00.000Z' }
    await db
      .insertInto('events')
      .values(rowOf(one, { ...kept, ...place }))
      .execute()
    const { start, end } = fields
    await db
      .insertInto('occurrences')
      .values({ userId, seriesId: id, start, end, spanClass: spanClassOf(start, end, 'series') })
      .execute()
  }
}
