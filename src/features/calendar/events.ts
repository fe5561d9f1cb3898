import type { Db } from '../../database/db.ts'
import { isUniqueViolation } from '../../database/errors.ts'
import { inTransaction, transactionOr } from '../../database/transaction.ts'
import { isPrivate } from '../../nlu/mail/facts.ts'
import { AppError, conflict, invalidField, notFound } from '../../platform/errors.ts'
import { pageOf, readCursor, requireMatch } from '../../platform/http/etag.ts'
import type { Platform } from '../../platform/platform.ts'
import { orderedId } from '../../platform/random.ts'
import type { AcceptedShare } from '../sharing/repository.ts'
import { ensureDefaultId, holdCalendar } from './calendars/repository.ts'
import { moveOf, requireTarget } from './calendars/store.ts'
import type { AddConferencing } from './conferencing-link.ts'
import {
  type Event,
  type EventFields,
  type EventRecord,
  fieldsOf,
  toEvent,
  toEvents,
  type VersionedEvent,
  versionOf,
} from './event.ts'
import { applyEventPatch, readNewEvent } from './event-input.ts'
import {
  findByBooking,
  findEvent,
  findOverride,
  getEvent,
  insertBooked,
  insertEvent,
  listByIds,
  lockEvent,
} from './event-repository.ts'
import { requireOriginal, type Saving } from './event-writer.ts'
import { type CalendarAccess, requireEditor } from './members/access.ts'
import type { OwnReminders } from './members/member-reminders.ts'
import {
  isPrivateRow,
  requireReadable,
  toMemberRow,
  toSharedEvent,
  toVersionedMemberEvent,
} from './members/redaction.ts'
import { findPersonName, readMemberReminders } from './members/repository.ts'
import { readCalendarIds } from './mirrors/repository.ts'
import type { Occurrences, OccurrenceTarget } from './occurrences.ts'
import type { EventChange, EventList, EventsQuery, NewEvent, UpcomingQuery } from './schema.ts'
import { isSeries } from './series.ts'
import { readMoment } from './times.ts'
import type { Window, WindowEventRow } from './windows/repository.ts'
import { findConflicts, listWindow, type SavedEvent, withConflicts } from './windows/window.ts'

/** An event of a page with its place in the order. A page leaves out what is null. */
interface Listed {
  start: string
  id: number
  event: Event | null
}

const byPlace = (a: Listed, b: Listed): number =>
  a.start < b.start ? -1 : a.start > b.start ? 1 : a.id - b.id

const listScope = async (db: Db, userId: number, window: Window): Promise<Listed[]> => {
  const rows = await listWindow(db, userId, { ...window, limit: window.limit + 1 })
  return toEvents(rows).map((event, index) => ({ start: event.start, id: rows[index]?.id as number, event }))
}

const rejectDuplicate = (error: unknown): never => {
  if (isUniqueViolation(error)) throw conflict('Another event already has this uid or bookingId.')
  throw error
}

/** Write events in the name of the owner of the calendar, or of a member. */
interface Writers {
  saving: Saving
  occurrences: Occurrences
}

export type Events = ReturnType<typeof createEvents>

