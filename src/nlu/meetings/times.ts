import { mondayOf } from '../dates/calendar.ts'
import type { TimeKind } from '../dates/outcome.ts'
import type { TimeExpression } from '../dates/read.ts'
import type { Moment } from '../dates/values.ts'
import { loadPatterns } from '../lexicon/patterns.ts'
import type { Sentence } from '../text.ts'

const pattern = loadPatterns(new URL('../lexicon/meeting-times.txt', import.meta.url))

const STRETCH = /^(?:from|von|vom)\s/iu

/** Reads "from Thursday 2pm to Friday 4pm" in a moved meeting as its new time, not as its length. */
const movedTo = (time: TimeExpression, lead: string, rest: string): TimeExpression => {
  if (!time.end || time.part || time.inclusive) return time
  const isTarget =
    /(?:from|von|vom)\s$/iu.test(lead) ||
    pattern('moves it').test(lead) ||
    STRETCH.test(time.text) ||
    time.end.day !== time.start?.day
  if (!isTarget) return time
  const { end, duration: _, ...moved } = time
  // "From Thursday 10am to Friday": the target is Friday, but the end that was read is the midnight after it.
  if (end.seconds === 0 && time.start?.seconds !== undefined && time.start.seconds !== 0) {
    const seconds = pattern('same hour').test(rest) ? { seconds: time.start.seconds } : {}
    return {
      ...moved,
      start: { day: end.day - 1, ...seconds },
      kind: 'seconds' in seconds ? 'datetime' : 'date',
    }
  }
  return { ...moved, start: end, kind: end.seconds === undefined ? 'date' : 'datetime' }
}

/** Adds the hour in "24 March, same time". */
const atSameHour = (
  text: string,
  time: TimeExpression,
  before: TimeExpression | undefined,
): TimeExpression => {
  if (!time.start || time.start.seconds !== undefined || before?.start?.seconds === undefined) return time
  const end = time.offset + time.text.length
  return pattern('same hour').test(text.slice(end, end + 40))
    ? { ...time, kind: 'datetime', start: { day: time.start.day, seconds: before.start.seconds } }
    : time
}

/** Reads "Our Thursday 3pm call is postponed to next week, same time" as the Thursday of that week. */
export const toOtherWeeks = (text: string, times: readonly TimeExpression[]): TimeExpression[] =>
  times.map((time, index) => {
    const before = times[index - 1]
    const end = time.offset + time.text.length
    if (
      time.grain !== 'week' ||
      !time.start ||
      before?.start?.seconds === undefined ||
      before.kind === 'recurrence' ||
      end - before.offset > 200 ||
      !pattern('same hour').test(text.slice(end, end + 60))
    )
      return time
    // The target differs from the current date, so zero days means a week.
    const days = time.start.day - mondayOf(before.start.day) || 7
    const later = (moment: Moment): Moment => ({ ...moment, day: moment.day + days })
    return {
      ...before,
      text: time.text,
      offset: time.offset,
      dated: true,
      kind: before.end ? 'datetimerange' : 'datetime',
      start: later(before.start),
      ...(before.end ? { end: later(before.end) } : {}),
    }
  })

/** Returns the target times of a moved meeting, or all times if nothing moves. */
export const afterMoves = (
  text: string,
  { from, to }: Sentence,
  times: readonly TimeExpression[],
): readonly TimeExpression[] => {
  if (times.length === 0 || !pattern('moving').test(text.slice(from, to))) return times
  const leadOf = ({ offset }: TimeExpression): string => text.slice(Math.max(from, offset - 40), offset)
  const said = times.map((time, index) => atSameHour(text, time, times[index - 1]))
  const restOf = ({ offset, text: words }: TimeExpression): string =>
    text.slice(offset + words.length, offset + words.length + 60)
  const moved = said.map((time) => movedTo(time, leadOf(time), restOf(time)))
  if (times.length === 1) return moved
  const targets = moved.filter(
    (time) => pattern('toward').test(leadOf(time)) || pattern('renewed').test(leadOf(time)),
  )
  if (targets.length > 0) return targets
  // "We have to move Friday's review, can you do Monday?"
  const left = moved.filter((time) => time.end || !pattern('moves it').test(leadOf(time)))
  return left.length > 0 ? left : moved
}

const CLAUSE_END = /[,;.!?\n]|\s(?:but|so|aber|sondern|though|however)\s/giu

