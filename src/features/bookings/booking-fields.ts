import { isTimeZone } from '../../platform/time.ts'
import type { BookedFields } from './booked-events.ts'
import type { Booking } from './provider.ts'
import type { BookingRecord } from './store.ts'

/** What a person words anew stays so. */
const WORDING = ['title', 'description'] as const
/** What a person corrects stays so until the provider has something new to say of it. */
const PLACE = ['location', 'meetingUrl'] as const

/** Whoever books has agreed to come; what waits for an answer waits for everyone. */
const attendeesOf = ({ guests, status }: Booking): BookedFields['attendees'] =>
  guests.map(({ name, email }) => ({
    name,
    email,
    status: status === 'tentative' ? 'needs-action' : 'accepted',
  }))

/** The zone that a booking names, if there is one of that name, or else another. */
export type ReadZone = (named: string | null, otherwise: string) => string

const MANY_ZONES = 1000

/** Whether there is a zone of a name takes long to find out, and bookings name the same few. */
export const createZones = (): ReadZone => {
  const known = new Map<string, boolean>()
  return (named, otherwise) => {
    if (named === null) return otherwise
    let exists = known.get(named)
    if (exists === undefined) {
      exists = !/^[+-]/.test(named) && isTimeZone(named)
      if (known.size === MANY_ZONES) known.clear()
      known.set(named, exists)
    }
    return exists ? named : otherwise
  }
}

export const fieldsOfBooking = (booking: Booking, timezone: string): BookedFields => ({
  bookingId: booking.uid,
  title: booking.title,
  description: booking.description,
  location: booking.location,
  meetingUrl: booking.meetingUrl,
  start: booking.start,
  end: booking.end,
  timezone,
  status: booking.status,
  organizer: booking.organizer,
  attendees: attendeesOf(booking),
})

/** What the event says from now on. Time, status and guests are the provider's. */
export const mergeFields = (
  present: BookedFields,
  booking: Booking,
  row: Pick<BookingRecord, 'told'> | undefined,
  readZone: ReadZone,
): BookedFields => {
  const before = (row ? JSON.parse(row.told) : {}) as Partial<Booking>
  const after = fieldsOfBooking(booking, readZone(booking.timezone, present.timezone))
  const isOurs = (name: (typeof WORDING | typeof PLACE)[number]): boolean =>
    before[name] !== undefined && present[name] !== before[name]
  const kept = [
    ...WORDING.filter(isOurs),
    ...PLACE.filter((name) => isOurs(name) && before[name] === after[name]),
  ]
  return { ...after, ...Object.fromEntries(kept.map((name) => [name, present[name]])) }
}
