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

/** Reads RFC 3339 with any offset, or a bare day, which begins at midnight in `timezone`. */
export const readInstant = (path: string, text: string, timezone: string): string => {
  const isInstant = INSTANT.test(text)
  const plain = isInstant ? readPlainly(text) : Number.NaN
  if (!Number.isNaN(plain)) return new Date(plain).toISOString()
  const Temporal = loadTemporal()
  try {
    if (isInstant) return new Date(Temporal.Instant.from(text).epochMilliseconds).toISOString()
    if (DAY.test(text))
      return new Date(Temporal.PlainDate.from(text).toZonedDateTime(timezone).epochMilliseconds).toISOString()
  } catch {
    // Falls through: well formed, but no such day or hour.
  }
  throw invalidField(path, 'must be a time such as 2026-03-01T14:00:00Z, or a day such as 2026-03-01')
}
