import { readRule } from '../src/recurrence/rule.ts'
import { occurrencesBetween, type Series } from '../src/recurrence/series.ts'
import { median } from './processes.ts'
import type { Report } from './table.ts'

const ROUNDS = 9
const EACH = 300
const ZONE = 'Europe/Berlin'
const FROM = Date.parse('2026-05-31T22:00:00Z')
const UNTIL = Date.parse('2026-06-30T22:00:00Z')
const START = Date.parse('2006-01-02T08:00:00Z')

const seriesOf = (text: string): Series => {
  const read = readRule(text)
  if ('fault' in read) throw new Error(read.fault)
  return { start: START, timezone: ZONE, allDay: false, rules: [read.rule], excluded: [], added: [] }
}

/** The naive implementation: a loop over the days. It is correct only without daylight saving time. */
const plainLoop = (): number[] => {
  const found: number[] = []
  for (const day = new Date(START); day.getTime() < UNTIL; day.setUTCDate(day.getUTCDate() + 1))
    if (day.getUTCDay() === 1 && day.getTime() >= FROM) found.push(day.getTime())
  return found
}

const microseconds = (work: () => unknown): number => {
  const before = performance.now()
  for (let n = 0; n < EACH; n++) work()
  return ((performance.now() - before) * 1000) / EACH
}

const compare = (work: string, text: string, report: Report): void => {
  const series = seriesOf(text)
  const ours = () => occurrencesBetween(series, FROM, UNTIL).toArray()
  if (ours().length !== plainLoop().length) throw new Error(`${work}: the results differ`)
  microseconds(ours)
  microseconds(plainLoop)
  const rounds = Array.from({ length: ROUNDS }, () => ({
    ours: microseconds(ours),
    plain: microseconds(plainLoop),
  }))
  const figure = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick)).toFixed(1)
  report({
    group: 'other',
    work,
    ours: `${figure((round) => round.ours)} µs`,
    limit: `${figure((round) => round.plain)} µs`,
    ratioByCpu: median(rounds.map((round) => round.ours / round.plain)),
    checks: [],
  })
}

/** Expands one month of a rule that started 20 years earlier. */
export const benchRecurrence = async (report: Report): Promise<void> => {
  compare('recurrence: month of a weekly rule, beside a loop over the days', 'FREQ=WEEKLY', report)
  compare('recurrence: the same with COUNT', 'FREQ=WEEKLY;COUNT=5000', report)
}
