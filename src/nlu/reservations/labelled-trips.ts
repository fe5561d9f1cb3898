import { readTimes } from '../dates/read.ts'
import { findStamps, type Stamp } from './flights.ts'
import {
  BLANK,
  cleanValue,
  type MailFacts,
  quoteText,
  type Reservation,
  type ReservationEvidence,
  type ReservationType,
  toPlace,
} from './reservation.ts'
import { readTimeValue, type TimeContext, toLocal } from './times.ts'

/* Trips by train, bus or ferry, whose ends have labels: "Departure: 10:30 Berlin", "Ankunft 16:45 München". */

const DEPARTURE =
  /(?<!\p{L})(?:departure|departs|departing|depart|abfahrt|abfahrtszeit|départ|salida|partenza|vertrek|avgång|afgang|avgang|odjezdu?|odchod|odjazd|partida)(?!\p{L})/giu
const ARRIVAL =
  /(?<!\p{L})(?:arrival|arrives|arriving|arrive|ankunft|ankunftszeit|arrivée|llegada|arrivo|aankomst|ankomst|příjezdu?|príchod|przyjazd|chegada)(?!\p{L})/giu

const VEHICLES: readonly (readonly [ReservationType, RegExp])[] = [
  [
    'bus',
    /(?<!\p{L})(?:(?!airbus|columbus)\p{L}{0,14}bus|fernbusse|busse|buses|busfahrt|autobus\p{L}{0,4}|autobús|autokar|autocar|autocarro|pullman)(?!\p{L})/giu,
  ],
  [
    'train',
    /(?<!\p{L})(?:trains?|zug|züge|zugfahrt|rail|railways?|tren|treno|trein|treinreis|tåg|tog|vlak\p{L}{0,4}|pociąg|comboio|trem|tgv|ice)(?!\p{L})/giu,
  ],
  [
    'boat',
    /(?<!\p{L})(?:ferry|fähre|ferries|sailing|traghetto|färja|færge|prom|veerboot|transbordador)(?!\p{L})/giu,
  ],
]

/** Buses stop at stations too, so these words decide only without others. */
const STATION =
  /(?<!\p{L})(?:\p{L}{0,14}bahn|bahnhof|hbf|gleis|platform|carriage|wagen|voiture|carrozza|railcard)(?!\p{L})/iu
/** A coach with a letter or a number is part of a train: "Coach B". */
const COACH = /(?<!\p{L})coach(?:es)?(?!\p{L}|\s[A-Z\d]{1,3}(?![\p{L}\d]))/iu

const TRIP =
  /(?<!\p{L})(?:train|zug|tren|treno|trein|bus|coach|line|linie|ligne|línea|linea|route|fahrt)\s{0,3}(?:no\.?|nr\.?|n°|number|nummer|numero)?\s{0,3}:?\s{0,3}([A-Z]{0,4}\s?\d{1,5}[A-Z]?)(?![\p{L}\d:.])/iu
export const NAMED_TRAIN =
  /(?<![\p{L}\d])((?:ICE|IC|EC|RJX?|NJ|TGV|THA|EST|AVE|FR|FA|RE|RB|IR|FLX|N)\s?\d{1,5})(?![\p{L}\d:])/u

const MAX_TEXT = 20_000
const MAX_TRIPS = 20
/** The time and the place follow the label within this many characters. */
const WINDOW = 220

/** The vehicle that the text names most often. */
export const findVehicle = (text: string): ReservationType | undefined => {
  const counts = VEHICLES.map(([type, words]) => ({ type, count: text.match(words)?.length ?? 0 }))
  const [first] = counts.toSorted((a, b) => b.count - a.count)
  if (first && first.count > 0) return first.type
  return COACH.test(text) ? 'bus' : STATION.test(text) ? 'train' : undefined
}

export const findTrip = (text: string): string | null =>
  cleanValue(NAMED_TRAIN.exec(text)?.[1] ?? TRIP.exec(text)?.[1])

