import { expandRule } from '../../engine/recurrence/expansion.ts'
import { readRule } from '../../engine/recurrence/read-rule.ts'
import { isWithinDay, type Rule } from '../../engine/recurrence/rule.ts'
import { writeRule } from '../../engine/recurrence/write-rule.ts'
import { endOfDay, startOfDay, toInstant, toWall } from '../../engine/time-zones.ts'
import { invalidField } from '../../platform/errors.ts'
import { dayText } from './due.ts'

const DAY = 86_400_000
/** Of an hourly task that nobody completed in a hundred years. */
const MOST_SKIPPED = 1_000_000
const LATEST = Date.parse('9999-12-31T00:00:00Z')

/** The rule in its one way to be written. */
export const readRecurrence = (text: string): string => {
  const read = readRule(text)
  if ('fault' in read)
    throw invalidField('recurrence', `is not a rule that can be followed: ${read.fault.replace(/\.$/, '')}`)
  if (read.rule.frequency === 'MINUTELY' || read.rule.frequency === 'SECONDLY')
    throw invalidField('recurrence', 'of a task must be hourly at most')
  return writeRule(read.rule)
}

export interface Recurring {
  recurrence: string
  dueAt: string | null
  dueDay: string | null
  remindAt: string | null
  dueWall: string | null
}

const text = (ms: number): string => new Date(ms).toISOString()

/** The rule without its COUNT, for what is skipped counts as well, and with its end by the wall clock. */
const unbounded = ({ count: _, until, ...rule }: Rule, timezone: string): Rule => ({
  ...rule,
  ...(until && {
    until: until.kind === 'utc' ? { wall: toWall(until.wall, timezone), kind: 'local' } : until,
  }),
})

/** A rule that names hours is of times, whatever it began with. */
const namesHours = (rule: Rule): boolean =>
  isWithinDay(rule) || [rule.byHour, rule.byMinute, rule.bySecond].some((list) => list !== undefined)

interface Search {
  rule: Rule
  /** Where it is counted from, on the wall. */
  start: number
  afterMs: number
  timezone: string
  isToCome: (wall: number) => boolean
}

/** The first time by the rule that is still to come, and how many after `start` it is. */
const findNext = ({ rule, start, afterMs, timezone, isToCome }: Search) => {
  // Far behind, whole years need not be gone through, unless they must be counted.
  const from = rule.count === undefined ? Math.max(start, toWall(afterMs, timezone) - DAY) : start
  let position = 0
  for (const wall of expandRule(unbounded(rule, timezone), start, from)) {
    if (wall <= start) continue
    position++
    if (wall > LATEST || position > MOST_SKIPPED || (rule.count !== undefined && position >= rule.count))
      return undefined
    if (isToCome(wall)) return { wall, position }
  }
  return undefined
}

/**
 * What changes from a completed task to its next occurrence: by the rule, counted from the date it was due, by the
 * wall clock. Occurrences that have passed meanwhile are skipped. Undefined when the rule has come to its end.
 */
export const nextOccurrence = (task: Recurring, nowMs: number, timezone: string): Recurring | undefined => {
  const read = readRule(task.recurrence)
  if ('fault' in read) return undefined
  const { rule } = read
  const { dueAt, dueDay, remindAt, dueWall } = task
  const anchor = dueAt ?? remindAt
  // What never had an hour does not get one, unless the rule names it.
  const isOfDays = (dueDay !== null || anchor === null) && !namesHours(rule)
  const today = Math.floor(toWall(nowMs, timezone) / DAY) * DAY
  const written = dueDay ?? (dueAt === null ? null : dueWall)
  const start =
    written !== null ? Date.parse(written) : anchor === null ? today : toWall(Date.parse(anchor), timezone)
  const afterMs = Math.max(nowMs, anchor === null ? 0 : Date.parse(anchor))
  const next = findNext({
    ...{ rule, start, afterMs, timezone },
    // A day has not passed before it is over.
    isToCome: (wall) =>
      isOfDays ? endOfDay(dayText(wall), timezone) > nowMs : toInstant(wall, timezone) > afterMs,
  })
  if (!next) return undefined
  const at = isOfDays ? startOfDay(dayText(next.wall), timezone) : toInstant(next.wall, timezone)
  const recurrence = writeRule(
    rule.count === undefined ? rule : { ...rule, count: rule.count - next.position },
  )
  if (dueAt === null && remindAt !== null)
    return { recurrence, dueAt, dueDay: null, remindAt: text(at), dueWall: null }
  const reminded = remindAt === null ? null : next.wall - start + toWall(Date.parse(remindAt), timezone)
  return {
    recurrence,
    dueAt: text(at),
    dueDay: isOfDays ? dayText(next.wall) : null,
    remindAt: reminded === null ? null : text(toInstant(reminded, timezone)),
    // An hour that the clocks skip that day: the day after, it is the hour it was.
    dueWall: isOfDays || toWall(at, timezone) === next.wall ? null : text(next.wall),
  }
}
