const NUMERIC_DATE = { day: '2-digit', month: '2-digit', year: 'numeric', timeZone: 'UTC' } as const

/** Formats a YYYY-MM-DD day in numbers: 31/12/2026, 12/31/2026, 31.12.2026. */
export const formatNumericDate = (day: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, NUMERIC_DATE).format(new Date(`${day}T00:00:00Z`))

type DatePart = 'day' | 'month' | 'year'

const isDatePart = (type: string): type is DatePart => type === 'day' || type === 'month' || type === 'year'

const listDateParts = (locale: string): DatePart[] =>
  new Intl.DateTimeFormat(locale, NUMERIC_DATE)
    .formatToParts(new Date(0))
    .map(({ type }) => type)
    .filter(isDatePart)

const toDay = (year: number, month: number, day: number): string | null => {
  const date = new Date(Date.UTC(year, month - 1, day))
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1000 && year <= 9989
  return isReal ? date.toISOString().slice(0, 10) : null
}

/**
 * Reads a date in the order of the locale, with any separator, as YYYY-MM-DD. A year of two digits is in this century;
 * a missing year is the one of `today`. Accepts YYYY-MM-DD in every locale. Returns null if the text is no date.
 */
export const parseNumericDate = (text: string, locale: string, today: string): string | null => {
  const numbers = /^\s*\d+([\s./-]+\d+){1,2}\s*\.?\s*$/.test(text) ? (text.match(/\d+/g) ?? []) : []
  if (numbers.length < 2) return null
  const parts: DatePart[] = (numbers[0]?.length ?? 0) > 2 ? ['year', 'month', 'day'] : listDateParts(locale)
  const given = numbers.length === 2 ? parts.filter((part) => part !== 'year') : parts
  const read = (part: DatePart): string | undefined => numbers[given.indexOf(part)]
  const year = read('year') ?? today.slice(0, 4)
  return toDay(Number(year) + (year.length <= 2 ? 2000 : 0), Number(read('month')), Number(read('day')))
}

/** Formats HH:MM in the clock of the locale: 9:30 PM or 21:30. */
export const formatClock = (time: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' }).format(
    new Date(`2000-01-01T${time}:00Z`),
  )

const CLOCK = /^(\d{1,2})(?:[:.h]?(\d{2}))?\s*(?:uhr|h)?\s*(?:([ap])\.?\s?(?:m\.?)?)?$/i

/** Reads a time such as 9, 930, 9:30, 9.30 pm or 21:30 as HH:MM. Returns null if the text is no time. */
export const parseClock = (text: string): string | null => {
  const [, hours, minutes = '0', half] = CLOCK.exec(text.trim()) ?? []
  if (hours === undefined) return null
  const [hour, minute] = [Number(hours), Number(minutes)]
  if (hour > (half === undefined ? 23 : 12) || minute > 59 || (half !== undefined && hour === 0)) return null
  const shift = half?.toLowerCase() === 'p' ? 12 : 0
  const full = half === undefined ? hour : (hour % 12) + shift
  return `${String(full).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}
