import { mondayOf, toZoneWall } from './calendar.ts'
import { baseOf, type Node, parse, type Token } from './chart.ts'
import { readTogether } from './context.ts'
import { findTerseDays, formatsAt, type Order, type TerseDays } from './formats.ts'
import { GRAMMAR, GRAMMAR_WORDS } from './grammar/grammar.ts'
import { holidaysAt, isHolidayWord } from './holidays.ts'
import { isDateWord, isMonth, isWordOf, lexemesOf } from './lexicon.ts'
import { type Now, type Outcome, outcomeOf, recurrenceOf, type TimeExpression } from './outcome.ts'
import { isAmbiguous, isPlausible, type Prose, toProse } from './prose.ts'
import {
  type Duration,
  type Fields,
  isNumberWord,
  type Num,
  numbersAt,
  type Recurring,
  type When,
  type Zone,
} from './values.ts'
import { zoneAt } from './zones.ts'

export type { TimeExpression } from './outcome.ts'

/** A run of tokens [from, to) that may form one time expression. */
export interface Island {
  from: number
  to: number
}

const GLUE = new Set(
  'the a at on of in within during for to and from between until before after since by around every ago uhr ampm rel coming edge lean few dowshort'.split(
    ' ',
  ),
)
const MARKS = new Set([...",.-–—~/():'’+&@"])

/** Limits the tokens of an island, because the parse time grows with its square. */
const MAX_TOKENS = 48
const MAX_GLUE = 6

/** Suffixes of numbers. "t" and "z" occur in ISO 8601 timestamps. */
const ENDINGS = new Set(['st', 'nd', 'rd', 'th', 'ish', 's', 't', 'z'])
const SIZES = new Set(['m', 'p', 'q', 'thousand', 'hundred'])
/** Tells whether a word names a time. Otherwise it only connects other words. Undefined for other words. */
const namesTime = (word: string): boolean | undefined =>
  isDateWord(word) ? lexemesOf(word).some(([kind]) => !GLUE.has(kind)) : undefined

const isCore = (token: Token, grammarWords: ReadonlySet<string>): boolean | undefined => {
  if (token.kind === 'number') return true
  if (token.kind === 'mark') return MARKS.has(token.text) ? false : undefined
  if (!token.spaceBefore && ENDINGS.has(token.text)) return false
  if (SIZES.has(token.text)) return false
  const known = namesTime(token.text) ?? namesTime(baseOf(token.text))
  if (known) return true
  if (isNumberWord(token.text) || isHolidayWord(token.text)) return true
  if (known === false) return false
  return grammarWords.has(token.text) ? CORE_WORDS.has(token.text) : undefined
}

/** Words of the grammar that name a time on their own. */
const CORE_WORDS = new Set(
  'eod eom eow eoy cob eob feierabend nightly bom boy viertelstunde dreiviertelstunde ganztägig moment present nineties eighties seventies sixties halb weekday workday werktag arbeitstag monatserste monatsersten monatsletzte monatsletzten advent'.split(
    ' ',
  ),
)

/** At the start of a line, these marks are list bullets and connect nothing. */
const isBullet = ({ text }: Token): boolean => /^[-–—~+]$/.test(text)

/** "2. Tuesday at 3" on its own line is a numbered item; "2. May" is a day. */
const isNumbering = (tokens: readonly Token[], at: number): boolean => {
  const [number, mark, next] = [tokens[at], tokens[at + 1], tokens[at + 2]]
  return (
    number?.kind === 'number' &&
    number.text.length <= 2 &&
    mark !== undefined &&
    !mark.spaceBefore &&
    /^[.)]$/.test(mark.text) &&
    next?.kind === 'word' &&
    next.spaceBefore &&
    !isMonth(next.text)
  )
}

/** Two letters are a weekday only after "jede": "jeden Di". */
const isShortDay = ({ text }: Token, previous: Token | undefined): boolean =>
  text.length === 2 &&
  previous?.text.startsWith('jede') === true &&
  lexemesOf(text).some(([kind]) => kind === 'dowshort')

