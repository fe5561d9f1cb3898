import type { Place } from '../chart.ts'
import { mergeTimes } from '../clocks.ts'
import { mergeDates } from '../resolve.ts'
import type {
  Bound,
  Clock,
  ClockRange,
  DatePart,
  DayPart,
  Edge,
  PartName,
  TimePart,
  When,
} from '../values.ts'
import type { Context } from './context.ts'

/** One expression out of two that stand together; undefined when both say the same thing differently. */
export const mergeWhens = (a: When, b: When): When | undefined => {
  if (a.to && b.to) return undefined
  if ((a.to || b.to) && a.date && b.date) return undefined
  const date = a.date && b.date ? mergeDates(a.date, b.date) : (a.date ?? b.date)
  const time = a.time && b.time ? mergeTimes(a.time, b.time) : (a.time ?? b.time)
  if (!date && (a.date || b.date)) return undefined
  if (!time && (a.time || b.time)) return undefined
  if (a.bound && b.bound) return undefined
  if (a.zone && b.zone) return undefined
  if ((a.shift && b.date) || (b.shift && a.date)) return undefined
  const { bound } = a.bound ? a : b
  const zone = a.zone ?? b.zone
  const to = a.to ?? b.to
  const shift = a.shift ?? b.shift
  return {
    ...(date ? { date } : {}),
    ...(time ? { time } : {}),
    ...(to ? { to } : {}),
    ...(bound ? { bound } : {}),
    ...(zone ? { zone } : {}),
    ...(shift ? { shift } : {}),
    ...(a.around || b.around ? { around: true as const } : {}),
  }
}

export const hasDay = ({ date }: When): boolean =>
  date !== undefined &&
  (date.is === 'days' ? date.grain === 'day' && !date.count : date.d !== undefined || date.dow !== undefined)

/** A day and a time of it; a month or a year has no time of day. */
export const joined = (_: Place<Context>, a: When, b: When): When | undefined => {
  const dated = [a, b].filter((when) => when.date)
  const timed = [a, b].filter((when) => when.time)
  if (dated.length === 1 && timed.length === 1 && dated[0] !== timed[0] && !hasDay(dated[0] as When))
    return undefined
  if (a.weak && b.weak) return undefined
  return mergeWhens(a, b)
}

export const dated = (date: DatePart): When => ({ date })
export const timed = (time: TimePart): When => ({ time })

export const part = (name: PartName, edge?: Edge): DayPart => ({
  is: 'part',
  name,
  ...(edge ? { edge } : {}),
})

export const bounded =
  (bound: Bound) =>
  (_: Place<Context>, when: When): When | undefined =>
    when.bound || when.to || when.time?.is === 'range' ? undefined : { ...when, bound }

export const range = (_: Place<Context>, a: Clock, b: Clock): ClockRange => ({ is: 'range', a, b })
