import { setImmediate } from 'node:timers/promises'
import type { Updateable } from 'kysely'
import { ALL_ACCOUNTS } from '../../database/all-accounts.ts'
import { toBatches } from '../../database/batches.ts'
import type { Db } from '../../database/db.ts'
import { filterOnly } from '../../database/planner.ts'
import { prepare } from '../../database/prepared.ts'
import { countRows } from '../../database/rows.ts'
import type { EventRow, NewEventRow, OccurrenceRow } from '../../database/tables/calendar.ts'
import { notFound } from '../../platform/errors.ts'
import type { EventRecord } from './event.ts'

/** The events of an account, with series and changed occurrences. */
const selectEvents = (db: Db, userId: number) =>
  db.selectFrom('events').selectAll().where('userId', '=', userId)

const updateEvents = (tx: Db, userId: number) => tx.updateTable('events').where('userId', '=', userId)

const selectEvent = prepare<{ userId: number; id: number }, EventRecord>((db, { userId, id }) =>
  selectEvents(db, userId).where('id', '=', id).where('seriesId', 'is', null),
)

/** Finds an event or a series by id, but not a changed occurrence. */
export const findEvent = async (db: Db, userId: number, id: number): Promise<EventRecord | undefined> =>
  (await selectEvent(db, { userId, id }))[0]

export const getEvent = async (db: Db, userId: number, id: number): Promise<EventRecord> => {
  const event = await findEvent(db, userId, id)
  if (!event) throw notFound('event')
  return event
}

/** Finds an event by id, including changed occurrences. */
export const findAny = (db: Db, userId: number, id: number): Promise<EventRecord | undefined> =>
  selectEvents(db, userId).where('id', '=', id).executeTakeFirst()

export const listByIds = async (db: Db, userId: number, ids: readonly number[]): Promise<EventRecord[]> =>
  ids.length === 0 ? [] : selectEvents(db, userId).where('id', 'in', ids).execute()

/** Returns the given events that exist and are not cancelled. */
export const listActive = async (db: Db, userId: number, ids: readonly number[]): Promise<EventRecord[]> =>
  (await listByIds(db, userId, ids)).filter(
    ({ seriesId, status }) => seriesId === null && status !== 'cancelled',
  )

/** Locks events until the transaction ends. To prevent deadlocks, lock a series before its occurrences. */
export const lockEvents = async (tx: Db, userId: number, ids: readonly number[]): Promise<void> => {
  if (ids.length === 0) return
  await updateEvents(tx, userId)
    .set((row) => ({ version: row.ref('version') }))
    .where('id', 'in', ids)
    .execute()
}

/** Locks the event for a change that depends on its current values. */
export const lockEvent = async (tx: Db, userId: number, id: number): Promise<EventRecord> => {
  await lockEvents(tx, userId, [id])
  return getEvent(tx, userId, id)
}

export const lockAny = async (tx: Db, userId: number, id: number): Promise<EventRecord | undefined> => {
  await lockEvents(tx, userId, [id])
  return findAny(tx, userId, id)
}

/** Lists all events with these UIDs, including changed occurrences. */
export const listByUid = (db: Db, userId: number, uids: readonly string[]): Promise<EventRecord[]> =>
  selectEvents(db, userId).where('uid', 'in', uids).execute()

/** Locks the events for a change that depends on their current values. */
export const lockByUid = async (tx: Db, userId: number, uids: readonly string[]): Promise<EventRecord[]> => {
  await updateEvents(tx, userId)
    .set((row) => ({ version: row.ref('version') }))
    .where('uid', 'in', uids)
    .execute()
  return listByUid(tx, userId, uids)
}

/** Lists the events and series with these UIDs, and of changed occurrences only the given ones. */
export const listNamed = (
  db: Db,
  userId: number,
  uids: readonly string[],
  recurrenceIds: readonly string[],
): Promise<EventRecord[]> =>
  selectEvents(db, userId)
    .where('uid', 'in', uids)
    .where('recurrenceId', 'in', ['', ...recurrenceIds])
    .execute()

export const findNamed = (
  db: Db,
  userId: number,
  uid: string,
  recurrenceId: string,
): Promise<EventRecord | undefined> =>
  selectEvents(db, userId).where('uid', '=', uid).where('recurrenceId', '=', recurrenceId).executeTakeFirst()

/** Lists the UIDs of changed occurrences that were imported without their series. */
export const listUnattached = async (db: Db, userId: number, uids: readonly string[]): Promise<string[]> => {
  const rows = await db
    .selectFrom('events')
    .select('uid')
    .distinct()
    .where('userId', '=', userId)
    .where('uid', 'in', uids)
    .where('recurrenceId', '<>', '')
    .where('seriesId', 'is', null)
    .execute()
  return rows.map(({ uid }) => uid)
}

