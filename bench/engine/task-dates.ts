/*
 * Microsoft's "tasks mode" resolves times as a program for tasks does: what is over comes again, a period to come is
 * its first day, and what is too long to be a day at all (quarters, seasons, decades) is no date. It is measured with
 * the times of quick capture, which have the same purpose.
 */
import type { TimeExpression } from '../../src/engine/dates/read.ts'
import { dueOf, taskTimes } from '../../src/engine/task-times.ts'
import { type Answer, inItsTerms, type RecognizersCase } from './recognizers.ts'
import { DAY, momentMs, wallMs, wallText } from './wall.ts'

/** The set's own hours, in this mode, for the parts of a day: one moment each. */
const HOURS: Readonly<Record<string, number>> = {
  morning: 6,
  afternoon: 12,
  evening: 18,
  night: 21,
  nighttime: 21,
  daytime: 16,
}

const say = (ms: number): string => wallText(ms).replace('T', ' ')

/** A period to come with an hour of it, as "next month at 6". */
const together = (text: string, times: readonly TimeExpression[]): TimeExpression[] => {
  const found: TimeExpression[] = []
  for (const time of times) {
    const before = found.at(-1)
    const end = before ? before.offset + before.text.length : 0
    if (
      before?.start &&
      time.start?.seconds !== undefined &&
      before.kind === 'daterange' &&
      !time.dated &&
      /^\s*(?:at\s+)?$/.test(text.slice(end, time.offset))
    ) {
      const day = before.start.day
      found.splice(-1, 1, {
        ...time,
        kind: time.kind === 'time' ? 'datetime' : 'datetimerange',
        dated: true,
        start: { ...time.start, day },
        ...(time.end ? { end: { ...time.end, day: day + time.end.day - time.start.day } } : {}),
        text: text.slice(before.offset, time.offset + time.text.length),
        offset: before.offset,
      })
    } else found.push(time)
  }
  return found
}

const answerOf = (time: TimeExpression, now: number): Answer => {
  const place = { start: time.offset, end: time.offset + time.text.length }
  if (time.kind === 'recurrence' && time.start) {
    const at = momentMs({ day: time.start.day, seconds: time.start.seconds ?? 0 })
    const part = time.part ? time.start.day * DAY + (HOURS[time.part] ?? 0) * 3_600_000 : at
    return {
      ...place,
      type: 'set',
      value: time.start.seconds === undefined ? say(at).slice(0, 10) : say(part),
    }
  }
  const isOver = !time.dated && time.start !== undefined && time.start.day > Math.floor(now / DAY)
  const dated: TimeExpression = isOver
    ? { ...time, dated: true, kind: time.kind === 'time' ? 'datetime' : 'datetimerange' }
    : time
  const hour = time.part && !time.bound && !time.edge ? HOURS[time.part] : undefined
  if (hour !== undefined && dated.start) {
    const at = say(dated.start.day * DAY + hour * 3_600_000)
    const told = dated.kind === 'timerange' ? at.slice(11) : at
    return { ...place, type: dated.kind, from: told, to: told }
  }
  if (time.kind === 'daterange' && !time.bound && !time.inclusive) {
    const due = dueOf(time, now)
    if (due) return { ...place, type: 'date', value: say(momentMs(due)).slice(0, 10) }
  }
  return inItsTerms(dated)
}

export const readTaskDates = ({ text, ref }: RecognizersCase): Answer[] => {
  const now = wallMs(ref ?? '2016-11-07T00:00:00')
  return together(text, taskTimes(text, { now, order: 'mdy' })).map((time) => answerOf(time, now))
}
