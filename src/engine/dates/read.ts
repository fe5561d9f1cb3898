import { type Node, parse } from './chart.ts'
import type { Order } from './formats.ts'
import { GRAMMAR, GRAMMAR_WORDS } from './grammar/grammar.ts'
import { isFeastWord } from './holidays.ts'
import { findIslands } from './islands.ts'
import { DOUBTFUL, LEXICON } from './lexicon.ts'
import { inOneMonth } from './listed-days.ts'
import { type Outcome, outcomeOf, recurrenceOf } from './outcome.ts'
import { type Prose, proseOf } from './prose.ts'
import type { Now } from './resolve.ts'
import { daySeeds, seedsOf } from './seeds.ts'
import { type TerseDays, terseDays } from './terse-days.ts'
import { baseOf, type Token } from './tokens.ts'
import type { Duration, Recurring, When } from './values.ts'

export interface ReadOptions {
  /** The wall clock of the reader, as if it were UTC, in ms. */
  now: number
  /** Whether "5/12" is in May or in December; by the language of the text when not given. */
  order?: Order
  /** The text is a line that somebody captures: a short weekday at its end is one, and several in a row come back. */
  terse?: boolean
}

/** A time that a text names, and where. */
export interface TimeExpression extends Outcome {
  text: string
  offset: number
  /** How sure it is that this is meant, 0 to 1. */
  confidence: number
}

const GERMAN =
  /\b(?:und|uhr|der|die|das|den|(?<!\d\s?|\bi )am(?! i\b)|um|bis|vom|nicht|wir|ich|mit|für|hallo|danke|bitte|passt|gruß|grüße|liebe[rs]?|guten|ist|auch|noch|gerne?|vielen|keine?n?|habe|haben|sie|zum|zur|beim|auf|schon|wird|werden|sehr|heute|morgen|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)\b/g
const ENGLISH =
  /\b(?:the|and|to|at|of|is|i|my|what|when|you|we|for|on|with|from|monday|tuesday|wednesday|thursday|friday|saturday|sunday|pm)\b/g

/** A guess by the commonest words; enough to choose how digits are read. */
export const isGerman = (text: string): boolean => {
  const sample = text.slice(0, 4000).toLowerCase()
  return (sample.match(GERMAN)?.length ?? 0) > (sample.match(ENGLISH)?.length ?? 0)
}

