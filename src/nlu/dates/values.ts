import type { Node, Token } from './chart.ts'

/** A moment on the wall clock, or a whole day if `seconds` is absent. */
export interface Moment {
  day: number
  seconds?: number
}

/** Units of time, small to large. The grain of a value is the smallest unit that it states. */
export type Unit =
  | 'second'
  | 'minute'
  | 'hour'
  | 'day'
  | 'weekend'
  | 'week'
  | 'month'
  | 'quarter'
  | 'half'
  | 'season'
  | 'year'
  | 'decade'
  | 'century'

/** The stated fields of a date. Without a year it means the next occurrence. */
export interface Fields {
  is: 'fields'
  y?: number
  m?: number
  d?: number
  /** ISO weekday. */
  dow?: number
  /** 1: "next", after today; -1: "last", before today; 0: "this", of the current year. */
  toward?: -1 | 0 | 1
  /** The day and month are digits, as in "5/12". They are swapped if this order is impossible. */
  digits?: true
}

/** The days [from, to). */
export interface Days {
  is: 'days'
  from: number
  to: number
  grain: Unit
  /** The number of units counted from now, as in "the next 3 weeks". */
  count?: number
  /** The last day is included, as in "within 3 days". */
  within?: true
  edge?: Edge
  /** The name of the days, such as "christmas". */
  name?: string
}

export type DatePart = Fields | Days
export type Edge = 'start' | 'middle' | 'end'

export interface Clock {
  is: 'clock'
  h: number
  mi: number
  s?: number
  /** The time may be a.m. or p.m. */
  either?: true
  /** The half of the day, if it is written. */
  meridiem?: 'am' | 'pm'
  grain: Unit
  /** Days after the stated date, as in "23:05-07:15+1". */
  plus?: number
  /** The alternative time, as in "3 or 4pm". */
  or?: Clock
}

export type PartName =
  | 'morning'
  | 'noon'
  | 'afternoon'
  | 'evening'
  | 'night'
  | 'breakfast'
  | 'lunch'
  | 'dinner'
  | 'daytime'
  | 'nighttime'
  | 'business'

export interface DayPart {
  is: 'part'
  name: PartName
  /** "early", "late". */
  edge?: Edge
}

export interface ClockRange {
  is: 'range'
  a: Clock
  b: Clock
}

export type TimePart = Clock | DayPart | ClockRange
export type Bound = 'before' | 'until' | 'after' | 'since' | 'by'

/** Everything that an expression states about one time or range. */
export interface When {
  date?: DatePart
  time?: TimePart
  /** The end of a range, if it has its own date. */
  to?: When
  bound?: Bound
  around?: true
  zone?: Zone
  /** The stated distance from now, as in "in 2 hours". */
  shift?: Duration
  /** Counts only next to another expression, such as a bare year, "the 3rd" or "second". */
  weak?: true
}

export interface Zone {
  /** As written. */
  text: string
  /** IANA name; "" for the reader's own ("my time"). */
  name?: string
  /** Minutes east of UTC, if the text fixes the offset. */
  minutes?: number
}

/** Months, days and seconds are separate, because the length of a month varies. */
export interface Duration {
  months: number
  days: number
  seconds: number
  /** The unit that the text uses. */
  unit: Unit
  n: number
  business?: true
  around?: 'less' | 'more' | 'about'
}

/** An RFC 5545 recurrence rule and the time of its occurrences. */
export interface Recurring {
  rule: string
  date?: DatePart
  time?: TimePart
  /** All hours of the day, if there are several. `time` is the first one in the text. */
  hours?: readonly number[]
  until?: When
  /** The length of the whole series from its first occurrence. */
  lasting?: Duration
  from?: When
  zone?: Zone
  /** The length of each occurrence. */
  length?: Duration
}

/** A number and its count of digits, which is 0 if it was written in words. */
export interface Num {
  n: number
  digits: number
}

const list = (words: string, from: number, step = 1): [string, number][] =>
  words.split(' ').map((word, index) => [word, from + index * step])

const ONES = new Map([
  ...list('one two three four five six seven eight nine', 1),
  ...list('eins zwei drei vier fünf sechs sieben acht neun', 1),
])
const TEENS = new Map([
  ...list('ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen', 10),
  ...list('zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn', 10),
])
const TENS = new Map([
  ...list('twenty thirty forty fifty sixty seventy eighty ninety', 20, 10),
  ...list('zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig', 20, 10),
])
const ORDINALS = new Map([
  ...list('first second third fourth fifth sixth seventh eighth ninth tenth', 1),
  ...list('eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth', 11),
  ...list('twentieth thirtieth', 20, 10),
  ...list('ersten zweiten dritten vierten fünften sechsten siebten achten neunten zehnten', 1),
  ...list('erste zweite dritte vierte fünfte sechste siebte achte neunte zehnte', 1),
])

