import { DAY, dateOf, HOUR, MINUTE, modulo, monthLength, SECOND, weekdayOf } from './days.ts'
import { expandRule } from './expansion.ts'
import { isWithinDay, type NumberedWeekday, type Rule } from './rule.ts'

/** What a rule can say of a start, and programs often write although the start says it already. */
interface Said {
  weekday: number
  month: number
  date: number
  daysAfter: number
  hour: number
  minute: number
  second: number
}

const saidBy = (wall: number): Said => {
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

const isNamed = ({ count: _, until: __, ...rule }: Rule, wall: number): boolean =>
  expandRule(rule, wall, wall, wall + 1).next().done === false

const isOnly = (list: readonly number[] | undefined, value: number): boolean =>
  list?.length === 1 && list[0] === value

const movedWeekdays = (rule: Rule, from: Said, to: Said): readonly NumberedWeekday[] | undefined => {
  const { byWeekday, frequency } = rule
  if (frequency === 'WEEKLY')
    return byWeekday
      ?.map(({ weekday, nth }) => ({ weekday: modulo(weekday + to.weekday - from.weekday, 7), nth }))
      .sort((a, b) => a.weekday - b.weekday)
  const [only, ...others] = byWeekday ?? []
  if (only === undefined || others.length > 0 || only.weekday !== from.weekday) return byWeekday
  if (only.nth === 0 || (frequency === 'YEARLY' && !rule.byMonth)) return [{ ...only, weekday: to.weekday }]
  // The fifth is meant as the last: most months have none.
  const fromStart = Math.ceil(to.date / 7)
  const nth = only.nth > 0 && fromStart < 5 ? fromStart : -Math.ceil((to.daysAfter + 1) / 7)
  return [{ weekday: to.weekday, nth }]
}

const movedParts = (rule: Rule, from: Said, to: Said): Partial<Rule> => {
  const { byMonth, byMonthDay, byHour, byMinute, bySecond } = rule
  const byWeekday = movedWeekdays(rule, from, to)
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
 * The rule of a series whose start moves from one wall-clock time to another: what it says only because the start did,
 * such as BYDAY=MO for a series that starts on a Monday, it says of the new start. A rule that names the new start
 * already stays as it is, and so does one that had nothing to do with the old one.
 */
export const moveRule = (rule: Rule, from: number, to: number): Rule => {
  if (from === to || isNamed(rule, to) || !isNamed(rule, from)) return rule
  const moved = { ...rule, ...movedParts(rule, saidBy(from), saidBy(to)) }
  return isNamed(moved, to) ? moved : rule
}
