import * as t from '#locale/event-editor'
import { language } from '#locale/language'
import type { Alarm, CalendarEvent } from './event.ts'

const UNITS = [
  [7 * 24 * 60, 'week'],
  [24 * 60, 'day'],
  [60, 'hour'],
  [1, 'minute'],
] as const

/** Formats in the largest unit that divides evenly: "2 hours". */
export const describeMinutes = (minutes: number): string => {
  const [size, unit] = UNITS.find(([each]) => minutes % each === 0) ?? ([1 / 60, 'second'] as const)
  const format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' })
  return format.format(Math.round(minutes / size))
}

export const describeReminder = (minutesBefore: number): string =>
  minutesBefore === 0 ? t.atStart : t.before(describeMinutes(minutesBefore))

/** Travel and buffer time of an event, such as "30 minutes before". */
export const listBuffers = ({ bufferBefore, bufferAfter }: CalendarEvent): string[] => [
  ...(bufferBefore === null ? [] : [t.beforeStart(describeMinutes(bufferBefore))]),
  ...(bufferAfter === null ? [] : [t.afterEnd(describeMinutes(bufferAfter))]),
]

/** Describes a relative alarm: "5 minutes after the end". */
export const describeAlarm = ({ relativeTo, minutesAfter }: Alarm): string => {
  const after = minutesAfter ?? 0
  const isEnd = relativeTo === 'end'
  const duration = describeMinutes(Math.abs(after))
  if (after === 0) return isEnd ? t.atEnd : t.atStart
  if (after < 0) return isEnd ? t.beforeEnd(duration) : t.beforeStart(duration)
  return isEnd ? t.afterEnd(duration) : t.afterStart(duration)
}
