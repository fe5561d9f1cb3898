import { setImmediate } from 'node:timers/promises'
import type { Updateable } from 'kysely'
import type { Db } from '../../database/db.ts'
import { prepare, prepareRows, prepareWrite } from '../../database/prepared.ts'
import {
  EVENT_COLUMNS,
  type EventRow,
  type NewEventRow,
  type OccurrenceRow,
} from '../../database/tables/calendar.ts'
import { notFound } from '../../platform/errors.ts'
import type { EventRecord } from './event.ts'

const selectEvent = prepare<{ id: number }, EventRecord>((db, parameter) =>
  db.selectFrom('events').selectAll().where('id', '=', parameter('id')).where('seriesId', 'is', null),
)

/** Finds an event or a series by id, but not a changed occurrence. */
export const findEvent = async (db: Db, id: number): Promise<EventRecord | undefined> =>
  (await selectEvent(db, { id }))[0]

export const getEvent = async (db: Db, id: number): Promise<EventRecord> => {
  const event = await findEvent(db, id)
  if (!event) throw notFound('event')
  return event
}

/** Returns the given events that exist and are not cancelled. */
export const findActive = (
  db: Db,
  ids: readonly number[],
): Promise<Pick<EventRecord, 'id' | 'version' | 'title' | 'start' | 'end'>[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('events')
        .select(['id', 'version', 'title', 'start', 'end'])
        .where('id', 'in', ids)
        .where('seriesId', 'is', null)
        .where('status', '!=', 'cancelled')
        .execute()

/** Locks events until the transaction ends. To prevent deadlocks, lock a series before its occurrences. */
export const lockEvents = async (tx: Db, ids: readonly number[]): Promise<void> => {
  if (ids.length === 0) return
  await tx
    .updateTable('events')
    .set((row) => ({ version: row.ref('version') }))
    .where('id', 'in', ids)
    .execute()
}

/** Locks the event for a change that depends on its current values. */
export const lockEvent = async (tx: Db, id: number): Promise<EventRecord> => {
  await lockEvents(tx, [id])
  return getEvent(tx, id)
}

/** Finds an event by id, including changed occurrences. */
export const findAny = (db: Db, id: number): Promise<EventRecord | undefined> =>
  db.selectFrom('events').selectAll().where('id', '=', id).executeTakeFirst()

export const lockAny = async (tx: Db, id: number): Promise<EventRecord | undefined> => {
  await lockEvents(tx, [id])
  return findAny(tx, id)
}

/** Also finds a rescheduled booking by its earlier id, because the event has the id of the later one. */
export const findByBooking = async (db: Db, bookingId: string): Promise<number | undefined> => {
  const row = await db.selectFrom('events').select('id').where('bookingId', '=', bookingId).executeTakeFirst()
  if (row) return row.id
  const moved = await db
    .selectFrom('bookings')
    .select('eventId')
    .where('uid', '=', bookingId)
    .where('replacedBy', 'is not', null)
    .executeTakeFirst()
  return moved?.eventId ?? undefined
}

export const listByBooking = async (
  db: Db,
  bookingIds: readonly string[],
): Promise<{ id: number; bookingId: string }[]> =>
  bookingIds.length === 0
    ? []
    : db
        .selectFrom('events')
        .select(['id', 'bookingId'])
        .where('bookingId', 'in', bookingIds)
        .$narrowType<{ bookingId: string }>()
        .execute()

export const listByIds = async (db: Db, ids: readonly number[]): Promise<EventRecord[]> =>
  ids.length === 0 ? [] : db.selectFrom('events').selectAll().where('id', 'in', ids).execute()

/** Lists events with a booking id, ordered by that id. */
export const listBooked = (db: Db, after: string, limit: number): Promise<EventRecord[]> =>
  db
    .selectFrom('events')
    .selectAll()
    .where('bookingId', 'is not', null)
    .where('bookingId', '>', after)
    .orderBy('bookingId')
    .limit(limit)
    .execute()

const insertOne = prepareWrite<NewEventRow, { id: number }>((db, parameter) =>
  db
    .insertInto('events')
    .values(
      Object.fromEntries(EVENT_COLUMNS.map((name) => [name, parameter(name)])) as unknown as NewEventRow,
    )
    .returning('id'),
)

export const insertEvent = async (tx: Db, row: NewEventRow): Promise<number> => {
  const [made] = await insertOne(tx, row)
  return (made as { id: number }).id
}

/** Lists all events with these UIDs, including changed occurrences. */
export const listByUid = (db: Db, uids: readonly string[]): Promise<EventRecord[]> =>
  db.selectFrom('events').selectAll().where('uid', 'in', uids).execute()

/** Lists the events and series with these UIDs, and of changed occurrences only the given ones. */
export const listNamed = (
  db: Db,
  uids: readonly string[],
  recurrenceIds: readonly string[],
): Promise<EventRecord[]> =>
  db
    .selectFrom('events')
    .selectAll()
    .where('uid', 'in', uids)
    .where('recurrenceId', 'in', ['', ...recurrenceIds])
    .execute()

export const findNamed = (db: Db, uid: string, recurrenceId: string): Promise<EventRecord | undefined> =>
  db
    .selectFrom('events')
    .selectAll()
    .where('uid', '=', uid)
    .where('recurrenceId', '=', recurrenceId)
    .executeTakeFirst()

/** Lists the UIDs of changed occurrences that were imported without their series. */
export const listUnattached = async (db: Db, uids: readonly string[]): Promise<string[]> => {
  const rows = await db
    .selectFrom('events')
    .select('uid')
    .distinct()
    .where('uid', 'in', uids)
    .where('recurrenceId', '<>', '')
    .where('seriesId', 'is', null)
    .execute()
  return rows.map(({ uid }) => uid)
}

/** Locks the events for a change that depends on their current values. */
export const lockByUid = async (tx: Db, uids: readonly string[]): Promise<EventRecord[]> => {
  await tx
    .updateTable('events')
    .set((row) => ({ version: row.ref('version') }))
    .where('uid', 'in', uids)
    .execute()
  return listByUid(tx, uids)
}

export type NamedEvent = Pick<EventRecord, 'id' | 'uid' | 'recurrenceId'>

export const insertEvents: (tx: Db, rows: readonly NewEventRow[]) => Promise<NamedEvent[]> = prepareRows(
  EVENT_COLUMNS,
  (db, rows) => db.insertInto('events').values(rows).returning(['id', 'uid', 'recurrenceId']),
)

/** Links changed occurrences to a series that was imported after them. */
export const attachOccurrences = async (tx: Db, uid: string, seriesId: number): Promise<void> => {
  await tx
    .updateTable('events')
    .set({ seriesId })
    .where('uid', '=', uid)
    .where('recurrenceId', '<>', '')
    .where('seriesId', 'is', null)
    .execute()
}

/** Returns undefined if another event already has this booking id. */
export const insertBooked = async (tx: Db, row: NewEventRow): Promise<number | undefined> => {
  const made = await tx
    .insertInto('events')
    .values(row)
    .onConflict((existing) => existing.column('bookingId').where('bookingId', 'is not', null).doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id
}

export const updateEvent = async (tx: Db, id: number, row: Updateable<EventRow>): Promise<void> => {
  await tx.updateTable('events').set(row).where('id', '=', id).execute()
}

/** Increments the version of events whose change is stored in other rows. */
export const countChanges = async (tx: Db, ids: readonly number[]): Promise<void> => {
  if (ids.length === 0) return
  await tx
    .updateTable('events')
    .set((row) => ({ version: row('version', '+', 1) }))
    .where('id', 'in', ids)
    .execute()
}

/** Foreign keys also delete its changed and stored occurrences. */
export const deleteEvent = async (tx: Db, id: number): Promise<void> => {
  await tx.deleteFrom('events').where('id', '=', id).execute()
}

/** Lists the changed occurrences of a series. */
export const listOverrides = (db: Db, seriesId: number): Promise<EventRecord[]> =>
  db.selectFrom('events').selectAll().where('seriesId', '=', seriesId).orderBy('recurrenceId').execute()

export const findOverride = (
  db: Db,
  seriesId: number,
  occurrenceStart: string,
): Promise<EventRecord | undefined> =>
  db
    .selectFrom('events')
    .selectAll()
    .where('seriesId', '=', seriesId)
    .where('recurrenceId', '=', occurrenceStart)
    .executeTakeFirst()

/** Returns the original starts of a series' changed occurrences. */
export const readChanged = async (db: Db, seriesId: number): Promise<Set<number>> => {
  const rows = await db.selectFrom('events').select('recurrenceId').where('seriesId', '=', seriesId).execute()
  return new Set(rows.map(({ recurrenceId }) => Date.parse(recurrenceId)))
}

const BATCH = 500

export const insertOccurrences = async (tx: Db, rows: readonly OccurrenceRow[]): Promise<void> => {
  for (let at = 0; at < rows.length; at += BATCH)
    await tx
      .insertInto('occurrences')
      .values(rows.slice(at, at + BATCH))
      .onConflict((existing) => existing.columns(['seriesId', 'start']).doNothing())
      .execute()
}

/** Deletes stored occurrences of a series: all of them, or the given ones. */
export const deleteOccurrences = async (
  tx: Db,
  seriesId: number,
  starts?: readonly string[],
): Promise<void> => {
  await tx
    .deleteFrom('occurrences')
    .where('seriesId', '=', seriesId)
    .$if(starts !== undefined, (query) => query.where('start', 'in', starts as string[]))
    .execute()
}

/** Counts bookings created since `since` that are not cancelled. */
export const countBooked = async (db: Db, since: string): Promise<number> => {
  const { bookings } = await db
    .selectFrom('events')
    .select((row) => row.fn.countAll<number>().as('bookings'))
    .where('bookingId', 'is not', null)
    .where('createdAt', '>=', since)
    .where('status', '!=', 'cancelled')
    .executeTakeFirstOrThrow()
  return Number(bookings)
}

/** Uses a partial index that contains only bookings. */
export const countBookings = async (db: Db): Promise<number> => {
  const { bookings } = await db
    .selectFrom('events')
    .select((row) => row.fn.countAll<number>().as('bookings'))
    .where('bookingId', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(bookings)
}

export const listAllEvents = (db: Db, after: number, limit: number): Promise<EventRecord[]> =>
  db.selectFrom('events').selectAll().where('id', '>', after).orderBy('id').limit(limit).execute()

export interface UsedZone {
  timezone: string
  first: string
  last: string
}

/** The number of rows per query: other writers wait for it. */
const STRETCH = 5_000

const stretchAfter = (db: Db, id: number) =>
  db
    .selectFrom('events')
    .select(['id', 'timezone', 'start', 'lastEnd', 'updatedAt'])
    .where('id', '>', id)
    .orderBy('id')
    .limit(STRETCH)

/**
 * Lists the time zones of events with the range of dates. This reads the whole calendar, as the export does.
 */
export const listUsedZones = async (db: Db): Promise<UsedZone[]> => {
  const used = new Map<string, UsedZone>()
  for (let after = 0; ; await setImmediate()) {
    const found = await db
      .selectFrom(stretchAfter(db, after).where('allDay', '=', 0).as('stretch'))
      .select(({ fn }) => [
        'timezone',
        fn.min('start').as('first'),
        fn.max('lastEnd').as('last'),
        fn.max('id').as('lastId'),
      ])
      .groupBy('timezone')
      .execute()
    if (found.length === 0) break
    for (const { timezone, first, last } of found) {
      const known = used.get(timezone) ?? { timezone, first, last }
      used.set(timezone, {
        timezone,
        first: first < known.first ? first : known.first,
        last: last > known.last ? last : known.last,
      })
    }
    after = Math.max(...found.map(({ lastId }) => lastId))
  }
  return [...used.values()].sort((one, other) => (one.timezone < other.timezone ? -1 : 1))
}

const OF_EVENTS = ['event.created', 'event.updated', 'event.cancelled']

/**
 * Returns the event changes among the latest changes, and the id of the latest one. The id is undefined if
 * there are none.
 */
export const readLastChanges = async (
  db: Db,
  { among, most }: { among: number; most: number },
): Promise<{ ofEvents: { id: number; at: string }[]; latest: number | undefined }> => {
  const latest = db.selectFrom('changes').select(['id', 'type', 'at']).orderBy('id', 'desc')
  const rows = await db
    .selectFrom(latest.limit(among).as('latest'))
    .select(['id', 'at'])
    .where('type', 'in', OF_EVENTS)
    .orderBy('id', 'desc')
    .limit(most)
    .execute()
  const last = await latest.limit(1).executeTakeFirst()
  return { ofEvents: rows, latest: last?.id }
}

/**
 * Returns the number of events and the last id. A full import records no event changes, so only these show
 * it.
 */
export const countAllEvents = (db: Db): Promise<{ count: number; last: number | null }> =>
  db
    .selectFrom('events')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('id').as('last')])
    .executeTakeFirstOrThrow()

export const findLastUpdate = async (db: Db): Promise<string | null> => {
  let last: string | null = null
  for (let after = 0; ; await setImmediate()) {
    const { at, lastId } = await db
      .selectFrom(stretchAfter(db, after).as('stretch'))
      .select(({ fn }) => [fn.max('updatedAt').as('at'), fn.max('id').as('lastId')])
      .$castTo<{ at: string | null; lastId: number | null }>()
      .executeTakeFirstOrThrow()
    if (at === null || lastId === null) return last
    if (last === null || at > last) last = at
    after = lastId
  }
}

/** Finds the event with the oldest due reminder. */
export const findDue = async (db: Db, now: string): Promise<number | undefined> => {
  const row = await db
    .selectFrom('events')
    .select('id')
    .where('nextReminderAt', '<=', now)
    .orderBy('nextReminderAt')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

export const findNextReminder = async (db: Db): Promise<string | undefined> => {
  const row = await db
    .selectFrom('events')
    .select('nextReminderAt')
    .where('nextReminderAt', 'is not', null)
    .orderBy('nextReminderAt')
    .limit(1)
    .executeTakeFirst()
  return row?.nextReminderAt ?? undefined
}
