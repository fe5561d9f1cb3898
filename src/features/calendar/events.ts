import type { Db } from '../../database/db.ts'
import { inTransaction, transactionOr } from '../../database/transaction.ts'
import { isUniqueViolation } from '../../database/unique-violation.ts'
import type { Clock } from '../../platform/clock.ts'
import { conflict, invalidField, notFound } from '../../platform/errors.ts'
import { readCursor, writeCursor } from '../../platform/http/cursor.ts'
import { requireMatch } from '../../platform/http/etag.ts'
import { orderedId, type Random } from '../../platform/random.ts'
import { type EventFields, fieldsOf, versionOf } from './event.ts'
import {
  deleteEvent,
  findByBooking,
  getEvent,
  getShown,
  insertBooked,
  insertEvent,
  lockEvent,
} from './event-store.ts'
import type { Aim, Occurrences } from './occurrences.ts'
import type { Saving } from './saving.ts'
import type { EventChange, NewEvent } from './schema.ts'
import { isSeries } from './series.ts'
import { type Shown, textOf } from './shown-event.ts'
import { readMoment } from './times.ts'
import { newWithConflicts, withConflicts } from './windows/conflicts.ts'
import { lookThrough } from './windows/window.ts'
import type { Window } from './windows/window-store.ts'
import { applyWish, readNewEvent } from './wish.ts'

export interface Listing {
  start?: string | undefined
  end?: string | undefined
  status?: string | undefined
  source?: string | undefined
  limit: number
  cursor?: string | undefined
}

export type Events = ReturnType<typeof createEvents>

