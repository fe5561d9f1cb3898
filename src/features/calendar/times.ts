import { offsetAt, toInstant, toWall } from '../../engine/time-zones.ts'
import { invalidField } from '../../platform/errors.ts'
import { readInstant } from '../../platform/time.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

const EARLIEST = '1000-01-01T00:00:00.000Z'
const LATEST = '9990-01-01T00:00:00.000Z'

export const isoOf = (instantMs: number): string => new Date(instantMs).toISOString()

export const requireZone = (path: string, name: string): string => {
  try {
    offsetAt(0, name)
    return name
  } catch {
    throw invalidField(path, 'must be the name of a time zone, such as Europe/Berlin')
  }
}

/** An instant that a calendar may hold. */
export const readMoment = (path: string, text: string, timezone: string): string => {
  const moment = readInstant(path, text, timezone)
  // Also refuses what is no four-digit year any more once an offset was taken off.
  if (moment.length !== LATEST.length || moment < EARLIEST || moment > LATEST)
    throw invalidField(path, 'must lie between the years 1000 and 9990')
  return moment
}

const dayOf = (wallMs: number): number => Math.floor(wallMs / DAY_MS)

/** Midnight of the day that an instant is in. */
export const startOfDay = (instant: string, timezone: string): string =>
  isoOf(toInstant(dayOf(toWall(Date.parse(instant), timezone)) * DAY_MS, timezone))

/** The same wall-clock time some days later. */
export const addDays = (instant: string, days: number, timezone: string): string =>
  isoOf(toInstant(toWall(Date.parse(instant), timezone) + days * DAY_MS, timezone))

const ceilToDay = (instant: string, timezone: string): string => {
  const midnight = startOfDay(instant, timezone)
  return midnight === instant ? instant : addDays(midnight, 1, timezone)
}

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
  allDay ? addDays(start, 1, timezone) : isoOf(Date.parse(start) + HOUR_MS)

/** Moving the start moves the end with it: by the clock for whole days, by the hours otherwise. */
const movedEnd = (before: When, start: string, timezone: string): string => {
  if (!before.allDay) return isoOf(Date.parse(start) + Date.parse(before.end) - Date.parse(before.start))
  const wall = (instant: string): number => toWall(Date.parse(instant), before.timezone)
  return addDays(start, Math.round((wall(before.end) - wall(before.start)) / DAY_MS), timezone)
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
        ? endWithout(allDay ? startOfDay(start, timezone) : start, allDay, timezone)
        : wish.start === undefined
          ? kept(before.end)
          : movedEnd(before, start, timezone)
  if (end <= start) throw invalidField('end', 'must be after the start')
  if (!allDay) return { start, end, allDay, timezone }
  return { start: startOfDay(start, timezone), end: ceilToDay(end, timezone), allDay, timezone }
}
