import {
  BLANK,
  cleanValue,
  type MailFacts,
  quoteText,
  type Reservation,
  type ReservationEvidence,
  toPlace,
} from './reservation.ts'
import { nextDay, readTimeValue, type TimeContext } from './times.ts'

/*
 * Connections by train and bus as tables: one line per stop, with a time and a station. The departure line,
 * or the line before it, names the train.
 */

const TRAIN =
  '(?:ICE|ICN|ICNG|IC|ECE|EC|EN|ES|RJX|RJ|NJ|TGV|THA|EST|ITA|FR|FA|FB|AVE|ALVIA|AVLO|OUI|LYR|WB|FLX|IRE|IR|RE|RB|RS|REX|X2|SJ|R|S|D|TER|TLK|EIP|EIC|SC|Sprinter|Intercity)'
const TRAIN_NUMBER = new RegExp(`(?<![\\p{L}\\d])(${TRAIN}\\s{0,4}\\d{1,5})(?![\\p{L}\\d])`, 'u')
const IN_BRACKETS = /\(([A-Z][A-Za-z\d]{0,4}?\s{0,5}\d{1,6})\)\s*$/
const BUS = /^(?:bus|flixbus|sev)/i

const MAX_LINE = 300

interface Stop {
  time: string
  /** The day in the line, such as 15.11. or 15.11.2027. */
  day: string | null
  station: string
  platform: string | null
  trip: string | null
  kind: 'departure' | 'arrival' | null
  quote: ReservationEvidence
}

const DEPARTURE =
  /^(?:ab|abf\.?|abfahrt|dep\.?|departs?|departure|from|von|fra|de|da|van|odj\.?|odch\.?|partenza|départ|från)$/iu
const ARRIVAL =
  /^(?:an|ank\.?|ankunft|arr\.?|arrives?|arrival|to|nach|til|à|a|naar|prz\.?|příj\.?|arrivo|arrivée|till)$/iu

/** "ab 10:27 Berlin Hbf ▷ Gleis 14", "fra 13:17 Koebenhavn H - Spor 5 (IC  1197)" */
const WORD_FIRST = /^[^\p{L}\d]{0,6}(?:(\p{L}[\p{L}.]{0,14})\s{1,4})?(\d{1,2}[:.]\d{2})\s{1,4}(\S.*)$/u
/** "Berlin Hbf (tief)     15.11.  ab 06:46  2      EC 171, 1 Sitzplatz" */
const STATION_FIRST =
  /^\s*(\S(?:[^\n]{0,58}?\S)?)\s{2,}(?:(\d{1,2}\.\d{1,2}\.(?:\d{2,4})?)\s{1,20})?(ab|an|dep\.?|arr\.?)\s{1,6}(\d{1,2}:\d{2})(?![\d:])(.*)$/iu
const PLATFORM = /\s+(?:[-–▷|]\s+)(?:\p{L}+\.?)(?:\s+([\dA-Za-z][\dA-Za-z –-]{0,11}?))?\s*$/u

const readStop = (line: string, offset: number): Stop | undefined => {
  const quote: ReservationEvidence = { ...quoteText(line, 0, line.length), offset }
  const [, station, day, word, time, rest] = STATION_FIRST.exec(line) ?? []
  if (station !== undefined && time !== undefined) {
    const trip = TRAIN_NUMBER.exec(rest ?? '')
    const before = trip ? (rest ?? '').slice(0, trip.index) : (rest ?? '')
    return {
      time,
      day: day ?? null,
      station,
      platform: cleanValue(/^\s{1,12}(\S(?:.{0,8}?\S)?)(?:\s{2,}|$)/.exec(before)?.[1]),
      trip: trip?.[1] ?? null,
      kind: DEPARTURE.test(word as string) ? 'departure' : 'arrival',
      quote,
    }
  }
  const [, lead, clock, place] = WORD_FIRST.exec(line) ?? []
  if (clock === undefined || place === undefined) return undefined
  const trip = IN_BRACKETS.exec(place)
  const bare = (trip ? place.slice(0, trip.index) : place).trimEnd()
  const platform = PLATFORM.exec(bare)
  const name = cleanValue(platform ? bare.slice(0, platform.index) : bare)
  if (name === null) return undefined
  return {
    time: clock.replace('.', ':'),
    day: null,
    station: name,
    platform: cleanValue(platform?.[1]),
    trip: trip?.[1] ?? null,
    kind:
      lead === undefined ? null : DEPARTURE.test(lead) ? 'departure' : ARRIVAL.test(lead) ? 'arrival' : null,
    quote,
  }
}

