import { toReaderZone } from '../dates/calendar.ts'
import { durationSeconds, type Moment } from '../dates/outcome.ts'
import type { TimeExpression } from '../dates/read.ts'
import type { Wall, WallRange } from './features.ts'

const DAY = 86_400_000

/** Formats a moment as `2026-03-03`, or as `2026-03-03T14:00` if the hour is known. */
export const wallText = ({ day, seconds }: Moment): Wall => {
  const iso = new Date(day * DAY + (seconds ?? 0) * 1000).toISOString()
  return seconds === undefined ? iso.slice(0, 10) : iso.slice(0, 16)
}

export const dayOf = (wallMs: number): number => Math.floor(wallMs / DAY)

/** Returns whole minutes. Returns undefined without a duration, or for months, which have no fixed length. */
export const minutesOf = (time: TimeExpression | undefined): number | undefined => {
  if (!time?.duration || time.duration.months > 0) return undefined
  const minutes = Math.round(durationSeconds(time.duration) / 60)
  return minutes > 0 ? minutes : undefined
}

/** "since Monday" means the last Monday, not the next. */
const toPast = (moment: Moment, now: number): Moment =>
  moment.day > dayOf(now)
    ? { ...moment, day: moment.day - 7 * Math.ceil((moment.day - dayOf(now)) / 7) }
    : moment

/** Converts a time expression to the range to search. */
export const rangeOf = (
  time: TimeExpression | undefined,
  { timezone, now }: { timezone: string; now: number },
): WallRange => {
  if (!time?.start) return {}
  const start = toReaderZone(time.start, time.zone, timezone)
  const end = time.end ? toReaderZone(time.end, time.zone, timezone) : undefined
  // "mails from yesterday" covers that day only.
  if (time.bound === 'since' && /^(?:from|von|vom)\b/iu.test(time.text) && start.seconds === undefined && end)
    return { from: wallText(start), to: wallText(time.inclusive ? { day: end.day + 1 } : end) }
  if (time.bound === 'since' && /^(?:from|von|vom)\b/iu.test(time.text) && start.seconds === undefined)
    return { from: wallText(start), to: wallText({ day: start.day + 1 }) }
  if (time.bound === 'since') return { from: wallText(toPast(start, now)) }
  if (time.bound === 'after') return { from: wallText(start) }
  if (time.bound) {
    const last = end && end.seconds === undefined && time.start.seconds === undefined ? end : start
    const inclusive = time.bound === 'by' || time.bound === 'until'
    // "by" and "until" include the day they name.
    return {
      to: wallText(last.seconds === undefined && inclusive && last === start ? { day: last.day + 1 } : last),
    }
  }
  if (end) {
    const after = time.inclusive ? { day: end.day + 1 } : end
    return { from: wallText(start), to: wallText(after) }
  }
  if (start.seconds !== undefined) return { from: wallText(start) }
  return { from: wallText(start), to: wallText({ day: start.day + 1 }) }
}

const yearBefore = ({ day, ...rest }: Moment): Moment => {
  const date = new Date(day * DAY)
  return { ...rest, day: dayOf(date.setUTCFullYear(date.getUTCFullYear() - 1)) }
}

/** Moves a future date to the past: "mails from February" and "from Monday" mean the last one. */
export const toPastTime = (time: TimeExpression | undefined, now: number): TimeExpression | undefined => {
  if (
    !time?.start ||
    time.start.day <= dayOf(now) ||
    time.kind === 'recurrence' ||
    /\b\d{4}\b|next|nächst/iu.test(time.text)
  )
    return time
  const isWeekday = time.grain === 'day' && time.start.day - dayOf(now) <= 7
  const back = (moment: Moment): Moment =>
    isWeekday ? { ...moment, day: moment.day - 7 } : yearBefore(moment)
  return { ...time, start: back(time.start), ...(time.end ? { end: back(time.end) } : {}) }
}

/** Combines time expressions into one moment: a date and an hour may be named separately. */
export const momentOf = (times: readonly TimeExpression[], timezone: string): Moment | undefined => {
  const points = times.filter(({ start, kind }) => start && kind !== 'recurrence' && kind !== 'duration')
  const clock = points.find(({ start, part }) => start?.seconds !== undefined && !part)
  const day = points.find(({ dated }) => dated)
  const main = clock ?? day ?? points[0]
  if (!main?.start) return undefined
  const start =
    clock && !clock.dated && day?.start ? { ...main.start, day: day.start.day } : { ...main.start }
  if (main.part && !clock) return main.dated ? { day: start.day } : start
  return toReaderZone(start, main.zone, timezone)
}
