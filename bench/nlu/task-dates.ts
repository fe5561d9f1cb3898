/*
 * Microsoft's "tasks mode" resolves times like a task manager. A past time means its next occurrence. A
 * future period means its first day. Quarters, seasons and decades are too long to be dates. The evaluation
 * uses the times of quick capture, which have the same purpose.
 */
import type { TimeExpression } from '../../src/nlu/dates/read.ts'
import { dueOf, taskTimes } from '../../src/nlu/quick-task.ts'
import { type Answer, type RecognizersCase, toExpectedFormat } from './recognizers.ts'
import { DAY, momentMs, wallMs, wallText } from './wall.ts'

/** The hours of the parts of a day in this mode: one moment each. */
const HOURS: Readonly<Record<string, number>> = {
  morning: 6,
  afternoon: 12,
  evening: 18,
  night: 21,
  nighttime: 21,
  daytime: 16,
}

const formatWall = (ms: number): string => wallText(ms).replace('T', ' ')

/** Joins a future period and an hour, as in "next month at 6". */
const joinTimes = (text: string, times: readonly TimeExpression[]): TimeExpression[] => {
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

const toAnswer = (time: TimeExpression, now: number): Answer => {
  const span = { start: time.offset, end: time.offset + time.text.length }
  if (time.kind === 'recurrence' && time.start) {
    const at = momentMs({ day: time.start.day, seconds: time.start.seconds ?? 0 })
    const part = time.part ? time.start.day * DAY + (HOURS[time.part] ?? 0) * 3_600_000 : at
    return {
      ...span,
      type: 'set',
      value: time.start.seconds === undefined ? formatWall(at).slice(0, 10) : formatWall(part),
    }
  }
  const isOver = !time.dated && time.start !== undefined && time.start.day > Math.floor(now / DAY)
  const dated: TimeExpression = isOver
    ? { ...time, dated: true, kind: time.kind === 'time' ? 'datetime' : 'datetimerange' }
    : time
  const hour = time.part && !time.bound && !time.edge ? HOURS[time.part] : undefined
  if (hour !== undefined && dated.start) {
    const at = formatWall(dated.start.day * DAY + hour * 3_600_000)
    const formatted = dated.kind === 'timerange' ? at.slice(11) : at
    return { ...span, type: dated.kind, from: formatted, to: formatted }
  }
  if (time.kind === 'daterange' && !time.bound && !time.inclusive) {
    const due = dueOf(time, now)
    if (due) return { ...span, type: 'date', value: formatWall(momentMs(due)).slice(0, 10) }
  }
  return toExpectedFormat(dated)
}

export const readTaskDates = ({ text, ref }: RecognizersCase): Answer[] => {
  const now = wallMs(ref ?? '2016-11-07T00:00:00')
  return joinTimes(text, taskTimes(text, { now, order: 'mdy' })).map((time) => toAnswer(time, now))
}
