import { DAY, dateOf, dayOf, HOUR, MINUTE, modulo, monthLength, SECOND, weekdayOf } from './days.ts'

/** Ordered from the shortest to the longest. */
export const FREQUENCIES = ['SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const

export type Frequency = (typeof FREQUENCIES)[number]

/** Weekdays are numbered from Monday, as in ISO 8601 and as in the default of WKST. */
export const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const

/** `nth` counts within the month or year, from the end if negative. 0 means every such weekday. */
export interface NumberedWeekday {
  weekday: number
  nth: number
}

/** `wall` is the written time in ms, as if it were UTC. The kind `utc` means that it is UTC. */
export interface Until {
  wall: number
  kind: 'date' | 'local' | 'utc'
}

/** A recurrence rule of RFC 5545 (3.3.10). The lists are sorted and have no duplicates. */
export interface Rule {
  frequency: Frequency
  interval: number
  weekStart: number
  count?: number
  until?: Until
  byMonth?: readonly number[]
  byWeekNumber?: readonly number[]
  byYearDay?: readonly number[]
  byMonthDay?: readonly number[]
  byWeekday?: readonly NumberedWeekday[]
  byHour?: readonly number[]
  byMinute?: readonly number[]
  bySecond?: readonly number[]
  byPosition?: readonly number[]
  /** RFC 7529: the handling of a day that a month lacks. The default omits the day. */
  skip?: 'FORWARD' | 'BACKWARD'
}

/** Tells whether the rule steps by hours, minutes or seconds. */
export const isWithinDay = ({ frequency }: Rule): boolean =>
  frequency === 'HOURLY' || frequency === 'MINUTELY' || frequency === 'SECONDLY'

/** Longer than any rule of a calendar program, and short enough for regular expressions. */
const MAX_TEXT_LENGTH = 2000
const MAX_INTERVAL = 999_999_999
/** Enough for 270 years of daily recurrences. Counting takes time, and larger counts mean "without end". */
const MAX_COUNT = 100_000

type Draft = { -readonly [Part in keyof Rule]?: Rule[Part] } & { scale?: string }
type ListPart = {
  [Part in keyof Rule]-?: Rule[Part] extends readonly number[] | undefined ? Part : never
}[keyof Rule]

/** Parses one part into the draft. Returns the problem as the end of a sentence. */
type PartReader = (value: string, draft: Draft) => string | undefined

const ascending = (values: Iterable<number>): number[] => [...new Set(values)].sort((a, b) => a - b)

const createListReader =
  (part: ListPart, least: number, most: number, signed = false): PartReader =>
  (value, draft) => {
    const values: number[] = []
    for (const item of value.split(',')) {
      const number = (signed ? /^[+-]?\d{1,3}$/ : /^\d{1,2}$/).test(item) ? Number(item) : Number.NaN
      const size = signed ? Math.abs(number) : number
      if (!(size >= least && size <= most))
        return signed
          ? `takes numbers from ${least} to ${most}, or from -${most} to -${least}; not ${item || 'nothing'}`
          : `takes numbers from ${least} to ${most}; not ${item || 'nothing'}`
      values.push(number)
    }
    draft[part] = ascending(values)
    return undefined
  }

const createNumberReader =
  (part: 'interval' | 'count', most: number): PartReader =>
  (value, draft) => {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : 0
    if (number < 1 || number > most) return `takes a whole number from 1 to ${most}; not ${value}`
    draft[part] = number
    return undefined
  }

const readFrequency: PartReader = (value, draft) => {
  if (!FREQUENCIES.includes(value as Frequency))
    return `takes ${FREQUENCIES.slice(0, -1).join(', ')} or YEARLY; not ${value}`
  draft.frequency = value as Frequency
  return undefined
}

const UNTIL = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z?))?$/