/** True for a time that does not suit: "I can't do Thursday at 3", "Donnerstag geht nicht". */
export const isRefused = (text: string, { from, to }: Sentence, time: TimeExpression): boolean => {
  if (!pattern('denies').test(text.slice(Math.max(from, time.offset - 80), Math.min(to, time.offset + 160))))
    return false
  const before = text.slice(Math.max(from, time.offset - 80), time.offset)
  const cut = [...before.matchAll(CLAUSE_END)].at(-1)
  const clause = cut ? before.slice(cut.index + cut[0].length) : before
  if (pattern('refused before').test(clause)) return true
  const end = time.offset + time.text.length
  return pattern('refused after').test(text.slice(end, Math.min(to, end + 80)))
}

/** "From next week on, every Thursday" starts on the first Thursday from then on. */
export const applySeriesStart = (
  said: TimeExpression,
  times: readonly TimeExpression[],
  { from, to }: Sentence,
): TimeExpression => {
  if (said.kind !== 'recurrence' || !said.start || !said.rule?.startsWith('FREQ=WEEKLY')) return said
  const since = times.find(
    ({ bound, dated, offset, start }) =>
      bound === 'since' && dated && start && offset >= from && offset < to && offset !== said.offset,
  )?.start
  const weeks = since ? Math.ceil((since.day - said.start.day) / 7) : 0
  if (weeks <= 0) return said
  const later = (moment: Moment): Moment => ({ ...moment, day: moment.day + weeks * 7 })
  return { ...said, start: later(said.start), ...(said.end ? { end: later(said.end) } : {}) }
}

const WEEKDAYS: readonly RegExp[] = [
  /^(?:mon(?:day)?|montag|mo)\b/iu,
  /^(?:tue(?:s|sday)?|dienstag|di)\b/iu,
  /^(?:wed(?:s|nesday)?|mittwoch|mi)\b/iu,
  /^(?:thu(?:r|rs|rsday)?|donnerstag|do)\b/iu,
  /^(?:fri(?:day)?|freitag|fr)\b/iu,
  /^(?:sat(?:urday)?|samstag|sonnabend|sa)\b/iu,
  /^(?:sun(?:day)?|sonntag|so)\b/iu,
]

/** Returns the weekday of an expression without a date: 0 is Monday, -1 none. */
export const bareWeekday = ({ text, dated, kind }: TimeExpression): number =>
  !dated ||
  kind === 'recurrence' ||
  /\d(?:st|nd|rd|th|\.\d|\.\s?\p{L})|\d{1,2}[/-]\d{1,2}[/-]|\p{L}{3,}\s\d{1,2}(?!\d|:|[.]\d\d|\s?[ap]\.?m|\s?uhr|\s?h(?!\p{L}))/iu.test(
    text,
  )
    ? -1
    : WEEKDAYS.findIndex((weekday) => weekday.test(text))

const ledWeekday = (time: TimeExpression): number => {
  const text = time.text.replace(pattern('led'), '')
  // "Tuesday, 24 March, or Wednesday": a weekday with a date counts too.
  return time.dated && time.kind !== 'recurrence' ? WEEKDAYS.findIndex((weekday) => weekday.test(text)) : -1
}

/** Puts both days of "Tuesday or Thursday" into the same week, even on a Wednesday. */
export const inOneWeek = (text: string, times: readonly TimeExpression[]): TimeExpression[] => {
  const found: TimeExpression[] = []
  for (const time of times) {
    const before = found.at(-1)
    const [first, next] = before ? [ledWeekday(before), bareWeekday(time)] : [-1, -1]
    const between = before ? text.slice(before.offset + before.text.length, time.offset) : ''
    const isLater =
      first >= 0 &&
      next > first &&
      before?.start !== undefined &&
      time.start !== undefined &&
      time.start.day < before.start.day &&
      between.length < 60 &&
      (!/[.?!]\s/.test(between) || pattern('or else').test(between))
    found.push(
      isLater && time.start
        ? {
            ...time,
            start: { ...time.start, day: time.start.day + 7 },
            ...(time.end ? { end: { ...time.end, day: time.end.day + 7 } } : {}),
          }
        : time,
    )
  }
  return found
}

