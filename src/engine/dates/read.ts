import { type Node, parse } from './chart.ts'
import type { Order } from './formats.ts'
import { GRAMMAR, GRAMMAR_WORDS } from './grammar/grammar.ts'
import { isFeastWord } from './holidays.ts'
import { wallThere } from './home-clock.ts'
import { findIslands } from './islands.ts'
import { inOneMonth } from './listed-days.ts'
import { type Outcome, outcomeOf, recurrenceOf } from './outcome.ts'
import { isDoubtful, isPlausible } from './plausible.ts'
import { type Prose, proseOf } from './prose.ts'
import type { Now } from './resolve.ts'
import { daySeeds, seedsOf } from './seeds.ts'
import { type TerseDays, terseDays } from './terse-days.ts'
import type { Token } from './tokens.ts'
import type { Duration, Recurring, When, Zone } from './values.ts'

export interface ReadOptions {
  /** The wall clock of the reader, as if it were UTC, in ms. */
  now: number
  /** The reader's zone: by it an hour that is said of another zone's clock, and of no day, is the next there. */
  timezone?: string
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
  /** Where the zone stands that was said with it, which may be behind its words. */
  zoneOffset?: number
}

/** The first place behind an expression and its zone. */
export const endOf = ({ offset, text, zone, zoneOffset }: TimeExpression): number =>
  Math.max(offset + text.length, zone && zoneOffset !== undefined ? zoneOffset + zone.text.length : 0)

const GERMAN =
  /\b(?:und|uhr|der|die|das|den|(?<!\d\s?|\bi )am(?! i\b)|um|bis|vom|nicht|wir|ich|mit|für|hallo|danke|bitte|passt|gruß|grüße|liebe[rs]?|guten|ist|auch|noch|gerne?|vielen|keine?n?|habe|haben|sie|zum|zur|beim|auf|schon|wird|werden|sehr|heute|morgen|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)\b/g
const ENGLISH =
  /\b(?:the|and|to|at|of|is|i|my|what|when|you|we|for|on|with|from|monday|tuesday|wednesday|thursday|friday|saturday|sunday|pm)\b/g

/** A guess by the commonest words; enough to choose how digits are read. */
export const isGerman = (text: string): boolean => {
  const sample = text.slice(0, 4000).toLowerCase()
  return (sample.match(GERMAN)?.length ?? 0) > (sample.match(ENGLISH)?.length ?? 0)
}

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

/** The words around a time that are not part of it: "on", "at", and the zone behind it, which is told apart. */
const trim = (
  node: Node,
  tokens: readonly Token[],
  outcome: Outcome,
): { from: number; to: number; zone?: Token } => {
  let { from, to } = node
  const word = (): string => tokens[from]?.text ?? ''
  const belongs = (): boolean =>
    (/^(?:in|im)$/.test(word()) && (outcome.part !== undefined || outcome.duration !== undefined)) ||
    (word() === 'at' && (outcome.part !== undefined || outcome.duration?.n === 0))
  if (node.kind === 'when') while (from < to - 1 && UNSPOKEN.has(word()) && !belongs()) from++
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
  // The point after "31.7." belongs to the date, the one after "Friday." to the sentence.
  const isDotted = (): boolean => tokens[to - 2]?.kind === 'number' && tokens[to - 3]?.text === '.'
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
  let sure = 0.95
  // "10:00" is hardly ever meant for the night.
  const hours = (outcome.start?.seconds ?? 0) / 3600
  if (outcome.either) sure -= outcome.grain === 'minute' && hours >= 9 && hours < 13 ? 0.05 : 0.15
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

const nowAt = (wall: number): Now => {
  const day = Math.floor(wall / 86_400_000)
  return { day, seconds: Math.floor((wall - day * 86_400_000) / 1000) }
}

const isUndated = ({ date, to }: When): boolean => !date && !to?.date

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
  const now = nowAt(options.now)
  const nowFor = (zone: Zone | undefined): Now =>
    zone && options.timezone ? nowAt(wallThere(options.now, zone, options.timezone)) : now
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
      const { from, to, zone } = trim(node, tokens, outcome)
      if (/^(?:since|seit)$/.test(tokens[from]?.text ?? '')) goBack(outcome, now)
      const offset = (tokens[from] as Token).start
      const last = tokens[to - 1] as Token
      const end = last.end - (last.text.endsWith("'s") && !isFeastWord(last.text) ? 2 : 0)
      found.push({
        ...outcome,
        text: text.slice(offset, end),
        offset,
        confidence: confidenceOf(node, outcome, tokens),
        ...(zone ? { zoneOffset: zone.start } : {}),
      })
    }
  }
  return found
}
