import { DAY, dateOf, HOUR, MINUTE, modulo, SECOND, weekdayOf } from './days.ts'
import { isWithinDay, type Rule } from './rule.ts'

/*
 * RFC 5545 (section 3.3.10) takes missing information from DTSTART. Programs differ in two cases. Here
 * BYMONTHDAY with YEARLY alone expands to every month, as the table of the RFC says. BYWEEKNO alone means the
 * weekday of the start in that week.
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