/** True for a time repeated in another zone: "10am PT / 1pm ET", "10am PT (1pm ET)". */
const isRepeatedInZone = (
  text: string,
  time: TimeExpression,
  before: TimeExpression | undefined,
): boolean => {
  if (!before?.zone || !time.zone || time.dated || before.start?.seconds === undefined) return false
  const between = text.slice(before.offset + before.text.length, time.offset)
  return (
    between.length < 40 && /^[^.?!\n]*[/|(=,]\s*$/.test(between) && !/\b(?:or|oder|and|und)\b/i.test(between)
  )
}

const isSameTimeInZones = (time: TimeExpression, next: TimeExpression, between: string): boolean =>
  time.kind === 'time' &&
  time.zone !== undefined &&
  next.zone !== undefined &&
  next.start?.seconds !== undefined &&
  /^[^.?!\n]{0,30}[/|=(]\s*$/.test(between)

/** A new sentence that does more than add the hour. "Lunch on Friday? Say 12:30?" does not match. */
const NEW_SENTENCE =
  /[.?!]\s+(?!(?:Say|At|Around|About|Maybe|Perhaps|Like|How about|What about|Um|Gegen|So|Vielleicht|Sagen wir)\s)\p{Lu}\p{Ll}+ /u

/** True for an hour within a part of the day: "Tomorrow afternoon, say at 3:30". */
const isHourOf = (time: TimeExpression, next: TimeExpression, between: string): boolean =>
  time.kind !== 'recurrence' &&
  !next.dated &&
  !next.part &&
  next.start?.seconds !== undefined &&
  between.length < 40 &&
  !/\b(?:or|oder|and|und|not|nicht)\b/iu.test(between) &&
  !NEW_SENTENCE.test(between)

const HALF = 43_200
const LATE: ReadonlySet<string> = new Set(['afternoon', 'evening', 'dinner', 'night'])

const hourIn = (time: TimeExpression, next: TimeExpression): TimeExpression => {
  const { start, end, either } = next
  const day = (time.start as { day: number }).day
  const from = (start as { seconds: number }).seconds
  const later = either && LATE.has(time.part ?? '') && from < HALF ? HALF : 0
  return {
    ...next,
    kind: end ? 'datetimerange' : 'datetime',
    dated: true,
    start: { day, seconds: from + later },
    ...(end
      ? { end: { day: day + end.day - (start as { day: number }).day, seconds: (end.seconds ?? 0) + later } }
      : {}),
    confidence: Math.min(time.confidence, next.confidence),
  }
}

const ONE_BREAK = /^[^.?!\n]{0,60}[.?!]\s+(?:\p{L}|\d)[^.?!\n]{0,90}$|^[^.?!\n]{0,60}[.?!]\s+$/u

/** True for an hour in the sentence after a date. */
const isHourNext = (text: string, time: TimeExpression, next: TimeExpression, between: string): boolean =>
  !next.dated &&
  !next.part &&
  !time.bound &&
  time.kind !== 'recurrence' &&
  (next.kind === 'time' || next.kind === 'timerange') &&
  ONE_BREAK.test(between) &&
  !pattern('term').test(text.slice(Math.max(0, time.offset - 60), time.offset))

const onDay = (time: TimeExpression, day: number): TimeExpression => {
  const { start, end } = time
  if (!start) return time
  return {
    ...time,
    kind: end ? 'datetimerange' : 'datetime',
    dated: true,
    start: { ...start, day },
    ...(end ? { end: { ...end, day: day + end.day - start.day } } : {}),
  }
}

/**
 * Combines dates and hours that belong together. "Monday or Tuesday at 3" is twice at three. "Date: 21 May /
 * Time: 3pm" is one meeting.
 */
export const joinTimes = (text: string, times: readonly TimeExpression[]): readonly TimeExpression[] => {
  let joined = times
  // Repeat, because an hour moves one date back per round: "Monday, Tuesday or Friday, all at four".
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = joined
    joined = joinOnce(text, before)
    if (joined.length === before.length && joined.every((time, index) => time === before[index])) break
  }
  return joined
}

const MAX_ROUNDS = 6
const ON_A_DAY: Partial<Record<TimeKind, TimeKind>> = { time: 'datetime', timerange: 'datetimerange' }
const OR = /^\s*(?:or|and|oder|und|\/|,)\s*(?:at\s|um\s)?$/iu

const joinOnce = (text: string, times: readonly TimeExpression[]): TimeExpression[] => {
  const joined: TimeExpression[] = []
  for (let index = 0; index < times.length; index++) {
    const time = times[index] as TimeExpression
    if (isRepeatedInZone(text, time, times[index - 1])) continue
    const next = times[index + 1]
    const between = next ? text.slice(time.offset + time.text.length, next.offset) : ''
    const dayOnly = time.dated && time.start?.seconds === undefined && time.kind === 'date'
    if (next && time.dated && time.part && isHourOf(time, next, between)) {
      joined.push(hourIn(time, next))
      index++
      continue
    }
    if (next?.start?.seconds !== undefined && dayOnly && time.start) {
      const shift = time.start.day - next.start.day
      const moved = {
        ...next,
        ...time,
        kind: ON_A_DAY[next.kind] ?? next.kind,
        start: { ...next.start, day: time.start.day },
        ...(next.end ? { end: { ...next.end, day: next.end.day + shift } } : {}),
      }
      if (next.dated && /^\s*(?:or|and|oder|und|\/|,)\s*(?:on\s|am\s)?$/i.test(between)) {
        joined.push(moved)
        continue
      }
      if (!next.dated && between.length < 60 && !NEW_SENTENCE.test(between)) {
        joined.push({ ...moved, dated: true, confidence: Math.min(time.confidence, next.confidence) })
        index++
        continue
      }
    }
    // "On 2 April. Dinner is at 7pm": the hour belongs to the date before it.
    if (
      next &&
      (dayOnly || (time.part && time.dated)) &&
      time.start &&
      isHourNext(text, time, next, between)
    ) {
      joined.push(onDay(next, time.start.day))
      index++
      continue
    }
    // "Tomorrow at 2pm? Maybe 1:15?"
    if (next && time.dated && time.start?.seconds !== undefined && isHourNext(text, time, next, between)) {
      joined.push(time, onDay(next, time.start.day))
      index++
      continue
    }
    // "On 2 December, 9-12 and 13-16 Uhr", "the train leaves at 7:12 on Friday, let's meet at 7": both are on
    // the same day.
    if (
      next &&
      time.dated &&
      time.start?.seconds !== undefined &&
      time.kind !== 'recurrence' &&
      !time.bound &&
      (next.kind === 'timerange' || next.kind === 'time') &&
      !next.dated &&
      !next.part &&
      !next.zone &&
      between.length < 60 &&
      !/[.?!;\n]/.test(between)
    ) {
      joined.push(time, onDay(next, time.start.day))
      index++
      continue
    }
    // "9am ET / 3pm CET on Thursday": one time in two zones, followed by its date.
    if (next?.dated && next.start && time.start && isSameTimeInZones(time, next, between)) {
      joined.push(onDay(time, next.start.day))
      index++
      continue
    }
    // "11:30 instead of 11 tomorrow".
    if (
      next?.dated &&
      next.start?.seconds !== undefined &&
      time.kind === 'time' &&
      pattern('instead').test(between)
    ) {
      joined.push(onDay(time, next.start.day))
      index++
      continue
    }
    // "3pm or 4pm on Thursday": both are on Thursday.
    if (
      next?.dated &&
      next.start?.seconds !== undefined &&
      !next.part &&
      next.kind !== 'recurrence' &&
      time.kind === 'time' &&
      time.start &&
      OR.test(between)
    ) {
      joined.push({ ...time, dated: true, kind: 'datetime', start: { ...time.start, day: next.start.day } })
      continue
    }
    // "Every first Wednesday we have our club at 7:30pm".
    if (
      next?.start?.seconds !== undefined &&
      !next.dated &&
      !next.part &&
      time.kind === 'recurrence' &&
      time.start &&
      time.start.seconds === undefined &&
      between.length < 60 &&
      !/[.?!;\n]/.test(between)
    ) {
      joined.push({ ...time, start: { ...time.start, seconds: next.start.seconds } })
      index++
      continue
    }
    if (
      next &&
      !time.dated &&
      time.start?.seconds !== undefined &&
      next.kind === 'date' &&
      next.start &&
      between.length < 40 &&
      !/[.?!\n]/.test(between)
    ) {
      const shift = next.start.day - time.start.day
      joined.push({
        ...time,
        dated: true,
        kind: time.end ? 'datetimerange' : 'datetime',
        start: { ...time.start, day: next.start.day },
        ...(time.end ? { end: { ...time.end, day: time.end.day + shift } } : {}),
      })
      index++
      continue
    }
    joined.push(time)
  }
  return joined
}
