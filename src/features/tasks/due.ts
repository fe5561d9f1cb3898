import { invalidField } from '../../platform/errors.ts'
import { readInstant, WEEKDAYS, type Weekday } from '../../platform/time.ts'
import { weekdayOf as indexOfWeekday } from '../../recurrence/days.ts'
import { endOfDay, startOfDay, toInstant, toWall } from '../../recurrence/time-zones.ts'
import type { WorkingHours } from '../auth/working-hours.ts'

/** `dayNumber` counts the days since 1 January 1970. */
export const weekdayOf = (dayNumber: number): Weekday => WEEKDAYS[indexOfWeekday(dayNumber)] as Weekday

/*
 * A task is due at a time or on a day. A due day has no hour: the task is late when the next day begins in
 * the person's time zone. Only this module derives instants from due dates.
 */

const DAY_MS = 86_400_000
/** The latest instant with a four-digit year. Instants are compared as text. */
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')
/** The hour of the reminder on days without working hours. */
const DEFAULT_HOUR = '09:00'

/** The settings that decide when a person's days begin. */
export interface PersonClock {
  timezone: string
  workingHours: readonly WorkingHours[]
}

/** The due date of a stored task. */
export interface Due {
  dueAt: string | null
  dueDay: string | null
}

const text = (ms: number): string => new Date(Math.min(ms, LATEST)).toISOString()

const toDayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS

