/** `20240105` */
export const writeDate = (wall: number): string => dateDigits(new Date(wall))

const dateDigits = (date: Date): string => {
  const digits = date.getUTCFullYear() * 10_000 + (date.getUTCMonth() + 1) * 100 + date.getUTCDate()
  return String(digits).padStart(8, '0')
}

/** Date.UTC maps the years 0 to 99 to 1900 to 1999; setUTCFullYear does not. */
const wallOf = (year: number, month: number, day: number): number =>
  new Date(0).setUTCFullYear(year, month - 1, day)
export const SECOND = 1000

export const MINUTE = 60 * SECOND

export const DAY = 24 * 60 * MINUTE

/** A DATE or DATE-TIME value. `wall` is the local time in ms, as if it were UTC. */
export interface Time {
  wall: number
  isDate: boolean
  /** The explicit offset: `Z`, or a `+02:00` that some programs write in violation of RFC 5545. */
  offset: number | null
}

const FORM =
  /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ](\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d+)?)?\s*(Z|[+-]\d\d:?\d\d)?)?$/i

const daysIn = (year: number, month: number): number => new Date(wallOf(year, month + 1, 0)).getUTCDate()

/** Parses `20240105`, `20240105T093000Z` and the ISO 8601 forms of both. Returns undefined for other text. */
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
  // 24:00 is the end of the day. A leap second counts as the second before it.
  const isHour = (hour <= 23 || (hour === 24 && minute + second === 0)) && minute <= 59 && second <= 60
  if (!isDay || !isHour) return undefined
  const wall = wallOf(year, month, day) + (hour * 60 + minute) * MINUTE + Math.min(second, 59) * SECOND
  return { wall, isDate: found[4] === undefined, offset: found[7] ? readOffset(found[7]) : null }
}

/** Parses `-0500`, `+053000` or `Z` to ms east of UTC. Returns null for other text. */
export const readOffset = (text: string): number | null => {
  if (/^z$/i.test(text)) return 0
  const [, sign, hours, minutes, seconds = 0] = /^([+-])(\d\d):?(\d\d):?(\d\d)?$/.exec(text.trim()) ?? []
  if (sign === undefined) return null
  return (sign === '-' ? -SECOND : SECOND) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds))
}

/** RFC 5545, 3.3.6: days and weeks are calendar days, hours and smaller units are exact. */
export interface Duration {
  days: number
  ms: number
}

export const DURATION =
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

/** Formats an exact duration, such as `PT1H30M`. */
export const writeDuration = (ms: number): string => {
  const seconds = Math.round(Math.abs(ms) / SECOND)
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const parts = `${hours ? `${hours}H` : ''}${minutes ? `${minutes}M` : ''}${rest ? `${rest}S` : ''}`
  return `${ms < 0 ? '-' : ''}PT${parts || '0S'}`
}

export const pad = (number: number): string => String(number).padStart(2, '0')

export const writeOffset = (ms: number): string => {
  const seconds = Math.abs(ms) / SECOND
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return `${ms < 0 ? '-' : '+'}${pad(hours)}${pad(minutes)}${rest ? pad(rest) : ''}`
}

/** `20240105T093000` */
export const writeDateTime = (wall: number): string => {
  const date = new Date(wall)
  const time = date.getUTCHours() * 10_000 + date.getUTCMinutes() * 100 + date.getUTCSeconds()
  return `${dateDigits(date)}T${String(1_000_000 + time).slice(1)}`
}
