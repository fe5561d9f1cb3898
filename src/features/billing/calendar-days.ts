import { toWall } from '../../engine/time-zones.ts'

const DAY_MS = 86_400_000

/** The day on the calendar of a zone: 2026-03-01. */
export const dayAt = (now: Date, timezone: string): string =>
  new Date(toWall(now.getTime(), timezone)).toISOString().slice(0, 10)

/** By the calendar, so that no day of 23 or 25 hours is counted twice or left out. */
const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

/** The last `count` days up to `day`, the oldest first. */
export const daysUpTo = (day: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => addDays(day, index - count + 1))

/** 2026-03 for 2026-03-17. */
export const monthOf = (day: string): string => day.slice(0, 7)
export const firstOf = (month: string): string => `${month}-01`
