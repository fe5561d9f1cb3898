import { NEVER } from '../../database/spans.ts'
import { moveRule } from '../../engine/recurrence/moved-rule.ts'
import type { Rule, Until } from '../../engine/recurrence/rule.ts'
import { toWall } from '../../engine/time-zones.ts'
import { type Recurring, rulesOf, writeRules } from './series.ts'
import { isoOf, shiftBy, wallDistance } from './times.ts'

const DAY_MS = 86_400_000
const LAST_DAY = Date.parse(NEVER.slice(0, 10))

const wallOf = ({ start, timezone, allDay }: Recurring): number => {
  const wall = toWall(Date.parse(start), timezone)
  return allDay ? Math.floor(wall / DAY_MS) * DAY_MS : wall
}

/** The end of a rule goes along, or the last occurrence of a series that is moved to later would be cut off. */
const movedUntil = ({ wall, kind }: Until, before: Recurring, after: Recurring): Until => {
  const days = Math.floor(wallOf(after) / DAY_MS) - Math.floor(wallOf(before) / DAY_MS)
  const isOfDays = kind === 'date' || (before.allDay && after.allDay)
  const moved = isOfDays
    ? wall + days * DAY_MS
    : kind === 'local'
      ? wall + wallDistance(before, after)
      : Date.parse(shiftBy(isoOf(wall), wallDistance(before, after), before.timezone, after.timezone))
  return { wall: Math.min(moved, LAST_DAY), kind }
}

const movedRecurrence = (recurrence: string, before: Recurring, after: Recurring): string | null => {
  const move = (rule: Rule): Rule => {
    const moved = moveRule(rule, wallOf(before), wallOf(after))
    return rule.until ? { ...moved, until: movedUntil(rule.until, before, after) } : moved
  }
  const { rules, exclusionRules } = rulesOf(recurrence)
  return writeRules({ rules: rules.map(move), exclusionRules: exclusionRules.map(move) })
}

/** What else says when a series is goes along when its start is moved, unless it was given anew. */
export const movedAlong = <T extends Recurring>(
  before: T,
  after: T,
  { isRuleGiven }: { isRuleGiven: boolean },
): T => {
  const distance = wallDistance(before, after)
  if (distance === 0 && before.timezone === after.timezone) return after
  const along = (name: 'exdates' | 'rdates'): string[] =>
    before[name].join() === after[name].join()
      ? after[name].map((date) => shiftBy(date, distance, before.timezone, after.timezone))
      : after[name]
  return {
    ...after,
    recurrence:
      isRuleGiven || after.recurrence === null
        ? after.recurrence
        : movedRecurrence(after.recurrence, before, after),
    exdates: along('exdates'),
    rdates: along('rdates'),
  }
}
