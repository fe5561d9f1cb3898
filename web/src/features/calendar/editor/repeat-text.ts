import * as t from '#locale/event-editor'
import { formatList } from '../../../locales/format.ts'
import { nameOf, WEEKDAYS } from '../../../ui/weekdays.ts'
import { type Day, type DayWords, dayOf } from '../days.ts'
import { CODES, type Code, codeOf, ordinalOf, type Pattern, type Repeat } from './repeat.ts'

export const dayName = (code: Code): string => nameOf(WEEKDAYS[CODES.indexOf(code)] ?? 'monday')

const WORKDAYS = CODES.slice(0, 5).join()

const describeDays = ({ every, unit, days, monthly }: Pattern, start: Day, words: DayWords): string => {
  const count = every
  const weekday = dayName(codeOf(start))
  if (unit === 'day') return t.daily(count)
  if (unit === 'year') return t.yearly({ count, date: words.dayAndMonth(start) })
  if (unit === 'week') {
    const chosen = CODES.filter((code) => (days.length > 0 ? days.includes(code) : code === codeOf(start)))
    if (chosen.join() === WORKDAYS) return t.weekdays(count)
    return t.weekly({ count, days: formatList(chosen.map(dayName)) })
  }
  if (monthly === 'date') return t.monthlyOnDate({ count, day: start.day })
  if (monthly === 'last') return t.monthlyOnLastWeekday({ count, weekday })
  return t.monthlyOnWeekday({ count, ordinal: ordinalOf(start), weekday })
}

/** Describes a recurrence: "Every week on Tuesday, 8 times". */
export const describeRepeat = (repeat: Repeat, start: Day, words: DayWords): string => {
  if (repeat.kind === 'never') return t.doesNotRepeat
  if (repeat.kind === 'rule') return t.customRuleText(repeat.text.replaceAll('\n', '; '))
  const { ending } = repeat.pattern
  const pattern = describeDays(repeat.pattern, start, words)
  if (ending.kind === 'after') return t.limitedTimes({ pattern, count: ending.times })
  if (ending.kind === 'on') return t.limitedUntil({ pattern, date: words.medium(dayOf(ending.day)) })
  return pattern
}
