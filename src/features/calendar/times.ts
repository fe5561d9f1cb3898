import { invalidField } from '../../platform/errors.ts'
import { readInstant } from '../../platform/time.ts'
import { toInstant, toWall } from '../../recurrence/time-zones.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/** Earlier and later than all stored times. */
export const EVER = '0000-01-01T00:00:00.000Z'
export const NEVER = '9999-12-31T23:59:59.999Z'

const EARLIEST = '1000-01-01T00:00:00.000Z'
const LATEST = '9990-01-01T00:00:00.000Z'

const [EVER_MS, NEVER_MS] = [Date.parse(EVER), Date.parse(NEVER)]

/** Clamps to four-digit years: others could not be compared as text. */
export const isoOf = (instantMs: number): string =>
  new Date(Math.min(Math.max(instantMs, EVER_MS), NEVER_MS)).toISOString()

/**
 * Normalizes the case of a zone name for programs that read exported files. Rejects offsets, which those
 * programs do not accept as names.
 */
export const requireZone = (path: string, name: string): string => {
  try {
    if (/^[+-]/.test(name)) throw new RangeError(name)
    const known = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
    return known.toLowerCase() === name.toLowerCase() ? known : name
  } catch {
    throw invalidField(path, 'must be the name of a time zone, such as Europe/Berlin')
  }
}

/** The length check rejects years that no longer have four digits after the conversion to UTC. */
export const isWithinReach = (moment: string): boolean =>
  moment.length === LATEST.length && moment >= EARLIEST && moment <= LATEST

/** Parses an instant within the supported years. */
export const readMoment = (path: string, text: string, timezone: string): string => {
  const moment = readInstant(path, text, timezone)
  if (!isWithinReach(moment)) throw invalidField(path, 'must be between the years 1000 and 9990')
  return moment
}

const dayOf = (wallMs: number): number => Math.floor(wallMs / DAY_MS)

/** Returns midnight of the day that contains an instant. */
export const startOfDay = (instant: string, timezone: string): string =>
  isoOf(toInstant(dayOf(toWall(Date.parse(instant), timezone)) * DAY_MS, timezone))

/**
 * Returns the start of the day that is `days` later. It is not midnight if clocks are set forward at that
 * time.
 */
export const startOfDayAfter = (instant: string, days: number, timezone: string): string =>
  isoOf(toInstant((dayOf(toWall(Date.parse(instant), timezone)) + days) * DAY_MS, timezone))

const ceilToDay = (instant: string, timezone: string): string =>
  startOfDay(instant, timezone) === instant ? instant : startOfDayAfter(instant, 1, timezone)

/** Counts the calendar days between two instants. */
const daysBetween = (from: string, until: string, timezone: string): number =>
  dayOf(toWall(Date.parse(until), timezone)) - dayOf(toWall(Date.parse(from), timezone))

/** Returns the difference of the local times of two starts. */
export const wallDistance = (
  from: Pick<When, 'start' | 'timezone'>,
  to: Pick<When, 'start' | 'timezone'>,
): number => toWall(Date.parse(to.start), to.timezone) - toWall(Date.parse(from.start), from.timezone)

/** Shifts an instant by a difference in local time, possibly to another zone. */
export const shiftBy = (instant: string, distance: number, from: string, to: string): string =>
  isoOf(toInstant(toWall(Date.parse(instant), from) + distance, to))

export interface When {
  start: string
  end: string
  allDay: boolean
  timezone: string
}

export interface EventTimeInput {
  start?: string | undefined
  end?: string | undefined
  allDay?: boolean | undefined
  timezone?: string | undefined
}

const endWithout = (start: string, allDay: boolean, timezone: string): string =>
  allDay ? startOfDayAfter(start, 1, timezone) : isoOf(Date.parse(start) + HOUR_MS)

/** Moves the end with the start: by days for all-day events, by the duration otherwise. */
const movedEnd = (before: When, start: string, timezone: string): string => {
  if (!before.allDay) return isoOf(Date.parse(start) + Date.parse(before.end) - Date.parse(before.start))
  return startOfDayAfter(start, daysBetween(before.start, before.end, before.timezone), timezone)
}

/** Computes the times of an event from the input and its previous times. */
export const readWhen = (input: EventTimeInput, before: When | undefined, instanceZone: string): When => {
  const timezone =
    input.timezone === undefined
      ? (before?.timezone ?? instanceZone)
      : requireZone('timezone', input.timezone)
  const allDay = input.allDay ?? before?.allDay ?? false
  // All-day events keep their dates in a new zone. Other events keep their instants.
  const kept = (instant: string): string =>
    before?.allDay && before.timezone !== timezone ? shiftBy(instant, 0, before.timezone, timezone) : instant
  if (input.start === undefined && before === undefined) throw invalidField('start', 'is required')
  const start =
    input.start === undefined ? kept((before as When).start) : readMoment('start', input.start, timezone)
  const end =
    input.end !== undefined
      ? readMoment('end', input.end, timezone)
      : before === undefined
        ? endWithout(start, allDay, timezone)
        : input.start === undefined
          ? kept(before.end)
          : movedEnd(before, start, timezone)
  if (end <= start) throw invalidField('end', 'must be after the start')
  if (end > LATEST) throw invalidField('end', 'must be between the years 1000 and 9990')
  if (!allDay) return { start, end, allDay, timezone }
  return { start: startOfDay(start, timezone), end: ceilToDay(end, timezone), allDay, timezone }
}
