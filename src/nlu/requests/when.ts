import { toReaderRule } from '../../recurrence/moved-rule.ts'
import { toReaderZone, toWallMs } from '../dates/calendar.ts'
import { endOf, type TimeExpression } from '../dates/read.ts'
import type { Moment } from '../dates/values.ts'
import { minutesOf, wallText } from '../intents/request.ts'
import type { Sentence } from './sentence.ts'

/* Tells when a new item is. Times that are words of its title are left out. */

/** Weekdays, parts of the day and frequencies that stand directly before a noun. */
const isBefore = ({ text }: Sentence, time: TimeExpression): boolean =>
  /^\s+\p{L}/u.test(text.slice(endOf(time))) &&
  !/^\s+(?:at|on|in|for|to|and|by|from|um|am|im|für|bis|von|und|ab|mit|with|at|nach|vor|gegen|around|every|jeden?)(?!\p{L})/iu.test(
    text.slice(endOf(time)),
  )

const AFTER_PREPOSITION =
  /(?:^|\s)(?:on|at|by|for|from|in|until|till|before|after|due|every|each|this|next|um|am|im|für|den|dem|der|bis|ab|von|vor|nach|jeden?|jedes|zum|gegen)\s+(?:the\s+)?$/iu

/** Times that may be a part of a title: "Morning run", "Sunday roast", "weekly report", "plan the week". */
const isWeak = (sentence: Sentence, time: TimeExpression): boolean => {
  const { text } = sentence
  const before = text.slice(0, time.offset)
  if (/["“„]/u.test(before) && /^[^"“”„]*["”“]/u.test(text.slice(endOf(time)))) {
    const opened = (before.match(/["“„”]/gu) ?? []).length
    if (opened % 2 === 1) return true
  }
  if (AFTER_PREPOSITION.test(before)) return false
  const isAdjective = time.kind !== 'recurrence' && !/\d/.test(time.text) && !/[\s,]/.test(time.text)
  if (isAdjective && isBefore(sentence, time)) return true
  const isRange = /^(?:the|die|das)\s+\p{L}+$/iu.test(time.text)
  // "The Man Who Was Thursday"
  return isRange || (/^\p{Lu}\p{L}+$/u.test(time.text) && /\s\p{Lu}\p{L}+\s$/u.test(before))
}

/** "Now" plans nothing. */
const NOW = /^(?:right )?(?:now|jetzt|currently|gerade|immediately|sofort)$/iu

export interface Times {
  /** The expressions that tell when. */
  said: readonly TimeExpression[]
  start?: Moment
  end?: Moment
  /** The end of a week or a month that is named instead of a day. */
  before?: Moment
  minutes?: number
  rule?: string
  isAllDay: boolean
  bound?: TimeExpression['bound']
}

/** "The daily paper" is known already. */
const isDefinite = ({ text }: Sentence, { kind, offset, text: words }: TimeExpression): boolean =>
  kind === 'recurrence' &&
  /^\p{L}+$/u.test(words) &&
  /(?<!\p{L})(?:the|my|die|der|das|den)\s$/iu.test(text.slice(0, offset))

/** The expressions that tell when, without those that only describe. */
const findSaid = (sentence: Sentence): readonly TimeExpression[] => {
  const times = sentence.times.filter((time) => !NOW.test(time.text) && !isDefinite(sentence, time))
  const strong = times.filter((time) => !isWeak(sentence, time))
  return strong.some(({ dated, start }) => dated || start?.seconds !== undefined) ? strong : times
}

export const readWhen = (sentence: Sentence): Times => {
  const { timezone } = sentence.context
  const said = findSaid(sentence)
  const series = said.find(({ kind }) => kind === 'recurrence')
  const minutes = minutesOf(said.find(({ kind }) => kind === 'duration'))
  const points = said.filter(({ start, kind }) => start && kind !== 'recurrence' && kind !== 'duration')
  const until = series && points.find(({ bound, end }) => bound === 'until' || isDay(end))
  const others = points.filter((time) => time !== until)
  const clock =
    others.find(({ start, part }) => start?.seconds !== undefined && !part) ??
    (series?.start?.seconds === undefined ? undefined : series)
  const day = others.find(({ dated }) => dated) ?? series
  const main = clock ?? day ?? others[0]
  const bound = others.find((time) => time.bound)?.bound
  const isAllDay = /ganztägig|ganztaegig|all[- ]day/iu.test(sentence.text)
  const more = { said, isAllDay, ...(minutes && { minutes }), ...(bound && { bound }) }
  if (!main?.start) return more
  const shift = clock && !clock.dated && day?.start ? day.start.day - main.start.day : 0
  const isPart = main.part !== undefined && main !== clock
  const place = ({ day: on, seconds }: Moment): Moment =>
    toReaderZone(
      { day: on + shift, ...(seconds !== undefined && !isPart && { seconds }) },
      main.zone,
      timezone,
    )
  // "By the end of the month" is due on its last day.
  const start = place(bound && main.end && isDay(main.end) ? lastDay(main, main.end) : main.start)
  const rule = series?.rule && toReaderRule(series.rule, toWallMs(main.start), toWallMs(start))
  const hasLength = minutes !== undefined && main.part !== undefined
  const hasEnd = !(isPart || hasLength || bound === 'by' || bound === 'before')
  const end = hasEnd && main.end && (main !== series || !isDay(main.end)) ? place(main.end) : undefined
  const isPeriod = isDay(end) && !main.inclusive && main.grain !== 'day'
  return {
    ...more,
    start,
    ...(rule && { rule: until ? withUntil(rule, until) : rule }),
    ...(isPeriod ? { before: end as Moment } : end && { end: isDay(end) ? lastDay(main, end) : end }),
  }
}

const isDay = (end: Moment | undefined): boolean => end !== undefined && end.seconds === undefined

/** The last day of a range of days. */
const lastDay = ({ inclusive }: TimeExpression, end: Moment): Moment => ({
  day: end.day - (inclusive ? 0 : 1),
})

const withUntil = (rule: string, until: TimeExpression): string => {
  const last = until.end ? lastDay(until, until.end) : until.start
  return last === undefined || /UNTIL|COUNT/.test(rule)
    ? rule
    : `${rule};UNTIL=${wallText({ day: last.day }).replaceAll('-', '')}`
}