export const createEvents = (
  deps: Pick<Platform, 'db' | 'clock' | 'random'> & {
    saving: Saving
    occurrences: Occurrences
    /** Returns the same for changes that a member makes in the calendar of another account. */
    writersBy: (name: string) => Writers
    access: CalendarAccess
    ownReminders: OwnReminders
    /** The time zone of an account, for times without an offset. */
    zoneOf: (userId: number) => Promise<string>
    addConferencing: AddConferencing
  },
) => {
  const { db, clock, random, saving, occurrences, access, ownReminders, addConferencing } = deps
  const own: Writers = { saving, occurrences }

  /** Returns the ids of mirrored events whose original the member sees in another calendar of the same owner. */
  const findSeenTwice = async (
    shares: readonly AcceptedShare[],
    scopes: readonly { share: AcceptedShare; rows: readonly WindowEventRow[] }[],
  ): Promise<Set<number>> => {
    const seen = new Set<number>()
    for (const { share, rows } of scopes) {
      const ids = rows.flatMap(({ mirrorOf }) => mirrorOf ?? [])
      const calendars = await readCalendarIds(db, share.ownerId, [...new Set(ids)])
      for (const { id, mirrorOf } of rows)
        if (mirrorOf !== null && shares.some(({ resourceId }) => resourceId === calendars.get(mirrorOf)))
          seen.add(id)
    }
    return seen
  }

  /** Lists shared events beside the own ones. The same cursor is valid for all of them. */
  const listShared = async (
    userId: number,
    window: Window,
    shares: readonly AcceptedShare[],
  ): Promise<Listed[]> => {
    const scopes = await Promise.all(
      shares.map(async (share) => {
        const among = share.role === 'freeBusy' ? 'busy' : window.among
        const scope = {
          ...window,
          calendarId: share.resourceId,
          among,
          originals: false,
          as: 'member',
        } as const
        const rows = await listWindow(db, share.ownerId, { ...scope, limit: window.limit + 1 })
        const seriesIds = new Set(rows.flatMap(({ seriesId }) => seriesId ?? []))
        const series = await listByIds(db, share.ownerId, [...seriesIds])
        return { share, rows, seriesOf: new Map(series.map((row) => [row.id, row])) }
      }),
    )
    const ids = scopes.flatMap(({ rows }) => rows.map(({ id, seriesId }) => seriesId ?? id))
    const reminders = await readMemberReminders(db, userId, ids)
    const seenTwice = window.originals ? await findSeenTwice(shares, scopes) : new Set<number>()
    return scopes.flatMap(({ share, rows, seriesOf }) =>
      rows.map((row) => {
        const series = row.seriesId === null ? undefined : seriesOf.get(row.seriesId)
        const event = toEvent(toMemberRow(row, series), row.occurrenceStart)
        // A filter by source would tell the source of a private event.
        const isVisible =
          (window.source === undefined || !isPrivateRow(row, series)) && !seenTwice.has(row.id)
        return {
          start: row.start,
          id: row.id,
          event: isVisible ? toSharedEvent(event, share.role, reminders.get(event.id)) : null,
        }
      }),
    )
  }

  const listPage = async (
    userId: number,
    window: Window,
    isVisible: (share: AcceptedShare) => boolean,
  ): Promise<EventList> => {
    const [own, accepted] = await Promise.all([listScope(db, userId, window), access.accepted(db, userId)])
    const shares = accepted.filter(
      (share) =>
        (window.calendarId === undefined || window.calendarId === share.resourceId) && isVisible(share),
    )
    const rows =
      shares.length === 0 ? own : [...own, ...(await listShared(userId, window, shares))].sort(byPlace)
    const { page, nextCursor } = pageOf(rows.slice(0, window.limit + 1), window.limit, ({ start, id }) => [
      start,
      id,
    ])
    return { events: page.flatMap(({ event }) => event ?? []), nextCursor }
  }

  const showToMember = async (
    on: Db,
    userId: number,
    ownerId: number,
    id: number,
    occurrence: string | undefined,
  ): Promise<VersionedEvent> => {
    const event = await occurrences.show(on, ownerId, id, occurrence, toMemberRow)
    return toVersionedMemberEvent(event, (await readMemberReminders(on, userId, [id])).get(id))
  }

  /** Changes an event or occurrences of a series, with the user id of its owner. */
  const changeTarget = async (
    writers: Writers,
    tx: Db,
    ownerId: number,
    { id, input, target, ifMatch, zone }: ChangeRequest,
  ): Promise<VersionedEvent> => {
    const { occurrence } = target
    if (occurrence !== undefined)
      return writers.occurrences.change(tx, ownerId, id, input, { ...target, occurrence }, ifMatch, zone)
    requireWhole(target)
    const row = await lockEvent(tx, ownerId, id)
    requireMatch(ifMatch, versionOf(row))
    requireOriginal(row)
    const before = fieldsOf(row)
    const after = applyEventPatch(before, input, zone)
    if (after.bookingId !== null && before.bookingId !== after.bookingId) after.source = 'bookingsvc'
    const move = await moveOf(tx, row, input.calendarId)
    if (isSeries(before)) await writers.occurrences.changeSeries(tx, row, after, input, move)
    else await writers.saving.update(tx, row, after, move)
    return occurrences.show(tx, ownerId, id)
  }

  /** Changes an event in a calendar of another account. The reminders are the member's own. */
  const changeAsMember = async (tx: Db, userId: number, request: ChangeRequest): Promise<VersionedEvent> => {
    const { id, target, ifMatch } = request
    const share = await access.lockEvent(tx, userId, id)
    const { reminders, ...input } = withoutReferences(request.input)
    const { ownerId } = share
    const row = await lockEvent(tx, ownerId, id)
    // The event was moved before it was locked.
    if (row.calendarId !== share.resourceId) throw notFound('event')
    await requireReadableTarget(tx, row, target)
    requireOriginal(row)
    if (reminders !== undefined && target.occurrence !== undefined && (target.scope ?? 'this') === 'this')
      throw invalidField('reminders', 'can only be changed for the whole series. Use scope=all.')
    let changed: VersionedEvent
    if (Object.keys(input).length === 0) {
      requireMatch(ifMatch, versionOf(row))
      changed = await occurrences.show(tx, ownerId, id, target.occurrence)
    } else {
      requireEditor(share)
      if (input.calendarId !== undefined && input.calendarId !== row.calendarId)
        await access.requireSameOwner(tx, userId, ownerId, input.calendarId)
      const writers = deps.writersBy(await findPersonName(tx, userId))
      changed = await changeTarget(writers, tx, ownerId, { ...request, input })
    }
    if (reminders !== undefined)
      await ownReminders.save(tx, userId, await getEvent(tx, ownerId, changed.id), reminders)
    return showToMember(tx, userId, ownerId, changed.id, changed.occurrenceStart ?? undefined)
  }

  /** Creates an event in a calendar that another account shares. */
  const createAsMember = async (
    tx: Db,
    userId: number,
    share: AcceptedShare,
    given: NewEvent,
    zone: string,
  ): Promise<{ made: boolean; event: SavedEvent }> => {
    const { reminders, ...input } = withoutReferences(given)
    const { ownerId, resourceId: calendarId } = share
    await requireTarget(tx, ownerId, calendarId)
    const fields = readNewEvent(input, `${orderedId(random, clock.now())}@factotum`, zone)
    const writers = deps.writersBy(await findPersonName(tx, userId))
    const id = await writers.saving.insert(tx, ownerId, fields, { calendarId })
    if (reminders !== undefined)
      await ownReminders.save(tx, userId, await getEvent(tx, ownerId, id), reminders)
    const event = await showToMember(tx, userId, ownerId, id, undefined)
    const conflicts = await findConflicts(tx, userId, id, fields, clock.now())
    return { made: true, event: { ...event, conflicts } }
  }

  /** Finds conflicts with own events after the commit, when the event is no longer locked. */
  const changeWithConflicts = async (
    userId: number,
    change: (tx: Db) => Promise<VersionedEvent>,
  ): Promise<SavedEvent> => {
    const { event, fields } = await inTransaction(db, async (tx) => {
      const changed = await change(tx)
      const row = await findEvent(tx, userId, changed.id)
      return { event: changed, fields: row ? fieldsOf(row) : changed }
    }).catch(rejectDuplicate)
    return withConflicts(transactionOr(db), userId, event, fields, clock.now())
  }

  return {
    async get(userId: number, id: number, occurrence?: string): Promise<VersionedEvent> {
      const view = transactionOr(db)
      try {
        return await occurrences.show(view, userId, id, occurrence)
      } catch (error) {
        if (!(error instanceof AppError) || error.kind !== 'not_found') throw error
        const share = await access.findReadable(view, userId, id)
        if (!share) throw error
        return showToMember(view, userId, share.ownerId, id, occurrence)
      }
    },

    /** Throws if the account may view the event, or only see that it is busy, but not change it. */
    async requireEditor(userId: number, id: number, target: OccurrenceTarget = {}): Promise<void> {
      const view = transactionOr(db)
      if (await findEvent(view, userId, id)) return
      const share = await access.findReadable(view, userId, id)
      if (!share) throw notFound('event')
      requireEditor(share)
      await requireReadableTarget(view, await getEvent(view, share.ownerId, id), target)
    },

    /** With `originals`, events are left out that are shown from another calendar of the list. */
    async list(
      userId: number,
      query: EventsQuery,
      { originals = false }: { originals?: boolean } = {},
    ): Promise<EventList> {
      const { start, end, status, source, calendarId, limit, cursor } = query
      const zone = await deps.zoneOf(userId)
      const from = start === undefined ? undefined : readMoment('start', start, zone)
      const until = end === undefined ? undefined : readMoment('end', end, zone)
      if (from !== undefined && until !== undefined && until <= from)
        throw invalidField('end', 'must be after the start')
      const after = readCursor(cursor, 'instant', 'integer')
      const expanded = from !== undefined && until !== undefined
      const window = { expanded, from, until, status, source, calendarId, originals, after, limit }
      // A window shows when others are busy, but not what they do. The source would tell some of it.
      return listPage(userId, window, ({ role }) =>
        role === 'freeBusy' ? expanded && source === undefined : true,
      )
    },

    /** Lists events that are running or start within `days`. */
    upcoming(userId: number, { days, calendarId, limit, cursor }: UpcomingQuery) {
      const now = clock.now()
      const from = now.toISOString()
      const until = new Date(now.getTime() + days * 86_400_000).toISOString()
      const after = readCursor(cursor, 'instant', 'integer')
      const originals = calendarId === undefined
      const window = {
        expanded: true,
        from,
        until,
        calendarId,
        among: 'active',
        originals,
        after,
        limit,
      } as const
      return listPage(userId, window, ({ role }) => role !== 'freeBusy')
    },

    /** If the booking already has an event, updates the given fields of that event. */
    async create(userId: number, given: NewEvent): Promise<{ made: boolean; event: SavedEvent }> {
      const input = await addConferencing(userId, given)
      const { bookingId } = input
      return inTransaction(db, async (tx) => {
        const zone = await deps.zoneOf(userId)
        const share =
          input.calendarId === undefined || (await holdCalendar(tx, userId, input.calendarId))
            ? undefined
            : await access.lockTarget(tx, userId, input.calendarId)
        if (share) return createAsMember(tx, userId, share, input, zone)
        const existingId = bookingId ? await findByBooking(tx, userId, bookingId) : undefined
        if (existingId !== undefined) return this.changeKnown(tx, userId, existingId, input, zone)
        const fields: EventFields = {
          ...readNewEvent(input, `${orderedId(random, clock.now())}@factotum`, zone),
          ...(bookingId && { source: 'bookingsvc' as const }),
        }
        await saving.requireOrigin(tx, userId, fields)
        const calendarId =
          input.calendarId === undefined
            ? await ensureDefaultId(tx, userId, clock.now().toISOString())
            : (await requireTarget(tx, userId, input.calendarId)).id
        const row = saving.newRow(userId, fields, { calendarId })
        const id = bookingId ? await insertBooked(tx, row) : await insertEvent(tx, row)
        if (id === undefined) {
          const concurrentId = await findByBooking(tx, userId, bookingId as string)
          if (concurrentId === undefined)
            throw conflict('The booking was deleted while it was being created. Try again.')
          return this.changeKnown(tx, userId, concurrentId, input, zone)
        }
        await saving.created(tx, id, row, fields)
        // No other transaction can wait for a new event, so conflicts are found before the commit.
        const conflicts = await findConflicts(tx, userId, id, fields, clock.now())
        return { made: true, event: { ...toEvent({ ...row, id }, null), version: row.version, conflicts } }
      }).catch(rejectDuplicate)
    },

    async changeKnown(tx: Db, userId: number, id: number, input: NewEvent, zone: string) {
      // The event keeps its current booking id, which may be later than the one given.
      const { source, uid: _, bookingId: __, ...rest } = input
      if (source !== undefined && source !== 'bookingsvc')
        throw invalidField('source', 'must be bookingsvc for a booking')
      const request = { id, input: rest, target: {}, ifMatch: undefined, zone }
      const event = await changeTarget(own, tx, userId, request)
      return { made: false, event: await withConflicts(tx, userId, event, event, clock.now()) }
    },

    async change(
      userId: number,
      id: number,
      given: EventChange,
      target: OccurrenceTarget,
      ifMatch: string | undefined,
    ): Promise<SavedEvent> {
      const input = await addConferencing(userId, given)
      const zone = await deps.zoneOf(userId)
      const request = { id, input, target, ifMatch, zone }
      return changeWithConflicts(userId, async (tx) => {
        const row = await findEvent(tx, userId, id)
        if (!row) return changeAsMember(tx, userId, request)
        if (input.calendarId !== undefined && input.calendarId !== row.calendarId)
          await access.requireSameOwner(tx, userId, userId, input.calendarId)
        return changeTarget(own, tx, userId, request)
      })
    },

    async changeBooking(
      userId: number,
      bookingId: string,
      given: EventChange,
      ifMatch: string | undefined,
    ): Promise<SavedEvent> {
      const input = await addConferencing(userId, given)
      const zone = await deps.zoneOf(userId)
      return changeWithConflicts(userId, async (tx) => {
        const id = await findByBooking(tx, userId, bookingId)
        if (id === undefined) throw notFound('booking')
        return changeTarget(own, tx, userId, { id, input, target: {}, ifMatch, zone })
      })
    },

    async remove(
      userId: number,
      id: number,
      target: OccurrenceTarget,
      ifMatch: string | undefined,
    ): Promise<void> {
      await inTransaction(db, async (tx) => {
        if (await findEvent(tx, userId, id)) return removeBy(own, tx, userId, id, target, ifMatch)
        const share = await access.lockEvent(tx, userId, id)
        requireEditor(share)
        const row = await lockEvent(tx, share.ownerId, id)
        if (row.calendarId !== share.resourceId) throw notFound('event')
        await requireReadableTarget(tx, row, target)
        const writers = deps.writersBy(await findPersonName(tx, userId))
        await removeBy(writers, tx, share.ownerId, id, target, ifMatch)
      })
    },
  }
}

