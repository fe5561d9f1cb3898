import { findVehicle, NAMED_TRAIN } from './labelled-trips.ts'
import { BLANK, cleanValue, type MailFacts, quoteText, type Reservation, toPlace } from './reservation.ts'
import { nextDay, readTimeValue, type TimeContext } from './times.ts'

/*
 * Trips in tables of plain text. The header names the columns, and each cell stands below its header. A row is a stop
 * with one time, or a leg with two stations.
 */

type Column =
  | 'date'
  | 'station'
  | 'from'
  | 'to'
  | 'departure'
  | 'arrival'
  | 'platform'
  | 'connection'
  | 'seat'

const HEADERS: readonly (readonly [Column, RegExp])[] = [
  ['date', /^(?:date|datum|dátum|data|dato|fecha|day|tag|jour|giorno|dag|dzień)/iu],
  [
    'departure',
    /^(?:dep|abf|ab$|leaves|départ|salida|partenza|vertrek|avgång|avgang|afgang|odj|odch|partida)/iu,
  ],
  ['arrival', /^(?:arr|ank|an$|arrivée|llegada|arrivo|aankomst|ankomst|příj|prích|prz|chegada)/iu],
  [
    'station',
    /^(?:stations?|stops?|halt|bahnhof|haltestelle|zastáv|gare|arrêt|estación|parada|stazione|fermata|przystanek|stacja|station\/|halte)/iu,
  ],
  ['from', /^(?:from|von|de|da|van|från|fra|origin|origen|origine|z|od|start)$/iu],
  ['to', /^(?:to|nach|à|a|naar|till|til|destination|destino|destinazione|ziel|do)$/iu],
  ['platform', /^(?:platf|gleis|nást|quai|voie|andén|binario|spoor|spår|spor|peron)/iu],
  [
    'connection',
    /^(?:connection|trains?|zug|bus|line|linie|spoj|verbindung|service|tren|treno|trein|linka|tåg|tog|fahrt)/iu,
  ],
  [
    'seat',
    /^(?:seats?|coach|sitz|platz|wagen|vůz|sedad|place|voiture|plaza|coche|posto|carrozza|plats|vagn)/iu,
  ],
]

const MAX_LINE = 300
const MAX_TRIPS = 20
const MAX_GAP_LINES = 12
/** A cell may begin a little before its header. */
const TOLERANCE = 2

interface Head {
  column: Column | null
  from: number
}

interface Cell {
  text: string
  from: number
}

const splitCells = (line: string): Cell[] =>
  [...line.matchAll(/\S+(?: \S+)*/gu)].map((match) => ({ text: match[0], from: match.index }))

const readHeader = (line: string): Head[] | undefined => {
  const cells = splitCells(line)
  if (cells.length < 3) return undefined
  const heads = cells.map(({ text, from }) => ({
    column: HEADERS.find(([, pattern]) => pattern.test(text))?.[0] ?? null,
    from,
  }))
  const has = (column: Column): boolean => heads.some((head) => head.column === column)
  return has('departure') && has('arrival') && (has('station') || (has('from') && has('to')))
    ? heads
    : undefined
}

type Row = Partial<Record<Column, string>>

const readRow = (line: string, heads: readonly Head[]): Row => {
  const row: Row = {}
  for (const { text, from } of splitCells(line)) {
    const column = heads.findLast((head) => head.from <= from + TOLERANCE)?.column
    if (column && row[column] === undefined) row[column] = text
  }
  return row
}

const CLOCK = /^(\d{1,2})[:.](\d\d)(?!\d)/
const toClock = (text: string | undefined): string | null => {
  const [, hour, minute] = CLOCK.exec(text ?? '') ?? []
  return hour === undefined || Number(hour) > 23 ? null : `${hour.padStart(2, '0')}:${minute}`
}

const NUMERIC_DAY = /(?<!\d)(\d{1,2})([./-])\s?(\d{1,2})[./-]\s?(\d{4}|\d{2})(?!\d)/

