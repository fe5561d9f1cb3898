import { endOf, readTimes, type TimeExpression } from '../../../nlu/dates/read.ts'
import { type Priority, readPriority } from '../../../nlu/quick-task.ts'
import { dayText } from '../due.ts'

const DAY_MS = 86_400_000
/** Dates outside this range are misread numbers. */
const [EARLIEST, LATEST] = [Date.UTC(1900, 0, 1) / DAY_MS, Date.UTC(9990, 0, 1) / DAY_MS]
/** Limits the work for hostile input. */
const MAX_TERMS = 50

/** The days from `from` to the day before `below`, such as 2026-03-01. Null means without a limit. */
export interface Days {
  from: string | null
  below: string | null
}

/** A word of a query, as it was typed. */
export interface Word {
  text: string
  offset: number
}

/** A thing that a query names. */
type Named<K extends string> = K extends K ? Word & { kind: K; name: string } : never
export type NamedTerm = Named<'tag' | 'section' | 'list' | 'assignee'>

export type FilterTerm =
  | NamedTerm
  | (Word & { kind: 'me' | 'overdue' })
  | (Word & { kind: 'priority'; priority: Priority })
  | (Word & { kind: 'due'; days: Days })
  | (Word & { kind: 'without'; field: 'date' | 'tag' | 'assignee' })
  | (Word & { kind: 'text'; value: string })

export type FilterExpression =
  | FilterTerm
  | { kind: 'not'; of: FilterExpression }
  | { kind: 'and' | 'or'; of: readonly FilterExpression[] }

/** A word that cannot be read. */
export class FilterFault extends Error {
  readonly word: Word

  constructor(word: Word, reason: string) {
    super(reason)
    this.word = word
  }
}

const KEYS = {
  due: 'due',
  fällig: 'due',
  list: 'list',
  liste: 'list',
  section: 'section',
  abschnitt: 'section',
  tag: 'tag',
  assignee: 'assignee',
  zugewiesen: 'assignee',
  no: 'without',
  ohne: 'without',
  text: 'text',
} as const

const FIELDS = {
  date: 'date',
  due: 'date',
  datum: 'date',
  tag: 'tag',
  tags: 'tag',
  assignee: 'assignee',
  zugewiesen: 'assignee',
} as const

const OPERATORS = { '|': 'or', or: 'or', oder: 'or', '&': 'and', and: 'and', und: 'and' } as const
const NOT = /^(?:not|nicht)$/iu
const ME = /^(?:me|ich|mich|mir)$/iu
const OVERDUE = /^(?:overdue|überfällig)$/iu

const lookUp = <V>(table: Readonly<Record<string, V>>, name: string): V | undefined =>
  Object.hasOwn(table, name.toLowerCase()) ? table[name.toLowerCase()] : undefined

const unquote = (text: string): string => text.replaceAll('"', '').trim()

const readWords = (query: string): Word[] => {
  const text = query.replace(/[“”„]/gu, '"')
  if ((text.match(/"/g)?.length ?? 0) % 2 === 1) {
    const offset = text.lastIndexOf('"')
    throw new FilterFault({ text: text.slice(offset), offset }, 'has a quotation mark that is not closed')
  }
  return [...text.matchAll(/[()|&]|(?:"[^"]*"|[^\s()|&"])+/gu)].map((match) => ({
    text: match[0],
    offset: match.index,
  }))
}

interface DayNumbers {
  from: number | null
  below: number | null
}

const toDays = (
  { kind, start, end, inclusive, bound, duration }: TimeExpression,
  today: number,
): DayNumbers | undefined => {
  if (kind === 'recurrence') return undefined
  if (!start)
    return duration && duration.months === 0 && duration.days > 0
      ? { from: today, below: today + duration.days }
      : undefined
  const last = end && (inclusive || (end.seconds ?? 0) > 0) ? end.day : (end?.day ?? start.day + 1) - 1
  const below = Math.max(last, start.day) + 1
  if (bound === 'before') return { from: null, below: start.day }
  if (bound === 'until' || bound === 'by') return { from: null, below }
  if (bound === 'after') return { from: below, below: null }
  return { from: start.day, below: bound === 'since' ? null : below }
}

