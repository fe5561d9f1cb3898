import { isValidDate } from './calendar.ts'
import type { Token } from './chart.ts'
import type { Clock, Fields } from './values.ts'

/** Abbreviated weekdays in sequence, in the tokens [from, to). */
export interface TerseDays {
  from: number
  to: number
  days: readonly number[]
}

const SHORT_WEEKDAYS: ReadonlyMap<string, number> = new Map(
  ['mon mo', 'tue tues di', 'wed weds mi', 'thu thur thurs do', 'fri fr', 'sat sa', 'sun so'].flatMap(
    (words, index) => words.split(' ').map((word) => [word, index + 1] as const),
  ),
)
const SEPARATOR = /^[/,&+]$/
/**
 * An abbreviation after one of these words is an ordinary word: "in the sun", "what to do", "see to it so".
 */
const NOT_BEFORE_WEEKDAY =
  /^(?:call|meet|ask|email|text|tell|see|visit|with|for|from|thank|invite|phone|remind|help|the|a|my|his|her|in|to|not|i|you|we|they|who|and|or|please|if|how|just|mach|es|das)$/
/** Marks that may follow a weekday at the end of a line. */
const FINAL_MARK = /^[#!(@.]$/

const isShortWeekday = (token: Token | undefined): boolean =>
  token?.kind === 'word' && SHORT_WEEKDAYS.has(token.text)

/** A two-letter abbreviation alone counts as a weekday only if it is capitalized. */
const isDay = (tokens: readonly Token[], at: number): boolean => {
  const [before, own, after] = [tokens[at - 1], tokens[at] as Token, tokens[at + 1]]
  // At the start of a line a colon must follow: "Sat: mow the lawn".
  if (at === 0) return after?.text === ':' && (own.text.length > 2 || own.capitalized)
  if (before?.kind !== 'word' && before?.kind !== 'number') return false
  if (NOT_BEFORE_WEEKDAY.test(before.text)) return false
  // An hour follows, so a capital letter is enough: "Elternabend Do 19:30".
  if (after?.kind === 'number') return own.capitalized
  if (after && !(after.kind === 'mark' && FINAL_MARK.test(after.text))) return false
  // "Fr. Meier" is a form of address.
  if (after?.text === '.' && tokens[at + 2]) return false
  return own.text.length > 2 || own.capitalized
}

/** Finds abbreviated weekdays in the text of a task, as in "Gym mon wed fri" or "call mum sat". */
export const findTerseDays = (tokens: readonly Token[]): TerseDays[] => {
  const found: TerseDays[] = []
  for (let index = 0; index < tokens.length; index++) {
    if (!isShortWeekday(tokens[index])) continue
    const from = index
    let to = index + 1
    const days = [SHORT_WEEKDAYS.get((tokens[index] as Token).text) as number]
    // A range of weekdays: "Mon-Fri".
    const last = /^[-–]$/.test(tokens[to]?.text ?? '')
      ? SHORT_WEEKDAYS.get(tokens[to + 1]?.text ?? '')
      : undefined
    if (last !== undefined && last > (days[0] as number)) {
      while ((days.at(-1) as number) < last) days.push((days.at(-1) as number) + 1)
      to += 2
    }
    for (;;) {
      const next = SEPARATOR.test(tokens[to]?.text ?? '') ? to + 1 : to
      if (!isShortWeekday(tokens[next])) break
      days.push(SHORT_WEEKDAYS.get((tokens[next] as Token).text) as number)
      to = next + 1
    }
    const isList = days.length > 1 && new Set(days).size === days.length
    if (isList || (days.length === 1 && isDay(tokens, from))) found.push({ from, to, days })
    index = to - 1
  }
  return found
}

/** An interpretation of digits other than a plain number: a date, a clock time or a decimal. */
export interface Format {
  kind: string
  length: number
  value: unknown
  score: number
}

/** Decides whether the day or the month comes first if the digits are ambiguous. */
export type Order = 'dmy' | 'mdy'

const toFullYear = (text: string): number => {
  const year = Number(text.replace("'", ''))
  if (text.length >= 4) return year
  return year < 70 ? 2000 + year : 1900 + year
}

const toMonthAndDay = (a: number, b: number, order: Order): { m: number; d: number } | undefined => {
  const [m, d] = order === 'mdy' ? [a, b] : [b, a]
  if (isValidDate(2000, m, d)) return { m, d }
  return isValidDate(2000, d, m) ? { m: d, d: m } : undefined
}

/** Recognizes an impossible day such as "31.02.2027". Otherwise "31" alone would be read as a day. */
const parseImpossibleDay = (a: number, b: number, order: Order): { m: number; d: number } | undefined => {
  const [m, d] = order === 'mdy' ? [a, b] : [b, a]
  return m >= 1 && m <= 12 && d > 28 && d <= 31 && !isValidDate(2000, m, d) ? { m, d } : undefined
}

const clock = (h: number, mi: number, s: number | undefined, either: boolean): Clock | undefined => {
  if (h > 24 || mi > 59 || (s ?? 0) > 59 || (h === 24 && mi > 0)) return undefined
  return {
    is: 'clock',
    h,
    mi,
    ...(s === undefined ? {} : { s }),
    ...(either && h >= 1 && h <= 12 ? { either: true as const } : {}),
    grain: s === undefined ? 'minute' : 'second',
  }
}

const ISO_TIME =
  /(\d{4})-(\d{2})-(\d{2})T(\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,]\d{1,9})?)?)?(Z|[+-]\d{2}:?\d{2})?(?![\d:])/y
