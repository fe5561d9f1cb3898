import { createRequire } from 'node:module'
import { invalidField } from './errors.ts'

/** Costs 20 ms the first time: ask when it is needed, not at the start. */
export const systemTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

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

/** Instants are compared as text: what an offset moves out of the years that four digits can write is not one. */
const write = (epochMs: number): string | undefined => {
  const text = new Date(epochMs).toISOString()
  return /^\d{4}-/.test(text) ? text : undefined
}

/** Reads RFC 3339 with any offset, or a bare day, which begins at midnight in `timezone`. */
export const readInstant = (path: string, text: string, timezone: string): string => {
  const Temporal = loadTemporal()
  let instant: string | undefined
  try {
    if (INSTANT.test(text)) instant = write(Temporal.Instant.from(text).epochMilliseconds)
    if (DAY.test(text))
      instant = write(Temporal.PlainDate.from(text).toZonedDateTime(timezone).epochMilliseconds)
  } catch {
    // Well formed, but no such day or hour.
  }
  if (instant !== undefined) return instant
  throw invalidField(path, 'must be a time such as 2026-03-01T14:00:00Z, or a day such as 2026-03-01')
}
