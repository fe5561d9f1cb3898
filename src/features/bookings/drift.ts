import type { Db } from '../../database/db.ts'
import { everyRow } from '../../database/every-row.ts'
import type { Clock } from '../../platform/clock.ts'
import type { BookedEvent, BookedEvents, BookedFields } from './booked-events.ts'
import { mergeFields, type ReadZone } from './booking-fields.ts'
import type { Booking, Broken, Found } from './provider.ts'
import type { BookingSettings } from './settings.ts'
import { listBookings } from './store.ts'

/** Of each kind so many are named; all are counted. */
const NAMED = 200

type Known = Exclude<Found, Broken>

const createPile = <T>() => {
  const named: T[] = []
  let count = 0
  return {
    add(one: T): void {
      count++
      if (named.length < NAMED) named.push(one)
    },
    show: () => ({ count, bookings: named }),
  }
}

/** Where the provider and the calendar say different things. Changes nothing. */
export const createDrift = (deps: {
  db: Db
  clock: Clock
  settings: BookingSettings
  events: BookedEvents
  readZone: ReadZone
}) => {
  const { db, clock, settings, events, readZone } = deps

  const readEvents = async (): Promise<Map<string, BookedEvent>> => {
    const booked = new Map<string, BookedEvent>()
    const rows = everyRow<BookedEvent>((after, limit) => events.list(db, after?.bookingId ?? '', limit))
    for await (const event of rows) booked.set(event.bookingId as string, event)
    return booked
  }

  const differences = (event: BookedEvent, booking: Booking, told: string | undefined): string[] => {
    const present: BookedFields = { ...event.fields, bookingId: booking.uid }
    const after = mergeFields(present, booking, told === undefined ? undefined : { told }, readZone)
    return (Object.keys(after) as (keyof BookedFields)[]).filter(
      (name) => JSON.stringify(after[name]) !== JSON.stringify(present[name]),
    )
  }

  return async (signal: AbortSignal) => {
    const present = await settings.read()
    const provider = settings.connect(present)
    const booked = await readEvents()
    const missing = createPile<{ bookingId: string; title: string; start: string; status: string }>()
    const changed = createPile<{ bookingId: string; eventId: number; fields: string[] }>()
    const orphaned = createPile<{ bookingId: string; eventId: number; title: string; start: string }>()
    const seen = new Set<string>()
    let broken = 0

    const compare = async (found: Known): Promise<void> => {
      const [row] = await listBookings(db, [found.uid])
      if (row?.replacedBy) return
      const event = booked.get(found.uid)
      if (event && row && row.digest === found.digest && row.eventVersion === event.version) return
      const booking = await found.read()
      if ('broken' in booking) broken++
      else if (event) {
        const fields = differences(event, booking, row?.told)
        if (fields.length > 0) changed.add({ bookingId: found.uid, eventId: event.id, fields })
      } else {
        const { title, start, status } = booking
        missing.add({ bookingId: found.uid, title, start, status })
      }
    }

    for await (const page of provider.list(null, signal))
      for (const found of page) {
        if ('broken' in found) broken++
        else if (!seen.has(found.uid)) {
          seen.add(found.uid)
          await compare(found)
        }
      }
    for (const [bookingId, { id, fields }] of booked)
      if (!seen.has(bookingId))
        orphaned.add({ bookingId, eventId: id, title: fields.title, start: fields.start })
    return {
      provider: present.provider,
      checkedAt: clock.now().toISOString(),
      fetched: seen.size,
      broken,
      missing: missing.show(),
      changed: changed.show(),
      orphaned: orphaned.show(),
    }
  }
}

export type Drift = ReturnType<typeof createDrift>
