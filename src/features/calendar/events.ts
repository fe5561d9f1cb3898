import type { Db } from '../../database/db.ts'
import { isUniqueViolation } from '../../database/errors.ts'
import { inTransaction, transactionOr } from '../../database/transaction.ts'
import type { Clock } from '../../platform/clock.ts'
import { conflict, invalidField, notFound } from '../../platform/errors.ts'
import { pageOf, readCursor, requireMatch } from '../../platform/http/etag.ts'
import { orderedId, type Random } from '../../platform/random.ts'
import { type Event, type EventFields, fieldsOf, toEvent, type VersionedEvent, versionOf } from './event.ts'
import { applyEventPatch, readNewEvent } from './event-input.ts'
import {
  deleteEvent,
  findByBooking,
  getEvent,
  insertBooked,
  insertEvent,
  lockEvent,
} from './event-repository.ts'
import type { Saving } from './event-writer.ts'
import type { Occurrences, OccurrenceTarget } from './occurrences.ts'
import type { EventChange, NewEvent } from './schema.ts'
import { isSeries } from './series.ts'
import { readMoment } from './times.ts'
import type { Window } from './windows/repository.ts'
import { findConflicts, listWindow, type SavedEvent, withConflicts } from './windows/window.ts'

export interface Listing {
  start?: string | undefined
  end?: string | undefined
  status?: string | undefined
  source?: string | undefined
  limit: number
  cursor?: string | undefined
}

interface EventPage {
  events: Event[]
  nextCursor: string | null
}

const listPage = async (db: Db, window: Window): Promise<EventPage> => {
  const rows = await listWindow(db, { ...window, limit: window.limit + 1 })
  const { page, nextCursor } = pageOf(rows, window.limit, ({ start, id }) => [start, id])
  return { events: page.map((row) => toEvent(row, row.occurrenceStart)), nextCursor }
}

const rejectDuplicate = (error: unknown): never => {
  if (isUniqueViolation(error)) throw conflict('Another event already has this uid or bookingId.')
  throw error
}

export type Events = ReturnType<typeof createEvents>

