import type { MailText } from './labels.ts'
import { cleanValue, type Reservation } from './reservation.ts'
import { readTimeValue, type TimeContext } from './times.ts'
import { createTrip, findTrainNumber, findVehicle, type Line, MAX_TRIPS, splitLines } from './trips.ts'
import { wordsOf } from './words.ts'

/*
 * Trips in tables of plain text. The header names the columns, and each cell stands below its header. A row is a stop
 * with one time, or a leg with two stations.
 */

const COLUMNS = [
  'date',
  'departure',
  'arrival',
  'station',
  'from',
  'to',
  'platform',
  'connection',
  'seat',
] as const
type Column = (typeof COLUMNS)[number]

const MAX_GAP_LINES = 12
/** A cell may begin a little before its header. */
const TOLERANCE = 2

const splitCells = (line: string): { text: string; from: number }[] =>
  [...line.matchAll(/\S+(?: \S+)*/gu)].map((match) => ({ text: match[0], from: match.index }))

interface Head {
  column: Column | undefined
  from: number
}

const readHeader = (line: string): Head[] | undefined => {
  const cells = splitCells(line)
  if (cells.length < 3) return undefined
  const heads = cells.map(({ text, from }) => ({
    column: COLUMNS.find((column) => wordsOf(`column ${column}`).exec(text)?.index === 0),
    from,
  }))
  const has = (wanted: Column): boolean => heads.some(({ column }) => column === wanted)
  const isTable = has('departure') && has('arrival') && (has('station') || (has('from') && has('to')))
  return isTable ? heads : undefined
}

type Row = Partial<Record<Column, string>>

const readRow = (line: string, heads: readonly Head[]): Row => {
  const row: Row = {}
  for (const { text, from } of splitCells(line)) {
    const column = heads.findLast((head) => head.from <= from + TOLERANCE)?.column
    if (column) row[column] ??= text
  }
  return row
}

const toClock = (text: string | undefined): string | null => {
  const [, hour, minute] = /^(\d{1,2})[:.](\d\d)(?!\d)/.exec(text ?? '') ?? []
  return hour === undefined || Number(hour) > 23 ? null : `${hour.padStart(2, '0')}:${minute}`
}

/** Tables write days in one order. The month is first if a date of the table is only possible so. */
const findOrder = (rows: readonly Row[], { order }: TimeContext): TimeContext['order'] => {
  const pairs = rows.flatMap(({ date }) => {
    const [, first, second] = /(?<!\d)(\d{1,2})[./-]\s?(\d{1,2})[./-]\s?\d{2}/.exec(date ?? '') ?? []
    return first === undefined ? [] : [[Number(first), Number(second)] as const]
  })
  if (pairs.some(([first]) => first > 12)) return 'dmy'
  return pairs.some(([, second]) => second > 12) ? 'mdy' : order
}

/** "Praha → Vídeň (RJ 1010)" names the train in brackets; otherwise the cell itself is the name. */
const toTrip = (connection: string | undefined): string | null =>
  cleanValue(/\(([^()]{1,20})\)\s*$/.exec(connection ?? '')?.[1] ?? connection, 20)

interface Stop {
  row: Row
  line: Line
  local: string
}

/** The rows below a header, up to an empty line or the next header. */
const readRows = (lines: readonly Line[], heads: readonly Head[]): { row: Row; line: Line }[] => {
  const rows: { row: Row; line: Line }[] = []
  for (const line of lines.slice(0, MAX_GAP_LINES)) {
    if (readHeader(line.text) || (rows.length > 0 && line.text.trim() === '')) break
    const row = readRow(line.text, heads)
    if (toClock(row.departure) !== null || toClock(row.arrival) !== null) rows.push({ row, line })
  }
  return rows
}

/** Finds trips in tables with a header. */
export const readTripTables = (mail: MailText): Reservation[] => {
  const { text, quote } = mail
  const toTrips = (departure: Stop, arrival: Stop, from?: string, to?: string): Reservation[] => {
    const { connection, platform, seat } = departure.row
    const trip = toTrip(connection)
    const isTrain = trip !== null && findTrainNumber(trip) !== undefined
    const lines = [...new Set([departure.line, arrival.line])]
    return createTrip(
      mail,
      { local: departure.local, place: from },
      { local: arrival.local, place: to },
      {
        type: isTrain ? 'train' : (findVehicle(text) ?? 'train'),
        trip,
        platform: cleanValue(platform, 20),
        seat: cleanValue(seat, 40),
        evidence: lines.map((line) => quote(line.from, line.to)),
      },
    )
  }
  const lines = splitLines(text)
  const found = lines.flatMap(({ text: head }, index) => {
    const heads = readHeader(head)
    const rows = heads ? readRows(lines.slice(index + 1), heads) : []
    const order = findOrder(
      rows.map(({ row }) => row),
      mail.context,
    )
    let day: string | undefined
    let pending: Stop | undefined
    return rows.flatMap(({ row, line }): Reservation[] => {
      day = readTimeValue(row.date ?? null, null, { ...mail.context, order })?.local.slice(0, 10) ?? day
      const toStop = (clock: string): Stop => ({ row, line, local: `${day}T${clock}` })
      const [departs, arrives] = [toClock(row.departure), toClock(row.arrival)]
      if (day === undefined) return []
      if (row.from !== undefined && row.to !== undefined && departs !== null && arrives !== null)
        return toTrips(toStop(departs), toStop(arrives), row.from, row.to)
      const trips =
        arrives !== null && pending ? toTrips(pending, toStop(arrives), pending.row.station, row.station) : []
      if (arrives !== null) pending = undefined
      if (departs !== null) pending = toStop(departs)
      return trips
    })
  })
  return found.slice(0, MAX_TRIPS)
}
