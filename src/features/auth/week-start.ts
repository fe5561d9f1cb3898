import { WEEKDAYS, type Weekday } from './working-hours.ts'

/** Once an accessor, now a method; TypeScript knows neither yet. */
interface WithWeek {
  getWeekInfo?: () => { firstDay: number }
  weekInfo?: { firstDay: number }
}

const ISO: Weekday = 'monday'

/**
 * The day that weeks begin on where a language is spoken. English without a country is spoken everywhere: ISO 8601 then,
 * rather than the custom of the United States, which Unicode would guess.
 */
export const weekStartOf = (tag: string): Weekday => {
  const locale = new Intl.Locale(tag)
  if (locale.language === 'en' && locale.region === undefined) return ISO
  const { getWeekInfo, weekInfo } = locale as unknown as WithWeek
  const { firstDay } = getWeekInfo?.call(locale) ?? weekInfo ?? { firstDay: 1 }
  return WEEKDAYS[firstDay - 1] ?? ISO
}
