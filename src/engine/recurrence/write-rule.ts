import { DAY, dateOf, HOUR, MINUTE, modulo, SECOND } from './days.ts'
import { type NumberedWeekday, type Rule, type Until, WEEKDAYS } from './rule.ts'

const digits = (value: number, length = 2): string => String(value).padStart(length, '0')

const writeUntil = ({ wall, kind }: Until): string => {
  const { year, month, date } = dateOf(Math.floor(wall / DAY))
  const day = `${digits(year, 4)}${digits(month)}${digits(date)}`
  if (kind === 'date') return day
  const time = modulo(wall, DAY)
  const [hour, minute, second] = [time / HOUR, (time % HOUR) / MINUTE, (time % MINUTE) / SECOND].map(
    Math.floor,
  )
  return `${day}T${digits(hour as number)}${digits(minute as number)}${digits(second as number)}${kind === 'utc' ? 'Z' : ''}`
}

const writeWeekday = ({ weekday, nth }: NumberedWeekday): string => `${nth || ''}${WEEKDAYS[weekday]}`

/** The one way to write a rule: parts in a fixed order, what goes without saying unsaid. */
export const writeRule = (rule: Rule): string => {
  const parts: [name: string, value: string | number | undefined][] = [
    ['RSCALE', rule.skip && 'GREGORIAN'],
    ['FREQ', rule.frequency],
    ['UNTIL', rule.until && writeUntil(rule.until)],
    ['COUNT', rule.count],
    ['INTERVAL', rule.interval === 1 ? undefined : rule.interval],
    ['BYMONTH', rule.byMonth?.join()],
    ['BYWEEKNO', rule.byWeekNumber?.join()],
    ['BYYEARDAY', rule.byYearDay?.join()],
    ['BYMONTHDAY', rule.byMonthDay?.join()],
    ['BYDAY', rule.byWeekday?.map(writeWeekday).join()],
    ['BYHOUR', rule.byHour?.join()],
    ['BYMINUTE', rule.byMinute?.join()],
    ['BYSECOND', rule.bySecond?.join()],
    ['BYSETPOS', rule.byPosition?.join()],
    ['SKIP', rule.skip],
    ['WKST', rule.weekStart === 0 ? undefined : WEEKDAYS[rule.weekStart]],
  ]
  return parts
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${value}`)
    .join(';')
}
