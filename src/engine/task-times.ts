import { wallThere } from './dates/home-clock.ts'
import type { Moment } from './dates/outcome.ts'
import { type ReadOptions, readTimes, type TimeExpression } from './dates/read.ts'
import { fitting } from './half-of-day.ts'

export type LineOptions = Pick<ReadOptions, 'now' | 'timezone' | 'order'>

const DAY_MS = 86_400_000

const todayOf = (now: number): number => Math.floor(now / DAY_MS)

/** What the clock shows by which a time was said. */
export const nowOf = ({ zone }: TimeExpression, { now, timezone }: LineOptions): number =>
  timezone === undefined ? now : wallThere(now, zone, timezone)

const OFTEN = /^(?:daily|weekly|bi-?weekly|fortnightly|monthly|bimonthly|quarterly|yearly|annual)$/iu
const ITS_OWN = /\b(?:the|our|my|a|an|this|that|your|their)\s+$/iu
const LEADS_TO_TIME =
  /(?:^|\s)(?:due|by|on|in|for|until|till|before|during|from|since|end of|start of|early|late|mid|next|this|last|bis|im|in|ab|vor|ende|anfang|mitte|nächsten|diesen)\s+$/iu

const LEADS_INTO =
  /(?:^|\s)(?:due|by|in|until|till|before|during|within|bis|im|in|vor|am)\s+(?:the\s+|dem\s+)?$/iu

const OCCASION =
  /^\s(?:(?:team|board|staff|sales|client|project|morning|evening|weekly)\s)?(?:meetings?|calls?|reviews?|part(?:y|ies)|lunch|dinner|brunch|breakfast|stand-?ups?|demos?|trips?|flights?|sessions?|class(?:es)?|games?|match|concerts?|presentations?|workshops?|interviews?|exams?|tests?|deadlines?|launch|release|events?|shows?|hikes?|webinars?|sync|retro|termine?|besprechung|treffen|sitzung|prüfung)(?!\p{L})/iu

/** "Slides for Monday meeting", "the May 4 documentary": the day says which one. */
const isAttribute = (before: string, words: string, after: string): boolean =>
  (/(?:^|\s)(?:for|the|our|my|this|zur?|für)\s+(?:the\s+)?$/iu.test(before) && OCCASION.test(after)) ||
  (/(?:^|\s)the\s+$/iu.test(before) &&
    /^\p{L}|^\d{1,2}[./]\d{1,2}\.?$/u.test(words) &&
    /^\s(?!(?:and|or|at|to|with|for|from|in|on|by|please|then|und|oder|um|mit)\s)\p{Ll}{3,}/u.test(after))

const lengthOf = ({ start, end }: TimeExpression): number => (start && end ? end.day - start.day : 0)

