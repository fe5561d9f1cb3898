import { toWall } from '../../recurrence/time-zones.ts'
import { isGerman } from '../dates/read.ts'
import { readLabelledBooking, readStay } from './bookings.ts'
import { readCalendarFile } from './calendar-file.ts'
import { readFlights } from './flights.ts'
import { toEnglishDates } from './foreign-dates.ts'
import { readInvoice } from './invoices.ts'
import { readItineraries } from './itineraries.ts'
import { findReference, isCancellation, type MailText, withoutHistory } from './labels.ts'
import { readParcels } from './parcels.ts'
import { MAX_RESERVATIONS, quoteText, type Reservation, TRIP_TYPES, toCompact } from './reservation.ts'
import { readSchemaOrg } from './schema-org.ts'
import { readJsonLd, readStructuredData } from './structured-data.ts'
import type { TimeContext } from './times.ts'
import { readTripLines } from './trip-lines.ts'
import { readTripTables } from './trip-tables.ts'

export interface ReservationInput {
  subject: string
  /** The visible text. Offsets of the evidence refer to it. */
  text: string
  /** The original HTML. Sanitized HTML has no structured data. */
  html: string | null
  /** The name or domain of the sender, for invoices. */
  sender: string
  /** The contents of `text/calendar` parts. */
  calendars: readonly string[]
  /** The contents of `application/ld+json` parts. */
  jsonLd: readonly string[]
}

export interface ReservationOptions {
  /** The date of the mail. */
  date: number
  /** The time zone of the reader. */
  timezone: string
}

const FORWARDED = /^\s*(?:fwd?|wg|tr|rv)\s*:/i

/** The text after this many characters is ignored. */
const MAX_TEXT = 30_000
const MAX_OWN_TEXT = 20_000

const placeKey = (place: Reservation['from']): string => toCompact(place?.code ?? place?.name ?? null)

const baseKey = (one: Reservation): string => {
  const number = toCompact(one.number)
  const day = one.start?.local.slice(0, 10) ?? ''
  // Without a number, two tables on one evening differ in their time only.
  const time = one.start?.local ?? ''
  switch (one.type) {
    case 'flight':
    case 'train':
    case 'bus':
    case 'boat':
    case 'taxi': {
      const route = `${placeKey(one.from)}>${placeKey(one.to)}`
      return number === '' ? `${toCompact(one.trip)}:${route}:${time}` : `${number}:${route}`
    }
    case 'parcel':
      return number || toCompact(one.name)
    case 'order':
    case 'invoice':
      return `${toCompact(one.provider)}:${number || day}`
    default:
      return number === '' ? `${toCompact(one.name)}:${time}` : `${number}:${toCompact(one.name)}`
  }
}

/** A reservation with the key under which a later mail about it finds it again. */
export type KeyedReservation = Reservation & { key: string }

/** Two rooms of one booking differ in these. Travellers of one trip share it. */
const detailsOf = (one: Reservation): string[] =>
  TRIP_TYPES.has(one.type)
    ? []
    : [one.end?.local ?? '', one.seat ?? '', String(one.party ?? ''), String(one.price ?? ''), ...one.items]

/**
 * Merges reservations of several travellers, and numbers the others with the same key: one order may hold the
 * same train on two days.
 */
const withKeys = (found: readonly Reservation[]): KeyedReservation[] => {
  const merged = new Map<string, Reservation>()
  for (const one of found) {
    const sign = [
      one.type,
      baseKey(one),
      toCompact(one.trip),
      one.start?.local ?? '',
      ...detailsOf(one),
    ].join('|')
    const known = merged.get(sign)
    if (known) {
      known.travellers = [...new Set([...known.travellers, ...one.travellers])]
      known.seat = [...new Set([known.seat, one.seat].filter((seat) => seat !== null))].join(', ') || null
    } else merged.set(sign, { ...one })
  }
  const counts = new Map<string, number>()
  return [...merged.values()]
    .toSorted((a, b) => (a.start?.instant ?? 0) - (b.start?.instant ?? 0))
    .map((one) => {
      const key = `${one.type}:${baseKey(one)}`
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return { ...one, key: count === 1 ? key : `${key}#${count}` }
    })
}

const isTravel = ({ type }: Reservation): boolean =>
  TRIP_TYPES.has(type) || type === 'hotel' || type === 'car' || type === 'event' || type === 'restaurant'

const READERS = [
  readTripTables,
  (mail: MailText) => readTripLines(mail, null),
  readFlights,
  readStay,
  readItineraries,
  readLabelledBooking,
]

/** Other languages write the day first. */
const isMonthFirst = (text: string): boolean =>
  !isGerman(text) &&
  (text.slice(0, 4_000).match(/\b(?:the|and|your|you|for|with|from|this|is|are)\b/gi)?.length ?? 0) >= 3

/** The first reader that finds something counts. */
const readText = (mail: MailText): Reservation[] => {
  for (const read of READERS) {
    const found = read(mail)
    if (found.length > 0) return found
  }
  return []
}

const toMailText = ({ subject, sender }: ReservationInput, own: string, context: TimeContext): MailText => {
  const text = toEnglishDates(own)
  const reference = findReference(text)
  const status = isCancellation(subject, text) ? 'cancelled' : 'confirmed'
  return {
    subject,
    sender,
    text,
    context,
    facts: { number: reference?.value ?? null, status, source: 'text' },
    reference,
    quote: (from, to) => quoteText(own, from, to),
  }
}

/**
 * Finds trips, stays, events, parcels, orders and invoices in a mail. Structured data counts first, then
 * calendar files, then the text without quoted history.
 */
export const extractReservations = (
  input: ReservationInput,
  { date, timezone }: ReservationOptions,
): KeyedReservation[] => {
  const visible = input.text.slice(0, MAX_TEXT)
  const context: TimeContext = {
    now: toWall(date, timezone),
    timezone,
    order: isMonthFirst(visible) ? 'mdy' : 'dmy',
  }
  const withQuotes = FORWARDED.test(input.subject)
  const items = [
    ...(input.html === null ? [] : readStructuredData(input.html, { withQuotes })),
    ...readJsonLd(input.jsonLd),
  ]
  // A calendar part without a booking is an invitation, which has its own card.
  const isInvitation = input.calendars.length > 0
  const found = readSchemaOrg(items, { ...context, text: visible }).filter(
    ({ type, number }) => !(isInvitation && type === 'event' && number === null),
  )
  if (!found.some(isTravel))
    found.push(...input.calendars.slice(0, 5).flatMap((file) => readCalendarFile(file, context)))
  const mail = toMailText(input, withoutHistory(visible).slice(0, MAX_OWN_TEXT), context)
  if (!found.some(isTravel)) found.push(...readText(mail))
  if (found.length === 0) found.push(...readParcels(mail))
  if (!found.some(({ type }) => type === 'invoice' || type === 'parcel')) found.push(...readInvoice(mail))
  return withKeys(found.slice(0, MAX_RESERVATIONS))
}
