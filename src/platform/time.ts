import { createRequire } from 'node:module'
import { invalidField } from './errors.ts'

let systemZone: string | undefined

/** Costs 20 ms the first time: ask when it is needed, not at the start. It does not change while a process runs. */
export const systemTimeZone = (): string => {
  systemZone ??= new Intl.DateTimeFormat().resolvedOptions().timeZone
  return systemZone
}

export const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

export const checkTimeZone = (path: string, name: string): void => {
  if (!isTimeZone(name)) throw invalidField(path, 'must be the name of a time zone, such as Europe/Berlin')
}

/** Loaded with the first time that is read: a start need not wait for it. */
const require = createRequire(import.meta.url)
const loadTemporal = () => (require('temporal-polyfill') as typeof import('temporal-polyfill')).Temporal

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** What `Date` reads rightly by itself: with a day that its month has, and no hour 24. The rest is for Temporal. */
const readPlainly = (text: string): number => {
  const month = Number(text.slice(5, 7))
  const day = new Date(Date.UTC(Number(text.slice(0, 4)), month - 1, Number(text.slice(8, 10))))
  return day.getUTCMonth() === month - 1 && text.slice(11, 13) !== '24' ? Date.parse(text) : Number.NaN
}

const readWithCare = (text: string, timezone: string): number => {
  const Temporal = loadTemporal()
  try {
    if (INSTANT.test(text)) return Temporal.Instant.from(text).epochMilliseconds
    if (DAY.test(text)) return Temporal.PlainDate.from(text).toZonedDateTime(timezone).epochMilliseconds
  } catch {
    // Well formed, but no such day or hour.
  }
  return Number.NaN
}

/** Instants are compared as text: what an offset moves out of the years that four digits can write is not one. */
const EARLIEST = Date.parse('0000-01-01T00:00:00.000Z')
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

/** RFC 3339 lets `t` and `z` be small. A query has a blank where nobody escaped the plus of an offset. */
const tidied = (given: string): string => given.toUpperCase().replace(/ (?=\d{2}:\d{2}$)/, '+')

/** Reads RFC 3339 with any offset, or a bare day, which begins at midnight in `timezone`. */
export const readInstant = (path: string, given: string, timezone: string): string => {
  const text = INSTANT.test(given) ? given : tidied(given)
  const plain = INSTANT.test(text) ? readPlainly(text) : Number.NaN
  const instant = Number.isNaN(plain) ? readWithCare(text, timezone) : plain
  if (instant >= EARLIEST && instant <= LATEST) return new Date(instant).toISOString()
  throw invalidField(path, 'must be a time such as 2026-03-01T14:00:00Z, or a day such as 2026-03-01')
}
