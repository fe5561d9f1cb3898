import { toDateStamp } from './calendar.ts'
import { isMonth, lexemesOf } from './lexicon.ts'
import type { TimeExpression } from './outcome.ts'
import type { Moment } from './values.ts'

/* The expressions of a sentence change each other: one ends a series, or shows that another belongs to a title. */

const END_OF_CLAUSE = /[!?;\n]|(?<!\b(?:Dr|Mr|Mrs|Ms|Prof|St|Hr|Fr))[.:]\s/
const WORD_FOLLOWS = /^\s+[\p{L}\d]/u

const endOf = ({ offset, text }: TimeExpression): number => offset + text.length

/** Returns the other expressions of a sentence. */
const neighborsOf = (text: string, time: TimeExpression, all: readonly TimeExpression[]): TimeExpression[] =>
  all.filter((other) => {
    const [first, last] = other.offset < time.offset ? [other, time] : [time, other]
    return other !== time && !END_OF_CLAUSE.test(text.slice(endOf(first), last.offset))
  })

const hasWord = ({ text }: TimeExpression, isWanted: (word: string) => boolean): boolean =>
  text
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .some(isWanted)

const isWeekday = (word: string): boolean => lexemesOf(word).some(([kind]) => kind === 'dow')

const isFrequency = ({ kind, text }: TimeExpression): boolean =>
  kind === 'recurrence' &&
  (/^bi-\w+$/.test(text) || lexemesOf(text.toLowerCase()).some(([is]) => is === 'often'))

/** "Next Tuesday" is one day. */
const ONE_WEEK = /^(?:next|this|coming|nächste[nrs]?|diese[nrs]?|kommende[nrs]?)$/

/** A weekday says when a weekly or daily item recurs. Another date is the date of a single item. */
const isSingleDate = (time: TimeExpression, rule: string): boolean =>
  ['date', 'datetime', 'datetimerange'].includes(time.kind) &&
  time.dated &&
  !(
    /^FREQ=(?:DAILY|WEEKLY)/.test(rule) &&
    hasWord(time, isWeekday) &&
    !hasWord(time, (word) => isMonth(word) || ONE_WEEK.test(word))
  )

/**
 * True for an adjective of a title: "weekly report on 3 December", "weekly review every Sunday", "Morning run at 6:15".
 */
const isAdjective = (text: string, time: TimeExpression, all: readonly TimeExpression[]): boolean => {
  if (!WORD_FOLLOWS.test(text.slice(endOf(time), endOf(time) + 3))) return false
  const later = (): TimeExpression[] =>
    neighborsOf(text, time, all).filter(({ offset }) => offset > time.offset)
  if (isFrequency(time))
    return later().some((other) => other.kind === 'recurrence' || isSingleDate(other, time.rule as string))
  if (!time.part || time.dated || time.bound || /\s/.test(time.text)) return false
  return later().some(
    ({ kind, start, part }) => kind !== 'recurrence' && start?.seconds !== undefined && !part,
  )
}

const HALF = 43_200

/** Moves an ambiguous time to the half of the day that an adjective names. */
const moveToPart = (time: TimeExpression, part: TimeExpression['part']): TimeExpression => {
  const { start, end, either } = time
  if (!either || start?.seconds === undefined || part === undefined) return time
  const isEarly = part === 'morning' || part === 'breakfast'
  const isWrong = isEarly ? start.seconds >= 17 * 3600 : part !== 'lunch' && start.seconds < HALF
  const { either: _, ...sure } = time
  if (!isWrong) return sure
  const move = (at: Moment): Moment => ({ ...at, seconds: (at.seconds as number) + (isEarly ? -HALF : HALF) })
  return { ...sure, start: move(start), ...(end?.seconds === undefined ? {} : { end: move(end) }) }
}

/** Removes adjectives of titles. Keeps what they say: "a fortnightly sync on Tuesdays" is every second Tuesday. */
const removeAdjectives = (text: string, times: readonly TimeExpression[]): TimeExpression[] => {
  const adjectives = times.filter((time) => isAdjective(text, time, times))
  if (adjectives.length === 0) return [...times]
  return times
    .filter((time) => !adjectives.includes(time))
    .map((time) => {
      const own = neighborsOf(text, time, [...adjectives, time]).filter(({ offset }) => offset < time.offset)
      const part = own.find((one) => one.part)?.part
      const [interval] = own.flatMap(({ rule }) => /^FREQ=WEEKLY(;INTERVAL=\d+)$/.exec(rule ?? '')?.[1] ?? [])
      const { rule } = time
      return interval && rule
        ? { ...time, rule: rule.replace(/^FREQ=WEEKLY(?=;BYDAY)/, `$&${interval}`) }
        : moveToPart(time, part)
    })
}

/** "Until" ends a series, also after other words. Its expression becomes a part of the series. */
const endSeries = (text: string, times: readonly TimeExpression[]): TimeExpression[] => {
  const series = times.find(
    ({ kind, rule }) => kind === 'recurrence' && !/;(?:UNTIL|COUNT)=/.test(rule ?? ''),
  )
  const end =
    series &&
    neighborsOf(text, series, times).find(
      ({ bound, kind, start }) => bound === 'until' && kind === 'daterange' && start !== undefined,
    )
  if (!series || !end?.start) return [...times]
  const last = end.end ? end.end.day - 1 : end.start.day
  const rule = `${series.rule};UNTIL=${toDateStamp(last)}`
  return times.map((time) =>
    time === series
      ? { ...series, rule }
      : time === end
        ? { ...series, rule, text: end.text, offset: end.offset }
        : time,
  )
}

/** Reads the expressions of a text together. */
export const readTogether = (text: string, times: readonly TimeExpression[]): TimeExpression[] =>
  endSeries(text, removeAdjectives(text, times))
