import { readTimes, type TimeExpression } from '../dates/read.ts'
import { readSections } from '../lexicon/sections.ts'
import { findAirport } from './airports.ts'
import { findReference } from './labels.ts'
import {
  BLANK,
  cleanValue,
  type PlaceTime,
  type Reservation,
  type ReservationPlace,
  toPlaceTime,
  zoneOfPlace,
} from './reservation.ts'
import { type TimeContext, toLocal } from './times.ts'

/* Flights in plain text. A flight needs a flight number, a departure time and two places. */

const FILE = new URL('../lexicon/airlines.txt', import.meta.url)

let loaded: ReadonlyMap<string, string> | undefined

/** Returns the name of an airline. Loads the airlines on the first use. */
const findAirline = (code: string): string | undefined => {
  loaded ??= new Map(
    readSections(FILE).flatMap(({ phrases }) =>
      phrases.map((phrase) => [phrase.slice(0, 2), phrase.slice(3)]),
    ),
  )
  return loaded.get(code)
}

const FLIGHT = /(?<![\p{L}\d/.:-])([A-Z]{2}|[A-Z]\d|\d[A-Z])\s?(\d{2,4})(?![\p{L}\d/.:-]|,\d)/gu
const TRAVEL_WORDS =
  /(?<!\p{L})(?:flights?|flüge?n?|airlines?|boarding|passengers?|itinerary|abflug|e-?tickets?|check-?in|reiseplan|vuelo|vol|volo|passagiere?)(?!\p{L})/iu
const CODE = /(?<![\p{L}\d])[A-Z]{3}(?![\p{L}\d])/gu
const ROUTE = /(?<![\p{L}\d])([A-Z]{3})\s?(?:-|–|→|>|to|nach)\s?([A-Z]{3})(?![\p{L}\d])/gu

const MAX_TEXT = 20_000
const MAX_WINDOW = 700
const MAX_FLIGHTS = 20

/** A time on the wall clock, with its place in the text. */
export interface Stamp {
  day: number | null
  seconds: number
  offset: number
  end: number
}

/** The wall-clock times of a text. A time without a day gets the last day before it. */
export const findStamps = (times: readonly TimeExpression[]): Stamp[] => {
  let day: number | null = null
  return times.flatMap(({ start, end, dated, offset, text, kind }): Stamp[] => {
    if (kind === 'recurrence' || kind === 'duration' || !start) return []
    if (dated) day = start.day
    if (start.seconds === undefined) return []
    const first: Stamp = { day, seconds: start.seconds, offset, end: offset + text.length }
    if (end?.seconds === undefined) return [first]
    return [first, { day: dated ? end.day : day, seconds: end.seconds, offset, end: first.end }]
  })
}

const toAirportPlace = (code: string): ReservationPlace => ({
  name: findAirport(code)?.city ?? code,
  code,
  address: null,
})

const codesIn = (text: string): string[] =>
  [...text.matchAll(CODE)].map(([code]) => code).filter((code) => findAirport(code) !== undefined)

/** The name of a place in the line of a time, or in the line before it. */
const nameAt = (text: string, { offset, end }: Stamp): ReservationPlace | null => {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1
  const lineEnd = text.indexOf('\n', end)
  const rest = `${text.slice(lineStart, offset)} ${text.slice(end, lineEnd < 0 ? undefined : lineEnd)}`
  const before = text.slice(0, Math.max(0, lineStart - 1)).trimEnd()
  const previous = before.slice(before.lastIndexOf('\n') + 1)
  for (const line of [rest, previous]) {
    const name = cleanValue(
      line
        .replace(/^\s*(?:departure|arrival|abflug|ankunft|from|to|von|nach|departs?|arrives?)\s*:?\s*/i, '')
        .replace(/[|,;:–→-]+\s*$/u, ''),
      80,
    )
    if (name !== null && /\p{Lu}\p{L}{2,}/u.test(name) && !/\d{2}:\d{2}/.test(name))
      return { name, code: codesIn(name)[0] ?? null, address: null }
  }
  return null
}

interface Mention {
  trip: string
  airline: string
  offset: number
  end: number
  quote: string
}