const GERMAN_PAIR = /^(ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)und(\p{L}+)$/u

const below100 = (tokens: readonly Token[], at: number): { n: number; to: number }[] => {
  const word = tokens[at]?.text ?? ''
  const small = ONES.get(word) ?? TEENS.get(word)
  if (small !== undefined) return [{ n: small, to: at + 1 }]
  const pair = GERMAN_PAIR.exec(word)
  if (pair) {
    const tens = TENS.get(pair[2] as string)
    const one = pair[1] === 'ein' ? 1 : ONES.get(pair[1] as string)
    if (tens && one) return [{ n: tens + one, to: at + 1 }]
  }
  const tens = TENS.get(word)
  if (tens === undefined) return []
  const next = tokens[at + 1]?.text === '-' ? at + 2 : at + 1
  const one = ONES.get(tokens[next]?.text ?? '')
  return [{ n: tens, to: at + 1 }, ...(one ? [{ n: tens + one, to: next + 1 }] : [])]
}

/** "two thousand and five", "nineteen eighty six", "twenty twenty four". */
const yearInWords = (tokens: readonly Token[], at: number): { n: number; to: number } | undefined => {
  const thousands = ONES.get(tokens[at]?.text ?? '')
  if (thousands && tokens[at + 1]?.text === 'thousand') {
    const next = tokens[at + 2]?.text === 'and' ? at + 3 : at + 2
    const rest = below100(tokens, next).at(-1)
    return rest ? { n: thousands * 1000 + rest.n, to: rest.to } : { n: thousands * 1000, to: at + 2 }
  }
  const century = below100(tokens, at).at(0)
  if (!century || (century.n !== 19 && century.n !== 20) || century.to !== at + 1) return undefined
  const rest = below100(tokens, at + 1).at(-1)
  return rest && rest.n >= 10 ? { n: century.n * 100 + rest.n, to: rest.to } : undefined
}

const NUMBER_WORDS: ReadonlySet<string> = new Set(
  [ONES, TEENS, TENS, ORDINALS].flatMap((numbers) => [...numbers.keys()]),
)

/** Tells whether a number can start with this word. */
export const isNumberWord = (word: string): boolean =>
  NUMBER_WORDS.has(word) || (word.includes('und') && GERMAN_PAIR.test(word))

/** Returns nodes of the kinds `num`, `ord` and `year` for every number that starts at a token. */
export const numbersAt = (tokens: readonly Token[], at: number): Node[] => {
  const token = tokens[at] as Token
  const node = (kind: string, to: number, value: unknown, score = 0): Node => ({
    kind,
    from: at,
    to,
    value,
    score,
  })
  if (token.kind === 'number') {
    const n = Number(token.text)
    const digits = token.text.length
    const [point, whole] = [tokens[at - 1], tokens[at - 2]]
    // The decimals of a number do not start another number.
    if (
      point &&
      whole?.kind === 'number' &&
      !token.spaceBefore &&
      !point.spaceBefore &&
      /^[.,]$/.test(point.text)
    )
      return []
    const found = [node('num', at + 1, { n, digits })]
    if (digits === 4 && n >= 1900 && n <= 2099) found.push(node('year', at + 1, n))
    const next = tokens[at + 1]
    if (digits <= 2 && next && !next.spaceBefore && /^(?:st|nd|rd|th)$/.test(next.text))
      found.push(node('ord', at + 2, n, 0.1))
    return found
  }
  const found: Node[] = []
  if (!isNumberWord(token.text)) return found
  for (const { n, to } of below100(tokens, at)) found.push(node('num', to, { n, digits: 0 }))
  const ordinal = ORDINALS.get(token.text)
  if (ordinal) found.push(node('ord', at + 1, ordinal))
  const tens = TENS.get(token.text)
  if (tens && tens < 40) {
    const next = tokens[at + 1]?.text === '-' ? at + 2 : at + 1
    const one = ORDINALS.get(tokens[next]?.text ?? '')
    if (one && one < 10) found.push(node('ord', next + 1, tens + one, 0.1))
  }
  const year = yearInWords(tokens, at)
  if (year) found.push(node('year', year.to, year.n))
  return found
}
