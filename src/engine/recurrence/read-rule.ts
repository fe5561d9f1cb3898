import { DAY, dayOf, HOUR, MINUTE, monthLength, SECOND } from './days.ts'
import { FREQUENCIES, type Frequency, type NumberedWeekday, type Rule, type Until, WEEKDAYS } from './rule.ts'

/** Far beyond what any calendar program writes, and short enough to be read with regular expressions. */
const LONGEST_TEXT = 2000
const LARGEST_INTERVAL = 999_999_999
/** Daily for 270 years: who means more means without end, and what is counted takes time. */
const LARGEST_COUNT = 100_000

type Draft = { -readonly [Part in keyof Rule]?: Rule[Part] } & { scale?: string }
type ListPart = {
  [Part in keyof Rule]-?: Rule[Part] extends readonly number[] | undefined ? Part : never
}[keyof Rule]

/** Reads one part into the draft; what is wrong with it comes back as the end of a sentence. */
type PartReader = (value: string, draft: Draft) => string | undefined

const ascending = (values: Iterable<number>): number[] => [...new Set(values)].sort((a, b) => a - b)

const listOf =
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

const numberOf =
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
    // A leap second is read as the one before it (RFC 5545, 3.3.12).
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
  if (value !== 'GREGORIAN') return `takes GREGORIAN, the one calendar that is kept here; not ${value}`
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
  INTERVAL: numberOf('interval', LARGEST_INTERVAL),
  COUNT: numberOf('count', LARGEST_COUNT),
  UNTIL: readUntil,
  BYMONTH: listOf('byMonth', 1, 12),
  BYWEEKNO: listOf('byWeekNumber', 1, 53, true),
  BYYEARDAY: listOf('byYearDay', 1, 366, true),
  BYMONTHDAY: listOf('byMonthDay', 1, 31, true),
  BYDAY: readWeekdays,
  BYHOUR: listOf('byHour', 0, 23),
  BYMINUTE: listOf('byMinute', 0, 59),
  BYSECOND: listOf('bySecond', 0, 60),
  BYSETPOS: listOf('byPosition', 1, 366, true),
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

const weekdayFault = ({ frequency, byMonth, byWeekNumber, byWeekday = [] }: Draft): string | undefined => {
  const numbered = byWeekday.map(({ nth }) => Math.abs(nth)).filter((nth) => nth > 0)
  if (numbered.length === 0) return undefined
  if (frequency !== 'MONTHLY' && frequency !== 'YEARLY')
    return `BYDAY counts days, as in 2TU, only with FREQ=MONTHLY or FREQ=YEARLY; not with ${frequency}.`
  if (byWeekNumber) return 'BYDAY cannot count days, as in 2TU, together with BYWEEKNO.'
  if ((frequency === 'MONTHLY' || byMonth) && numbered.some((nth) => nth > 5))
    return 'BYDAY counts at most five of a weekday in a month.'
  return undefined
}

/** What each part allows on its own and RFC 5545 or 7529 forbids together. */
const faultOf = (draft: Draft): string | undefined => {
  if (draft.frequency === undefined) return 'The rule says no FREQ, for example FREQ=WEEKLY.'
  if (draft.count !== undefined && draft.until !== undefined)
    return 'The rule ends either after a COUNT or at an UNTIL; not both.'
  if (draft.byPosition && !BY_PARTS.some((part) => draft[part]))
    return 'BYSETPOS picks from what another part names, such as BYDAY; it cannot stand alone.'
  if (draft.skip && draft.scale === undefined) return 'SKIP needs RSCALE=GREGORIAN.'
  if (draft.skip && (draft.byYearDay || draft.byPosition))
    return 'SKIP cannot be combined with BYYEARDAY or BYSETPOS here.'
  return weekdayFault(draft)
}

const completed = ({ scale: _, bySecond, ...draft }: Draft): Rule => ({
  interval: 1,
  weekStart: 0,
  ...(draft as Partial<Rule> & { frequency: Frequency }),
  ...(bySecond && { bySecond: ascending(bySecond.map((second) => Math.min(second, 59))) }),
})

/**
 * Reads an RRULE value of RFC 5545, with or without its name before it. What the RFC forbids but calendar programs
 * write, and all read alike, is taken: parts in any order, BYMONTHDAY with WEEKLY, BYYEARDAY and BYWEEKNO with any
 * frequency. The fault is a sentence for a person.
 */
export const readRule = (text: string): { rule: Rule } | { fault: string } => {
  if (text.length > LONGEST_TEXT)
    return { fault: `A recurrence rule has at most ${LONGEST_TEXT} characters; this one has ${text.length}.` }
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
    if (!reader) return { fault: `${shortened(name) || 'An empty part'} is not a part of a recurrence rule.` }
    if (seen.has(name)) return { fault: `${name} is there twice.` }
    seen.add(name)
    const fault =
      content === '' || rest.length > 0 ? 'has no value, or more than one' : reader(content, draft)
    if (fault !== undefined) return { fault: `${name} ${shortened(fault)}.` }
  }
  const fault = faultOf(draft)
  return fault === undefined ? { rule: completed(draft) } : { fault }
}

/** A fault quotes what was written, but not all of something long. */
const shortened = (text: string): string => (text.length > 160 ? `${text.slice(0, 160)}…` : text)
