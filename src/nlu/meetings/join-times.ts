import type { TimeKind } from '../dates/outcome.ts'
import type { TimeExpression } from '../dates/read.ts'

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
const TERM = /\b(?:due|deadline|invoice|since|ago|overdue|expires?|fällig|frist|rechnung|seit)\b/iu

/** True for an hour in the sentence after a date. */
const isHourNext = (text: string, time: TimeExpression, next: TimeExpression, between: string): boolean =>
  !next.dated &&
  !next.part &&
  !time.bound &&
  time.kind !== 'recurrence' &&
  (next.kind === 'time' || next.kind === 'timerange') &&
  ONE_BREAK.test(between) &&
  !TERM.test(text.slice(Math.max(0, time.offset - 60), time.offset))

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
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const before = joined
    joined = joinOnce(text, before)
    if (joined.length === before.length && joined.every((time, index) => time === before[index])) break
  }
  return joined
}

const MOST_ROUNDS = 6
const ON_A_DAY: Partial<Record<TimeKind, TimeKind>> = { time: 'datetime', timerange: 'datetimerange' }
const INSTEAD = /^\s*(?:instead of|rather than|not|statt|anstatt|und nicht|anstelle von)\s+(?:at\s|um\s)?$/iu
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
    if (next?.dated && next.start?.seconds !== undefined && time.kind === 'time' && INSTEAD.test(between)) {
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