export const createEvents = (deps: {
  db: Db
  clock: Clock
  random: Random
  saving: Saving
  occurrences: Occurrences
  /** The time zone of times without an offset. */
  timezone: () => Promise<string>
}) => {
  const { db, clock, random, saving, occurrences } = deps

  const change = (tx: Db, id: number, input: EventChange, ifMatch: string | undefined, zone: string) =>
    lockEvent(tx, id).then(async (row) => {
      requireMatch(ifMatch, versionOf(row))
      const before = fieldsOf(row)
      const after = applyEventPatch(before, input, zone)
      if (after.bookingId !== null && before.bookingId !== after.bookingId) after.source = 'bookingsvc'
      if (isSeries(before)) await occurrences.changeSeries(tx, row, after, input)
      else await saving.update(tx, row, after)
    })

  /** Finds conflicts after the commit, when the event is no longer locked. */
  const changeWithConflicts = async (change: (tx: Db) => Promise<VersionedEvent>): Promise<SavedEvent> => {
    const { event, fields } = await inTransaction(db, async (tx) => {
      const changed = await change(tx)
      return { event: changed, fields: fieldsOf(await getEvent(tx, changed.id)) }
    }).catch(rejectDuplicate)
    return withConflicts(transactionOr(db), event, fields, clock.now())
  }

  return {
    get: (id: number, occurrence?: string): Promise<VersionedEvent> =>
      occurrence === undefined ? occurrences.showWhole(db, id) : occurrences.show(db, id, occurrence),

    async list({ start, end, status, source, limit, cursor }: Listing): Promise<EventPage> {
      const zone = await deps.timezone()
      const from = start === undefined ? undefined : readMoment('start', start, zone)
      const until = end === undefined ? undefined : readMoment('end', end, zone)
      if (from !== undefined && until !== undefined && until <= from)
        throw invalidField('end', 'must be after the start')
      const after = readCursor(cursor, 'instant', 'integer')
      const expanded = from !== undefined && until !== undefined
      return listPage(db, { expanded, from, until, status, source, after, limit })
    },

    /** Lists events that are running or start within `days`. */
    upcoming({ days, limit, cursor }: { days: number; limit: number; cursor?: string | undefined }) {
      const now = clock.now()
      const from = now.toISOString()
      const until = new Date(now.getTime() + days * 86_400_000).toISOString()
      const after = readCursor(cursor, 'instant', 'integer')
      return listPage(db, { expanded: true, from, until, among: 'active', after, limit })
    },

    /** If the booking already has an event, updates the given fields of that event. */
    async create(input: NewEvent): Promise<{ made: boolean; event: SavedEvent }> {
      const { bookingId } = input
      return inTransaction(db, async (tx) => {
        const zone = await deps.timezone()
        const existingId = bookingId ? await findByBooking(tx, bookingId) : undefined
        if (existingId !== undefined) return this.changeKnown(tx, existingId, input, zone)
        const fields: EventFields = {
          ...readNewEvent(input, `${orderedId(random, clock.now())}@factotum`, zone),
          ...(bookingId && { source: 'bookingsvc' as const }),
        }
        await saving.requireOrigin(tx, fields)
        const row = saving.newRow(fields)
        const id = bookingId ? await insertBooked(tx, row) : await insertEvent(tx, row)
        if (id === undefined) {
          const concurrentId = await findByBooking(tx, bookingId as string)
          if (concurrentId === undefined)
            throw conflict('The booking was deleted while it was being created. Try again.')
          return this.changeKnown(tx, concurrentId, input, zone)
        }
        await saving.created(tx, id, row, fields)
        // No other transaction can wait for a new event, so conflicts are found before the commit.
        const conflicts = await findConflicts(tx, id, fields, clock.now())
        return { made: true, event: { ...toEvent({ ...row, id }, null), version: row.version, conflicts } }
      }).catch(rejectDuplicate)
    },

    async changeKnown(tx: Db, id: number, input: NewEvent, zone: string) {
      // The event keeps its current booking id, which may be later than the one given.
      const { source, uid: _, bookingId: __, ...rest } = input
      if (source !== undefined && source !== 'bookingsvc')
        throw invalidField('source', 'must be bookingsvc for a booking')
      await change(tx, id, rest, undefined, zone)
      const event = await occurrences.showWhole(tx, id)
      return { made: false, event: await withConflicts(tx, event, event, clock.now()) }
    },

    async change(
      id: number,
      input: EventChange,
      target: OccurrenceTarget,
      ifMatch: string | undefined,
    ): Promise<SavedEvent> {
      const zone = await deps.timezone()
      return changeWithConflicts(async (tx) => {
        if (target.occurrence !== undefined)
          return occurrences.change(
            tx,
            id,
            input,
            { ...target, occurrence: target.occurrence },
            ifMatch,
            zone,
          )
        requireWhole(target)
        await change(tx, id, input, ifMatch, zone)
        return occurrences.showWhole(tx, id)
      })
    },

    async changeBooking(
      bookingId: string,
      input: EventChange,
      ifMatch: string | undefined,
    ): Promise<SavedEvent> {
      const zone = await deps.timezone()
      return changeWithConflicts(async (tx) => {
        const id = await findByBooking(tx, bookingId)
        if (id === undefined) throw notFound('booking')
        await change(tx, id, input, ifMatch, zone)
        return occurrences.showWhole(tx, id)
      })
    },

    async remove(id: number, target: OccurrenceTarget, ifMatch: string | undefined): Promise<void> {
      await inTransaction(db, async (tx) => {
        if (target.occurrence !== undefined)
          return occurrences.remove(tx, id, { ...target, occurrence: target.occurrence }, ifMatch)
        requireWhole(target)
        const row = await lockEvent(tx, id)
        requireMatch(ifMatch, versionOf(row))
        await deleteEvent(tx, id)
        await saving.removed(tx, row)
      })
    },
  }
}

const requireWhole = ({ scope }: OccurrenceTarget): void => {
  if (scope !== undefined && scope !== 'all')
    throw invalidField('scope', `cannot be ${scope} without an occurrence. Send the parameter occurrence.`)
}
