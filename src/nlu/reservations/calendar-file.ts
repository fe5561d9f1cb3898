import { findAirport } from './airports.ts'
import { findFlightNumber } from './flights.ts'
import { findTrip, findVehicle, NAMED_TRAIN } from './labelled-trips.ts'
import { findReference } from './labels.ts'
import {
  BLANK,
  cleanUrl,
  cleanValue,
  type PlaceTime,
  type Reservation,
  type ReservationEvidence,
  toPlaceTime,
} from './reservation.ts'
import { readTimeValue, type TimeContext } from './times.ts'
import { readTripLines } from './trip-lines.ts'

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

const isKnownZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const readMoment = (event: Properties, name: string, context: TimeContext): PlaceTime | null => {
  const { value, parameters } = event.get(name) ?? { value: '', parameters: '' }
  const zone = /;TZID="?([^;:"]+)/i.exec(parameters)?.[1]
  const found = readTimeValue(value, null, context)
  return found && zone !== undefined && found.zoneSource === 'reader' && isKnownZone(zone)
    ? toPlaceTime(found.local, zone, 'stated')
    : found
}

const HOTEL =
  /(?<!\p{L})(?:hotel|hostel|check-?in|your stay|unterkunft|airbnb|apartment|ferienwohnung)(?!\p{L})/iu
const HOTEL_NAME =
  /^\s*(?:(?:your )?(?:stay|reservation|booking) (?:at|in)|(?:hotel )?reservation:|hotel:|aufenthalt (?:in|im)|buchung:?)\s+/iu

const readEvent = (event: Properties, context: TimeContext): Reservation[] => {
  const text = (name: string): string => event.get(name)?.value ?? ''
  const summary = text('SUMMARY')
  const description = text('DESCRIPTION')
  const start = readMoment(event, 'DTSTART', context)
  const end = readMoment(event, 'DTEND', context)
  if (start === null) return []
  const status = /^CANCELLED/i.test(text('STATUS')) ? 'cancelled' : 'confirmed'
  const common = { number: null, status, source: 'calendar' } as const
  const legs = readTripLines(description, start.local.slice(0, 10), context, common)
  if (legs.length > 0) return legs.map(toCalendarEvidence)
  const evidence: ReservationEvidence[] = [{ text: cleanValue(summary) ?? '', offset: -1, place: 'calendar' }]
  const number =
    findReference(`${summary}\n${description}`)?.value ??
    /^#\s?([A-Z\d-]{4,20})(?![\p{L}\d])/u.exec(summary)?.[1] ??
    null
  const route = findFlightRoute(summary)
  if (route) {
    const trip = findFlightNumber(`${summary}\n${description}`)
    return [{ ...BLANK, ...common, ...route, type: 'flight', number, trip, start, end, evidence }]
  }
  const ride = readRide(summary, description, text('LOCATION'))
  if (ride && end !== null)
    return [{ ...BLANK, ...common, ...ride, number, start, end, url: cleanUrl(text('URL')), evidence }]
  if (!HOTEL.test(summary) || end === null || end.local.slice(0, 10) === start.local.slice(0, 10)) return []
  const name = cleanValue(summary.replace(HOTEL_NAME, ''))
  return [
    {
      ...BLANK,
      ...common,
      type: 'hotel',
      number,
      name,
      to: { name: name ?? '', code: null, address: cleanValue(text('LOCATION')) },
      start,
      end,
      url: cleanUrl(text('URL')),
      evidence,
    },
  ]
}

const toCalendarEvidence = (leg: Reservation): Reservation => ({
  ...leg,
  evidence: leg.evidence.map(({ text }) => ({ text, offset: -1, place: 'calendar' as const })),
})

const ROUTE = /(?<![A-Z])([A-Z]{3})\s?(?:-|–|→|>|to|nach)\s?([A-Z]{3})(?![A-Z])/u

const findFlightRoute = (text: string) => {
  const [, from, to] = /flight|flug|✈/i.test(text) ? (ROUTE.exec(text) ?? []) : []
  if (from === undefined || to === undefined) return undefined
  const [start, end] = [findAirport(from), findAirport(to)]
  if (!start || !end) return undefined
  return {
    from: { name: start.city, code: from, address: null },
    to: { name: end.city, code: to, address: null },
  }
}

const FROM_TO =
  /^(?:.*?(?:\bfrom|\bvon|:)\s+)?(\p{Lu}[^→>]{1,60}?)\s*(?:→|➞|->|=>|\bto\b|\bnach\b|–|\s-\s)\s*(\p{Lu}[^→>]{1,60}?)\s*(?:\(.*)?$/u

/** A trip by train, bus or ferry, with its route in the title: "FlixBus Berlin → Munich". */
const readRide = (summary: string, description: string, location: string) => {
  const whole = `${summary}\n${description}`
  const type = NAMED_TRAIN.test(whole) ? 'train' : findVehicle(whole)
  const [, from, to] = type ? (FROM_TO.exec(summary.trim()) ?? []) : []
  if (type === undefined || from === undefined || to === undefined) return undefined
  const place = (name: string, address: string | null) => ({ name, code: null, address })
  return {
    type,
    trip: findTrip(whole),
    from: place(from, cleanValue(location) === from ? null : cleanValue(location)),
    to: place(to, null),
  }
}

/** Reads trips and stays of a calendar file. */
export const readCalendarFile = (file: string, context: TimeContext): Reservation[] =>
  readEvents(file).flatMap((event) => readEvent(event, context))
