import { EVER, NEVER } from '../../database/spans.ts'
import { toInstant, toWall } from '../../engine/time-zones.ts'
import { invalidField } from '../../platform/errors.ts'
import { readInstant } from '../../platform/time.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

const EARLIEST = '1000-01-01T00:00:00.000Z'
const LATEST = '9990-01-01T00:00:00.000Z'

const [EVER_MS, NEVER_MS] = [Date.parse(EVER), Date.parse(NEVER)]

/** Years are told with four digits: others could not be compared as text. What lies beyond them is at their end. */
export const isoOf = (instantMs: number): string =>
  new Date(Math.min(Math.max(instantMs, EVER_MS), NEVER_MS)).toISOString()

/** Case does not matter to us, but to whoever reads the files we write; and to them, an offset is no name. */
export const requireZone = (path: string, name: string): string => {
  try {
    if (/^[+-]/.test(name)) throw new RangeError(name)
    const known = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
    return known.toLowerCase() === name.toLowerCase() ? known : name
  } catch {
    throw invalidField(path, 'must be the name of a time zone, such as Europe/Berlin')
  }
}

/** Also refuses what is no four-digit year any more once an offset was taken off. */
export const isWithinReach = (moment: string): boolean =>
  moment.length === LATEST.length && moment >= EARLIEST && moment <= LATEST

/** An instant that a calendar may hold. */
export const readMoment = (path: string, text: string, timezone: string): string => {
  const moment = readInstant(path, text, timezone)
  if (!isWithinReach(moment)) throw invalidField(path, 'must lie between the years 1000 and 9990')
  return moment
}

const dayOf = (wallMs: number): number => Math.floor(wallMs / DAY_MS)

/** Midnight of the day that an instant is in. */
export const startOfDay = (instant: string, timezone: string): string =>
  isoOf(toInstant(dayOf(toWall(Date.parse(instant), timezone)) * DAY_MS, timezone))

/** When a day begins that comes so much later. It need not be at midnight: clocks may be set forward just then. */
export const startOfDayAfter = (instant: string, days: number, timezone: string): string =>
  isoOf(toInstant((dayOf(toWall(Date.parse(instant), timezone)) + days) * DAY_MS, timezone))

const ceilToDay = (instant: string, timezone: string): string =>
  startOfDay(instant, timezone) === instant ? instant : startOfDayAfter(instant, 1, timezone)

/** How many days lie between two instants, by the calendar. */
const daysBetween = (from: string, until: string, timezone: string): number =>
  dayOf(toWall(Date.parse(until), timezone)) - dayOf(toWall(Date.parse(from), timezone))

/** How far the clocks on the wall are apart at two starts. */
export const wallDistance = (
  from: Pick<When, 'start' | 'timezone'>,
  to: Pick<When, 'start' | 'timezone'>,
): number => toWall(Date.parse(to.start), to.timezone) - toWall(Date.parse(from.start), from.timezone)

/** So much later by the clock on the wall, which may by then hang elsewhere. */
export const shiftBy = (instant: string, distance: number, from: string, to: string): string =>
  isoOf(toInstant(toWall(Date.parse(instant), from) + distance, to))

export interface When {
  start: string
  end: string
  allDay: boolean
  timezone: string
}

export interface WhenWish {
  start?: string | undefined
  end?: string | undefined
  allDay?: boolean | undefined
  timezone?: string | undefined
}

const endWithout = (start: string, allDay: boolean, timezone: string): string =>
  allDay ? startOfDayAfter(start, 1, timezone) : isoOf(Date.parse(start) + HOUR_MS)

/** Moving the start moves the end with it: by the clock for whole days, by the hours otherwise. */
const movedEnd = (before: When, start: string, timezone: string): string => {
  if (!before.allDay) return isoOf(Date.parse(start) + Date.parse(before.end) - Date.parse(before.start))
  return startOfDayAfter(start, daysBetween(before.start, before.end, before.timezone), timezone)
}

/** When an event is, as wished, on the ground of when it was. */
export const readWhen = (wish: WhenWish, before: When | undefined, instanceZone: string): When => {
  const timezone =
    wish.timezone === undefined ? (before?.timezone ?? instanceZone) : requireZone('timezone', wish.timezone)
  const allDay = wish.allDay ?? before?.allDay ?? false
  // Whole days are days wherever they are looked at from; anything else is a moment.
  const kept = (instant: string): string =>
    before?.allDay && before.timezone !== timezone ? shiftBy(instant, 0, before.timezone, timezone) : instant
  if (wish.start === undefined && before === undefined) throw invalidField('start', 'is required')
  const start =
    wish.start === undefined ? kept((before as When).start) : readMoment('start', wish.start, timezone)
  const end =
    wish.end !== undefined
      ? readMoment('end', wish.end, timezone)
      : before === undefined
        ? endWithout(start, allDay, timezone)
        : wish.start === undefined
          ? kept(before.end)
          : movedEnd(before, start, timezone)
  if (end <= start) throw invalidField('end', 'must be after the start')
  if (end > LATEST) throw invalidField('end', 'must lie between the years 1000 and 9990')
  if (!allDay) return { start, end, allDay, timezone }
  return { start: startOfDay(start, timezone), end: ceilToDay(end, timezone), allDay, timezone }
}
