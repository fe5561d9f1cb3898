import { type Rule, rules } from '../chart.ts'
import type { Order } from '../formats.ts'
import type { Now } from '../resolve.ts'

/** What the rules know beside the words. */
export interface Context {
  now: Now
  order: Order
  /** How many words there are: digits that are all of a text mean more than digits in the middle of prose. */
  words: number
  /** The text is a line that somebody captures. */
  terse: boolean
}

type Definition = Parameters<typeof rules<Context>>

/** Several patterns, one meaning. */
export const define = (...definitions: Definition[]): Rule<Context>[] =>
  definitions.flatMap((definition) => rules<Context>(...definition))