export const createEvents = (deps: {
  db: Db
  clock: Clock
  random: Random
  saving: Saving
  occurrences: Occurrences
  /** The zone that times without one are read in. */
  timezone: () => Promise<string>
}) => {
  const { db, clock, random, saving, occurrences } = deps

  const show = async (on: Db, id: number): Promise<Shown> => {
    const event = await getShown(on, id)
    return { id, version: event.version, text: textOf(event) }
  }

  const listed = async (window: Window): Promise<string> => {
    const rows = await lookThrough(db, { ...window, limit: window.limit + 1 })
    const page = rows.slice(0, window.limit)
    const last = page.at(-1)
    const next =
      rows.length > window.limit && last !== undefined ? `"${writeCursor([last.start, last.id])}"` : 'null'
    return `{"events":[${page.map(textOf).join()}],"nextCursor":${next}}`
  }

  const change = (tx: Db, id: number, wish: EventChange, ifMatch: string | undefined, zone: string) =>
    lockEvent(tx, id).then(async (row) => {
      requireMatch(ifMatch, versionOf(row))
      const before = fieldsOf(row)
      const after = applyWish(before, wish, zone)
      if (after.bookingId !== null && before.bookingId !== after.bookingId) after.source = 'bookingsvc'
      if (isSeries(before)) await occurrences.changeSeries(tx, row, after, wish)
      else await saving.update(tx, row, after)
    })

  const refuseTaken = (error: unknown): never => {
    if (isUniqueViolation(error)) throw conflict('Another event has this uid or bookingId already.')
    throw error
  }

  /** What it collides with is looked for when nobody waits for the event any more. */
  const changed = async (change: (tx: Db) => Promise<Shown>): Promise<Shown> => {
    const { event, fields } = await inTransaction(db, async (tx) => {
      const shown = await change(tx)
      return { event: shown, fields: fieldsOf(await getEvent(tx, shown.id)) }
    }).catch(refuseTaken)
    return withConflicts(transactionOr(db), event, fields, clock.now())
  }

  return {
    get: (id: number, occurrence?: string): Promise<Shown> =>
      occurrence === undefined ? show(db, id) : occurrences.show(db, id, occurrence),

    /** The answer's JSON. */
    async list({ start, end, status, source, limit, cursor }: Listing): Promise<string> {
      const zone = await deps.timezone()
      const from = start === undefined ? undefined : readMoment('start', start, zone)
      const until = end === undefined ? undefined : readMoment('end', end, zone)
      if (from !== undefined && until !== undefined && until <= from)
        throw invalidField('end', 'must be after the start')
      const after = readCursor(cursor, 'instant', 'integer')
      const expanded = from !== undefined && until !== undefined
      return listed({ expanded, from, until, status, source, after, limit })
    },

    /** What is on or comes within so many days. */
    upcoming({ days, limit, cursor }: { days: number; limit: number; cursor?: string | undefined }) {
      const now = clock.now()
      const from = now.toISOString()
      const until = new Date(now.getTime() + days * 86_400_000).toISOString()
      const after = readCursor(cursor, 'instant', 'integer')
      return listed({ expanded: true, from, until, among: 'standing', after, limit })
    },

    /** A booking that is known already changes instead, in what the wish names. */
    async create(wish: NewEvent): Promise<{ made: boolean; event: Shown }> {
      const { bookingId } = wish
      return inTransaction(db, async (tx) => {
        const zone = await deps.timezone()
        const known = bookingId ? await findByBooking(tx, bookingId) : undefined
        if (known !== undefined) return this.changeKnown(tx, known, wish, zone)
        const fields: EventFields = {
          ...readNewEvent(wish, `${orderedId(random, clock.now())}@factotum`, zone),
          ...(bookingId && { source: 'bookingsvc' as const }),
        }
        await saving.requireOrigin(tx, fields)
        const row = saving.newRow(fields)
        const id = bookingId ? await insertBooked(tx, row) : await insertEvent(tx, row)
        if (id === undefined) {
          const winner = await findByBooking(tx, bookingId as string)
          if (winner === undefined) throw conflict('This booking was made and removed at the same moment.')
          return this.changeKnown(tx, winner, wish, zone)
        }
        await saving.created(tx, id, row, fields)
        const text = textOf({ ...row, id, seriesId: null, occurrenceStart: null })
        const event = { id, version: row.version, text }
        // Nobody waits for what nobody knows yet, so these are looked for before the commit.
        return { made: true, event: await newWithConflicts(tx, event, fields, clock.now()) }
      }).catch(refuseTaken)
    },

    async changeKnown(tx: Db, id: number, wish: NewEvent, zone: string) {
      // It may be known by an earlier name than it has now, which it keeps.
      const { source, uid: _, bookingId: __, ...rest } = wish
      if (source !== undefined && source !== 'bookingsvc')
        throw invalidField('source', 'of a booking is bookingsvc')
      await change(tx, id, rest, undefined, zone)
      const fields = fieldsOf(await getEvent(tx, id))
      return { made: false, event: await withConflicts(tx, await show(tx, id), fields, clock.now()) }
    },

    async change(id: number, wish: EventChange, aim: Aim, ifMatch: string | undefined): Promise<Shown> {
      const zone = await deps.timezone()
      return changed(async (tx) => {
        if (aim.occurrence !== undefined)
          return occurrences.change(tx, id, wish, { ...aim, occurrence: aim.occurrence }, ifMatch, zone)
        requireWhole(aim)
        await change(tx, id, wish, ifMatch, zone)
        return show(tx, id)
      })
    },

    async changeBooking(bookingId: string, wish: EventChange, ifMatch: string | undefined): Promise<Shown> {
      const zone = await deps.timezone()
      return changed(async (tx) => {
        const id = await findByBooking(tx, bookingId)
        if (id === undefined) throw notFound('booking')
        await change(tx, id, wish, ifMatch, zone)
        return show(tx, id)
      })
    },

    async remove(id: number, aim: Aim, ifMatch: string | undefined): Promise<void> {
      await inTransaction(db, async (tx) => {
        if (aim.occurrence !== undefined)
          return occurrences.remove(tx, id, { ...aim, occurrence: aim.occurrence }, ifMatch)
        requireWhole(aim)
        const row = await lockEvent(tx, id)
        requireMatch(ifMatch, versionOf(row))
        await deleteEvent(tx, id)
        await saving.removed(tx, row)
      })
    },
  }
}

const requireWhole = ({ scope }: Aim): void => {
  if (scope !== undefined && scope !== 'all')
    throw invalidField('scope', `is ${scope}, but of which occurrence? Name it with occurrence`)
}
