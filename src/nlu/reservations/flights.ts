import { readTimes } from '../dates/read.ts'
import { readSections } from '../lexicon/sections.ts'
import { findAirport } from './airports.ts'
import type { MailText } from './labels.ts'
import { BLANK, type Reservation, type ReservationPlace, toPlace } from './reservation.ts'
import { readTimeValue, toLocal } from './times.ts'
import { createPage, findPlaceAt } from './trip-places.ts'
import { findStamps, MAX_TRIPS, type Stamp } from './trips.ts'
import { wordsOf } from './words.ts'

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
const CODE = /(?<![\p{L}\d])[A-Z]{3}(?![\p{L}\d])/gu
const ROUTE = /(?<![\p{L}\d])([A-Z]{3})\s?(?:-|–|→|>|to|nach)\s?([A-Z]{3})(?![\p{L}\d])/gu

const MAX_WINDOW = 700

const toAirportPlace = (code: string): ReservationPlace => ({
  ...toPlace(findAirport(code)?.city ?? code),
  code,
})

type Places = readonly [ReservationPlace, ReservationPlace]

const toAirports = (from: string | undefined, to: string | undefined): Places | undefined =>
  from !== undefined && to !== undefined && from !== to
    ? [toAirportPlace(from), toAirportPlace(to)]
    : undefined

const toPlaces = (from: string | null, to: string | null): Places | undefined =>
  from === null || to === null ? undefined : [toPlace(from), toPlace(to)]

/** Finds routes between two known airports, such as "BER-LHR". */
export const findRoutes = (text: string): Places[] =>
  [...text.matchAll(ROUTE)]
    .map(([, from = '', to = '']) =>
      findAirport(from) && findAirport(to) ? toAirports(from, to) : undefined,
    )
    .filter((route) => route !== undefined)

const codesIn = (text: string): string[] =>
  [...text.matchAll(CODE)].map(([code]) => code).filter((code) => findAirport(code) !== undefined)

interface Mention {
  trip: string
  airline: string
  offset: number
  end: number
}

const findMentions = (text: string): Mention[] =>
  [...text.matchAll(FLIGHT)].flatMap(({ 0: words, 1: code = '', 2: number, index }) => {
    const airline = findAirline(code)
    return airline === undefined
      ? []
      : [{ trip: `${code}${number}`, airline, offset: index, end: index + words.length }]
  })

/** Finds the first flight number, as in the title of a calendar entry. */
export const findFlightNumber = (text: string): string | null => findMentions(text)[0]?.trip ?? null

/** An arrival before the departure is on the next day, if its own day is not written. */
const toLocalTimes = (departure: Stamp, arrival: Stamp | undefined): (string | null)[] =>
  [departure, arrival].map((stamp) => {
    if (!stamp || stamp.day === null) return null
    const isNext = stamp.day === departure.day && stamp.seconds < departure.seconds
    return toLocal({ day: stamp.day + (isNext ? 1 : 0), seconds: stamp.seconds })
  })

/** Finds flights in plain text. */
export const readFlights = (mail: MailText): Reservation[] => {
  const { text, context, facts, reference, quote } = mail
  const mentions = wordsOf('flight').test(text) ? findMentions(text).slice(0, 4 * MAX_TRIPS) : []
  const [first, last] = [mentions[0], mentions.at(-1)]
  if (!first || !last) return []
  const stamps = findStamps(readTimes(text, context))
  const page = createPage(text, stamps)
  const within = (from: number, to: number): Stamp[] =>
    stamps.filter(({ offset, end }) => offset >= from && end <= to)
  // The number of a flight stands before its times, or after them.
  const followsTimes =
    within(Math.max(0, first.offset - MAX_WINDOW), first.offset).length >= 2 &&
    within(last.end, last.end + MAX_WINDOW).length < 2
  const trips = [...new Set(mentions.map(({ trip }) => trip))]
  const routes = findRoutes(text)
  const found = new Map<string, Reservation>()
  for (const [index, { trip, airline, offset, end }] of mentions.entries()) {
    const previous = mentions.slice(0, index).findLast((one) => one.trip !== trip)
    const next = mentions.slice(index + 1).find((one) => one.trip !== trip)
    const [from, to] = followsTimes
      ? [Math.max(previous?.end ?? 0, offset - MAX_WINDOW), offset]
      : [end, Math.min(next?.offset ?? text.length, end + MAX_WINDOW)]
    const [departure, arrival] = followsTimes ? within(from, to).slice(-2) : within(from, to)
    if (!departure || departure.day === null) continue
    const codes = codesIn(text.slice(from, to))
    const [origin, destination] = followsTimes ? codes.slice(-2) : codes
    const route = routes[routes.length === trips.length ? trips.indexOf(trip) : 0]
    const isRouteKnown = routes.length === trips.length || routes.length === 1
    const places =
      toAirports(origin, destination) ??
      (isRouteKnown ? route : undefined) ??
      (arrival && toPlaces(findPlaceAt(page, departure), findPlaceAt(page, arrival)))
    const [departs, arrives] = toLocalTimes(departure, arrival) as [string, string | null]
    const start = readTimeValue(departs, places?.[0] ?? null, context)
    const known = found.get(trip)
    if (!places || start === null || (known && (known.end !== null || !arrival))) continue
    found.set(trip, {
      ...BLANK,
      ...facts,
      type: 'flight',
      trip,
      provider: airline,
      from: places[0] ?? null,
      to: places[1] ?? null,
      start,
      end: readTimeValue(arrives, places[1] ?? null, context),
      evidence: [
        quote(offset, end),
        quote(departure.offset, departure.end),
        ...(reference ? [reference.evidence] : []),
      ],
    })
    if (found.size >= MAX_TRIPS) break
  }
  return [...found.values()]
}