const CONTEXT = new Set(
  'in on of this next last since until till by during for from to through thru early late mid end every each coming between before after and or am im den ab bis'.split(
    ' ',
  ),
)
const GREETING = /^(?:good|guten|gute|schönen|happy)$/
const UNSPOKEN = new Set([
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
])
const VERBS = /^(?:will|would|should|shouldn't|must|can|could|may|might|to|won't|doesn't|that|which|not)$/
const GLUE_KINDS = new Set(
  'the a at on of in within during for to and from between until before after since by around every ago'.split(
    ' ',
  ),
)

/** "Chapter 5", "Raum 3": the number belongs to the word before it. */
const LABEL =
  /^(?:chapter|page|room|section|version|build|step|part|item|ticket|issue|order|invoice|no|nr|number|level|gate|bug|unit|floor|apartment|apt|suite|line|bus|route|highway|platform|terminal|season|episode|figure|table|question|exercise|phase|lesson|module|slide|slot|track|channel|size|grade|class|kapitel|seite|raum|zimmer|abschnitt|schritt|teil|artikel|nummer|gleis|etage|stock|bestellung|rechnung|klasse|folge|staffel|abbildung|tabelle|frage|folie|größe|linie)$/
const CLOCK_SIGN = /^(?:[:h]|am|pm|a|p|uhr|o'clock|oclock)$/

const isLabelled = (own: readonly Token[], before: Token | undefined, after: Token | undefined): boolean =>
  before?.kind === 'word' &&
  LABEL.test(before.text) &&
  own[0]?.kind === 'number' &&
  !CLOCK_SIGN.test((own[1] ?? after)?.text ?? '') &&
  // "Room 5, 12 March" and "Room 12 May" are told apart by the blank alone; a month makes a date.
  !own.slice(1, 4).some(({ text }) => (LEXICON.get(text) ?? []).some(([kind]) => kind === 'month'))

const isDoubtful = (token: Token): boolean => token.kind === 'word' && DOUBTFUL.has(token.text)

const saysSomething = (token: Token): boolean => {
  if (token.kind === 'number') return true
  if (token.kind === 'mark' || DOUBTFUL.has(token.text)) return false
  const lexemes = LEXICON.get(token.text) ?? LEXICON.get(baseOf(token.text))
  return lexemes === undefined || lexemes.some(([kind]) => !GLUE_KINDS.has(kind))
}

const isOnlyDay = ({ date, time }: When): boolean =>
  date?.is === 'fields' && date.d !== undefined && date.m === undefined && date.dow === undefined && !time

/** "the 1st week", "the second time": the ordinal belongs to what follows. */
const isFollower = (token: Token): boolean =>
  LEXICON.has(token.text) ||
  /^(?:with|or|is|if|works|would|please|we|i|you|as|but|called|so)$/.test(token.text)

/** Words with another meaning are times only where their neighbours say so. */
const isPlausible = (node: Node, tokens: readonly Token[], terse: readonly TerseDays[]): boolean => {
  const own = tokens.slice(node.from, node.to)
  const before = tokens[node.from - 1]
  const first = own[0] as Token
  if (before && !first.apart && /^[$€£#§_]$/.test(before.text)) return false
  if (isLabelled(own, before, tokens[node.to])) return false
  const value = node.value as When & Partial<Duration>
  if (node.kind === 'when' && value.time?.is === 'part' && !value.date) {
    if (before && GREETING.test(before.text)) return false
    if (first.text === 'morgen' || first.text === 'eve') return false
    // "Morning Ana," greets.
    const [next, mark] = [tokens[node.to], tokens[node.to + 1]]
    if (
      !before &&
      first.capital &&
      own.length === 1 &&
      (next?.text === ',' || (next?.capital && mark?.text === ','))
    )
      return false
  }
  if (node.kind === 'dur') {
    // "twice a week" is how often, not how long.
    if (before && first.text === 'a' && /^(?:once|twice|times)$/.test(before.text)) return false
    if (
      value.unit === 'second' &&
      own.some(({ text }) => text === 'second') &&
      !own.some(({ kind }) => kind === 'number')
    )
      return false
    if (own.length === 2 && own[1]?.text === 'h' && own[1].apart) return false
  }
  if (
    node.kind === 'when' &&
    value.date?.is === 'days' &&
    value.date.edge &&
    own.length === 2 &&
    first.text === 'mid'
  )
    return true
  const after = tokens[node.to]
  if (first.text === 'last' && before && VERBS.test(before.text)) return false
  if (
    own.at(-1)?.kind === 'number' &&
    after &&
    !after.apart &&
    /^[-/]$/.test(after.text) &&
    tokens[node.to + 1]?.kind === 'number' &&
    !tokens[node.to + 1]?.apart
  )
    return false
  if (own.length === 2 && first.text === 'this' && own[1]?.text === 'may' && !own[1].capital) return false
  if (
    node.kind === 'when' &&
    value.date?.is === 'fields' &&
    isOnlyDay(value) &&
    after?.kind === 'word' &&
    !isFollower(after) &&
    // "Am 21. besorgen": what it would belong to has a capital in German.
    (first.text !== 'am' || after.capital)
  )
    return false
  if (own.some(saysSomething) || own.filter(isDoubtful).length > 1) return true
  if (terse.some(({ from, to }) => from >= node.from && to <= node.to)) return true
  if (!own.some(isDoubtful)) return node.to - node.from > 0 && own.some(({ kind }) => kind !== 'mark')
  const word = own.find(isDoubtful) as Token
  const previous = tokens[tokens.indexOf(word) - 1]
  if (
    previous &&
    CONTEXT.has(previous.text) &&
    !(word.text === 'may' && /^(?:this|and|or|to|that|it)$/.test(previous.text) && !word.capital)
  )
    return true
  return (
    word.capital &&
    word.text.length > 2 &&
    previous !== undefined &&
    !/^[.!?:;>]$/.test(previous.text) &&
    word.text !== 'second'
  )
}

/** Of all readings, the ones that explain most of the words with the fewest expressions. */
const choose = (nodes: readonly Node[], tokens: readonly Token[], terse: readonly TerseDays[]): Node[] => {
  const wanted = nodes.filter(
    (node) =>
      (node.kind === 'when' || node.kind === 'dur' || node.kind === 'set') &&
      isPlausible(node, tokens, terse),
  )
  const byEnd = Map.groupBy(wanted, (node) => node.to)
  const best: { worth: number; node?: Node; from: number }[] = [{ worth: 0, from: 0 }]
  for (let end = 1; end <= tokens.length; end++) {
    let top: { worth: number; node?: Node; from: number } = {
      worth: (best[end - 1] as { worth: number }).worth,
      from: end - 1,
    }
    for (const node of byEnd.get(end) ?? []) {
      const worth =
        (best[node.from] as { worth: number }).worth + (node.to - node.from) + 0.35 * node.score - 0.9
      if (worth > top.worth) top = { worth, node, from: node.from }
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

/** The words around a time that are not part of it: "on", "at", and the zone, which is told apart. */
const trim = (node: Node, tokens: readonly Token[], outcome: Outcome): { from: number; to: number } => {
  let { from, to } = node
  const word = (): string => tokens[from]?.text ?? ''
  const belongs = (): boolean =>
    (/^(?:in|im)$/.test(word()) && (outcome.part !== undefined || outcome.duration !== undefined)) ||
    (word() === 'at' && (outcome.part !== undefined || outcome.duration?.n === 0))
  if (node.kind === 'when') while (from < to - 1 && UNSPOKEN.has(word()) && !belongs()) from++
  if (outcome.zone?.text) {
    const at = tokens
      .slice(from, to)
      .findLast((token) => outcome.zone?.text.toLowerCase().startsWith(token.text) && token.kind === 'word')
    if (at) {
      const cut = tokens.indexOf(at)
      if (cut > from) to = cut
      while (to > from + 1 && /^[(,]$/.test(tokens[to - 1]?.text ?? '')) to--
    }
  }
  // The point after "31.7." belongs to the date, the one after "Friday." to the sentence.
  const isDotted = (): boolean => tokens[to - 2]?.kind === 'number' && tokens[to - 3]?.text === '.'
  while (
    to > from + 1 &&
    tokens[to - 1]?.text === '.' &&
    !/^[mp]$/.test(tokens[to - 2]?.text ?? '') &&
    !isDotted()
  )
    to--
  return { from, to }
}

const confidenceOf = (node: Node, outcome: Outcome, tokens: readonly Token[]): number => {
  let sure = 0.95
  if (outcome.either) sure -= 0.15
  if (node.score < 0) sure -= 0.15
  if (
    tokens.slice(node.from, node.to).some(isDoubtful) &&
    !tokens.slice(node.from, node.to).some(({ kind }) => kind === 'number')
  )
    sure -= 0.2
  if (outcome.part || outcome.edge) sure -= 0.05
  return Math.max(0.1, Math.round(sure * 100) / 100)
}

/** What lasts since nine has begun: at eight, that was yesterday. */
const goBack = (outcome: Outcome, now: Now): void => {
  const { start, dated } = outcome
  if (dated || start?.seconds === undefined) return
  const isAhead = start.day > now.day || (start.day === now.day && start.seconds > now.seconds)
  if (isAhead) outcome.start = { ...start, day: start.day - 1 }
}

const MOST_EFFORT = 40_000

/** Every time that a text names, in order. */
export const readTimes = (text: string, options: ReadOptions): TimeExpression[] =>
  timesIn(text, proseOf(text), options)

/** The same for a text whose tokens are known. */
export const timesIn = (
  text: string,
  { text: clean, tokens: all }: Prose,
  options: ReadOptions,
): TimeExpression[] => {
  const now: Now = {
    day: Math.floor(options.now / 86_400_000),
    seconds: Math.floor((((options.now % 86_400_000) + 86_400_000) % 86_400_000) / 1000),
  }
  const order = options.order ?? (isGerman(text) ? 'dmy' : 'mdy')
  const found: TimeExpression[] = []
  let effort = 0
  const short = options.terse ? terseDays(all) : []
  for (const island of findIslands(clean, all, GRAMMAR_WORDS, short)) {
    // The words around an island are no part of it, but say how to read it.
    const lead = Math.max(0, island.from - 1)
    const tokens = all.slice(lead, island.to + 2)
    const inside = { from: island.from - lead, to: island.to - lead }
    const terse = short
      .filter(({ from, to }) => from >= island.from && to <= island.to)
      .map(({ from, to, days }) => ({ from: from - lead, to: to - lead, days }))
    const seeds = [...seedsOf(clean, tokens, inside, order, order === 'mdy'), ...daySeeds(terse)]
    const nodes = parse(
      { now, order, words: all.length, terse: options.terse === true },
      tokens,
      seeds,
      GRAMMAR,
    )
    effort += nodes.length
    if (effort > MOST_EFFORT) break
    for (const node of inOneMonth(choose(nodes, tokens, terse), nodes, tokens)) {
      const outcome =
        node.kind === 'set'
          ? recurrenceOf(node.value as Recurring, now)
          : node.kind === 'dur'
            ? ({
                kind: 'duration',
                grain: (node.value as Duration).unit,
                dated: false,
                duration: node.value as Duration,
              } satisfies Outcome)
            : outcomeOf(node.value as When, now)
      if (!outcome) continue
      const { from, to } = trim(node, tokens, outcome)
      if (/^(?:since|seit)$/.test(tokens[from]?.text ?? '')) goBack(outcome, now)
      const offset = (tokens[from] as Token).start
      const last = tokens[to - 1] as Token
      const end = last.end - (last.text.endsWith("'s") && !isFeastWord(last.text) ? 2 : 0)
      found.push({
        ...outcome,
        text: text.slice(offset, end),
        offset,
        confidence: confidenceOf(node, outcome, tokens),
      })
    }
  }
  return found
}