interface ChangeRequest {
  id: number
  input: EventChange
  target: OccurrenceTarget
  ifMatch: string | undefined
  zone: string
}

/** Rejects a change of an event, or of an occurrence, that the member cannot read. */
const requireReadableTarget = async (
  tx: Db,
  row: EventRecord,
  { occurrence }: OccurrenceTarget,
): Promise<void> => {
  requireReadable([row])
  if (occurrence === undefined) return
  requireReadable([
    await findOverride(tx, row.userId, row.id, readMoment('occurrence', occurrence, row.timezone)),
  ])
}

const removeBy = async (
  { saving, occurrences }: Writers,
  tx: Db,
  ownerId: number,
  id: number,
  target: OccurrenceTarget,
  ifMatch: string | undefined,
): Promise<void> => {
  if (target.occurrence !== undefined)
    return occurrences.remove(tx, ownerId, id, { ...target, occurrence: target.occurrence }, ifMatch)
  requireWhole(target)
  const row = await lockEvent(tx, ownerId, id)
  requireMatch(ifMatch, versionOf(row))
  await saving.remove(tx, row)
}

/** A member cannot refer to emails and bookings of the owner, nor to their own, nor hide an event from themselves. */
const withoutReferences = <I extends EventChange | NewEvent>({ emailId, bookingId, ...input }: I) => {
  if (emailId !== undefined && emailId !== null)
    throw invalidField('emailId', 'cannot be set in a shared calendar')
  if (bookingId !== undefined && bookingId !== null)
    throw invalidField('bookingId', 'cannot be set in a shared calendar')
  if (isPrivate(input.tags ?? []))
    throw invalidField(
      'tags',
      'cannot have private in a shared calendar, because you could not read the event',
    )
  return input
}

const requireWhole = ({ scope }: OccurrenceTarget): void => {
  if (scope !== undefined && scope !== 'all')
    throw invalidField('scope', `cannot be ${scope} without an occurrence. Send the parameter occurrence.`)
}