const FULL_DAY = /(?<!\d)(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})(?!\d)/g

interface KnownDay {
  offset: number
  iso: string
}

const toIsoDay = (day: string, month: string, year: string): string =>
  `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`

const findDays = (text: string): KnownDay[] =>
  [...text.matchAll(FULL_DAY)].map(([, day, month, year, ...rest]) => ({
    offset: rest[0] as unknown as number,
    iso: toIsoDay(day as string, month as string, year as string),
  }))

/** The day of a stop: "15.11." gets its year from the full date before it. */
const dayOfStop = ({ day, quote }: Stop, days: readonly KnownDay[], base: string | null): string | null => {
  if (day === null) return days.findLast(({ offset }) => offset < quote.offset)?.iso ?? base
  const [date, month, year] = day.split('.') as [string, string, string]
  if (year !== '') return toIsoDay(date, month, year)
  const tail = toIsoDay(date, month, '0000').slice(4)
  const before = days.findLast(({ offset, iso }) => offset < quote.offset && iso.endsWith(tail))
  return (before ?? days.find(({ iso }) => iso.endsWith(tail)))?.iso ?? null
}

/**
 * Finds connections in a text. `base` is the day of the journey if the text does not name it, as in a calendar
 * file.
 */
export const readTripLines = (
  text: string,
  base: string | null,
  context: TimeContext,
  common: MailFacts,
): Reservation[] => {
  const days = base === null ? findDays(text) : []
  const found: Reservation[] = []
  let pending: { stop: Stop; day: string; trip: string } | undefined
  let last = base === null ? null : `${base}T00:00`
  let named: string | null = null
  let offset = 0
  for (const line of text.split('\n')) {
    const stop = line.length > MAX_LINE ? undefined : readStop(line, offset)
    offset += line.length + 1
    if (!stop) {
      if (line.trim() !== '') named = line.length > MAX_LINE ? null : (TRAIN_NUMBER.exec(line)?.[1] ?? null)
      continue
    }
    let day = dayOfStop(stop, days, last?.slice(0, 10) ?? null)
    if (day === null) continue
    // A table without days: an earlier time than in the line before is on the next day.
    const time = stop.time.padStart(5, '0')
    if (
      stop.day === null &&
      last !== null &&
      last.slice(0, 10) >= day &&
      `${last.slice(0, 10)}T${time}` < last
    )
      day = nextDay(last.slice(0, 10))
    const trip = stop.trip ?? named
    if (pending === undefined || (stop.kind === 'departure' && trip !== null)) {
      if (trip !== null && stop.kind !== 'arrival') pending = { stop, day, trip }
      last = `${day}T${time}`
      continue
    }
    last = `${day}T${time}`
    named = null
    const start = readTimeValue(`${pending.day}T${pending.stop.time.padStart(5, '0')}`, null, context)
    const end = readTimeValue(`${day}T${time}`, null, context)
    const tripName = pending.trip.replace(/\s+/g, ' ')
    found.push({
      ...BLANK,
      ...common,
      type: BUS.test(tripName) ? 'bus' : 'train',
      trip: tripName,
      from: toPlace(pending.stop.station),
      to: toPlace(stop.station),
      start,
      end,
      platform: pending.stop.platform,
      evidence: [pending.stop.quote, stop.quote],
    })
    pending = undefined
  }
  return found.filter(({ start, end }) => start !== null && end !== null)
}