const findMentions = (text: string): Mention[] =>
  [...text.matchAll(FLIGHT)]
    .map((match) => ({
      trip: `${match[1]}${match[2]}`,
      airline: match[1] as string,
      offset: match.index,
      end: match.index + match[0].length,
      quote: match[0],
    }))
    .filter(({ airline }) => findAirline(airline) !== undefined)
    .slice(0, 4 * MAX_FLIGHTS)

/** Finds the first flight number, as in the title of a calendar entry. */
export const findFlightNumber = (text: string): string | null => findMentions(text)[0]?.trip ?? null

const toTime = (stamp: Stamp, place: ReservationPlace | null, context: TimeContext): PlaceTime | null => {
  if (stamp.day === null) return null
  const { timezone, zoneSource } = zoneOfPlace(place, context.timezone)
  return toPlaceTime(toLocal({ day: stamp.day, seconds: stamp.seconds }), timezone, zoneSource)
}

/** An arrival before the departure is on the next day, if its own day is not written. */
const orderStamps = (departure: Stamp, arrival: Stamp): Stamp =>
  arrival.day !== null && arrival.day === departure.day && arrival.seconds < departure.seconds
    ? { ...arrival, day: arrival.day + 1 }
    : arrival

/** Finds flights in plain text. */
export const readFlights = (whole: string, context: TimeContext): Reservation[] => {
  const text = whole.slice(0, MAX_TEXT)
  if (!TRAVEL_WORDS.test(text)) return []
  const mentions = findMentions(text)
  const [first] = mentions
  if (!first) return []
  const stamps = findStamps(readTimes(text, context))
  if (stamps.length === 0) return []
  const within = (from: number, to: number): Stamp[] =>
    stamps.filter(({ offset, end }) => offset >= from && end <= to)
  const last = mentions.at(-1) as Mention
  // The number of a flight stands before its times, or after them.
  const followsTimes =
    within(Math.max(0, first.offset - MAX_WINDOW), first.offset).length >= 2 &&
    within(last.end, last.end + MAX_WINDOW).length < 2
  const reference = findReference(text)
  const trips = [...new Set(mentions.map(({ trip }) => trip))]
  const routes = [...text.matchAll(ROUTE)]
    .filter(([, from, to]) => findAirport(from as string) && findAirport(to as string))
    .map(([, from, to]) => [from as string, to as string] as const)
  const found = new Map<string, Reservation>()
  for (const [index, mention] of mentions.entries()) {
    const previous = mentions.slice(0, index).findLast(({ trip }) => trip !== mention.trip)
    const next = mentions.slice(index + 1).find(({ trip }) => trip !== mention.trip)
    const [from, to] = followsTimes
      ? [Math.max(previous?.end ?? 0, mention.offset - MAX_WINDOW), mention.offset]
      : [mention.end, Math.min(next?.offset ?? text.length, mention.end + MAX_WINDOW)]
    const near = within(from, to)
    const [departure, second] = followsTimes ? near.slice(-2) : near
    if (!departure || departure.day === null) continue
    const arrival = second && orderStamps(departure, second)
    const codes = codesIn(text.slice(from, to))
    const pair = followsTimes ? codes.slice(-2) : codes.slice(0, 2)
    const route =
      routes.length === trips.length
        ? routes[trips.indexOf(mention.trip)]
        : routes.length === 1
          ? routes[0]
          : undefined
    const [origin, destination] =
      pair.length === 2 && pair[0] !== pair[1]
        ? pair.map(toAirportPlace)
        : route
          ? route.map(toAirportPlace)
          : [nameAt(text, departure), arrival ? nameAt(text, arrival) : null]
    if (!origin || !destination) continue
    const start = toTime(departure, origin, context)
    const known = found.get(mention.trip)
    if (start === null || (known && (known.end !== null || !arrival))) continue
    found.set(mention.trip, {
      ...BLANK,
      type: 'flight',
      source: 'text',
      number: reference?.value ?? null,
      trip: mention.trip,
      provider: findAirline(mention.airline) ?? null,
      from: origin,
      to: destination,
      start,
      end: arrival ? toTime(arrival, destination, context) : null,
      evidence: [
        { text: mention.quote, offset: mention.offset, place: 'text' },
        { text: text.slice(departure.offset, departure.end), offset: departure.offset, place: 'text' },
        ...(reference ? [reference.evidence] : []),
      ],
    })
    if (found.size >= MAX_FLIGHTS) break
  }
  return [...found.values()]
}
