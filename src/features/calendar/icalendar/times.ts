import { toInstant } from '../../../engine/time-zones.ts'

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const DAY = 24 * 60 * MINUTE

/** A DATE or DATE-TIME value: what clocks show, as if it were UTC. */
export interface Time {
  wall: number
  isDate: boolean
  /** It says its own offset: `Z`, or the `+02:00` that some write in spite of RFC 5545. */
  offset: number | null
}

const FORM =
  /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ](\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d+)?)?\s*(Z|[+-]\d\d:?\d\d)?)?$/i

/** Reads `20240105`, `20240105T093000Z` and the ISO 8601 forms of both. Undefined for no time at all. */
export const readTime = (value: string): Time | undefined => {
  const found = FORM.exec(value.trim().slice(0, 40))
  if (!found) return undefined
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map((digits) => Number(digits ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const isDay = year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
  // 24:00 is the end of the day, and a leap second belongs to the second before.
  const isHour = (hour <= 23 || (hour === 24 && minute + second === 0)) && minute <= 59 && second <= 60
  if (!isDay || !isHour) return undefined
  const wall = wallOf(year, month, day) + (hour * 60 + minute) * MINUTE + Math.min(second, 59) * SECOND
  return { wall, isDate: found[4] === undefined, offset: found[7] ? readOffset(found[7]) : null }
}

const daysIn = (year: number, month: number): number => new Date(wallOf(year, month + 1, 0)).getUTCDate()

/** Date.UTC takes the years below 100 for those of the last century. */
const wallOf = (year: number, month: number, day: number): number =>
  new Date(0).setUTCFullYear(year, month - 1, day)

/** `-0500`, `+053000`, `Z`, in ms east of UTC; undefined for anything else. */
export const readOffset = (text: string): number | null => {
  if (/^z$/i.test(text)) return 0
  const [, sign, hours, minutes, seconds = 0] = /^([+-])(\d\d):?(\d\d):?(\d\d)?$/.exec(text.trim()) ?? []
  if (sign === undefined) return null
  return (sign === '-' ? -SECOND : SECOND) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds))
}

/** RFC 5545, 3.3.6: days and weeks are those of the calendar, the rest is exact. */
export interface Duration {
  days: number
  ms: number
}

const DURATION =
  /^([+-])?P(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/i

export const readDuration = (text: string): Duration | undefined => {
  const found = DURATION.exec(text.trim())
  if (!found || !/\d/.test(text)) return undefined
  const sign = found[1] === '-' ? -1 : 1
  const [weeks, days, hours, minutes, seconds] = found.slice(2).map((digits) => Number(digits ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
  ]
  return {
    days: sign * (weeks * 7 + days),
    ms: sign * (hours * 60 * MINUTE + minutes * MINUTE + seconds * SECOND),
  }
}

const pad = (number: number): string => String(number).padStart(2, '0')

/** An exact length, such as `PT1H30M`. */
export const writeDuration = (ms: number): string => {
  const seconds = Math.round(Math.abs(ms) / SECOND)
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const parts = `${hours ? `${hours}H` : ''}${minutes ? `${minutes}M` : ''}${rest ? `${rest}S` : ''}`
  return `${ms < 0 ? '-' : ''}PT${parts || '0S'}`
}

export const writeOffset = (ms: number): string => {
  const seconds = Math.abs(ms) / SECOND
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return `${ms < 0 ? '-' : '+'}${pad(hours)}${pad(minutes)}${rest ? pad(rest) : ''}`
}

/** `20240105` */
export const writeDate = (wall: number): string => dateDigits(new Date(wall))

/** `20240105T093000` */
export const writeDateTime = (wall: number): string => {
  const date = new Date(wall)
  const time = date.getUTCHours() * 10_000 + date.getUTCMinutes() * 100 + date.getUTCSeconds()
  return `${dateDigits(date)}T${String(1_000_000 + time).slice(1)}`
}

const dateDigits = (date: Date): string => {
  const digits = date.getUTCFullYear() * 10_000 + (date.getUTCMonth() + 1) * 100 + date.getUTCDate()
  return String(digits).padStart(8, '0')
}

const EARLIEST = Date.parse('0001-01-01T00:00:00.000Z')
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

/** Canonical text, or undefined beyond the years that four digits can say. */
export const instantText = (ms: number): string | undefined =>
  ms >= EARLIEST && ms <= LATEST ? new Date(ms).toISOString() : undefined

export const midnight = (wall: number, timezone: string): number =>
  toInstant(Math.floor(wall / DAY) * DAY, timezone)