const isBlankLine = (text: string, from: number, to: number): boolean =>
  to - from > 1 && /\n[^\S\n]*\n/.test(text.slice(from, Math.min(to, from + 200)))

/** Counts the tokens of a holiday name, because not every word of the name marks it. */
const holidayLength = (tokens: readonly Token[], at: number): number =>
  isHolidayWord((tokens[at] as Token).text)
    ? Math.max(0, ...holidaysAt(tokens, at).map(({ length }) => length))
    : 0

/** Extends an island by a zone name. The lexicon does not know the words of zone names. */
const withZone = (text: string, tokens: readonly Token[], end: number): number => {
  const after = tokens[end]?.text === '(' || tokens[end]?.text === ',' ? end + 1 : end
  const next = tokens[after]
  const zone = next?.kind === 'word' ? zoneAt(text, next) : undefined
  if (!zone || !next) return end
  let to = after
  while (to < tokens.length && (tokens[to] as Token).end <= next.start + zone.text.length) to++
  return tokens[to]?.text === ')' ? to + 1 : to
}

const findIslands = (
  text: string,
  tokens: readonly Token[],
  grammarWords: ReadonlySet<string>,
  /** Abbreviated weekdays, which the lexicon does not know. */
  days: readonly { from: number; to: number }[] = [],
): Island[] => {
  const isDay = (index: number): boolean => days.some(({ from, to }) => index >= from && index < to)
  const islands: Island[] = []
  let start = -1
  let firstCore = -1
  let lastCore = -1
  const close = (): void => {
    if (firstCore >= 0)
      islands.push({ from: Math.max(start, firstCore - MAX_GLUE), to: withZone(text, tokens, lastCore) })
    start = -1
    firstCore = -1
  }
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as Token
    const previous = tokens[index - 1]
    const isFirst =
      previous !== undefined && token.spaceBefore && text.slice(previous.end, token.start).includes('\n')
    if (isFirst && isNumbering(tokens, index)) {
      close()
      index++
      continue
    }
    // The day may follow the zone: "4pm AEST on Thursday", "9am New York time tomorrow".
    const zoned = firstCore >= 0 && index === lastCore ? withZone(text, tokens, index) : 0
    if (zoned > index) {
      lastCore = zoned
      index = zoned - 1
      continue
    }
    const core =
      isFirst && isBullet(token)
        ? undefined
        : isDay(index) || isShortDay(token, previous) || isCore(token, grammarWords)
    if (core === undefined || (previous && token.spaceBefore && isBlankLine(text, previous.end, token.start)))
      close()
    if (core === undefined) continue
    if (start >= 0 && index - Math.max(start, firstCore - MAX_GLUE) >= MAX_TOKENS && firstCore >= 0) close()
    if (start < 0) start = index
    if (core) {
      if (firstCore < 0) firstCore = index
      index += Math.max(1, holidayLength(tokens, index)) - 1
      lastCore = index + 1
    } else if (firstCore >= 0 && index - lastCore < MAX_GLUE) {
      // Words such as "ago" and "pm" follow the last number.
      lastCore = Math.max(lastCore, index + 1)
    } else if (firstCore >= 0) close()
  }
  close()
  return islands
}

const LISTED = /^(?:und|oder|and|or|bzw|,|\/|&|der|den|dem|the|am|on|\.)$/
const JOINS = /^(?:und|oder|and|or|bzw|&)$/
/** Words that may follow a day of the month. After other words the number is a count. */
const FOLLOWS = /^(?:[.,;!?)]|at|from|in|on|for|to|with|works?|is|are|would|um|von|ab|bis|im|or|and)$/

const fieldsOf = ({ kind, value }: Node): Fields | undefined => {
  const { date } = value as When
  return kind === 'when' && date?.is === 'fields' ? date : undefined
}

const isOnlyDay = (node: Node): boolean => {
  const date = fieldsOf(node)
  const { to, bound } = node.value as When
  return date?.d !== undefined && date.m === undefined && date.dow === undefined && !to && !bound
}

