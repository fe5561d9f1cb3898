import { startOfDay } from '../../engine/time-zones.ts'
import { invalidField } from '../../platform/errors.ts'
import { readInstant } from '../../platform/time.ts'
import { type Due, isDay, looksLikeDay } from './due.ts'

/** What was said of when a task is due: a time, a day, that it is not, or nothing. */
export type DueWish =
  | { kind: 'nothing' }
  | { kind: 'never' }
  /** `at`: said along with it, for which the two must agree. */
  | { kind: 'day'; day: string; at?: string }
  /** `only`: it was said that it is no day. */
  | { kind: 'time'; at: string; only: boolean }

const DAY_PATH = 'dueDay'

const readDay = (path: string, given: string): string => {
  if (isDay(given)) return given
  throw invalidField(path, 'must be a day such as 2026-03-01')
}

/** A bare day as `dueAt` is a day. Of the two, one that is null says nothing beside one that is not. */
export const readDue = (wish: {
  dueAt?: string | null | undefined
  dueDay?: string | null | undefined
}): DueWish => {
  const { dueAt, dueDay } = wish
  if (dueAt === undefined && dueDay === undefined) return { kind: 'nothing' }
  const day = dueDay == null ? undefined : readDay(DAY_PATH, dueDay)
  if (dueAt == null) return day === undefined ? { kind: 'never' } : { kind: 'day', day }
  if (!looksLikeDay(dueAt)) {
    const at = readInstant('dueAt', dueAt, 'UTC')
    return day === undefined ? { kind: 'time', at, only: dueDay === null } : { kind: 'day', day, at }
  }
  const bare = isDay(dueAt) ? dueAt : readInstant('dueAt', dueAt, 'UTC').slice(0, 10)
  if (day !== undefined && day !== bare) throw disagreement()
  return { kind: 'day', day: bare }
}

const disagreement = () =>
  invalidField(DAY_PATH, 'must be the day that begins at dueAt: send one of the two, or both as they were')

/** Whether the person's time zone matters for what becomes of it. */
export const isOfDay = (wish: DueWish, was: Due | undefined): boolean =>
  wish.kind === 'day' || (wish.kind !== 'never' && was != null && was.dueDay !== null)

const onDay = (day: string, timezone: string): Due => {
  const dueAt = new Date(startOfDay(day, timezone)).toISOString()
  // What the zone moves out of the years that four digits can write cannot be compared as text.
  if (!/^\d{4}-/.test(dueAt)) throw invalidField(DAY_PATH, 'must be a day such as 2026-03-01')
  return { dueAt, dueDay: day }
}

/**
 * When it is due, after what was said. `was` is when it was. A day begins on the person's clock as it is now; who sends
 * back the time that was there, knowing nothing of days, does not mean to change it.
 */
export const dueAfter = (wish: DueWish, was: Due | undefined, timezone: string): Due => {
  switch (wish.kind) {
    case 'never':
      return { dueAt: null, dueDay: null }
    case 'nothing':
      return was?.dueDay != null ? onDay(was.dueDay, timezone) : { dueAt: was?.dueAt ?? null, dueDay: null }
    case 'time':
      return was?.dueDay != null && was.dueAt === wish.at && !wish.only
        ? onDay(was.dueDay, timezone)
        : { dueAt: wish.at, dueDay: null }
    case 'day': {
      const due = onDay(wish.day, timezone)
      const isAsItWas = was?.dueDay === wish.day && was.dueAt === wish.at
      if (wish.at !== undefined && wish.at !== due.dueAt && !isAsItWas) throw disagreement()
      return due
    }
  }
}