/** "Friday's concert", "the quarterly report", "Q3 numbers", "ask April about it": no time to do it at. */
const belongsToName = (text: string, time: TimeExpression): boolean => {
  const { kind, grain, text: words, offset, bound, edge, name, dated } = time
  const [before, after] = [text.slice(Math.max(0, offset - 30), offset), text.slice(offset + words.length)]
  if (/^['’]s\s+\p{L}/u.test(after)) return true
  if ((kind === 'date' || kind === 'time') && isAttribute(before, words, after)) return true
  // "Tell them that it moved to Friday", "Jan-Feb expenses".
  if (
    dated &&
    /(?:^|\s)(?:moved|postponed|rescheduled|pushed|changed|verschoben|verlegt) (?:to|auf)\s+$/iu.test(before)
  )
    return true
  if (kind === 'daterange' && grain === 'month' && !edge && /[-–]/u.test(words) && /^\s+\p{Ll}/u.test(after))
    return true
  if (name && /\b(?:for|für|zu|zum)\s+$/iu.test(before)) return true
  if (kind === 'recurrence') return OFTEN.test(words) && ITS_OWN.test(before) && /^\s+\p{L}/u.test(after)
  if (grain === 'decade' || grain === 'century') return true
  // "The work for this quarter", "next summer's plans": too long to be when, unless something says that it is.
  const isVague = (grain === 'quarter' || grain === 'half' || grain === 'season') && lengthOf(time) > 31
  if (isVague && !bound && !edge && !LEADS_INTO.test(before)) return true
  const isPeriod = kind === 'daterange' && (grain === 'month' || grain === 'quarter' || grain === 'season')
  if (!isPeriod || bound || edge || /\s/u.test(words)) return false
  if (/(?<!\p{L})(?:about|with|mit|über|wegen|re)\s+$/iu.test(before) || OCCASION.test(after)) return true
  return /\p{L}/u.test(before) && /^\s+\p{L}/u.test(after) && !LEADS_TO_TIME.test(before)
}

const LOOKS_BACK =
  /\b(?:ago|last|yesterday|previous|past|earlier|vor(?!\s*(?:dem|der|mittag))|gestern|vorgestern|letzte[nrsm]?|vorige[nrsm]?|vergangene[nrsm]?)\b/iu

/** "The minutes of last week", "notes from yesterday": what there is to do is about it. A date in full is meant. */
const isGone = ({ kind, start, end, grain, text, inclusive }: TimeExpression, now: number): boolean => {
  if (kind === 'recurrence' || !start) return false
  const last = end ? (end.seconds === undefined && !inclusive ? end.day - 1 : end.day) : start.day
  const isLong = grain === 'week' || grain === 'month' || grain === 'quarter' || grain === 'year'
  return last < todayOf(now) && (isLong || LOOKS_BACK.test(text))
}

/** "Tom's mail of 12 Nov", said a week later: not the one to come in a year. */
const isOfPast = (text: string, { kind, start, text: words, offset }: TimeExpression, now: number): boolean =>
  (kind === 'date' || kind === 'daterange') &&
  start !== undefined &&
  start.day - todayOf(now) > 270 &&
  !/\d{4}/u.test(words) &&
  /(?:^|\s)(?:of|from|dated|vom|von)\s+(?:the\s+)?$/iu.test(
    `${text.slice(Math.max(0, offset - 20), offset)}${/^(?:from|vom|von)\s/iu.exec(words)?.[0] ?? ''}`,
  )

/** "Weekly review every Sunday": what kind of review it is. */
const isKind = (
  text: string,
  { kind, text: words, offset }: TimeExpression,
  all: readonly TimeExpression[],
): boolean =>
  kind === 'recurrence' &&
  OFTEN.test(words) &&
  /^\s+[\p{L}\d]/u.test(text.slice(offset + words.length)) &&
  all.some((other) => other.offset > offset && other.kind === 'recurrence')

/** Without those that only say of what kind something is; "a fortnightly sync on Tuesdays" is on every second one. */
export const withoutKinds = (text: string, times: readonly TimeExpression[]): TimeExpression[] => {
  const kinds = times.filter((time) => isKind(text, time, times))
  const interval = kinds.map(({ rule }) => /^FREQ=WEEKLY(;INTERVAL=\d+)$/.exec(rule ?? '')?.[1]).find(Boolean)
  return times
    .filter((time) => !kinds.includes(time))
    .map((time) =>
      interval && time.rule
        ? { ...time, rule: time.rule.replace(/^FREQ=WEEKLY(?=;BYDAY)/, `$&${interval}`) }
        : time,
    )
}

/** Hours that have begun are meant for tomorrow: nobody captures what is late already. */
const ahead = (time: TimeExpression, options: LineOptions): TimeExpression => {
  const { kind, dated, part, start, end } = time
  if (kind !== 'timerange' || dated || part || !end || start?.seconds === undefined) return time
  const now = nowOf(time, options)
  if (start.day !== todayOf(now) || start.seconds * 1000 >= now % DAY_MS) return time
  return { ...time, start: { ...start, day: start.day + 1 }, end: { ...end, day: end.day + 1 } }
}

/** The times in a line that can say when to do what it is about. */
export const taskTimes = (text: string, options: LineOptions): TimeExpression[] =>
  withoutKinds(text, readTimes(text, { ...options, terse: true }))
    .filter(
      (time) =>
        !belongsToName(text, time) && !isGone(time, options.now) && !isOfPast(text, time, options.now),
    )
    .map((time) => fitting(ahead(time, options), text, nowOf(time, options)))

/** When a task is due for which such a time was named. */
export const dueOf = (time: TimeExpression, now: number): Moment | undefined => {
  if (!time.start) return undefined
  const today = todayOf(now)
  // "Tonight", said late in the evening: what is left of the day.
  if (time.part && time.start.day === today && (time.start.seconds ?? 0) * 1000 < now % DAY_MS)
    return { day: time.start.day }
  if (time.kind === 'daterange' && time.end && !time.bound) {
    // A stretch that is to come begins with it ("next week", "in October"), as calendars for tasks have it. Of one
    // that is under way, and where its end is named, the last day counts.
    const isAhead = time.start.day > today && time.edge !== 'end'
    return isAhead ? { day: time.start.day } : { day: time.inclusive ? time.end.day : time.end.day - 1 }
  }
  // "After lunch" is when it is over.
  if (time.bound === 'after' && time.part && time.end) return time.end
  if ((time.bound === 'by' || time.bound === 'until') && time.end && time.start.seconds === undefined)
    return { day: time.end.day - 1 }
  return time.start
}
