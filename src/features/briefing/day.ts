import { toInstant } from '../../engine/time-zones.ts'
import { daysAround } from '../../platform/days.ts'
import { readInstant } from '../../platform/time.ts'
import type { WorkingHours } from '../auth/working-hours.ts'
import type { BriefedEvent } from './sources.ts'

export interface Habits {
  timezone: string
  weekStart: string
  workingHours: WorkingHours[]
}

export interface Day {
  date: string
  from: string
  until: string
  isToday: boolean
}

const HALF_A_DAY_MS = 43_200_000

/** The day that is meant, from midnight to midnight by the person's clock. */
export const dayOf = (date: string | undefined, now: Date, habits: Habits): Day => {
  const today = daysAround(now, habits, 1).today
  const noon =
    date === undefined
      ? now
      : new Date(Date.parse(readInstant('date', date, habits.timezone)) + HALF_A_DAY_MS)
  const { date: name, start, end } = daysAround(noon, habits, 1).today
  return { date: name, from: start, until: end, isToday: name === today.date }
}

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

/** The hours of the day in which the person works, as instants, and how much of them is free. */
export const workingDayOf = ({ date }: Day, habits: Habits, events: readonly BriefedEvent[]) => {
  const weekday = WEEKDAYS[new Date(`${date}T12:00:00Z`).getUTCDay()]
  const hours = habits.workingHours
    .filter(({ day }) => day === weekday)
    .toSorted((a, b) => a.start.localeCompare(b.start))
    .map(({ start, end }) => ({ start: atWall(date, start, habits), end: atWall(date, end, habits) }))
  const busy = events
    .filter((event) => event.busy)
    .map(({ start, end }) => [Date.parse(start), Date.parse(end)] as const)
    .toSorted((a, b) => a[0] - b[0])
  const free = hours.reduce(
    (sum, { start, end }) => sum + freeIn(Date.parse(start), Date.parse(end), busy),
    0,
  )
  return {
    isWorkingDay: hours.length > 0,
    hours,
    freeMinutes: Math.floor(free / 60_000),
  }
}

const atWall = (date: string, clock: string, { timezone }: Habits): string =>
  new Date(toInstant(Date.parse(`${date}T${clock}:00Z`), timezone)).toISOString()

const freeIn = (from: number, until: number, busy: readonly (readonly [number, number])[]): number => {
  let [free, at] = [0, from]
  for (const [start, end] of busy) {
    if (start > at) free += Math.max(0, Math.min(start, until) - at)
    at = Math.max(at, end)
  }
  return free + Math.max(0, until - Math.max(at, from))
}