/** Finds a bare day in a list such as "24, 26 and 30 November". Each day must precede the next one. */
const findBareDay = (all: readonly Node[], end: number, limit: number): Node | undefined =>
  all.find(({ kind, to, value }) => {
    const { n, digits } = value as Num
    return kind === 'num' && to === end && digits > 0 && digits <= 2 && n >= 1 && n < limit
  })

/** Finds the days that precede `last` in a list: "the 5th, 6th and 7th of June". */
const findPrecedingDays = (
  last: Node,
  month: Fields,
  all: readonly Node[],
  tokens: readonly Token[],
): Node[] => {
  const found: Node[] = []
  let limit = month.d as number
  for (let at = last.from; ; ) {
    let end = at
    while (end > 0 && LISTED.test(tokens[end - 1]?.text ?? '')) end--
    const ordinal = end < at ? all.find(({ kind, to }) => kind === 'ordday' && to === end) : undefined
    const bare = end < at && !ordinal ? findBareDay(all, end, limit) : undefined
    const day = ordinal ?? bare
    if (!day) return found
    limit = bare ? (bare.value as Num).n : limit
    const date = {
      ...(bare ? { is: 'fields' as const, d: limit } : (day.value as Fields)),
      ...(month.y === undefined ? {} : { y: month.y }),
      m: month.m as number,
    }
    found.unshift({ ...day, kind: 'when', value: { date } })
    at = day.from
  }
}

/** Finds the day that follows `first` in a list: "on May 12 and 13". */
const findFollowingDay = (
  first: Node,
  month: Fields,
  all: readonly Node[],
  tokens: readonly Token[],
): Node | undefined => {
  if (!JOINS.test(tokens[first.to]?.text ?? '') || tokens[first.to - 1]?.kind !== 'number') return undefined
  const day = all.find(({ kind, from }) => kind === 'num' && from === first.to + 1)
  const { n, digits } = (day?.value ?? { n: 0, digits: 0 }) as Num
  const next = day && tokens[day.to]
  if (!day || digits === 0 || n <= (month.d ?? 0) || n > 31 || (next && !FOLLOWS.test(next.text)))
    return undefined
  return { ...day, kind: 'when', value: { date: { ...month, d: n } } }
}

/** Returns the Monday of the week that is named with a day, as in "Friday of next week". */
const findNamedWeek = ({ from, to, value }: Node, tokens: readonly Token[]): number | undefined => {
  const { date } = value as When
  const isNamed = tokens.slice(from, to).some(({ text }) => text === 'week' || text === 'woche')
  return date?.is === 'days' && date.grain === 'day' && isNamed ? mondayOf(date.from) : undefined
}

/** Completes the days of a list, because a list names its month or week only once. */
const completeListedDays = (
  chosen: readonly Node[],
  all: readonly Node[],
  tokens: readonly Token[],
): Node[] => {
  const found: Node[] = []
  for (const node of chosen.toReversed()) {
    const next = found[0]
    const month = next ? fieldsOf(next) : undefined
    const isListed =
      next !== undefined &&
      next.from > node.to &&
      tokens.slice(node.to, next.from).every(({ text }) => LISTED.test(text))
    if (month?.m !== undefined && month.d !== undefined && isListed && isOnlyDay(node)) {
      const date = { ...fieldsOf(node), m: month.m, ...(month.y === undefined ? {} : { y: month.y }) }
      found.unshift({ ...node, value: { ...(node.value as When), date } })
      continue
    }
    const own = fieldsOf(node)
    const week = next && isListed ? findNamedWeek(next, tokens) : undefined
    if (week !== undefined && own?.dow !== undefined && own.d === undefined && own.toward === undefined) {
      const from = week + own.dow - 1
      const date = { is: 'days', from, to: from + 1, grain: 'day' } as const
      found.unshift({ ...node, value: { ...(node.value as When), date } })
      continue
    }
    const { time, to, bound } = node.value as When
    if (own?.m === undefined || own.d === undefined || to || bound) {
      found.unshift(node)
      continue
    }
    const later = time ? undefined : findFollowingDay(node, own, all, tokens)
    const isFree = later !== undefined && (next === undefined || next.from >= later.to)
    const earlier = findPrecedingDays(node, own, all, tokens).filter(
      (day) => !chosen.some((other) => other.from < day.to && day.from < other.to),
    )
    found.unshift(...earlier, node, ...(isFree ? [later] : []))
  }
  return found
}