/** Links changed occurrences to a series that was imported after them, and moves them to its calendar. */
export const attachOccurrences = async (
  tx: Db,
  userId: number,
  uid: string,
  { id: seriesId, calendarId }: Pick<EventRecord, 'id' | 'calendarId'>,
): Promise<void> => {
  await updateEvents(tx, userId)
    .set({ seriesId, calendarId })
    .where('uid', '=', uid)
    .where('recurrenceId', '<>', '')
    .where('seriesId', 'is', null)
    .execute()
}

/** Lists the changed occurrences of a series. */
export const listOverrides = (db: Db, userId: number, seriesId: number): Promise<EventRecord[]> =>
  selectEvents(db, userId).where('seriesId', '=', seriesId).orderBy('recurrenceId').execute()

export const findOverride = (
  db: Db,
  userId: number,
  seriesId: number,
  occurrenceStart: string,
): Promise<EventRecord | undefined> =>
  selectEvents(db, userId)
    .where('seriesId', '=', seriesId)
    .where('recurrenceId', '=', occurrenceStart)
    .executeTakeFirst()

/** Returns the original starts of a series' changed occurrences. */
export const readChanged = async (db: Db, userId: number, seriesId: number): Promise<Set<number>> => {
  const rows = await db
    .selectFrom('events')
    .select('recurrenceId')
    .where('userId', '=', userId)
    .where('seriesId', '=', seriesId)
    .execute()
  return new Set(rows.map(({ recurrenceId }) => Date.parse(recurrenceId)))
}

/** Also finds a rescheduled booking by its earlier id, because the event has the id of the later one. */
export const findByBooking = async (
  db: Db,
  userId: number,
  bookingId: string,
): Promise<number | undefined> => {
  const [event] = await listByBooking(db, userId, [bookingId])
  if (event) return event.id
  const moved = await db
    .selectFrom('bookings')
    .select('eventId')
    .where('userId', '=', userId)
    .where('uid', '=', bookingId)
    .where('replacedBy', 'is not', null)
    .executeTakeFirst()
  return moved?.eventId ?? undefined
}

export const listByBooking = async (
  db: Db,
  userId: number,
  bookingIds: readonly string[],
): Promise<{ id: number; bookingId: string }[]> =>
  bookingIds.length === 0
    ? []
    : db
        .selectFrom('events')
        .select(['id', 'bookingId'])
        .where('userId', '=', userId)
        .where('bookingId', 'in', bookingIds)
        .$narrowType<{ bookingId: string }>()
        .execute()

/** Lists events with a booking id, ordered by that id. */
export const listBooked = (db: Db, userId: number, after: string, limit: number): Promise<EventRecord[]> =>
  selectEvents(db, userId)
    .where('bookingId', 'is not', null)
    .where('bookingId', '>', after)
    .orderBy('bookingId')
    .limit(limit)
    .execute()

/** Counts events with a booking id; with `since`, those created since then that are not cancelled. */
export const countBooked = (db: Db, userId: number, since?: string): Promise<number> => {
  const booked = db.selectFrom('events').where('userId', '=', userId).where('bookingId', 'is not', null)
  return countRows(
    since === undefined ? booked : booked.where('createdAt', '>=', since).where('status', '!=', 'cancelled'),
  )
}

const insertOne = prepare<NewEventRow, { id: number }>((db, row) =>
  db.insertInto('events').values(row).returning('id'),
)

export const insertEvent = async (tx: Db, row: NewEventRow): Promise<number> => {
  const [made] = await insertOne(tx, row)
  return (made as { id: number }).id
}

