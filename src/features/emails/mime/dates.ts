import { withoutComments } from './uncommented.ts'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Those that RFC 5322, 4.3 names, in minutes; any other name says nothing, and counts as UTC. */
const ZONES: Readonly<Record<string, number>> = {
  edt: -240,
  est: -300,
  cdt: -300,
  cst: -360,
  mdt: -360,
  mst: -420,
  pdt: -420,
  pst: -480,
}

const DAY_FIRST =
  /^(?:[a-z]{3,9}\.?,?\s+)?(\d{1,2})[\s-]+([a-z]{3,9})\.?,?[\s-]+(\d{2,4})[,\s]+(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.\d+)?)?\s*(am|pm)?\s*(.*)$/i
const MONTH_FIRST =
  /^(?:[a-z]{3,9}\.?,?\s+)?([a-z]{3,9})\.?\s+(\d{1,2})(?:,\s*(\d{4}))?[,\s]+(?:at\s+)?(\d{1,2}):(\d{2})(?::(\d{2}))?\s*(am|pm)?\s*(?:([a-z]{1,5}|[+-]\d{4})\s+)?(\d{4})?\s*(.*)$/i
const ISO = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?\s?(Z|[+-]\d{2}:?\d{2})?)?$/i

const minutesOf = (zone: string): number => {
  const [, sign, hours, minutes] = /^(?:utc|gmt)?([+-])(\d{2}):?(\d{2})/i.exec(zone) ?? []
  if (hours === undefined) return ZONES[/^[a-z]+/i.exec(zone)?.[0].toLowerCase() ?? ''] ?? 0
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

/** RFC 5322, 4.3: two digits are of this century up to 49, three are counted from 1900. */
const yearOf = (digits: string): number => {
  const year = Number(digits)
  if (digits.length >= 4) return year
  return digits.length === 3 ? 1900 + year : year < 50 ? 2000 + year : 1900 + year
}

interface Clock {
  year: number
  month: string
  day: string
  hour: string
  minute: string
  second: string | undefined
  half: string | undefined
  zone: string
}

const instantOf = (given: Clock): Date | undefined => {
  const month = MONTHS.indexOf(given.month.slice(0, 3).toLowerCase())
  const [day, minute, second] = [Number(given.day), Number(given.minute), Number(given.second ?? 0)]
  let hour = Number(given.hour)
  if (given.half && hour <= 12) hour = (hour % 12) + (given.half.toLowerCase() === 'pm' ? 12 : 0)
  if (month < 0 || day < 1 || day > 31 || hour > 24 || minute > 59 || second > 60) return undefined
  const date = new Date(0)
  date.setUTCFullYear(given.year, month, day)
  date.setUTCHours(hour, minute - minutesOf(given.zone), second, 0)
  return Number.isNaN(date.getTime()) ? undefined : date
}

const readDayFirst = (text: string): Date | undefined => {
  const [whole, day, month, year, hour, minute, second, half, zone] = DAY_FIRST.exec(text) ?? []
  if (whole === undefined) return undefined
  return instantOf({ year: yearOf(year as string), month, day, hour, minute, second, half, zone } as Clock)
}

const readMonthFirst = (text: string): Date | undefined => {
  const [whole, month, day, early, hour, minute, second, half, zone, late, rest] =
    MONTH_FIRST.exec(text) ?? []
  const year = early ?? late
  if (whole === undefined || year === undefined) return undefined
  return instantOf({
    year: Number(year),
    month,
    day,
    hour,
    minute,
    second,
    half,
    zone: zone ?? rest ?? '',
  } as Clock)
}

const readIso = (text: string): Date | undefined => {
  if (!ISO.test(text)) return undefined
  const hasZone = /(Z|[+-]\d{2}:?\d{2})$/i.test(text.slice(10))
  const date = new Date(text.length > 10 && !hasZone ? `${text}Z` : text)
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** RFC 3339, in which every date is told, has years of four digits; a zone may lead out of them. */
const isTellable = (date: Date | undefined): boolean => date !== undefined && /^\d/.test(date.toISOString())

const LONGEST = 500

/** Reads a Date field: RFC 5322 with its obsolete forms, and what some programs write instead. */
export const readDate = (field: string): Date | undefined => {
  // A trace field has the date after its semicolon.
  const text = withoutComments(field.slice(0, LONGEST).replace(/^.*;/s, '')).replace(/\s+/g, ' ').trim()
  const date = readDayFirst(text) ?? readMonthFirst(text) ?? readIso(text)
  return isTellable(date) ? date : undefined
}