/** Tables write days in one order. English ones with slashes may put the month first. */
const toDay = (text: string | undefined, isMonthFirst: boolean, context: TimeContext): string | null => {
  if (text === undefined) return null
  const [, first, separator, second, year] = NUMERIC_DAY.exec(text) ?? []
  if (first === undefined || second === undefined || year === undefined)
    return readTimeValue(text, null, context)?.local.slice(0, 10) ?? null
  const [day, month] = isMonthFirst && separator === '/' ? [second, first] : [first, second]
  return `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** True if the table has a date that is only possible with the month first. */
const isMonthFirst = (rows: readonly Row[], context: TimeContext): boolean => {
  const pairs = rows.flatMap(({ date }) => {
    const [, first, , second] = NUMERIC_DAY.exec(date ?? '') ?? []
    return first === undefined ? [] : [[Number(first), Number(second)] as const]
  })
  if (pairs.some(([first]) => first > 12)) return false
  return pairs.some(([, second]) => second > 12) || context.order === 'mdy'
}

/** "Praha → Vídeň (RJ 1010)" names the train in brackets; otherwise the cell itself is the name. */
const toTrip = (connection: string | undefined): string | null =>
  cleanValue(/\(([^()]{1,20})\)\s*$/.exec(connection ?? '')?.[1] ?? connection, 20)

interface Stop {
  row: Row
  day: string
  time: string
  line: string
  offset: number
}

/** Finds trips in tables with a header. */
export const readTripTables = (text: string, context: TimeContext, common: MailFacts): Reservation[] => {
  const found: Reservation[] = []
  const addTrip = (
    departure: Stop,
    arrival: Stop,
    from: string | undefined,
    to: string | undefined,
  ): void => {
    const isNext = arrival.day === departure.day && arrival.time < departure.time
    const start = readTimeValue(`${departure.day}T${departure.time}`, null, context)
    const end = readTimeValue(`${isNext ? nextDay(arrival.day) : arrival.day}T${arrival.time}`, null, context)
    const [origin, target] = [cleanValue(from, 80), cleanValue(to, 80)]
    if (start === null || end === null || origin === null || target === null || found.length >= MAX_TRIPS)
      return
    const trip = toTrip(departure.row.connection)
    const quotes = departure === arrival ? [departure] : [departure, arrival]
    found.push({
      ...BLANK,
      ...common,
      type: trip !== null && NAMED_TRAIN.test(trip) ? 'train' : (findVehicle(text) ?? 'train'),
      trip,
      from: toPlace(origin),
      to: toPlace(target),
      start,
      end,
      platform: cleanValue(departure.row.platform, 20),
      seat: cleanValue(departure.row.seat, 40),
      evidence: quotes.map(({ line, offset }) => quoteText(text, offset, offset + line.length)),
    })
  }
  const lines = text.split('\n')
  const offsets: number[] = []
  lines.reduce((offset, line) => {
    offsets.push(offset)
    return offset + line.length + 1
  }, 0)
  for (let index = 0; index < lines.length; index++) {
    const heads = (lines[index] as string).length > MAX_LINE ? undefined : readHeader(lines[index] as string)
    if (!heads) continue
    const rows: { row: Row; line: string; offset: number }[] = []
    for (let at = index + 1; at < lines.length && at <= index + MAX_GAP_LINES; at++) {
      const line = lines[at] as string
      if (line.length > MAX_LINE || readHeader(line)) break
      const row = readRow(line, heads)
      if (toClock(row.departure) === null && toClock(row.arrival) === null) {
        if (rows.length > 0 && line.trim() === '') break
        continue
      }
      rows.push({ row, line, offset: offsets[at] as number })
    }
    const monthFirst = isMonthFirst(
      rows.map(({ row }) => row),
      context,
    )
    let day: string | null = null
    let pending: Stop | undefined
    for (const { row, line, offset } of rows) {
      day = toDay(row.date, monthFirst, context) ?? day
      if (day === null) continue
      const [departs, arrives] = [toClock(row.departure), toClock(row.arrival)]
      const stop = (time: string): Stop => ({ row, day: day as string, time, line, offset })
      if (row.from !== undefined && row.to !== undefined && departs !== null && arrives !== null) {
        const departure = stop(departs)
        addTrip(departure, { ...departure, time: arrives }, row.from, row.to)
        continue
      }
      if (arrives !== null && pending) {
        addTrip(pending, stop(arrives), pending.row.station, row.station)
        pending = undefined
      }
      if (departs !== null) pending = stop(departs)
    }
  }
  return found
}