/** Returns undefined if another event already has this booking id. */
export const insertBooked = async (tx: Db, row: NewEventRow): Promise<number | undefined> => {
  const made = await tx
    .insertInto('events')
    .values(row)
    .onConflict((existing) =>
      existing.columns(['userId', 'bookingId']).where('bookingId', 'is not', null).doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  return made?.id
}

export type NamedEvent = Pick<EventRecord, 'id' | 'uid' | 'recurrenceId' | 'calendarId'>

export const insertEvents = async (tx: Db, rows: readonly NewEventRow[]): Promise<NamedEvent[]> => {
  const inserted: NamedEvent[] = []
  for (const batch of toBatches(rows))
    inserted.push(
      ...(await tx
        .insertInto('events')
        .values(batch)
        .returning(['id', 'uid', 'recurrenceId', 'calendarId'])
        .execute()),
    )
  return inserted
}

export const updateEvent = async (
  tx: Db,
  userId: number,
  id: number,
  row: Updateable<EventRow>,
): Promise<void> => {
  await updateEvents(tx, userId).set(row).where('id', '=', id).execute()
}

/** Increments the version of events. Other rows may store the change. */
export const countChanges = async (
  tx: Db,
  userId: number,
  ids: readonly number[],
  change: Updateable<EventRow> = {},
): Promise<void> => {
  if (ids.length === 0) return
  await updateEvents(tx, userId)
    .set((row) => ({ ...change, version: row('version', '+', 1) }))
    .where('id', 'in', ids)
    .execute()
}

/** Moves the changed occurrences of a series to the calendar of the series. */
export const moveOverrides = async (
  tx: Db,
  userId: number,
  seriesId: number,
  calendarId: number,
): Promise<void> => {
  await updateEvents(tx, userId).set({ calendarId }).where('seriesId', '=', seriesId).execute()
}

/** Foreign keys also delete their changed and stored occurrences. */
export const deleteEvents = async (tx: Db, userId: number, ids: readonly number[]): Promise<void> => {
  await tx.deleteFrom('events').where('userId', '=', userId).where('id', 'in', ids).execute()
}

export const deleteEvent = (tx: Db, userId: number, id: number): Promise<void> =>
  deleteEvents(tx, userId, [id])

/** Stores occurrences of series. */
export const insertOccurrences = async (tx: Db, rows: readonly OccurrenceRow[]): Promise<void> => {
  for (const batch of toBatches(rows))
    await tx
      .insertInto('occurrences')
      .values(batch)
      .onConflict((existing) => existing.columns(['seriesId', 'start']).doNothing())
      .execute()
}

/** Deletes stored occurrences of a series: all of them, or the given ones. */
export const deleteOccurrences = async (
  tx: Db,
  userId: number,
  seriesId: number,
  starts?: readonly string[],
): Promise<void> => {
  await tx
    .deleteFrom('occurrences')
    .where(filterOnly('userId'), '=', userId)
    .where('seriesId', '=', seriesId)
    .$if(starts !== undefined, (query) => query.where('start', 'in', starts as string[]))
    .execute()
}

/** Lists those of the given events that are in a calendar of an account. */
export const listInAccount = async (
  db: Db,
  userId: number,
  accountId: string,
  uids: readonly string[],
): Promise<EventRecord[]> =>
  uids.length === 0
    ? []
    : db
        .selectFrom('events')
        .innerJoin('calendars', 'calendars.id', 'events.calendarId')
        .innerJoin('remote_calendars as remote', 'remote.id', 'calendars.remoteCalendarId')
        .selectAll('events')
        .where('events.userId', '=', userId)
        .where('events.uid', 'in', uids)
        .where('remote.accountId', '=', accountId)
        .execute()

/** Lists all events, without those that are shown from another calendar. */
export const listOriginals = (db: Db, userId: number, after: number, limit: number): Promise<EventRecord[]> =>
  selectEvents(db, userId)
    .where('mirrorOf', 'is', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

/** Lists the UIDs of the events of a calendar. */
export const listUidsOfCalendar = async (db: Db, userId: number, calendarId: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('events')
    .select('uid')
    .distinct()
    .where('userId', '=', userId)
    .where('calendarId', '=', calendarId)
    .orderBy('uid')
    .execute()
  return rows.map(({ uid }) => uid)
}

/** Returns the UIDs of the events and series of a calendar that may overlap a period. */
export const findUidsBetween = async (
  db: Db,
  userId: number,
  calendarId: number,
  { from, until }: { from: string; until: string },
): Promise<Set<string>> => {
  const rows = await db
    .selectFrom('events')
    .select('uid')
    .distinct()
    .where('userId', '=', userId)
    .where('calendarId', '=', calendarId)
    .where('start', '<', until)
    .where('lastEnd', '>=', from)
    .execute()
  return new Set(rows.map(({ uid }) => uid))
}

/** Returns those of the UIDs that events of a calendar have. */
export const findUidsIn = async (
  db: Db,
  userId: number,
  calendarId: number,
  uids: readonly string[],
): Promise<Set<string>> => {
  const found = new Set<string>()
  for (const batch of toBatches(uids))
    for (const { uid } of await db
      .selectFrom('events')
      .select('uid')
      .distinct()
      .where('userId', '=', userId)
      .where('uid', 'in', batch)
      .where('calendarId', '=', calendarId)
      .execute())
      found.add(uid)
  return found
}

/** Lists the events of a calendar after a position, in the order of their starts. */
export const listOfCalendar = (
  db: Db,
  userId: number,
  calendarId: number,
  after: Pick<EventRecord, 'start' | 'id'> | undefined,
  limit: number,
): Promise<EventRecord[]> =>
  selectEvents(db, userId)
    .where('calendarId', '=', calendarId)
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('start', 'id'), '>', tuple(after?.start as string, after?.id as number)),
      ),
    )
    .orderBy('start')
    .orderBy('id')
    .limit(limit)
    .execute()