const DOTTED_MERIDIEM = /([ap])(?:\s?\.\s?m\s?\.|\sm(?=[\s.,;!?)]|$)|\.m\b)/iy

/** Creates the initial nodes: all meanings of single tokens and of known formats. */
const createSeeds = (
  text: string,
  tokens: readonly Token[],
  { from: first, to: end }: { from: number; to: number },
  order: Order,
  twelveHours: boolean,
): Node[] => {
  const seeds: Node[] = []
  const tokenAfter = (offset: number, from: number): number | undefined => {
    let index = from
    while (index < end && (tokens[index] as Token).end < offset) index++
    return (tokens[index] as Token | undefined)?.end === offset ? index + 1 : undefined
  }
  const add = (kind: string, from: number, to: number | undefined, value: unknown, score = 0): void => {
    if (to !== undefined && to > from && to <= end) seeds.push({ kind, from, to, value, score })
  }
  for (let index = first; index < end; index++) {
    const token = tokens[index] as Token
    add(`'${token.text}`, index, index + 1, token.text)
    if (token.kind === 'number' || token.text === '+' || token.text === "'" || token.text === '’')
      for (const { kind, length, value, score } of formatsAt(text, token.start, order, twelveHours)) {
        const to = tokenAfter(token.start + length, index)
        add(kind, index, to, value, score)
        if (kind === 'date' && (value as { digits?: true }).digits) add('slashed', index, to, value, score)
      }
    if (token.kind === 'number') {
      seeds.push(...numbersAt(tokens, index))
      continue
    }
    const word = isDateWord(token.text) ? token.text : baseOf(token.text)
    for (const [kind, value] of lexemesOf(word)) add(kind, index, index + 1, value)
    if (token.kind === 'mark') continue
    seeds.push(...numbersAt(tokens, index))
    for (const { length, day, name } of holidaysAt(tokens, index))
      add('feast', index, index + length, { name, day }, (length - 1) / 2)
    if (token.text === 'a' || token.text === 'p') {
      DOTTED_MERIDIEM.lastIndex = token.start
      const dotted = DOTTED_MERIDIEM.exec(text)
      if (dotted) add('ampm', index, tokenAfter(token.start + dotted[0].length, index), `${token.text}m`)
      if (!token.spaceBefore && tokens[index - 1]?.kind === 'number')
        add('ap', index, index + 1, `${token.text}m`)
    }
    const zone = zoneAt(text, token)
    if (zone) add('zone', index, tokenAfter(token.start + zone.text.length, index), zone)
  }
  return seeds
}

const CODES = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

/** One abbreviated weekday is a day. Several are a weekly recurrence. */
const createDaySeeds = (terse: readonly TerseDays[]): Node[] =>
  terse.map(({ from, to, days }) =>
    days.length === 1
      ? { kind: 'dow', from, to, value: days[0], score: 0 }
      : {
          kind: 'set',
          from,
          to,
          value: {
            rule: `FREQ=WEEKLY;BYDAY=${CODES.filter((_, index) => days.includes(index + 1)).join(',')}`,
          },
          score: 0.3,
        },
  )

export interface ReadOptions {
  /** The reader's wall-clock time in milliseconds, as if it were UTC. */
  now: number
  /** The reader's time zone. A time without a day in another zone is the next such time there. */
  timezone?: string
  /** Decides whether "5/12" is in May or in December. The default depends on the language of the text. */
  order?: Order
  /**
   * The text is a quick-capture line. A final abbreviated weekday is a day; several in sequence are a
   * recurrence.
   */
  terse?: boolean
}

/** Returns the offset after an expression and its zone. */
export const endOf = ({ offset, text, zone, zoneOffset }: TimeExpression): number =>
  Math.max(offset + text.length, zone && zoneOffset !== undefined ? zoneOffset + zone.text.length : 0)

