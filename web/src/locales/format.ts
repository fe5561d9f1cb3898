import { language, units } from '#locale/language'

const rules = new Intl.PluralRules(language)
const numbers = new Intl.NumberFormat(language)
const lists = new Intl.ListFormat(language, { type: 'conjunction' })

/** Both languages have two plural forms. */
interface PluralForms {
  one: string
  other: string
}

/** Selects the plural form for a count: `plural(count, { one: '1 email', other: `${count} emails` })`. */
export const plural = (count: number, forms: PluralForms): string =>
  rules.select(count) === 'one' ? forms.one : forms.other

/** Writes a number with the separators of the language: 1,234.5 or 1.234,5. */
export const formatNumber = (value: number): string => numbers.format(value)

/** Joins names: "a, b and c". */
export const formatList = (items: readonly string[]): string => lists.format(items)

/** Writes a duration of whole minutes: "45 min", "2 h" or "2 h 30 min". */
export const formatDuration = (minutes: number): string => {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  const parts = [
    ...(hours > 0 ? [`${formatNumber(hours)} ${units.hours}`] : []),
    ...(rest > 0 || hours === 0 ? [`${rest} ${units.minutes}`] : []),
  ]
  return parts.join(' ')
}
