import type { Db } from '../../database/db.ts'
import { isUniqueViolation } from '../../database/errors.ts'
import { inTransaction } from '../../database/transaction.ts'
import { isSameJson } from '../../platform/fingerprint.ts'
import { isTimeZone } from '../../platform/time.ts'
import type { BookedEvent, BookedEvents, BookedFields } from './booked-events.ts'
import { type Booking, PLACE_FIELDS, type ProviderName } from './provider.ts'
import { type BookingRecord, listBookings, saveBookings } from './repository.ts'

/** A sync never overwrites edits to these fields. It keeps edits of the place until the provider changes it. */
const TEXT_FIELDS = ['title', 'description'] as const

/** Guests of a confirmed booking have accepted. A tentative booking still needs an answer. */
const attendeesOf = ({ guests, status }: Booking): BookedFields['attendees'] =>
  guests.map(({ name, email }) => ({
    name,
    email,
    status: status === 'tentative' ? 'needs-action' : 'accepted',
  }))

/** Returns the named timezone if it exists, otherwise the fallback. */
export type ReadZone = (named: string | null, otherwise: string) => string

const MAX_CACHED_ZONES = 1000

/** Caches timezone checks: each check is slow, and bookings use few timezones. */
export const createZoneReader = (): ReadZone => {
  const known = new Map<string, boolean>()
  return (named, otherwise) => {
    if (named === null) return otherwise
    let exists = known.get(named)
    if (exists === undefined) {
      exists = !/^[+-]/.test(named) && isTimeZone(named)
      if (known.size === MAX_CACHED_ZONES) known.clear()
      known.set(named, exists)
    }
    return exists ? named : otherwise
  }
}

export const fieldsOfBooking = (booking: Booking, timezone: string): BookedFields => {
  const { uid, guests: _, replaces: __, replacedBy: ___, ...fields } = booking
  return { bookingId: uid, ...fields, timezone, attendees: attendeesOf(booking) }
}

/** Merges a booking into its event. The provider determines time, status and guests. */
export const mergeFields = (
  present: BookedFields,
  booking: Booking,
  row: Pick<BookingRecord, 'snapshot'> | undefined,
  readZone: ReadZone,
): BookedFields => {
  const before = (row ? JSON.parse(row.snapshot) : {}) as Partial<Booking>
  const after = fieldsOfBooking(booking, readZone(booking.timezone, present.timezone))
  const isEdited = (name: (typeof TEXT_FIELDS | typeof PLACE_FIELDS)[number]): boolean =>
    before[name] !== undefined && present[name] !== before[name]
  const kept = [
    ...TEXT_FIELDS.filter(isEdited),
    ...PLACE_FIELDS.filter((name) => isEdited(name) && before[name] === after[name]),
  ]
  return { ...after, ...Object.fromEntries(kept.map((name) => [name, present[name]])) }
}

/** Data about a booking that came from a list or a webhook. */
export interface BookingUpdate {
  booking: Booking
  digest: string
  changedAt: string | null
  /** Set for webhooks: the time at which the provider sent it. */
  noticedAt?: string | null
  /** Original data of the provider, if available. */
  raw?: unknown
}

export type Verdict = 'created' | 'updated' | 'cancelled' | 'unchanged'

/** An event that exists or will be created, with its bookings. */
interface EventEntry {
  event: BookedEvent | null
  after: BookedFields
  bookings: BookingRecord[]
}

const fieldsOfEvent = (event: BookedEvent): BookedFields => ({
  ...event.fields,
  bookingId: event.bookingId ?? '',
})

/** Tells whether we have newer data. A late webhook never reopens a cancelled booking. */
const isStale = ({ booking, changedAt, noticedAt }: BookingUpdate, row: BookingRecord): boolean => {
  if (noticedAt === undefined)
    return changedAt !== null && row.changedAt !== null && changedAt < row.changedAt
  const before = JSON.parse(row.snapshot) as Partial<Booking>
  if (before.status === 'cancelled' && booking.status !== 'cancelled') return true
  const isOlder = (than: string | null): boolean => noticedAt !== null && than !== null && noticedAt < than
  return isOlder(row.noticedAt) || isOlder(row.changedAt)
}

const isSameEvent = (a: BookedFields, b: BookedFields): boolean =>
  (Object.keys(b) as (keyof BookedFields)[]).every((name) => isSameJson(a[name], b[name]))

export interface Outcome {
  verdicts: Map<string, Verdict>
  /** Bookings that were moved to an unknown booking. Apply them again when that booking is known. */
  waiting: BookingUpdate[]
}

const MAX_WRITE_ATTEMPTS = 3

/** Writes again after a unique violation: another process may have created the event meanwhile. */
export const writeWithOthers = async <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++)
    try {
      return await inTransaction(db, work)
    } catch (error) {
      if (!isUniqueViolation(error) || attempt === MAX_WRITE_ATTEMPTS) throw error
    }
}

export type BookingUpdater = ReturnType<typeof createBookingUpdater>

/**
 * Writes bookings into the calendar, inside the given transaction.
 * Uses one statement to insert events and one to save the booking rows.
 */