const YEAR_FIRST = /(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/y
const COMPACT = /((?:19|20)\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)/y
const YEAR_LAST =
  /(\d{1,2})\s?([-/.])\s?(\d{1,2})\s?\2\s?(\d{4}|'?\d{2})(?![\d:])(?!\.\d)(?!\s?-\s?\d{4}(?!\d))/y
const TWO = /(\d{1,2})(\s?)([-/.])\s?(\d{1,2})(?!\d)(?!:\d)/y
const YEAR_MONTH = /(\d{4})[-/](0?[1-9]|1[0-2])(?![\d/-])/y
const MONTH_YEAR = /(0?[1-9]|1[0-2])[-/](\d{4})(?![\d/-])/y
const COLON = /(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,6})?)?(?!\d)(?!:\d)/y
const DOT_CLOCK = /(\d{1,2})[.,](\d{2})(?![\d.,]\d)(?!\d)/y
const HOW_LONG = /(?:(?<![\p{L}\d])(?:for|für)\s{1,2}|~\s?)$/iu
const H_CLOCK = /(\d{1,2})h(\d{2})?(?![\p{L}\d])/iuy
const DIGITS4 = /([01]\d|2[0-4])([0-5]\d)(?!\d)/y
const DIGITS3 = /(\d)([0-5]\d)(?!\d)/y
const DECIMAL = /(\d{1,6})[.,](\d{1,4})(?!\d)/y
const FRACTION = /([1-3])\/([24])(?!\d)/y
const PLUS = /\+([1-3])(?![\d:])/y
const SHORT_YEAR = /['’](\d{2})(?!\d)/y

const at = (pattern: RegExp, text: string, offset: number): RegExpExecArray | null => {
  pattern.lastIndex = offset
  return pattern.exec(text)
}

/**
 * Tells whether the digit belongs to a price, a version, a reference, a telephone number or a separated
 * number.
 */
const isInsideNumber = (text: string, offset: number): boolean =>
  /(?:\d[.,:/]|[$€£#§]\s?|\d-)$/.test(text.slice(Math.max(0, offset - 3), offset))

const isAmount = (text: string, end: number): boolean =>
  /^\s?(?:%|€|\$|£|eur\b|usd\b|gbp\b|chf\b|kg\b|km\b|mb\b|gb\b|cm\b|mm\b)/i.test(text.slice(end, end + 6))

export const formatsAt = (text: string, offset: number, order: Order, twelveHours: boolean): Format[] => {
  const found: Format[] = []
  const add = (kind: string, match: RegExpExecArray, value: unknown, score = 0): void => {
    if (value !== undefined) found.push({ kind, length: match[0].length, value, score })
  }
  const number = (match: RegExpExecArray, group: number): number => Number(match[group])
  const first = text.charCodeAt(offset)
  if (first === 43) {
    const plus = at(PLUS, text, offset)
    if (plus) add('plusdays', plus, number(plus, 1))
    return found
  }
  if (first === 39 || first === 8217) {
    const short = at(SHORT_YEAR, text, offset)
    if (short) add('shortyear', short, toFullYear(short[1] as string))
    return found
  }

  const isoTime = at(ISO_TIME, text, offset)
  if (isoTime) {
    const [y, m, d] = [number(isoTime, 1), number(isoTime, 2), number(isoTime, 3)]
    const time = clock(
      number(isoTime, 4),
      isoTime[5] ? number(isoTime, 5) : 0,
      isoTime[6] ? number(isoTime, 6) : undefined,
      false,
    )
    const offsetText = isoTime[7]
    if (time && isValidDate(y, m, d))
      add('when', isoTime, {
        date: { is: 'fields', y, m, d } satisfies Fields,
        time,
        ...(offsetText ? { zone: { text: offsetText, minutes: offsetMinutes(offsetText) } } : {}),
      })
  }
  const yearFirst = at(YEAR_FIRST, text, offset)
  if (yearFirst) {
    const [y, m, d] = [number(yearFirst, 1), number(yearFirst, 3), number(yearFirst, 4)]
    if (y > 999 && m >= 1 && m <= 12 && d >= 1 && d <= 31)
      add('date', yearFirst, { is: 'fields', y, m, d }, 0.5)
  }
  const compact = at(COMPACT, text, offset)
  if (compact) {
    const [y, m, d] = [number(compact, 1), number(compact, 2), number(compact, 3)]
    if (isValidDate(y, m, d) && !isInsideNumber(text, offset)) add('date', compact, { is: 'fields', y, m, d })
  }
  if (isInsideNumber(text, offset)) {
    // Only the second part of a range or date may follow a dash: "10-1-2018-10-7-2018", "2018-10-1".
    if (
      text[offset - 1] !== '-' ||
      !/[./]\d{1,2}-$|-\d{4}-$|\d:\d{2}-$|[\dh]{4,5}-$|\b\d{1,2}-$/.test(
        text.slice(Math.max(0, offset - 9), offset),
      )
    )
      return found
  }

  const yearLast = at(YEAR_LAST, text, offset)
  if (yearLast) {
    const [a, b] = [number(yearLast, 1), number(yearLast, 3)]
    // Dates with points are always written day first.
    const md =
      toMonthAndDay(a, b, yearLast[2] === '.' ? 'dmy' : order) ??
      parseImpossibleDay(a, b, order) ??
      parseImpossibleDay(a, b, 'dmy')
    const y = toFullYear(yearLast[4] as string)
    if (
      md &&
      y > 1900 &&
      (yearLast[2] !== '-' || (yearLast[4] as string).length === 4 || !/\s/.test(yearLast[0]))
    )
      add('date', yearLast, { is: 'fields', y, ...md }, 0.5)
  }
  const yearMonth = at(YEAR_MONTH, text, offset)
  if (yearMonth) add('date', yearMonth, { is: 'fields', y: number(yearMonth, 1), m: number(yearMonth, 2) })
  const monthYear = at(MONTH_YEAR, text, offset)
  if (monthYear && number(monthYear, 2) > 1900 && number(monthYear, 2) < 2200)
    add('date', monthYear, { is: 'fields', y: number(monthYear, 2), m: number(monthYear, 1) })

  const two = at(TWO, text, offset)
  if (two && two[0] !== '24/7' && !isAmount(text, offset + two[0].length)) {
    const md = toMonthAndDay(number(two, 1), number(two, 4), order)
    const mark = two[3]
    if (md) {
      const value = { is: 'fields', ...md, digits: true } satisfies Fields
      if (mark === '/') add('date', two, value)
      else add(mark === '.' ? 'dotted' : 'dashed', two, value)
    }
    const next = text[offset + two[0].length]
    if (mark === '.' && next === '.' && !/\d/.test(text[offset + two[0].length + 1] ?? '')) {
      const [a, b] = [number(two, 1), number(two, 4)]
      const german = toMonthAndDay(a, b, 'dmy') ?? parseImpossibleDay(a, b, 'dmy')
      if (german)
        found.push({
          kind: 'dotday',
          length: two[0].length + 1,
          value: { is: 'fields', ...german, digits: true },
          score: 0.2,
        })
    }
  }

  const colon = at(COLON, text, offset)
  if (colon) {
    const padded = (colon[1] as string).startsWith('0')
    add(
      'clock',
      colon,
      clock(
        number(colon, 1),
        number(colon, 2),
        colon[3] ? number(colon, 3) : undefined,
        twelveHours && !padded,
      ),
      0.3,
    )
  }
  const dot = at(DOT_CLOCK, text, offset)
  if (dot)
    add(
      'dotclock',
      dot,
      clock(number(dot, 1), number(dot, 2), undefined, twelveHours && !(dot[1] as string).startsWith('0')),
    )
  const h = at(H_CLOCK, text, offset)
  // "9h30" is a time of day, "1h30" a duration. After "for" it is always a duration.
  if (h && !HOW_LONG.test(text.slice(Math.max(0, offset - 5), offset)))
    add(
      h[2] ? 'clock' : 'hclock',
      h,
      clock(number(h, 1), h[2] ? number(h, 2) : 0, undefined, false),
      number(h, 1) > 6 ? 0.8 : -0.3,
    )
  const four = at(DIGITS4, text, offset)
  if (four) add('hhmm', four, clock(number(four, 1), number(four, 2), undefined, false))
  const three = at(DIGITS3, text, offset)
  if (three) add('hmm', three, clock(number(three, 1), number(three, 2), undefined, true))
  const decimal = at(DECIMAL, text, offset)
  if (decimal) add('decimal', decimal, Number(`${decimal[1]}.${decimal[2]}`))
  const fraction = at(FRACTION, text, offset)
  if (fraction) add('decimal', fraction, number(fraction, 1) / number(fraction, 2))
  return found
}

export const offsetMinutes = (text: string): number => {
  const match = /([+-])(\d{1,2})(?::?(\d{2}))?$/.exec(text)
  if (!match) return 0
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3] ?? 0))
}