const isInRange = (day: number | null): boolean => day === null || (day >= EARLIEST && day < LATEST)
const toText = (day: number | null): string | null => (day === null ? null : dayText(day * DAY_MS))

const compare = (sign: string, { from, below }: DayNumbers): DayNumbers => {
  if (sign === '<') return { from: null, below: from }
  if (sign === '<=') return { from: null, below }
  if (sign === '>') return { from: below, below: null }
  return sign === '>=' ? { from, below: null } : { from, below }
}

export interface FilterClock {
  /** The wall-clock time of the person, as if it were UTC. */
  now: number
  timezone: string
}

class Parser {
  private readonly words: readonly Word[]
  private readonly query: string
  private readonly clock: FilterClock
  private at = 0
  private terms = 0

  constructor(query: string, clock: FilterClock) {
    this.query = query
    this.clock = clock
    this.words = readWords(query)
  }

  parse(): FilterExpression {
    const expression = this.readAlternatives()
    const rest = this.words[this.at]
    if (rest) throw new FilterFault(rest, 'closes a bracket that is not open')
    return expression
  }

  private readAlternatives(): FilterExpression {
    const all = [this.readAll()]
    while (this.operator() === 'or') {
      this.at++
      all.push(this.readAll())
    }
    return all.length === 1 ? (all[0] as FilterExpression) : { kind: 'or', of: all }
  }

  private readAll(): FilterExpression {
    const all = [this.readNegated()]
    for (;;) {
      const operator = this.operator()
      if (operator === 'and') this.at++
      else if (operator === 'or' || this.isEnd()) break
      all.push(this.readNegated())
    }
    return all.length === 1 ? (all[0] as FilterExpression) : { kind: 'and', of: all }
  }

  private readNegated(): FilterExpression {
    const word = this.next()
    if (NOT.test(word.text) || word.text === '-') {
      this.at++
      return { kind: 'not', of: this.readNegated() }
    }
    if (word.text === '(') return this.readBrackets(word)
    if (word.text.startsWith('-')) {
      const positive = { text: word.text.slice(1), offset: word.offset + 1 }
      return { kind: 'not', of: this.readTerm(positive) }
    }
    return this.readTerm(word)
  }

  private readBrackets(open: Word): FilterExpression {
    this.at++
    const inner = this.readAlternatives()
    if (this.words[this.at]?.text !== ')') throw new FilterFault(open, 'opens a bracket that is not closed')
    this.at++
    return inner
  }

  private readTerm(word: Word): FilterTerm {
    this.terms++
    if (this.terms > MAX_TERMS) throw new FilterFault(word, `is one condition more than ${MAX_TERMS}`)
    if (word.text === ')' || lookUp(OPERATORS, word.text))
      throw new FilterFault(word, 'needs a condition in front of it')
    const known = this.readKnown(word)
    if (!known) return this.readDates(word)
    this.at++
    return known
  }

  private readKnown(word: Word): FilterTerm | undefined {
    const { text } = word
    const priority = readPriority(text)
    if (priority) return { ...word, kind: 'priority', priority }
    if (text.startsWith('!'))
      throw new FilterFault(word, 'is no priority. The priorities are !low, !normal, !high and !urgent')
    if (OVERDUE.test(text)) return { ...word, kind: 'overdue' }
    if (text.startsWith('#')) return this.readNamed(word, 'tag', text.slice(1))
    if (text.startsWith('/')) return this.readNamed(word, 'section', text.slice(1))
    const [, name, value] = /^(\p{L}+):(.*)$/su.exec(text) ?? []
    return name === undefined || value === undefined ? undefined : this.readKeyed(word, name, value)
  }

  private readKeyed(word: Word, name: string, value: string): FilterTerm {
    const key = lookUp(KEYS, name)
    if (!key)
      throw new FilterFault(
        word,
        'has an unknown key. The keys are due, list, section, tag, assignee, no and text',
      )
    if (unquote(value) === '') throw new FilterFault(word, 'needs a value behind the colon')
    if (key === 'due') return this.readDue(word, unquote(value))
    if (key === 'text') return this.readText(word, unquote(value))
    if (key === 'assignee' && ME.test(value)) return { ...word, kind: 'me' }
    if (key !== 'without') return this.readNamed(word, key, value)
    const field = lookUp(FIELDS, unquote(value))
    if (!field) throw new FilterFault(word, 'names no field. The fields are no:date, no:tag and no:assignee')
    return { ...word, kind: 'without', field }
  }

