import { ymdOf } from '../../src/nlu/dates/calendar.ts'
import { readTimes, type TimeExpression } from '../../src/nlu/dates/read.ts'
import type { Moment } from '../../src/nlu/dates/values.ts'
import { loadCases } from './data.ts'
import { wallMs } from './wall.ts'

export interface CtTime {
  year?: number
  month?: number
  day?: number
  hour?: number
  minute?: number
  timeOfDay?: string
}

export interface CtCase {
  text: string
  ref: string
  gold: {
    type: 'time' | 'interval' | 'duration'
    value?: CtTime
    start?: CtTime | null
    end?: CtTime | null
    raw?: string
  }
}

export interface CtValue {
  type: string
  value?: CtTime
  start?: CtTime | null
  end?: CtTime | null
}

export const ctCases = (part: 'en' | 'de_other'): CtCase[] => loadCases('datetime-ctparse', part)

const PARTS: Readonly<Record<string, string>> = {
  breakfast: 'morning',
  lunch: 'noon',
  dinner: 'evening',
  daytime: 'afternoon',
  nighttime: 'night',
}

const timeOf = (moment: Moment, found: TimeExpression, withTime: boolean): CtTime => {
  const { y, m, d } = ymdOf(moment.day)
  const date = found.dated ? { year: y, month: m, day: d } : {}
  if (!withTime || moment.seconds === undefined) return date
  return { ...date, hour: Math.floor(moment.seconds / 3600), minute: Math.floor(moment.seconds / 60) % 60 }
}

const toExpectedFormat = (found: TimeExpression): CtValue | undefined => {
  const { start, end, bound, part } = found
  if (found.kind === 'duration') return { type: 'duration' }
  if (!start) return undefined
  if (part) {
    const name = PARTS[part] ?? part
    const lean = found.edge === 'start' ? 'early' : found.edge === 'end' ? 'late' : ''
    return { type: 'time', value: { ...timeOf(start, found, false), timeOfDay: `${lean}${name}` } }
  }
  const timed = start.seconds !== undefined
  if (bound === 'after' || bound === 'since')
    return { type: 'interval', start: timeOf(start, found, timed), end: null }
  if (bound) return { type: 'interval', start: null, end: timeOf(start, found, timed) }
  if (end && found.grain === 'week')
    return {
      type: 'interval',
      start: timeOf(start, found, false),
      end: timeOf({ day: end.day - 1 }, found, false),
    }
  if (end && (found.kind === 'timerange' || found.kind === 'datetimerange' || found.inclusive))
    return { type: 'interval', start: timeOf(start, found, timed), end: timeOf(end, found, timed) }
  return { type: 'time', value: timeOf(start, found, timed) }
}

export const readCt = (one: CtCase): CtValue | undefined => {
  const found = readTimes(one.text, { now: wallMs(one.ref), order: 'dmy' })
  return found.length === 1 ? toExpectedFormat(found[0] as TimeExpression) : undefined
}

/** Ignores the difference between noon as a part of the day and 12:00. */
const sameTime = (a: CtTime | null | undefined, b: CtTime | null | undefined): boolean => {
  if (!a || !b) return (a ?? null) === (b ?? null)
  const noon = (time: CtTime): CtTime =>
    time.hour === 12 && time.minute === 0 && b.timeOfDay === 'noon' ? { ...time, timeOfDay: 'noon' } : time
  const x = noon(a)
  const y = b
  if (x.year !== y.year || x.month !== y.month || x.day !== y.day) return false
  if (y.timeOfDay !== undefined) return x.timeOfDay === y.timeOfDay
  return x.hour === y.hour && x.minute === y.minute && x.timeOfDay === undefined
}

export const isCtRight = ({ gold }: CtCase, value: CtValue | undefined): boolean => {
  if (!value || value.type !== gold.type) return false
  if (gold.type === 'time') return sameTime(value.value, gold.value)
  return gold.type === 'duration' || (sameTime(value.start, gold.start) && sameTime(value.end, gold.end))
}