const PATTERN = /^\d{4}-\d{2}-\d{2}$/
export const looksLikeDay = (given: string): boolean => PATTERN.test(given)
/** Checks that the day exists in its month. */
export const isDay = (given: string): boolean => {
  const at = looksLikeDay(given) ? Date.parse(`${given}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(given)
}
export const dayText = (wallMs: number): string => new Date(wallMs).toISOString().slice(0, 10)

/** Returns when to remind of a task that is due on a day: at the start of working hours. */
const findReminderTime = (day: string, { timezone, workingHours }: PersonClock): number => {
  const weekday = weekdayOf(toDayNumber(day))
  const [first = DEFAULT_HOUR] = workingHours
    .filter((hours) => hours.day === weekday)
    .map(({ start }) => start)
    .sort()
  return toInstant(Date.parse(`${day}T${first}:00Z`), timezone)
}

/** Returns when the task becomes overdue, and when its default reminder is sent. */
export const dueMoments = ({ dueAt, dueDay }: Due, clock: PersonClock) =>
  dueDay === null
    ? { lateAt: dueAt, remindAt: dueAt }
    : { lateAt: text(endOfDay(dueDay, clock.timezone)), remindAt: text(findReminderTime(dueDay, clock)) }

/** A requested due date: a time, a day, none (`never`), or unchanged (`nothing`). */
export type DueInput =
  | { kind: 'nothing' }
  | { kind: 'never' }
  /** `at` was sent together with the day and must agree with it. */
  | { kind: 'day'; day: string; at?: string }
  /** `only`: the caller explicitly set `dueDay` to null. */
  | { kind: 'time'; at: string; only: boolean }

/** The two fields of a date: when a task is due, or when it starts. */
type DateName = 'due' | 'start'

const readDay = (path: string, given: string): string => {
  if (isDay(given)) return given
  throw invalidField(path, 'must be a day such as 2026-03-01')
}

interface DateGiven {
  at?: string | null | undefined
  day?: string | null | undefined
}

/** Treats a bare day in `dueAt` as `dueDay`. A null field is ignored if the other one is not null. */
const readDate = (name: DateName, given: DateGiven): DueInput => {
  if (given.at === undefined && given.day === undefined) return { kind: 'nothing' }
  const day = given.day == null ? undefined : readDay(`${name}Day`, given.day)
  if (given.at == null) return day === undefined ? { kind: 'never' } : { kind: 'day', day }
  if (!looksLikeDay(given.at)) {
    const at = readInstant(`${name}At`, given.at, 'UTC')
    return day === undefined ? { kind: 'time', at, only: given.day === null } : { kind: 'day', day, at }
  }
  const bare = isDay(given.at) ? given.at : readInstant(`${name}At`, given.at, 'UTC').slice(0, 10)
  if (day !== undefined && day !== bare) throw disagreement(name)
  return { kind: 'day', day: bare }
}

type Given<Names extends string> = Partial<Record<Names, string | null | undefined>>

export const readDue = ({ dueAt, dueDay }: Given<'dueAt' | 'dueDay'>): DueInput =>
  readDate('due', { at: dueAt, day: dueDay })

export const readStart = ({ startAt, startDay }: Given<'startAt' | 'startDay'>): DueInput =>
  readDate('start', { at: startAt, day: startDay })

const disagreement = (name: DateName) =>
  invalidField(
    `${name}Day`,
    `must be the day that begins at ${name}At. Send only one of them, or send both unchanged.`,
  )

/** Returns whether the resulting due date depends on the person's time zone. */
export const dependsOnTimeZone = (input: DueInput, day: string | null): boolean =>
  input.kind === 'day' || (input.kind !== 'never' && day !== null)

const onDay = (name: DateName, day: string, timezone: string): Due => {
  const dueAt = new Date(startOfDay(day, timezone)).toISOString()
  // The zone can move the day out of the years with four digits, which cannot be compared as text.
  if (!/^\d{4}-/.test(dueAt)) throw invalidField(`${name}Day`, 'must be a day such as 2026-03-01')
  return { dueAt, dueDay: day }
}

/**
 * Applies a requested due date to the previous one, `was`. A day begins in the person's current time zone. A
 * client that does not know days sends `dueAt` back unchanged; the day is then kept.
 */
export const dueAfter = (
  input: DueInput,
  was: Due | undefined,
  timezone: string,
  name: DateName = 'due',
): Due => {
  switch (input.kind) {
    case 'never':
      return { dueAt: null, dueDay: null }
    case 'nothing':
      return was?.dueDay != null
        ? onDay(name, was.dueDay, timezone)
        : { dueAt: was?.dueAt ?? null, dueDay: null }
    case 'time':
      return was?.dueDay != null && was.dueAt === input.at && !input.only
        ? onDay(name, was.dueDay, timezone)
        : { dueAt: input.at, dueDay: null }
    case 'day': {
      const due = onDay(name, input.day, timezone)
      const isAsItWas = was?.dueDay === input.day && was.dueAt === input.at
      if (input.at !== undefined && input.at !== due.dueAt && !isAsItWas) throw disagreement(name)
      return due
    }
  }
}

/** The start date of a stored task. */
export interface Start {
  startAt: string | null
  startDay: string | null
}

/** Applies a requested start date to the previous one, as `dueAfter` does with a due date. */
export const startAfter = (input: DueInput, was: Start | undefined, timezone: string): Start => {
  const before = was && { dueAt: was.startAt, dueDay: was.startDay }
  const { dueAt, dueDay } = dueAfter(input, before, timezone, 'start')
  return { startAt: dueAt, startDay: dueDay }
}

type Dates = Due & Start & { remindAt: string | null }

/** Moves the dates of a task by days. Hours stay what clocks show. */
export const shiftDates = <F extends Dates>(fields: F, days: number, timezone: string): F => {
  if (days === 0) return fields
  const shiftDay = (day: string): string => dayText(Date.parse(day) + days * DAY_MS)
  const shift = (at: string | null, day: string | null): string | null => {
    if (at === null) return null
    if (day !== null) return text(startOfDay(shiftDay(day), timezone))
    return text(toInstant(toWall(Date.parse(at), timezone) + days * DAY_MS, timezone))
  }
  const { dueAt, dueDay, startAt, startDay, remindAt } = fields
  return {
    ...fields,
    dueAt: shift(dueAt, dueDay),
    dueDay: dueDay && shiftDay(dueDay),
    startAt: shift(startAt, startDay),
    startDay: startDay && shiftDay(startDay),
    remindAt: shift(remindAt, null),
  }
}
