import { invalidField } from '../../platform/errors.ts'
import { expandRule } from '../../recurrence/expansion.ts'
import { isWithinDay, type Rule, readRule, writeRule } from '../../recurrence/rule.ts'
import { endOfDay, startOfDay, toInstant, toWall } from '../../recurrence/time-zones.ts'
import { dayText } from './due.ts'

const DAY = 86_400_000
/** Enough for an hourly task that was not completed for a hundred years. */
const MAX_SKIPPED = 1_000_000
const LATEST = Date.parse('9999-12-31T00:00:00Z')

/** Validates a rule and returns its canonical form. */
export const readRecurrence = (text: string, path = 'recurrence'): string => {
  const read = readRule(text)
  if ('fault' in read)
    throw invalidField(path, `is not a rule that can be followed: ${read.fault.replace(/\.$/, '')}`)
  if (read.rule.frequency === 'MINUTELY' || read.rule.frequency === 'SECONDLY')
    throw invalidField(path, 'of a task must be hourly at most')
  return writeRule(read.rule)
}

export interface Recurring {
  recurrence: string
  dueAt: string | null
  dueDay: string | null
  remindAt: string | null
  dueWall: string | null
}

/** A completed task. Its next occurrence is counted from its due date, or from the day of its completion. */
type Completed = Recurring & { recurrenceFrom: string }

const text = (ms: number): string => new Date(ms).toISOString()

/** Removes COUNT, because skipped occurrences count too, and converts UNTIL to wall-clock time. */
const withoutBounds = ({ count: _, until, ...rule }: Rule, timezone: string): Rule => ({
  ...rule,
  ...(until && {
    until: until.kind === 'utc' ? { wall: toWall(until.wall, timezone), kind: 'local' } : until,
  }),
})

/** Returns whether the rule sets hours, which makes its occurrences times instead of days. */
const setsHours = (rule: Rule): boolean =>
  isWithinDay(rule) || [rule.byHour, rule.byMinute, rule.bySecond].some((list) => list !== undefined)

interface Search {
  rule: Rule
  /** The wall-clock time from which occurrences are counted. */
  start: number
  afterMs: number
  timezone: string
  isToCome: (wall: number) => boolean
}

/** Finds the first occurrence that is still to come, and its index after `start`. */
const findNext = ({ rule, start, afterMs, timezone, isToCome }: Search) => {
  // Skip the years that have passed, unless COUNT requires counting them.
  const from = rule.count === undefined ? Math.max(start, toWall(afterMs, timezone) - DAY) : start
  let position = 0
  for (const wall of expandRule(withoutBounds(rule, timezone), start, from)) {
    if (wall <= start) continue
    position++
    if (wall > LATEST || position > MAX_SKIPPED || (rule.count !== undefined && position >= rule.count))
      return undefined
    if (isToCome(wall)) return { wall, position }
  }
  return undefined
}

/**
 * Returns the fields that differ between a completed task and its next occurrence. Occurrences follow the
 * rule in wall-clock time, counted from the due date. Past occurrences are skipped. Returns undefined after
 * the last occurrence.
 */
export const nextOccurrence = (task: Completed, nowMs: number, timezone: string): Recurring | undefined => {
  const read = readRule(task.recurrence)
  if ('fault' in read) return undefined
  const { rule } = read
  const { dueAt, dueDay, remindAt, dueWall } = task
  const anchor = dueAt ?? remindAt
  // A due day stays a day, unless the rule sets an hour.
  const usesDays = (dueDay !== null || anchor === null) && !setsHours(rule)
  const today = Math.floor(toWall(nowMs, timezone) / DAY) * DAY
  const written = dueDay ?? (dueAt === null ? null : dueWall)
  const set =
    written !== null ? Date.parse(written) : anchor === null ? today : toWall(Date.parse(anchor), timezone)
  const isFromCompletion = task.recurrenceFrom === 'completion'
  const start = isFromCompletion ? today + (set - Math.floor(set / DAY) * DAY) : set
  const afterMs = Math.max(nowMs, anchor === null || isFromCompletion ? 0 : Date.parse(anchor))
  const next = findNext({
    rule,
    start,
    afterMs,
    timezone,
    // A day is in the past only after it has ended.
    isToCome: (wall) =>
      usesDays ? endOfDay(dayText(wall), timezone) > nowMs : toInstant(wall, timezone) > afterMs,
  })
  if (!next) return undefined
  const at = usesDays ? startOfDay(dayText(next.wall), timezone) : toInstant(next.wall, timezone)
  const recurrence = writeRule(
    rule.count === undefined ? rule : { ...rule, count: rule.count - next.position },
  )
  if (dueAt === null && remindAt !== null)
    return { recurrence, dueAt, dueDay: null, remindAt: text(at), dueWall: null }
  const nextReminderWall = remindAt === null ? null : next.wall - set + toWall(Date.parse(remindAt), timezone)
  return {
    recurrence,
    dueAt: text(at),
    dueDay: usesDays ? dayText(next.wall) : null,
    remindAt: nextReminderWall === null ? null : text(toInstant(nextReminderWall, timezone)),
    // Clocks skip this hour on that day. Keep the wall-clock time, so that later occurrences return to it.
    dueWall: usesDays || toWall(at, timezone) === next.wall ? null : text(next.wall),
  }
}