const parseUntil = (text: string): Until | undefined => {
  const found = UNTIL.exec(text)
  if (!found) return undefined
  const [year, month, date, hour, minute, second] = found.slice(1, 7).map((field) => Number(field ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  if (year < 1 || month < 1 || month > 12 || date < 1 || date > monthLength(year, month)) return undefined
  if (hour > 23 || minute > 59 || second > 60) return undefined
  return {
    // RFC 5545, 3.3.12: a leap second counts as the second before it.
    wall: dayOf(year, month, date) * DAY + hour * HOUR + minute * MINUTE + Math.min(second, 59) * SECOND,
    kind: found[4] === undefined ? 'date' : found[7] === 'Z' ? 'utc' : 'local',
  }
}

const readUntil: PartReader = (value, draft) => {
  const until = parseUntil(value)
  if (!until) return `takes a day such as 20261231, or a time such as 20261231T225959Z; not ${value}`
  draft.until = until
  return undefined
}

const readWeekdays: PartReader = (value, draft) => {
  const days = new Map<string, NumberedWeekday>()
  for (const item of value.split(',')) {
    const [, number, name] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(item) ?? []
    const weekday = (WEEKDAYS as readonly (string | undefined)[]).indexOf(name)
    const nth = Number(number ?? 0)
    if (weekday < 0 || Math.abs(nth) > 53 || (number !== undefined && nth === 0))
      return `takes days such as MO, or 2TU and -1FR for the second Tuesday and the last Friday; not ${item || 'nothing'}`
    days.set(`${nth} ${weekday}`, { weekday, nth })
  }
  draft.byWeekday = [...days.values()].sort((a, b) => a.nth - b.nth || a.weekday - b.weekday)
  return undefined
}

const readWeekStart: PartReader = (value, draft) => {
  const weekday = (WEEKDAYS as readonly string[]).indexOf(value)
  if (weekday < 0) return `takes one of ${WEEKDAYS.join(', ')}; not ${value}`
  draft.weekStart = weekday
  return undefined
}

const readScale: PartReader = (value, draft) => {
  if (value !== 'GREGORIAN') return `takes GREGORIAN, the only supported calendar; not ${value}`
  draft.scale = value
  return undefined
}

const readSkip: PartReader = (value, draft) => {
  if (value === 'FORWARD' || value === 'BACKWARD') draft.skip = value
  else if (value !== 'OMIT') return `takes OMIT, BACKWARD or FORWARD; not ${value}`
  return undefined
}

const READERS: Readonly<Record<string, PartReader>> = {
  FREQ: readFrequency,
  INTERVAL: createNumberReader('interval', MAX_INTERVAL),
  COUNT: createNumberReader('count', MAX_COUNT),
  UNTIL: readUntil,
  BYMONTH: createListReader('byMonth', 1, 12),
  BYWEEKNO: createListReader('byWeekNumber', 1, 53, true),
  BYYEARDAY: createListReader('byYearDay', 1, 366, true),
  BYMONTHDAY: createListReader('byMonthDay', 1, 31, true),
  BYDAY: readWeekdays,
  BYHOUR: createListReader('byHour', 0, 23),
  BYMINUTE: createListReader('byMinute', 0, 59),
  BYSECOND: createListReader('bySecond', 0, 60),
  BYSETPOS: createListReader('byPosition', 1, 366, true),
  WKST: readWeekStart,
  RSCALE: readScale,
  SKIP: readSkip,
}

const BY_PARTS = [
  'byMonth',
  'byWeekNumber',
  'byYearDay',
  'byMonthDay',
  'byWeekday',
  'byHour',
  'byMinute',
  'bySecond',
] as const satisfies (keyof Rule)[]

const findWeekdayFault = ({
  frequency,
  byMonth,
  byWeekNumber,
  byWeekday = [],
}: Draft): string | undefined => {
  const numbered = byWeekday.map(({ nth }) => Math.abs(nth)).filter((nth) => nth > 0)
  if (numbered.length === 0) return undefined
  if (frequency !== 'MONTHLY' && frequency !== 'YEARLY')
    return `BYDAY counts days, as in 2TU, only with FREQ=MONTHLY or FREQ=YEARLY; not with ${frequency}.`
  if (byWeekNumber) return 'BYDAY cannot count days, as in 2TU, together with BYWEEKNO.'
  if ((frequency === 'MONTHLY' || byMonth) && numbered.some((nth) => nth > 5))
    return 'BYDAY can count at most five of a weekday in a month.'
  return undefined
}

/** Checks for combinations of parts that RFC 5545 or RFC 7529 forbids. */
const findFault = (draft: Draft): string | undefined => {
  if (draft.frequency === undefined) return 'The rule has no FREQ. Add one, for example FREQ=WEEKLY.'
  if (draft.count !== undefined && draft.until !== undefined)
    return 'The rule has both COUNT and UNTIL. Remove one of them.'
  if (draft.byPosition && !BY_PARTS.some((part) => draft[part]))
    return 'BYSETPOS needs another part to select from, such as BYDAY.'
  if (draft.skip && draft.scale === undefined) return 'SKIP needs RSCALE=GREGORIAN.'
  if (draft.skip && (draft.byYearDay || draft.byPosition))
    return 'SKIP cannot be combined with BYYEARDAY or BYSETPOS.'
  return findWeekdayFault(draft)
}

const toRule = ({ scale: _, bySecond, ...draft }: Draft): Rule => ({
  interval: 1,
  weekStart: 0,
  ...(draft as Partial<Rule> & { frequency: Frequency }),
  ...(bySecond && { bySecond: ascending(bySecond.map((second) => Math.min(second, 59))) }),
})

/**
 * Parses an RRULE value of RFC 5545, with or without the name RRULE. Accepts some forms that the RFC forbids
 * but all calendar programs write and interpret alike. These are parts in any order, BYMONTHDAY with WEEKLY,
 * and BYYEARDAY and BYWEEKNO with any frequency. `fault` is a sentence for the user.
 */
export const readRule = (text: string): { rule: Rule } | { fault: string } => {
  if (text.length > MAX_TEXT_LENGTH)
    return {
      fault: `A recurrence rule has at most ${MAX_TEXT_LENGTH} characters; this one has ${text.length}.`,
    }
  const value = text
    .trim()
    .toUpperCase()
    .replace(/^RRULE:/, '')
    .replace(/;$/, '')
  if (value === '') return { fault: 'The recurrence rule is empty.' }
  const draft: Draft = {}
  const seen = new Set<string>()
  for (const part of value.split(';')) {
    const [name = '', content = '', ...rest] = part.split('=')
    const reader = Object.hasOwn(READERS, name) ? READERS[name] : undefined
    if (!reader) return { fault: `${shorten(name) || 'An empty part'} is not a part of a recurrence rule.` }
    if (seen.has(name)) return { fault: `${name} occurs more than once.` }
    seen.add(name)
    const fault =
      content === '' || rest.length > 0 ? 'has no value, or more than one' : reader(content, draft)
    if (fault !== undefined) return { fault: `${name} ${shorten(fault)}.` }
  }
  const fault = findFault(draft)
  return fault === undefined ? { rule: toRule(draft) } : { fault }
}

/** Limits the length of quoted input in a fault. */
const shorten = (text: string): string => (text.length > 160 ? `${text.slice(0, 160)}…` : text)

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

/** Formats a rule in canonical form: parts in a fixed order, without default values. */
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