const NOT_A_PLACE =
  /^(?:\W*|.*[@{}<>].*|(?:date|time|station|from|to|von|nach|datum|uhrzeit|zeit|at|on|um|am)\s*:?)$/iu

/** The words beside and below the time, up to the next label. */
const findPlaceName = (text: string, stamp: Stamp): string | null => {
  const rest = `${text.slice(0, stamp.offset)}\n${text.slice(stamp.end)}`
  for (const line of rest.split(/\n|\s{3,}|[|•·]/)) {
    const name = cleanValue(
      line
        .replace(/^[\s:,;–→>()-]+|[\s:,;–→>(-]+$/gu, '')
        .replace(
          /^(?:(?:date|time|station|stop|from|to|von|nach|in|at|uhr|h|Bahnhof|Haltestelle)\s*:\s*|(?:from|uhr|von|nach)\s+)/iu,
          '',
        ),
      80,
    )
    if (
      name !== null &&
      /\p{Lu}\p{L}{1,}/u.test(name) &&
      !NOT_A_PLACE.test(name) &&
      !/\d{1,2}[:.]\d{2}/.test(name)
    )
      return name
  }
  return null
}

interface End {
  stamp: Stamp
  place: string
  evidence: ReservationEvidence
}

const readEnd = (text: string, from: number, to: number, stamps: readonly Stamp[]): End | undefined => {
  const stamp = stamps.find(({ offset, end }) => offset >= from && end <= to)
  if (!stamp || stamp.day === null) return undefined
  const part = text.slice(from, to)
  const place = findPlaceName(part, { ...stamp, offset: stamp.offset - from, end: stamp.end - from })
  if (place === null) return undefined
  return { stamp, place, evidence: quoteText(text, from, stamp.end) }
}

const indicesOf = (text: string, label: RegExp): { from: number; to: number }[] =>
  [...text.matchAll(label)].map(({ 0: word, index }) => ({ from: index, to: index + word.length }))

/** Finds trips with a labelled departure and arrival. */
export const readLabelledTrips = (whole: string, context: TimeContext, common: MailFacts): Reservation[] => {
  const text = whole.slice(0, MAX_TEXT)
  const departures = indicesOf(text, DEPARTURE)
  const arrivals = indicesOf(text, ARRIVAL)
  const vehicle = departures.length === 0 || arrivals.length === 0 ? undefined : findVehicle(text)
  if (vehicle === undefined) return []
  const stamps = findStamps(readTimes(text, context))
  const labels = [...departures, ...arrivals].map(({ from }) => from).toSorted((a, b) => a - b)
  const endOf = ({ to }: { to: number }): number =>
    Math.min(labels.find((from) => from >= to) ?? text.length, to + WINDOW)
  const found: Reservation[] = []
  let last = 0
  for (const label of departures.slice(0, 4 * MAX_TRIPS)) {
    if (label.from < last || found.length >= MAX_TRIPS) continue
    const departure = readEnd(text, label.to, endOf(label), stamps)
    const second =
      departure && arrivals.find(({ from }) => from > departure.stamp.end && from < label.to + 3 * WINDOW)
    const arrival = second && readEnd(text, second.to, endOf(second), stamps)
    if (!departure || !second || !arrival) continue
    last = arrival.stamp.end
    const isNext =
      arrival.stamp.day === departure.stamp.day && arrival.stamp.seconds < departure.stamp.seconds
    const toTime = ({ stamp }: End, plus: number) =>
      readTimeValue(toLocal({ day: (stamp.day as number) + plus, seconds: stamp.seconds }), null, context)
    const around = text.slice(Math.max(0, label.from - WINDOW), endOf(second))
    found.push({
      ...BLANK,
      ...common,
      type: vehicle,
      trip: findTrip(around),
      from: toPlace(departure.place),
      to: toPlace(arrival.place),
      start: toTime(departure, 0),
      end: toTime(arrival, isNext ? 1 : 0),
      evidence: [departure.evidence, arrival.evidence],
    })
  }
  return found.filter(({ start }) => start !== null)
}
