import { expandRule } from '../../engine/recurrence/expansion.ts'
import { readRule } from '../../engine/recurrence/read-rule.ts'
import type { Rule } from '../../engine/recurrence/rule.ts'
import { writeRule } from '../../engine/recurrence/write-rule.ts'
import { toInstant, toWall } from '../../engine/time-zones.ts'
import { invalidField } from '../../platform/errors.ts'

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

/** The first time by the rule that is still to come, and how many after `start` it is. */
const findNext = (rule: Rule, start: number, afterMs: number, timezone: string) => {
  // Far behind, whole years need not be gone through, unless they must be counted.
  const from = rule.count === undefined ? Math.max(start, toWall(afterMs, timezone) - DAY) : start
  let position = 0
  for (const wall of expandRule(unbounded(rule, timezone), start, from)) {
    if (wall <= start) continue
    position++
    if (wall > LATEST || position > MOST_SKIPPED || (rule.count !== undefined && position >= rule.count))
      return undefined
    if (toInstant(wall, timezone) > afterMs) return { wall, position }
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
  const { dueAt, remindAt, dueWall } = task
  const anchor = dueAt ?? remindAt
  const today = Math.floor(toWall(nowMs, timezone) / DAY) * DAY
  const start =
    dueAt !== null && dueWall !== null
      ? Date.parse(dueWall)
      : anchor === null
        ? today
        : toWall(Date.parse(anchor), timezone)
  const next = findNext(rule, start, Math.max(nowMs, anchor === null ? 0 : Date.parse(anchor)), timezone)
  if (!next) return undefined
  const at = toInstant(next.wall, timezone)
  const recurrence = writeRule(
    rule.count === undefined ? rule : { ...rule, count: rule.count - next.position },
  )
  if (dueAt === null && remindAt !== null) return { recurrence, dueAt, remindAt: text(at), dueWall: null }
  const reminded = remindAt === null ? null : next.wall - start + toWall(Date.parse(remindAt), timezone)
  return {
    recurrence,
    dueAt: text(at),
    remindAt: reminded === null ? null : text(toInstant(reminded, timezone)),
    // An hour that the clocks skip that day: the day after, it is the hour it was.
    dueWall: toWall(at, timezone) === next.wall ? null : text(next.wall),
  }
}