export const createBookingUpdater = ({ events, readZone }: { events: BookedEvents; readZone: ReadZone }) => {
  const readEntries = async (tx: Db, userId: number, many: readonly BookingUpdate[]) => {
    const uids = [
      ...new Set(many.flatMap(({ booking }) => [booking.uid, booking.replaces, booking.replacedBy])),
    ].filter((uid) => uid !== null)
    const rows = new Map((await listBookings(tx, userId, uids)).map((row) => [row.uid, row]))
    const unknown = uids.filter((uid) => (rows.get(uid)?.eventId ?? null) === null)
    const ids = new Map((await events.find(tx, userId, unknown)).map(({ id, bookingId }) => [bookingId, id]))
    for (const { uid, eventId } of rows.values()) if (eventId !== null) ids.set(uid, eventId)
    const locked = await events.lock(tx, userId, [...new Set(ids.values())])
    const entries = new Map(
      locked.map((event): [number, EventEntry] => [
        event.id,
        { event, after: fieldsOfEvent(event), bookings: [] },
      ]),
    )
    const entryByUid = new Map<string, EventEntry>()
    for (const [uid, id] of ids) {
      const entry = entries.get(id)
      if (entry) entryByUid.set(uid, entry)
    }
    return { rows, entryByUid }
  }

  const write = async (
    tx: Db,
    userId: number,
    provider: ProviderName,
    touched: ReadonlySet<EventEntry>,
  ): Promise<void> => {
    const fresh = [...touched].filter(({ event }) => event === null)
    const ids =
      fresh.length === 0
        ? new Map<string, number>()
        : await events.insert(
            tx,
            userId,
            fresh.map(({ after }) => ({ uid: `${provider}-${after.bookingId}@factotum`, fields: after })),
          )
    const rows: BookingRecord[] = []
    for (const { event, after, bookings } of touched) {
      const eventId = event?.id ?? (ids.get(after.bookingId) as number)
      const eventVersion =
        event === null
          ? 1
          : isSameEvent(fieldsOfEvent(event), after)
            ? event.version
            : await events.change(tx, userId, event.id, after)
      for (const row of bookings) rows.push({ ...row, eventId, eventVersion })
    }
    await saveBookings(tx, rows)
  }

  return async (
    tx: Db,
    userId: number,
    provider: ProviderName,
    many: readonly BookingUpdate[],
    options: { timezone: string; mayWait: boolean },
  ): Promise<Outcome> => {
    const { rows, entryByUid } = await readEntries(tx, userId, many)
    const touched = new Set<EventEntry>()
    const verdicts = new Map<string, Verdict>()
    const waiting: BookingUpdate[] = []

    /** Updates the row of a booking. Creates a blank row for a booking that has no data yet. */
    const setBooking = (entry: EventEntry, uid: string, change: Partial<BookingRecord>): void => {
      const before = rows.get(uid)
      const blank = { digest: '', snapshot: '{}', changedAt: null, noticedAt: null, replacedBy: null }
      const row = { ...blank, ...before, ...change, userId, uid, provider, eventId: null, eventVersion: 0 }
      rows.set(uid, row)
      entryByUid.set(uid, entry)
      entry.bookings = [...entry.bookings.filter((one) => one.uid !== uid), row]
      touched.add(entry)
    }

    const setFromUpdate = (
      entry: EventEntry,
      { booking, digest, changedAt, noticedAt }: BookingUpdate,
      by: string | null,
    ) =>
      setBooking(entry, booking.uid, {
        digest,
        snapshot: JSON.stringify(booking),
        ...(noticedAt === undefined ? { changedAt } : { noticedAt }),
        replacedBy: by,
      })

    /** Handles a rescheduled booking. Returns undefined if the booking needs an event of its own. */
    const followReschedule = (update: BookingUpdate): Verdict | 'waiting' | undefined => {
      const { uid, replacedBy } = update.booking
      if (replacedBy === null) return undefined
      const successor = entryByUid.get(replacedBy)
      if (successor === undefined) return options.mayWait ? 'waiting' : undefined
      const here = entryByUid.get(uid)
      if (here !== undefined && here !== successor) return undefined
      setFromUpdate(successor, update, replacedBy)
      return 'unchanged'
    }

    /** Returns the event of the booking that this one replaces, unless another booking has taken it over. */
    const findReplacedEntry = ({ uid, replaces }: Booking): EventEntry | undefined => {
      const entry = replaces === null ? undefined : entryByUid.get(replaces)
      if (entry === undefined || entry.after.bookingId !== replaces) return undefined
      setBooking(entry, replaces, { replacedBy: uid })
      return entry
    }

    const apply = (update: BookingUpdate): Verdict => {
      const { booking } = update
      const { uid, replaces } = booking
      const before = rows.get(uid)
      const entry = entryByUid.get(uid) ?? findReplacedEntry(booking)
      if (entry === undefined) {
        const zone = readZone(booking.timezone, options.timezone)
        const made = { event: null, after: fieldsOfBooking(booking, zone), bookings: [] }
        setFromUpdate(made, update, null)
        if (replaces !== null && !entryByUid.has(replaces)) setBooking(made, replaces, { replacedBy: uid })
        return 'created'
      }
      const after = mergeFields(entry.after, booking, before ?? rows.get(replaces ?? ''), readZone)
      const isChanged = !isSameEvent(entry.after, after)
      const isCancelled = after.status === 'cancelled' && entry.after.status !== 'cancelled'
      entry.after = after
      setFromUpdate(entry, update, null)
      return isCancelled ? 'cancelled' : isChanged ? 'updated' : 'unchanged'
    }

    for (const update of many) {
      const { uid } = update.booking
      const row = rows.get(uid)
      const verdict =
        row && row.digest !== '' && isStale(update, row)
          ? 'unchanged'
          : (followReschedule(update) ?? apply(update))
      if (verdict === 'waiting') waiting.push(update)
      else verdicts.set(uid, verdict)
    }
    await write(tx, userId, provider, touched)
    return { verdicts, waiting }
  }
}
