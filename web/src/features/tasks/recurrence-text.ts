/** Common recurrence rules with their labels. */
export const REPEATS: readonly (readonly [rule: string, words: string])[] = [
  ['FREQ=DAILY', 'Every day'],
  ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', 'Every weekday'],
  ['FREQ=WEEKLY', 'Every week'],
  ['FREQ=WEEKLY;INTERVAL=2', 'Every two weeks'],
  ['FREQ=MONTHLY', 'Every month'],
  ['FREQ=YEARLY', 'Every year'],
]

const UNITS: Readonly<Record<string, string>> = {
  DAILY: 'day',
  WEEKLY: 'week',
  MONTHLY: 'month',
  YEARLY: 'year',
}
const DAYS: Readonly<Record<string, string>> = {
  MO: 'Monday',
  TU: 'Tuesday',
  WE: 'Wednesday',
  TH: 'Thursday',
  FR: 'Friday',
  SA: 'Saturday',
  SU: 'Sunday',
}
const ORDINALS: Readonly<Record<string, string>> = {
  1: 'first',
  2: 'second',
  3: 'third',
  4: 'fourth',
  5: 'fifth',
  [-1]: 'last',
}
const DESCRIBED_PARTS = new Set([
  'FREQ',
  'INTERVAL',
  'BYDAY',
  'BYMONTHDAY',
  'BYMONTH',
  'COUNT',
  'UNTIL',
  'WKST',
])

const together = new Intl.ListFormat('en-GB')
const ordinals = new Intl.PluralRules('en', { type: 'ordinal' })
const ENDINGS: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' }
const dateName = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
const monthName = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' })

/** Formats the list, or returns null if any part is unknown. */
const each = (text: string, wordOf: (part: string) => string | undefined): string | null => {
  const words = text.split(',').map(wordOf)
  return words.every((word) => word !== undefined) ? together.format(words) : null
}

const monthOf = (text: string): string | undefined =>
  /^([1-9]|1[0-2])$/.test(text) ? monthName.format(Date.UTC(2000, Number(text) - 1)) : undefined

const dateOf = (text: string): string | undefined => {
  if (text === '-1') return 'last day'
  return /^[1-9]\d?$/.test(text) ? `${text}${ENDINGS[ordinals.select(Number(text))] ?? 'th'}` : undefined
}

/** Formats "first Monday", or the weekday alone without an ordinal. */
const dayOf = (text: string): string | undefined => {
  const [, ordinal = '', code = ''] = /^(-?\d)?([A-Z]{2})$/.exec(text) ?? []
  const name = DAYS[code]
  if (ordinal === '') return name
  return ORDINALS[ordinal] && name ? `${ORDINALS[ordinal]} ${name}` : undefined
}

const when = (unit: string, parts: ReadonlyMap<string, string>): string | null => {
  const [byDay, byDate, byMonth] = ['BYDAY', 'BYMONTHDAY', 'BYMONTH'].map((name) => parts.get(name))
  const months = byMonth === undefined ? '' : each(byMonth, monthOf)
  if (months === null || (byDay !== undefined && byDate !== undefined)) return null
  if (unit === 'week' && byDay !== undefined && /^[A-Z,]+$/.test(byDay)) {
    const days = each(byDay, dayOf)
    return days && `on ${days}`
  }
  const isOfMonth = unit === 'month' || (unit === 'year' && months !== '')
  if (byDate === undefined && byDay === undefined) return months && `in ${months}`
  if (!isOfMonth || (byDay !== undefined && !/^(-?\d[A-Z]{2},?)+$/.test(byDay))) return null
  const days = byDate === undefined ? each(byDay ?? '', dayOf) : each(byDate, dateOf)
  return days && `on the ${days}${months && ` of ${months}`}`
}

const endOf = (parts: ReadonlyMap<string, string>): string => {
  const [count, until] = [parts.get('COUNT'), parts.get('UNTIL')]
  if (count !== undefined) return count === '1' ? 'once' : `${count} times`
  const day = until?.replace(/^(\d{4})(\d\d)(\d\d).*$/, '$1-$2-$3') ?? ''
  return Number.isNaN(Date.parse(day)) ? '' : `until ${dateName.format(Date.parse(day))}`
}

const inWords = (rule: string): string | null => {
  const parts = new Map(rule.split(';').map((part) => part.split('=', 2) as [string, string]))
  const unit = UNITS[parts.get('FREQ') ?? '']
  if (unit === undefined || [...parts.keys()].some((name) => !DESCRIBED_PARTS.has(name))) return null
  const days = when(unit, parts)
  if (days === null) return null
  const every = Number(parts.get('INTERVAL') ?? 1)
  const start = every === 1 ? `Every ${unit}` : `Every ${every} ${unit}s`
  const description =
    start === 'Every week' && days !== '' ? days.replace(/^on/, 'Every') : `${start} ${days}`.trim()
  return [description, endOf(parts)].filter(Boolean).join(', ')
}

/** Falls back to the raw rule if it cannot be described. */
export const describeRecurrence = (rule: string): string =>
  REPEATS.find(([known]) => known === rule)?.[1] ?? inWords(rule) ?? `By rule: ${rule}`