/** "9 am" and "I am" are English. */
const ENGLISH_AM = /\d\s?am\b|\bi am\b|\bam i\b/g

/** Guesses the language by common words. This is enough to choose the order of digits. */
export const isGerman = (text: string): boolean => {
  const words =
    text
      .slice(0, 4000)
      .toLowerCase()
      .replace(ENGLISH_AM, 'i')
      .match(/\p{L}+/gu) ?? []
  const count = (group: string): number => words.filter((word) => isWordOf(group, word)).length
  return count('german') > count('english')
}

const LEADING_WORDS = new Set([
  'at',
  'on',
  'am',
  'um',
  '@',
  ',',
  'in',
  'during',
  'of',
  'about',
  'sometime',
  'im',
  'den',
  'für',
  'auf',
])
/** Selects the interpretations that cover the most tokens with the fewest expressions. */
const selectNodes = (
  nodes: readonly Node[],
  tokens: readonly Token[],
  terse: readonly TerseDays[],
): Node[] => {
  const wanted = nodes.filter(
    (node) =>
      (node.kind === 'when' || node.kind === 'dur' || node.kind === 'set') &&
      isPlausible(node, tokens, terse),
  )
  const byEnd = Map.groupBy(wanted, (node) => node.to)
  const best: { total: number; node?: Node; from: number }[] = [{ total: 0, from: 0 }]
  for (let end = 1; end <= tokens.length; end++) {
    let top: { total: number; node?: Node; from: number } = {
      total: (best[end - 1] as { total: number }).total,
      from: end - 1,
    }
    for (const node of byEnd.get(end) ?? []) {
      const total =
        (best[node.from] as { total: number }).total + (node.to - node.from) + 0.35 * node.score - 0.9
      if (total > top.total) top = { total, node, from: node.from }
    }
    best.push(top)
  }
  const chosen: Node[] = []
  for (let end = tokens.length; end > 0; ) {
    const { node, from } = best[end] as { node?: Node; from: number }
    if (node) chosen.unshift(node)
    end = from
  }
  return chosen
}

