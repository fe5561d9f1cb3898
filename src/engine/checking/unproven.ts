import { readTimes, type TimeExpression } from '../dates/read.ts'
import { findInsights, type InsightKind } from '../mail/insights.ts'
import type { Piece } from '../meetings/piece.ts'
import { plainOf } from './standing.ts'

const DAY = 86_400_000
const LONGEST_RANGE = 62
/** Of each source, and of what is checked. */
const LONGEST = 30_000

/** What is known, and from which the words that are checked may draw. */
export interface Sources {
  /** Each with the wall clock it was written by, as if it were UTC, in ms. */
  texts: readonly { text: string; now: number }[]
  /** Moments that are known besides, on the wall clock, in ms. */
  moments?: readonly number[]
}

interface Known {
  words: string
  compact: string
  numbers: Set<string>
  days: Set<number>
  clocks: Set<number>
}

const NUMBER_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ one: '1', two: '2', three: '3', four: '4', five: '5', six: '6', seven: '7', eight: '8', nine: '9' },
    ...{ ten: '10', eleven: '11', twelve: '12', both: '2', twice: '2', once: '1', half: '30' },
    ...{
      ein: '1',
      eine: '1',
      einen: '1',
      zwei: '2',
      drei: '3',
      vier: '4',
      fünf: '5',
      sechs: '6',
      sieben: '7',
    },
    ...{ acht: '8', neun: '9', zehn: '10', elf: '11', zwölf: '12', beide: '2' },
  }),
)
const NUMBER = /\d(?:[\d.,'’:/]*\d)?/g

/** "1,200.00", "1.200" and "1200" are one number; "14:00" is no other than "14". */
const numberOf = (written: string): string =>
  written
    .replace(/[.,:]0{1,2}$/, '')
    .replace(/\D/g, '')
    .replace(/^0+(?=\d)/, '')

const compactOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\d@]/gu, '')

const numbersIn = (text: string): string[] => [
  ...[...text.matchAll(NUMBER)].flatMap(([written]) => [
    numberOf(written),
    ...written.split(/\D+/).map(numberOf),
  ]),
  ...[...text.toLowerCase().matchAll(/\p{L}+/gu)].flatMap(([word]) => NUMBER_WORDS.get(word) ?? []),
]

const note = ({ days, clocks }: Known, { start, end }: Pick<TimeExpression, 'start' | 'end'>): void => {
  for (const moment of [start, end]) {
    if (!moment) continue
    days.add(moment.day)
    if (moment.seconds !== undefined) clocks.add(moment.seconds)
  }
  if (start && end && end.day - start.day <= LONGEST_RANGE)
    for (let day = start.day; day <= end.day; day++) days.add(day)
}

/** What a text may say without inventing anything. */
export const createKnowledge = ({ texts, moments = [] }: Sources): Known => {
  const all = texts.map(({ text }) => text.slice(0, LONGEST)).join('\n')
  const known: Known = {
    words: plainOf(all),
    compact: compactOf(all),
    numbers: new Set(numbersIn(all)),
    days: new Set(),
    clocks: new Set(),
  }
  for (const { text, now } of texts)
    for (const time of readTimes(text.slice(0, LONGEST), { now })) note(known, time)
  for (const moment of moments) {
    const day = Math.floor(moment / DAY)
    const seconds = Math.floor((moment - day * DAY) / 1000)
    note(known, { start: { day, seconds } })
    for (const digits of new Date(moment).toISOString().match(/\d+/g) ?? [])
      known.numbers.add(numberOf(digits))
  }
  return known
}

/** Said of the present, they fix nothing. */
const PRESENT = /^(?:now|right now|today|at the moment|currently|jetzt|heute|gerade|momentan|zurzeit)$/i
const PROVABLE: readonly InsightKind[] = [
  ...(['amount', 'order', 'invoice', 'tracking', 'flight'] as const),
  ...(['link', 'email', 'phone', 'company'] as const),
]
/** "evil.example" without its protocol; an end of a sentence that lacks its space is taken for one, which does no harm. */
const HOST = /(?<![\w@.-])(?:[a-z\d-]{1,63}\.){1,4}[a-z]{2,24}(?![\w-])/g

const isKnownTime = (known: Known, { start, end, kind, dated, part, text }: TimeExpression): boolean => {
  if (known.words.includes(plainOf(text)) || PRESENT.test(text.trim())) return true
  if (kind === 'duration') return true
  if (!start) return kind !== 'recurrence'
  const dayIs = !dated || known.days.has(start.day)
  const clockIs = start.seconds === undefined || part !== undefined || known.clocks.has(start.seconds)
  const endIs = !end || end.seconds === undefined || part !== undefined || known.clocks.has(end.seconds)
  return dayIs && clockIs && endIs
}

/** The dates, amounts, numbers, addresses and names of firms in some words that none of the sources bears out. */
export const unprovenIn = (words: string, known: Known, now: number): Piece[] => {
  const text = words.slice(0, LONGEST)
  const unproven: Piece[] = []
  const read = new Uint8Array(text.length + 1)
  const add = ({ text: piece, offset }: Piece, isKnown: () => boolean): void => {
    const end = offset + piece.length
    // What was looked at as one thing is not looked at as another.
    for (let at = offset; at < end; at++) if (read[at] === 1) return
    read.fill(1, offset, end)
    if (!isKnown()) unproven.push({ text: piece, offset })
  }
  for (const { kind, text: found, offset } of findInsights(text))
    if (PROVABLE.includes(kind))
      add({ text: found, offset }, () =>
        kind === 'amount'
          ? known.numbers.has(numberOf(found.match(NUMBER)?.[0] ?? ''))
          : known.compact.includes(compactOf(found)),
      )
  for (const match of text.matchAll(HOST))
    add({ text: match[0], offset: match.index }, () => known.compact.includes(compactOf(match[0])))
  // A bare number that may be an hour is looked at as a number.
  for (const time of readTimes(text, { now }))
    if (time.kind !== 'duration' && /\p{L}|[:/.-]/u.test(time.text)) add(time, () => isKnownTime(known, time))
  for (const match of text.matchAll(NUMBER))
    add(
      { text: match[0], offset: match.index },
      () => known.numbers.has(numberOf(match[0])) || isCounting(text, match.index, match[0]),
    )
  return unproven.sort((a, b) => a.offset - b.offset)
}

/** "1." before an item of a list counts, and says nothing. */
const isCounting = (text: string, at: number, written: string): boolean =>
  /^\d{1,2}$/.test(written) &&
  /(?:^|\n)\s*$/.test(text.slice(Math.max(0, at - 20), at)) &&
  /^[.)]/.test(text.slice(at + written.length))
