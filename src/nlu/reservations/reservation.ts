import { toInstant } from '../../recurrence/time-zones.ts'
import { findAirport } from './airports.ts'

export const RESERVATION_TYPES = [
  'flight',
  'train',
  'bus',
  'boat',
  'taxi',
  'car',
  'hotel',
  'restaurant',
  'event',
  'parcel',
  'order',
  'invoice',
] as const
export type ReservationType = (typeof RESERVATION_TYPES)[number]

/** `paid` is for invoices, `delivered` for parcels. */
export const RESERVATION_STATUSES = ['confirmed', 'pending', 'cancelled', 'paid', 'delivered'] as const
export type ReservationStatus = (typeof RESERVATION_STATUSES)[number]

/**
 * `stated`: the mail has a UTC offset or a time zone. `airport`: the zone of the airport. `reader`: neither is
 * known, so the time is read in the zone of the reader.
 */
export type ZoneSource = 'stated' | 'airport' | 'reader'

/** A time on the wall clock of its place. */
export interface PlaceTime {
  /** `2027-03-04T20:15`, or `2027-03-04` for a whole day. */
  local: string
  /** The instant; for a whole day, its start in the zone. */
  instant: number
  timezone: string
  zoneSource: ZoneSource
}

export interface ReservationPlace {
  name: string
  /** The IATA code of an airport. */
  code: string | null
  address: string | null
}

/** `offset` is the position in the visible text, or -1 if the quote stands elsewhere in the mail. */
export interface ReservationEvidence {
  text: string
  offset: number
  place: 'text' | 'markup' | 'calendar'
}

/** A trip, stay, event, parcel, order or invoice that a mail confirms. */
export interface Reservation {
  type: ReservationType
  status: ReservationStatus
  /** Booking reference, tracking number, order number or invoice number. */
  number: string | null
  /** The hotel, restaurant, event, or the first article of an order. */
  name: string | null
  /** Airline, railway, parcel service, merchant. */
  provider: string | null
  /** Flight, train or bus number. */
  trip: string | null
  from: ReservationPlace | null
  /** The destination, or the place of a stay or event. */
  to: ReservationPlace | null
  /** Departure, check-in, start or pick-up. */
  start: PlaceTime | null
  /** Arrival, check-out or end; for a parcel the expected delivery, for an invoice the due date. */
  end: PlaceTime | null
  travellers: string[]
  seat: string | null
  platform: string | null
  party: number | null
  price: number | null
  currency: string | null
  items: string[]
  /** Tracking page of a parcel, or the page of the reservation. Always http or https. */
  url: string | null
  source: 'markup' | 'calendar' | 'text'
  evidence: ReservationEvidence[]
}

/** The facts of a mail that all its reservations share. */
export type MailFacts = Pick<Reservation, 'number' | 'status' | 'source'>

export const BLANK: Omit<Reservation, 'type' | 'source'> = {
  status: 'confirmed',
  number: null,
  name: null,
  provider: null,
  trip: null,
  from: null,
  to: null,
  start: null,
  end: null,
  travellers: [],
  seat: null,
  platform: null,
  party: null,
  price: null,
  currency: null,
  items: [],
  url: null,
  evidence: [],
}

export const TRIP_TYPES: ReadonlySet<ReservationType> = new Set([
  'flight',
  'train',
  'bus',
  'boat',
  'taxi',
] as const)

export const MAX_RESERVATIONS = 50
const MAX_VALUE_LENGTH = 300

/** Puts a value on one line. Returns null if nothing is left. */
export const cleanValue = (value: string | undefined | null, length = MAX_VALUE_LENGTH): string | null => {
  const line = (value ?? '')
    .slice(0, 4 * length)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression removes them
    .replace(/[\s\0-\x1f\u200b-\u200f\u202a-\u202e\u2066-\u2069]+/g, ' ')
    .trim()
    .slice(0, length)
    .toWellFormed()
  return line === '' ? null : line
}

/** Quotes a part of the visible text. */
export const quoteText = (text: string, from: number, to: number): ReservationEvidence => ({
  text: cleanValue(text.slice(from, to)) ?? '',
  offset: from,
  place: 'text',
})

/** A place of which only the name is known. */
export const toPlace = (name: string): ReservationPlace => ({ name, code: null, address: null })

const MAX_URL_LENGTH = 2000

/** Only web addresses: a mail may contain `javascript:` or `data:` URLs. */
export const cleanUrl = (value: string | undefined | null): string | null => {
  const text = (value ?? '').trim()
  if (text.length > MAX_URL_LENGTH || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return null
  const { username, password, href } = new URL(text)
  return username === '' && password === '' ? href : null
}

/** Without spaces and punctuation in upper case, so that "LH 123" equals "lh123". */
export const toCompact = (value: string | null): string =>
  (value ?? '').replace(/[^\p{L}\d]+/gu, '').toUpperCase()

/** Converts a wall-clock time. `timezone` and `zoneSource` say how it was read. */
export const toPlaceTime = (local: string, timezone: string, zoneSource: ZoneSource): PlaceTime => {
  const wall = Date.parse(local.length > 10 ? `${local}:00Z` : `${local}T00:00:00Z`)
  return { local, instant: toInstant(wall, timezone), timezone, zoneSource }
}

/** Selects the zone of a place. */
export const zoneOfPlace = (
  place: ReservationPlace | null,
  readerZone: string,
): { timezone: string; zoneSource: ZoneSource } => {
  const airport = place?.code ? findAirport(place.code) : undefined
  return airport
    ? { timezone: airport.timezone, zoneSource: 'airport' }
    : { timezone: readerZone, zoneSource: 'reader' }
}
