import { DAY, dateOf, HOUR, MINUTE, modulo, SECOND, weekdayOf } from './days.ts'
import { isWithinDay, type Rule } from './rule.ts'

/*
 * "Information, not contained in the rule, necessary to determine the various recurrence instance start time and dates
 * are derived from the Start Time (DTSTART)" (RFC 5545, 3.3.10). Where programs differ: BYMONTHDAY with YEARLY alone
 * expands to every month, by the RFC's own table, and BYWEEKNO alone means the start's weekday in that week.
 */

export const withStartDay = (rule: Rule, startWall: number): Rule => {
  if (rule.byWeekday || rule.byMonthDay || rule.byYearDay) return rule
  const startDay = Math.floor(startWall / DAY)
  const { month, date } = dateOf(startDay)
  const byWeekday = [{ weekday: weekdayOf(startDay), nth: 0 }]
  switch (rule.frequency) {
    case 'YEARLY':
      return rule.byWeekNumber
        ? { ...rule, byWeekday }
        : { ...rule, byMonth: rule.byMonth ?? [month], byMonthDay: [date] }
    case 'MONTHLY':
      return rule.byWeekNumber ? { ...rule, byWeekday } : { ...rule, byMonthDay: [date] }
    case 'WEEKLY':
      return { ...rule, byWeekday }
    default:
      return rule
  }
}

export const withStartTime = (rule: Rule, startWall: number): Rule => {
  const time = modulo(startWall, DAY)
  const { byHour, byMinute, bySecond } = rule
  return {
    ...rule,
    ...(!isWithinDay(rule) && { byHour: byHour ?? [Math.floor(time / HOUR)] }),
    ...((!isWithinDay(rule) || rule.frequency === 'HOURLY') && {
      byMinute: byMinute ?? [Math.floor((time % HOUR) / MINUTE)],
    }),
    ...(rule.frequency !== 'SECONDLY' && { bySecond: bySecond ?? [Math.floor((time % MINUTE) / SECOND)] }),
  }
}
