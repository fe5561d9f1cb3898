import { DAY, dateOf, HOUR, MINUTE, modulo, monthLength, SECOND, weekdayOf } from './days.ts'
import { expandRule } from './expansion.ts'
import { isWithinDay, type NumberedWeekday, type Rule, readRule, writeRule } from './rule.ts'

/** The fields of a start that programs often repeat in the rule. */
interface StartFields {
  weekday: number
  month: number
  date: number
  daysAfter: number
  hour: number
  minute: number
  second: number
}

const toStartFields = (wall: number): StartFields => {
  const day = Math.floor(wall / DAY)
  const time = modulo(wall, DAY)
  const { year, month, date } = dateOf(day)
  return {
    weekday: weekdayOf(day),
    month,
    date,
    daysAfter: monthLength(year, month) - date,
    hour: Math.floor(time / HOUR),
    minute: Math.floor((time % HOUR) / MINUTE),
    second: Math.floor((time % MINUTE) / SECOND),
  }
}

const matches = ({ count: _, until: __, ...rule }: Rule, wall: number): boolean =>
  expandRule(rule, wall, wall, wall + 1).next().done === false

const isOnly = (list: readonly number[] | undefined, value: number): boolean =>
  list?.length === 1 && list[0] === value

const moveWeekdays = (
  rule: Rule,
  from: StartFields,
  to: StartFields,
): readonly NumberedWeekday[] | undefined => {
  const { byWeekday, frequency } = rule
  if (frequency === 'WEEKLY')
    return byWeekday
      ?.map(({ weekday, nth }) => ({ weekday: modulo(weekday + to.weekday - from.weekday, 7), nth }))
      .sort((a, b) => a.weekday - b.weekday)
  const [only, ...others] = byWeekday ?? []
  if (only === undefined || others.length > 0 || only.weekday !== from.weekday) return byWeekday
  if (only.nth === 0 || (frequency === 'YEARLY' && !rule.byMonth)) return [{ ...only, weekday: to.weekday }]
  // Replaces "fifth" by "last", because most months have no fifth weekday.
  const fromStart = Math.ceil(to.date / 7)
  const nth = only.nth > 0 && fromStart < 5 ? fromStart : -Math.ceil((to.daysAfter + 1) / 7)
  return [{ weekday: to.weekday, nth }]
}

const moveParts = (rule: Rule, from: StartFields, to: StartFields): Partial<Rule> => {
  const { byMonth, byMonthDay, byHour, byMinute, bySecond } = rule
  const byWeekday = moveWeekdays(rule, from, to)
  const isByTime = !isWithinDay(rule)
  return {
    ...(byWeekday && { byWeekday }),
    ...(isOnly(byMonth, from.month) && { byMonth: [to.month] }),
    ...(isOnly(byMonthDay, from.date) && { byMonthDay: [to.date] }),
    ...(isOnly(byMonthDay, -1 - from.daysAfter) && { byMonthDay: [-1 - to.daysAfter] }),
    ...(isByTime && isOnly(byHour, from.hour) && { byHour: [to.hour] }),
    ...(isByTime && isOnly(byMinute, from.minute) && { byMinute: [to.minute] }),
    ...(isByTime && isOnly(bySecond, from.second) && { bySecond: [to.second] }),
  }
}

/**
 * Adapts the rule of a series to a new start. Parts that only repeat the old start, such as BYDAY=MO for a
 * start on Monday, change to the new start. The rule stays unchanged if it already matches the new start. It
 * also stays unchanged if it did not match the old one.
 */
export const moveRule = (rule: Rule, from: number, to: number): Rule => {
  if (from === to || matches(rule, to) || !matches(rule, from)) return rule
  const moved = { ...rule, ...moveParts(rule, toStartFields(from), toStartFields(to)) }
  return matches(moved, to) ? moved : rule
}

const CODES = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

/** Shifts the weekdays of BYDAY. */
const shiftWeekdays = (rule: string, days: number): string =>
  rule.replace(/(?<=;BYDAY=)[A-Z,]+/, (codes) => {
    const named = codes.split(',').map((code) => modulo(CODES.indexOf(code) + days, 7))
    return CODES.filter((_, index) => named.includes(index)).join()
  })

/**
 * Converts a rule from another zone to the reader's zone: 9:00 on Mondays in Sydney is late on Sundays in
 * Berlin. `zoneWall` and `readerWall` are the wall-clock times of the first occurrence in the two zones. The
 * series keeps the reader's hour, even while only one of the zones has daylight saving time.
 */
export const toReaderRule = (rule: string, zoneWall: number, readerWall: number): string => {
  const hours = Math.floor(readerWall / HOUR) - Math.floor(zoneWall / HOUR)
  const timed = rule.replace(/(?<=;BYHOUR=)[\d,]+/, (list) =>
    list
      .split(',')
      .map((hour) => modulo(Number(hour) + hours, 24))
      .sort((a, b) => a - b)
      .join(),
  )
  const days = Math.floor(readerWall / DAY) - Math.floor(zoneWall / DAY)
  if (days === 0) return timed
  if (timed.startsWith('FREQ=WEEKLY')) return shiftWeekdays(timed, days)
  const read = readRule(timed)
  return 'fault' in read
    ? timed
    : writeRule(moveRule(read.rule, zoneWall - modulo(zoneWall, DAY), readerWall - modulo(readerWall, DAY)))
}
