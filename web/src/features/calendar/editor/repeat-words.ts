import { nameOf, WEEKDAYS } from '../../../ui/weekdays.ts'
import { type Day, type DayWords, dayOf } from '../days.ts'
import { CODES, type Code, codeOf, ordinalOf, type Pattern, type Repeat } from './repeat.ts'

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth']

export const dayName = (code: Code): string => nameOf(WEEKDAYS[CODES.indexOf(code)] ?? 'monday')

const listed = new Intl.ListFormat('en', { type: 'conjunction' })
const WORKDAYS = CODES.slice(0, 5).join()

export const ordinalWords = (start: Day): string =>
  `the ${ORDINALS[ordinalOf(start) - 1] ?? ''} ${dayName(codeOf(start))}`

export const lastWords = (start: Day): string => `the last ${dayName(codeOf(start))}`

const whenWords = ({ unit, days, monthly }: Pattern, start: Day, words: DayWords): string => {
  if (unit === 'week') {
    const chosen = CODES.filter((code) => (days.length > 0 ? days.includes(code) : code === codeOf(start)))
    return ` on ${chosen.join() === WORKDAYS ? 'weekdays' : listed.format(chosen.map(dayName))}`
  }
  if (unit === 'month')
    return ` on ${{ date: `day ${start.day}`, weekday: ordinalWords(start), last: lastWords(start) }[monthly]}`
  return unit === 'year' ? ` on ${words.dayAndMonth(start)}` : ''
}

const endWords = ({ ending }: Pattern, words: DayWords): string => {
  if (ending.kind === 'after') return `, ${ending.times} times`
  return ending.kind === 'on' ? `, until ${words.medium(dayOf(ending.day))}` : ''
}

export const repeatWords = (repeat: Repeat, start: Day, words: DayWords): string => {
  if (repeat.kind === 'never') return 'Does not repeat'
  if (repeat.kind === 'rule') return `By the rule ${repeat.text.replaceAll('\n', ' and ')}`
  const { every, unit } = repeat.pattern
  const how = every === 1 ? `Every ${unit}` : `Every ${every} ${unit}s`
  return `${how}${whenWords(repeat.pattern, start, words)}${endWords(repeat.pattern, words)}`
}
