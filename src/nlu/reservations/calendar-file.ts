import { isZone } from '../../recurrence/time-zones.ts'
import { findFlightNumber, findRoutes } from './flights.ts'
import { findReference } from './labels.ts'
import {
  BLANK,
  cleanUrl,
  cleanValue,
  type PlaceTime,
  type Reservation,
  type ReservationEvidence,
  toPlace,
  toPlaceTime,
} from './reservation.ts'
import { readTimeValue, type TimeContext } from './times.ts'
import { readTripLines } from './trip-lines.ts'
import { findTrainNumber, findTrip, findVehicle } from './trips.ts'
import { patternOf, wordsOf } from './words.ts'

/* Bookings in calendar files (RFC 5545). Meetings are handled as invitations and are ignored here. */

const MAX_LENGTH = 256 * 1024
const MAX_EVENTS = 30

type Properties = Map<string, { value: string; parameters: string }>

const unescapeText = (value: string): string =>
  value.replace(/\\([\\;,nN])/g, (_, character: string) => (/n/i.test(character) ? '\n' : character))

const readEvents = (file: string): Properties[] => {
  const events: Properties[] = []
  let event: Properties | undefined
  for (const line of file
    .slice(0, MAX_LENGTH)
    .replace(/\r?\n[ \t]/g, '')
    .split(/\r?\n/)) {
    if (/^BEGIN:VEVENT\s*$/i.test(line)) event = new Map()
    else if (/^END:VEVENT\s*$/i.test(line)) {
      if (event && events.length < MAX_EVENTS) events.push(event)
      event = undefined
    } else if (event) {
      const [, name, parameters = '', value = ''] = /^([\w-]{1,40})((?:;[^:]*)?):(.*)$/s.exec(line) ?? []
      if (name !== undefined && !event.has(name.toUpperCase()))
        event.set(name.toUpperCase(), { value: unescapeText(value), parameters })
    }
  }
  return events
}

const readMoment = (event: Properties, name: string, context: TimeContext): PlaceTime | null => {
  const { value, parameters } = event.get(name) ?? { value: '', parameters: '' }
  const zone = /;TZID="?([^;:"]+)/i.exec(parameters)?.[1]
  const found = readTimeValue(value, null, context)
  return found && zone !== undefined && found.zoneSource === 'reader' && isZone(zone)
    ? toPlaceTime(found.local, zone, 'stated')
    : found
}

const FROM_TO =
  /^(?:.*?(?:\bfrom|\bvon|:)\s+)?(\p{Lu}[^→>]{1,60}?)\s*(?:→|➞|->|=>|\bto\b|\bnach\b|–|\s-\s)\s*(\p{Lu}[^→>]{1,60}?)\s*(?:\(.*)?$/u

/** A trip by train, bus or ferry, with its route in the title: "FlixBus Berlin → Munich". */
const readRide = (summary: string, whole: string, location: string | null) => {
  const type = findTrainNumber(whole) === undefined ? findVehicle(whole) : 'train'
  const [, from, to] = type ? (FROM_TO.exec(summary.trim()) ?? []) : []
  if (type === undefined || from === undefined || to === undefined) return undefined
  const origin = { ...toPlace(from), address: location === from ? null : location }
  return { type, trip: findTrip(whole), from: origin, to: toPlace(to) }
}

const readEvent = (event: Properties, context: TimeContext): Reservation[] => {
  const textOf = (name: string): string => event.get(name)?.value ?? ''
  const [summary, description] = [textOf('SUMMARY'), textOf('DESCRIPTION')]
  const [start, end] = [readMoment(event, 'DTSTART', context), readMoment(event, 'DTEND', context)]
  if (start === null) return []
  const quote = (text: string): ReservationEvidence => ({
    text: cleanValue(text) ?? '',
    offset: -1,
    place: 'calendar',
  })
  const status = /^CANCELLED/i.test(textOf('STATUS')) ? 'cancelled' : 'confirmed'
  const facts = { number: null, status, source: 'calendar' } as const
  const legs = readTripLines(
    { text: description, context, facts, quote: (from, to) => quote(description.slice(from, to)) },
    start.local.slice(0, 10),
  )
  if (legs.length > 0) return legs
  const whole = `${summary}\n${description}`
  const number =
    findReference(whole)?.value ?? /^#\s?([A-Z\d-]{4,20})(?![\p{L}\d])/u.exec(summary)?.[1] ?? null
  const entry = { ...BLANK, ...facts, number, start, end, evidence: [quote(summary)] }
  const [route] = /flight|flug|✈/i.test(summary) ? findRoutes(summary) : []
  if (route)
    return [{ ...entry, type: 'flight', trip: findFlightNumber(whole), from: route[0], to: route[1] }]
  const url = cleanUrl(textOf('URL'))
  const location = cleanValue(textOf('LOCATION'))
  const ride = readRide(summary, whole, location)
  if (ride && end !== null) return [{ ...entry, ...ride, url }]
  const isStay = end !== null && end.local.slice(0, 10) !== start.local.slice(0, 10)
  if (!isStay || !wordsOf('hotel entry').test(summary)) return []
  const name = cleanValue(summary.replace(patternOf(String.raw`^\s*{{stay title}}\s+`), ''))
  return [{ ...entry, type: 'hotel', name, to: { ...toPlace(name ?? ''), address: location }, url }]
}

/** Reads trips and stays of a calendar file. */
export const readCalendarFile = (file: string, context: TimeContext): Reservation[] =>
  readEvents(file).flatMap((event) => readEvent(event, context))
