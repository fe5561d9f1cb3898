import { cleanValue, type Reservation } from './reservation.ts'
import { nextDay, readTimeValue } from './times.ts'
import { createTrip, type Line, splitLines, type TripText } from './trips.ts'
import { patternOf } from './words.ts'

/*
 * Connections by train and bus as tables: one line per stop, with a time and a station. The departure line,
 * or the line before it, names the train.
 */

interface Stop {
  time: string
  /** The day in the line, such as 15.11. or 15.11.2027. */
  day: string | undefined
  station: string
  platform: string | null
  trip: string | undefined
  kind: 'departure' | 'arrival' | null
}

const findTrain = (text: string): RegExpExecArray | null =>
  patternOf(String.raw`(?<![\p{L}\d])({{train code}}\s{0,4}\d{1,5})(?![\p{L}\d])`, 'u').exec(text)

const kindOf = (word: string | undefined): Stop['kind'] => {
  const is = (heading: string): boolean => patternOf(`^{{${heading}}}$`).test(word ?? '')
  return is('departs') ? 'departure' : is('arrives') ? 'arrival' : null
}

/** "ab 10:27 Berlin Hbf ▷ Gleis 14", "fra 13:17 Koebenhavn H - Spor 5 (IC  1197)" */
const WORD_FIRST = /^[^\p{L}\d]{0,6}(?:(\p{L}[\p{L}.]{0,14})\s{1,4})?(\d{1,2}[:.]\d{2})\s{1,4}(\S.*)$/u
/** "Berlin Hbf (tief)     15.11.  ab 06:46  2      EC 171, 1 Sitzplatz" */
const STATION_FIRST =
  /^\s*(\S(?:[^\n]{0,58}?\S)?)\s{2,}(?:(\d{1,2}\.\d{1,2}\.(?:\d{2,4})?)\s{1,20})?(ab|an|dep\.?|arr\.?)\s{1,6}(\d{1,2}:\d{2})(?![\d:])(.*)$/iu
const IN_BRACKETS = /\(([A-Z][A-Za-z\d]{0,4}?\s{0,5}\d{1,6})\)\s*$/
const PLATFORM = /\s+(?:[-–▷|]\s+)(?:\p{L}+\.?)(?:\s+([\dA-Za-z][\dA-Za-z –-]{0,11}?))?\s*$/u

const readStop = (line: string): Stop | undefined => {
  const [, station, day, word, time, rest = ''] = STATION_FIRST.exec(line) ?? []
  if (station !== undefined && time !== undefined) {
    const train = findTrain(rest)
    const platform = /^\s{1,12}(\S(?:.{0,8}?\S)?)(?:\s{2,}|$)/.exec(rest.slice(0, train?.index))?.[1]
    return { time, day, station, platform: cleanValue(platform), trip: train?.[1], kind: kindOf(word) }
  }
  const [, lead, clock, place] = WORD_FIRST.exec(line) ?? []
  if (clock === undefined || place === undefined) return undefined
  const trip = IN_BRACKETS.exec(place)
  const bare = place.slice(0, trip?.index).trimEnd()
  const platform = PLATFORM.exec(bare)
  const name = cleanValue(bare.slice(0, platform?.index))
  if (name === null) return undefined
  return {
    time: clock.replace('.', ':'),
    day: undefined,
    station: name,
    platform: cleanValue(platform?.[1]),
    trip: trip?.[1],
    kind: kindOf(lead),
  }
}

interface KnownDay {
  offset: number
  iso: string
}

const findDays = ({ text, context }: TripText): KnownDay[] =>
  [...text.matchAll(/(?<!\d)\d{1,2}\.\d{1,2}\.(?:\d{4}|\d{2})(?!\d)/g)].flatMap(({ 0: day, index }) => {
    const iso = readTimeValue(day, null, context)?.local
    return iso === undefined ? [] : [{ offset: index, iso }]
  })

/** The day of a stop: "15.11." gets its year from the full date before it. */
const dayOfStop = (
  day: string,
  at: number,
  days: readonly KnownDay[],
  mail: TripText,
): string | undefined => {
  const [date = '', month = '', year] = day.split('.')
  if (year !== '') return readTimeValue(day, null, mail.context)?.local
  const tail = `-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  const same = days.filter(({ iso }) => iso.endsWith(tail))
  return (same.findLast(({ offset }) => offset < at) ?? same[0])?.iso
}

/**
 * Finds connections in a text. `base` is the day of the journey if the text does not name it, as in a calendar
 * file.
 */
export const readTripLines = (mail: TripText, base: string | null): Reservation[] => {
  const days = base === null ? findDays(mail) : []
  const found: Reservation[] = []
  let pending: { stop: Stop; local: string; trip: string; line: Line } | undefined
  let last = base === null ? null : `${base}T00:00`
  let named: string | undefined
  for (const line of splitLines(mail.text)) {
    const stop = readStop(line.text)
    if (!stop) {
      if (line.text.trim() !== '') named = findTrain(line.text)?.[1]
      continue
    }
    const lastDay = last?.slice(0, 10)
    const time = stop.time.padStart(5, '0')
    let day =
      stop.day === undefined
        ? (days.findLast(({ offset }) => offset < line.from)?.iso ?? lastDay)
        : dayOfStop(stop.day, line.from, days, mail)
    if (day === undefined) continue
    // A table without days: an earlier time than in the line before is on the next day.
    if (stop.day === undefined && last && lastDay && lastDay >= day && `${lastDay}T${time}` < last)
      day = nextDay(lastDay)
    const local = `${day}T${time}`
    last = local
    const trip = stop.trip ?? named
    if (pending === undefined || (stop.kind === 'departure' && trip !== undefined)) {
      if (trip !== undefined && stop.kind !== 'arrival') pending = { stop, local, trip, line }
      continue
    }
    named = undefined
    const name = pending.trip.replace(/\s+/g, ' ')
    const departure = { local: pending.local, place: pending.stop.station }
    found.push(
      ...createTrip(
        mail,
        departure,
        { local, place: stop.station },
        {
          type: /^(?:bus|flixbus|sev)/i.test(name) ? 'bus' : 'train',
          trip: name,
          platform: pending.stop.platform,
          evidence: [pending.line, line].map(({ from, to }) => mail.quote(from, to)),
        },
      ),
    )
    pending = undefined
  }
  return found
}