export interface UsedZone {
  timezone: string
  first: string
  last: string
}

/** The number of rows per query: other writers wait for it. */
const STRETCH = 5_000

const stretchAfter = (db: Db, userId: number, id: number, calendarId: number | undefined) =>
  db
    .selectFrom('events')
    .select(['id', 'timezone', 'start', 'lastEnd', 'updatedAt'])
    .where('userId', '=', userId)
    .$if(calendarId !== undefined, (query) => query.where('calendarId', '=', calendarId as number))
    .where('id', '>', id)
    .orderBy('id')
    .limit(STRETCH)

/**
 * Lists the time zones of events with the range of dates. This reads the whole calendar, as the export does.
 */
export const listUsedZones = async (db: Db, userId: number, calendarId?: number): Promise<UsedZone[]> => {
  const used = new Map<string, UsedZone>()
  for (let after = 0; ; await setImmediate()) {
    const found = await db
      .selectFrom(stretchAfter(db, userId, after, calendarId).where('allDay', '=', 0).as('stretch'))
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
 * Returns the event changes among the latest changes of the account, and the id of the latest one. The id is undefined
 * if there are none.
 */
export const readLastChanges = async (
  db: Db,
  userId: number,
  { among, most }: { among: number; most: number },
): Promise<{ ofEvents: { id: number; at: string }[]; latest: number | undefined }> => {
  const latest = db
    .selectFrom('changes')
    .select(['id', 'type', 'at'])
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
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
export const countAllEvents = (
  db: Db,
  userId: number,
  calendarId?: number,
): Promise<{ count: number; last: number | null }> =>
  db
    .selectFrom('events')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('id').as('last')])
    .where('userId', '=', userId)
    .$if(calendarId !== undefined, (query) => query.where('calendarId', '=', calendarId as number))
    .executeTakeFirstOrThrow()

export const findLastUpdate = async (db: Db, userId: number, calendarId?: number): Promise<string | null> => {
  let last: string | null = null
  for (let after = 0; ; await setImmediate()) {
    const { at, lastId } = await db
      .selectFrom(stretchAfter(db, userId, after, calendarId).as('stretch'))
      .select(({ fn }) => [fn.max('updatedAt').as('at'), fn.max('id').as('lastId')])
      .$castTo<{ at: string | null; lastId: number | null }>()
      .executeTakeFirstOrThrow()
    if (at === null || lastId === null) return last
    if (last === null || at > last) last = at
    after = lastId
  }
}

/** Finds the event with the oldest due reminder, of all accounts. */
export const findDue = (db: Db, now: string): Promise<Pick<EventRecord, 'id' | 'userId'> | undefined> =>
  db
    .selectFrom('events')
    .select(['id', 'userId'])
    .where('nextReminderAt', '<=', now)
    .orderBy('nextReminderAt')
    .limit(1)
    .modifyEnd(ALL_ACCOUNTS)
    .executeTakeFirst()

/** Finds a series of any account whose occurrences must be stored further ahead. */
export const findUnexpanded = (
  db: Db,
  { after, before }: { after: string; before: string },
): Promise<Pick<EventRecord, 'id' | 'userId'> | undefined> =>
  db
    .selectFrom('events')
    .select(['id', 'userId'])
    .where('expandedUntil', '>', after)
    .where('expandedUntil', '<', before)
    .orderBy('expandedUntil')
    .limit(1)
    .modifyEnd(ALL_ACCOUNTS)
    .executeTakeFirst()

/** Returns the time of the next reminder of all accounts: of owners, or of members of shared calendars. */
export const findNextReminder = async (
  db: Db,
  table: 'events' | 'event_reminders' = 'events',
): Promise<string | undefined> => {
  const row = await db
    .selectFrom(table)
    .select('nextReminderAt')
    .where('nextReminderAt', 'is not', null)
    .orderBy('nextReminderAt')
    .limit(1)
    .modifyEnd(ALL_ACCOUNTS)
    .executeTakeFirst()
  return row?.nextReminderAt ?? undefined
}
