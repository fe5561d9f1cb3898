import { createGrammar, type Grammar } from '../chart.ts'
import { boundRules } from './bounds.ts'
import { clockRangeRules } from './clock-ranges.ts'
import { clockRules } from './clocks.ts'
import type { Context } from './context.ts'
import { dateRules } from './dates.ts'
import { dayPartRules } from './day-parts.ts'
import { durationRules } from './durations.ts'
import { edgeRules } from './edges.ts'
import { namedRules } from './named-periods.ts'
import { nthRules } from './nth-periods.ts'
import { periodRules } from './periods.ts'
import { rangeRules } from './ranges.ts'
import { recurrenceRules } from './recurrences.ts'
import { shiftRules } from './shifts.ts'
import { weekdayShiftRules } from './weekday-shifts.ts'
import { whenRules } from './whens.ts'

/** Everything the reader knows about how times are said. */
export const GRAMMAR: Grammar<Context> = createGrammar([
  ...dateRules,
  ...periodRules,
  ...edgeRules,
  ...nthRules,
  ...namedRules,
  ...durationRules,
  ...clockRules,
  ...shiftRules,
  ...weekdayShiftRules,
  ...dayPartRules,
  ...clockRangeRules,
  ...boundRules,
  ...whenRules,
  ...rangeRules,
  ...recurrenceRules,
])

/** Words that some rule names; others end an expression. */
export const GRAMMAR_WORDS: ReadonlySet<string> = new Set(
  [...GRAMMAR.kinds.keys()].filter((kind) => kind.startsWith("'")).map((kind) => kind.slice(1)),
)