  private readText(word: Word, value: string): FilterTerm {
    if (!/[\p{L}\p{N}]/u.test(value)) throw new FilterFault(word, 'needs letters or digits behind the colon')
    return { ...word, kind: 'text', value }
  }

  private readNamed(word: Word, kind: NamedTerm['kind'], value: string): NamedTerm {
    const name = unquote(value)
    if (name === '') throw new FilterFault(word, 'needs a name')
    return { ...word, kind, name } as NamedTerm
  }

  private readDue(word: Word, value: string): FilterTerm {
    if (OVERDUE.test(value)) return { ...word, kind: 'overdue' }
    const [, sign = '', text = ''] = /^([<>]=?)?\s*(.*)$/su.exec(value) ?? []
    const [time] = this.readTimesOf(text)
    const days = time && endOf(time) === text.length ? this.toNumbers(time) : undefined
    if (!days)
      throw new FilterFault(word, 'names no date. Write a date such as due:2026-03-01 or due:"next week"')
    return this.toDue(word, compare(sign, days))
  }

  /** Reads dates without a key, such as “next week”. */
  private readDates(word: Word): FilterTerm {
    const isBare = ({ text }: Word): boolean =>
      /^[\p{L}\d]/u.test(text) && !lookUp(OPERATORS, text) && !/^\p{L}+:/u.test(text)
    const from = this.at
    let to = from + 1
    while (to < this.words.length && isBare(this.words[to] as Word)) to++
    const last = this.words[to - 1] as Word
    const [time] = this.readTimesOf(this.query.slice(word.offset, last.offset + last.text.length))
    const days = time && this.toNumbers(time)
    if (!time || !days)
      throw new FilterFault(
        word,
        'is neither a date nor another condition. Write text: in front of it to search for it',
      )
    const end = word.offset + endOf(time)
    while (this.at < to && (this.words[this.at] as Word).offset < end) this.at++
    const text = this.query.slice(word.offset, end)
    return this.toDue({ text, offset: word.offset }, days)
  }

  private toNumbers(time: TimeExpression): DayNumbers | undefined {
    return time.offset === 0 ? toDays(time, Math.floor(this.clock.now / DAY_MS)) : undefined
  }

  private toDue(word: Word, { from, below }: DayNumbers): FilterTerm {
    if (!isInRange(from) || !isInRange(below)) throw new FilterFault(word, 'names no date of this time')
    return { ...word, kind: 'due', days: { from: toText(from), below: toText(below) } }
  }

  private readTimesOf(text: string): TimeExpression[] {
    return readTimes(text, { ...this.clock, terse: true })
  }

  private operator(): 'or' | 'and' | undefined {
    const word = this.words[this.at]
    return word && lookUp(OPERATORS, word.text)
  }

  private isEnd(): boolean {
    const word = this.words[this.at]
    return word === undefined || word.text === ')'
  }

  private next(): Word {
    const word = this.words[this.at]
    if (word) return word
    const last = this.words.at(-1) ?? { text: this.query.trim(), offset: 0 }
    throw new FilterFault(last, 'needs a condition behind it')
  }
}

/** Parses a query such as “#home due:today | overdue -list:Work”. Throws a `FilterFault`. */
export const parseFilter = (query: string, clock: FilterClock): FilterExpression =>
  new Parser(query, clock).parse()

/** Lists the conditions of an expression. */
export const listTerms = (expression: FilterExpression): FilterTerm[] => {
  if (!('of' in expression)) return [expression]
  const { of } = expression
  return 'kind' in of ? listTerms(of) : of.flatMap(listTerms)
}

/** Lists the conditions that all tasks of an expression meet. */
export const listCommonTerms = (expression: FilterExpression): FilterTerm[] => {
  if (expression.kind === 'and') return expression.of.flatMap(listCommonTerms)
  return 'of' in expression ? [] : [expression]
}
