import type { Db } from '../../database/db.ts'
import type { BookedEvent, BookedEvents, BookedFields } from './booked-events.ts'
import { fieldsOfBooking, mergeFields, type ReadZone } from './booking-fields.ts'
import type { Booking, ProviderName } from './provider.ts'
import { type BookingRecord, listBookings, saveBookings } from './store.ts'

/** What the provider said of a booking, by its list or by a notice. */
export interface Told {
  booking: Booking
  digest: string
  changedAt: string | null
  /** Of a notice: when it was sent. */
  noticedAt?: string | null
  /** What the provider said, where it is known. */
  raw?: unknown
}

export type Verdict = 'created' | 'updated' | 'cancelled' | 'unchanged'

/** An event that is here, or that is about to be. */
interface Place {
  event: BookedEvent | null
  after: BookedFields
  bookings: BookingRecord[]
}

const fieldsOfEvent = (event: BookedEvent): BookedFields => ({
  ...event.fields,
  bookingId: event.bookingId ?? '',
})

/** An older word about a booking than we have. A booking that was called off stays so, whatever notice comes late. */
const isStale = ({ booking, changedAt, noticedAt }: Told, row: BookingRecord): boolean => {
  if (noticedAt === undefined)
    return changedAt !== null && row.changedAt !== null && changedAt < row.changedAt
  const before = JSON.parse(row.told) as Partial<Booking>
  if (before.status === 'cancelled' && booking.status !== 'cancelled') return true
  const isOlder = (than: string | null): boolean => noticedAt !== null && than !== null && noticedAt < than
  return isOlder(row.noticedAt) || isOlder(row.changedAt)
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
const isSameEvent = (a: BookedFields, b: BookedFields): boolean =>
  (Object.keys(b) as (keyof BookedFields)[]).every((name) => a[name] === b[name] || same(a[name], b[name]))

export interface Outcome {
  verdicts: Map<string, Verdict>
  /** Moved to a booking that is not known yet: to be told again once it is, or for good. */
  waiting: Told[]
}

export type Applying = ReturnType<typeof createApplying>

/**
 * Writes what a provider said into the calendar: all of it in the transaction it is given, with one statement for
 * what is new and one for what is known of the bookings afterwards.
 */
export const createApplying = ({ events, readZone }: { events: BookedEvents; readZone: ReadZone }) => {
  const readPlaces = async (tx: Db, many: readonly Told[]) => {
    const uids = [
      ...new Set(many.flatMap(({ booking }) => [booking.uid, booking.replaces, booking.replacedBy])),
    ].filter((uid) => uid !== null)
    const rows = new Map((await listBookings(tx, uids)).map((row) => [row.uid, row]))
    const unknown = uids.filter((uid) => (rows.get(uid)?.eventId ?? null) === null)
    const ids = new Map((await events.find(tx, unknown)).map(({ id, bookingId }) => [bookingId, id]))
    for (const { uid, eventId } of rows.values()) if (eventId !== null) ids.set(uid, eventId)
    const locked = await events.lock(tx, [...new Set(ids.values())])
    const places = new Map(
      locked.map((event): [number, Place] => [
        event.id,
        { event, after: fieldsOfEvent(event), bookings: [] },
      ]),
    )
    const placeOf = new Map<string, Place>()
    for (const [uid, id] of ids) {
      const place = places.get(id)
      if (place) placeOf.set(uid, place)
    }
    return { rows, placeOf }
  }

  const write = async (tx: Db, provider: ProviderName, touched: ReadonlySet<Place>): Promise<void> => {
    const fresh = [...touched].filter(({ event }) => event === null)
    const ids =
      fresh.length === 0
        ? new Map<string, number>()
        : await events.insert(
            tx,
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
            : await events.change(tx, event.id, after)
      for (const row of bookings) rows.push({ ...row, eventId, eventVersion })
    }
    await saveBookings(tx, rows)
  }

  return async (
    tx: Db,
    provider: ProviderName,
    many: readonly Told[],
    options: { timezone: string; mayWait: boolean },
  ): Promise<Outcome> => {
    const { rows, placeOf } = await readPlaces(tx, many)
    const touched = new Set<Place>()
    const verdicts = new Map<string, Verdict>()
    const waiting: Told[] = []

    /** What is known of a booking from here on. Alone, what is known of one that nothing was said of yet. */
    const note = (place: Place, uid: string, told: Partial<BookingRecord>): void => {
      const before = rows.get(uid)
      const blank = { digest: '', told: '{}', changedAt: null, noticedAt: null, replacedBy: null }
      const row = { ...blank, ...before, ...told, uid, provider, eventId: null, eventVersion: 0 }
      rows.set(uid, row)
      placeOf.set(uid, place)
      place.bookings = [...place.bookings.filter((one) => one.uid !== uid), row]
      touched.add(place)
    }

    const noteTold = (place: Place, { booking, digest, changedAt, noticedAt }: Told, by: string | null) =>
      note(place, booking.uid, {
        digest,
        told: JSON.stringify(booking),
        ...(noticedAt === undefined ? { changedAt } : { noticedAt }),
        replacedBy: by,
      })

    /** Undefined when it has an event of its own to be looked after. */
    const follow = (told: Told): Verdict | 'waiting' | undefined => {
      const { uid, replacedBy } = told.booking
      if (replacedBy === null) return undefined
      const there = placeOf.get(replacedBy)
      if (there === undefined) return options.mayWait ? 'waiting' : undefined
      const here = placeOf.get(uid)
      if (here !== undefined && here !== there) return undefined
      noteTold(there, told, replacedBy)
      return 'unchanged'
    }

    /** The event that it is another time for, unless that has gone elsewhere. */
    const movedFrom = ({ uid, replaces }: Booking): Place | undefined => {
      const place = replaces === null ? undefined : placeOf.get(replaces)
      if (place === undefined || place.after.bookingId !== replaces) return undefined
      note(place, replaces, { replacedBy: uid })
      return place
    }

    const apply = (told: Told): Verdict => {
      const { booking } = told
      const { uid, replaces } = booking
      const before = rows.get(uid)
      const place = placeOf.get(uid) ?? movedFrom(booking)
      if (place === undefined) {
        const zone = readZone(booking.timezone, options.timezone)
        const made = { event: null, after: fieldsOfBooking(booking, zone), bookings: [] }
        noteTold(made, told, null)
        if (replaces !== null && !placeOf.has(replaces)) note(made, replaces, { replacedBy: uid })
        return 'created'
      }
      const after = mergeFields(place.after, booking, before ?? rows.get(replaces ?? ''), readZone)
      const isChanged = !isSameEvent(place.after, after)
      const isCalledOff = after.status === 'cancelled' && place.after.status !== 'cancelled'
      place.after = after
      noteTold(place, told, null)
      return isCalledOff ? 'cancelled' : isChanged ? 'updated' : 'unchanged'
    }

    for (const told of many) {
      const { uid } = told.booking
      const row = rows.get(uid)
      const verdict =
        row && row.digest !== '' && isStale(told, row) ? 'unchanged' : (follow(told) ?? apply(told))
      if (verdict === 'waiting') waiting.push(told)
      else verdicts.set(uid, verdict)
    }
    await write(tx, provider, touched)
    return { verdicts, waiting }
  }
}
