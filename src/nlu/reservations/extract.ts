import { toWall } from '../../recurrence/time-zones.ts'
import { isGerman } from '../dates/read.ts'
import { readCalendarFile } from './calendar-file.ts'
import { readFlights } from './flights.ts'
import { toEnglishDates } from './foreign-dates.ts'
import { readInvoice } from './invoices.ts'
import { readItineraries } from './itineraries.ts'
import { readLabelledBooking } from './labelled-bookings.ts'
import { readLabelledTrips } from './labelled-trips.ts'
import { findReference, isCancellation, withoutHistory } from './labels.ts'
import { readParcels } from './parcels.ts'
import { cleanValue, MAX_RESERVATIONS, type Reservation, TRIP_TYPES, toCompact } from './reservation.ts'
import { readSchemaOrg } from './schema-org.ts'
import { readStay } from './stays.ts'
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

/** Other languages write the day first. */
const isEnglish = (text: string): boolean =>
  (text.slice(0, 4_000).match(/\b(?:the|and|your|you|for|with|from|this|is|are)\b/gi)?.length ?? 0) >= 3

const FORWARDED = /^\s*(?:fwd?|wg|tr|rv)\s*:/i

/** The text after this many characters is ignored. */
const MAX_TEXT = 30_000

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

/** A quote is shorter than its part of the text by the spaces that were removed. */
const MAX_SPACES = 200

const readText = (input: ReservationInput, text: string, context: TimeContext): Reservation[] => {
  const status = isCancellation(input.subject, text) ? 'cancelled' : 'confirmed'
  const number = findReference(text)?.value ?? null
  const common = { number, status, source: 'text' } as const
  const tables = readTripTables(text, context, common)
  const lines = tables.length > 0 ? tables : readTripLines(text, null, context, common)
  const flights = lines.length > 0 ? [] : readFlights(text, context)
  const readers = [
    () => [...lines, ...flights],
    () => readLabelledTrips(text, context, common),
    () => readStay(text, input.subject, context),
    () => readItineraries(text, context, common),
    () => readLabelledBooking(text, context, common),
  ]
  for (const read of readers) {
    const found = read()
    if (found.length > 0) return found.map((one) => ({ ...one, status }))
  }
  return []
}

/** Quotes the mail as written. The readers see dates in English, at the same offsets. */
const quoteOriginal = (found: Reservation, read: string, written: string): Reservation => ({
  ...found,
  evidence: found.evidence.map((one) => {
    if (one.place !== 'text' || one.offset < 0) return one
    for (let length = one.text.length; length <= one.text.length + MAX_SPACES; length++)
      if (cleanValue(read.slice(one.offset, one.offset + length)) === one.text)
        return { ...one, text: cleanValue(written.slice(one.offset, one.offset + length)) ?? one.text }
    return one
  }),
})

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
    order: isGerman(visible) || !isEnglish(visible) ? 'dmy' : 'mdy',
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
  const own = withoutHistory(visible)
  if (!found.some(isTravel)) {
    const english = toEnglishDates(own)
    found.push(
      ...readText(input, english, context).map((one) =>
        english === own ? one : quoteOriginal(one, english, own),
      ),
    )
  }
  if (found.length === 0) found.push(...readParcels(own, input.subject, context))
  if (!found.some(({ type }) => type === 'invoice' || type === 'parcel'))
    found.push(...readInvoice(own, input, context))
  return withKeys(found.slice(0, MAX_RESERVATIONS))
}