/** Removes words such as "on" and "at" and the zone, which is reported separately. */
const trimNode = (
  node: Node,
  tokens: readonly Token[],
  outcome: Outcome,
): { from: number; to: number; zone?: Token } => {
  let { from, to } = node
  const word = (): string => tokens[from]?.text ?? ''
  const belongs = (): boolean =>
    (/^(?:in|im)$/.test(word()) && (outcome.part !== undefined || outcome.duration !== undefined)) ||
    (word() === 'at' && (outcome.part !== undefined || outcome.duration?.n === 0))
  if (node.kind === 'when') while (from < to - 1 && LEADING_WORDS.has(word()) && !belongs()) from++
  const named = outcome.zone?.text
  const zone = named
    ? tokens
        .slice(from, to)
        .findLast(({ text, kind }) => kind === 'word' && named.toLowerCase().startsWith(text))
    : undefined
  if (named && zone) {
    const isLast = !tokens
      .slice(from, to)
      .some(({ start, kind }) => kind !== 'mark' && start >= zone.start + named.length)
    if (isLast && tokens.indexOf(zone) > from) to = tokens.indexOf(zone)
    while (to > from + 1 && /^[(,]$/.test(tokens[to - 1]?.text ?? '')) to--
  }
  // The point after "31.7." belongs to the date; the point after "Friday." ends the sentence.
  const isDotted = (): boolean =>
    tokens[to - 2]?.kind === 'number' &&
    (tokens[to - 3]?.text === '.' ||
      (tokens[to] !== undefined && /^(?:am|den|dem)$/.test(tokens[to - 3]?.text ?? '')))
  while (
    to > from + 1 &&
    tokens[to - 1]?.text === '.' &&
    !/^[mp]$/.test(tokens[to - 2]?.text ?? '') &&
    !isDotted()
  )
    to--
  return { from, to, ...(zone ? { zone } : {}) }
}

const confidenceOf = (node: Node, outcome: Outcome, tokens: readonly Token[]): number => {
  let result = 0.95
  // "10:00" hardly ever means the night.
  const hours = (outcome.start?.seconds ?? 0) / 3600
  if (outcome.either) result -= outcome.grain === 'minute' && hours >= 9 && hours < 13 ? 0.05 : 0.15
  if (node.score < 0) result -= 0.15
  if (
    tokens.slice(node.from, node.to).some(isAmbiguous) &&
    !tokens.slice(node.from, node.to).some(({ kind }) => kind === 'number')
  )
    result -= 0.2
  if (outcome.part || outcome.edge) result -= 0.05
  return Math.max(0.1, Math.round(result * 100) / 100)
}

/** "Since nine" lies in the past. At eight, it means yesterday. */
const moveToPast = (outcome: Outcome, now: Now): void => {
  const { start, dated } = outcome
  if (dated || start?.seconds === undefined) return
  const isAhead = start.day > now.day || (start.day === now.day && start.seconds > now.seconds)
  if (isAhead) outcome.start = { ...start, day: start.day - 1 }
}

const toNow = (wall: number): Now => {
  const day = Math.floor(wall / 86_400_000)
  return { day, seconds: Math.floor((wall - day * 86_400_000) / 1000) }
}

const isUndated = ({ date, to }: When): boolean => !date && !to?.date

const MAX_NODES = 40_000

/** Finds the time expressions of a text, in order. */
export const readTimes = (text: string, options: ReadOptions): TimeExpression[] =>
  timesIn(text, toProse(text), options)

/** Finds the time expressions of a text that is already tokenized. */
export const timesIn = (
  text: string,
  { text: clean, tokens: all }: Prose,
  options: ReadOptions,
): TimeExpression[] => {
  const now = toNow(options.now)
  const nowFor = (zone: Zone | undefined): Now =>
    zone && options.timezone ? toNow(toZoneWall(options.now, zone, options.timezone)) : now
  const order = options.order ?? (isGerman(text) ? 'dmy' : 'mdy')
  const found: TimeExpression[] = []
  let nodeCount = 0
  const short = options.terse ? findTerseDays(all) : []
  for (const island of findIslands(clean, all, GRAMMAR_WORDS, short)) {
    // The neighbors of an island do not belong to it, but affect its interpretation.
    const lead = Math.max(0, island.from - 1)
    const tokens = all.slice(lead, island.to + 2)
    const inside = { from: island.from - lead, to: island.to - lead }
    const terse = short
      .filter(({ from, to }) => from >= island.from && to <= island.to)
      .map(({ from, to, days }) => ({ from: from - lead, to: to - lead, days }))
    const seeds = [...createSeeds(clean, tokens, inside, order, order === 'mdy'), ...createDaySeeds(terse)]
    const nodes = parse(
      { now, order, words: all.length, terse: options.terse === true },
      tokens,
      seeds,
      GRAMMAR,
    )
    nodeCount += nodes.length
    if (nodeCount > MAX_NODES) break
    for (const node of completeListedDays(selectNodes(nodes, tokens, terse), nodes, tokens)) {
      const outcome =
        node.kind === 'set'
          ? recurrenceOf(node.value as Recurring, nowFor((node.value as Recurring).zone))
          : node.kind === 'dur'
            ? ({
                kind: 'duration',
                grain: (node.value as Duration).unit,
                dated: false,
                duration: node.value as Duration,
              } satisfies Outcome)
            : outcomeOf(
                node.value as When,
                nowFor(isUndated(node.value as When) ? (node.value as When).zone : undefined),
              )
      if (!outcome) continue
      const { from, to, zone } = trimNode(node, tokens, outcome)
      if (/^(?:since|seit)$/.test(tokens[from]?.text ?? '')) moveToPast(outcome, now)
      const offset = (tokens[from] as Token).start
      const last = tokens[to - 1] as Token
      const end = last.end - (last.text.endsWith("'s") && !isHolidayWord(last.text) ? 2 : 0)
      found.push({
        ...outcome,
        text: text.slice(offset, end),
        offset,
        confidence: confidenceOf(node, outcome, tokens),
        ...(zone ? { zoneOffset: zone.start } : {}),
      })
    }
  }
  return readTogether(text, found)
}
