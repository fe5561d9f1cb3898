import { readTimes, type TimeExpression } from '../dates/read.ts'
import { getNumberWords } from '../lexicon/numbers.ts'
import { findInsights, type InsightKind } from '../mail/facts.ts'
import type { Piece } from '../meetings/title.ts'
import { sentencesOf } from '../text.ts'

/**
 * Splits a text into whitespace, printable ASCII and other characters. The first two are processed as whole
 * runs.
 */
const RUNS = /\s+|[!-~]+|[^\s!-~]+/g

const plainSign = (sign: string): string => {
  const lower = sign
    .replace(/[“”„«»]/, '"')
    .replace(/[‘’]/, "'")
    .replace(/[–—‐‑]/, '-')
    .toLowerCase()
  // Keep a character whose lower-case form is longer, so that offsets stay valid.
  return lower.length === 1 ? lower : sign
}

/**
 * Normalizes whitespace, quotation marks, dashes and case. `places` maps each character to its original
 * offset.
 */
const plain = (text: string): { words: string; places: number[] } => {
  let words = ''
  const places: number[] = []
  for (const { 0: run, index } of text.matchAll(RUNS)) {
    if (/^\s/.test(run)) {
      if (words === '') continue
      words += ' '
      places.push(index)
      continue
    }
    if (/^[!-~]/.test(run)) words += run.toLowerCase()
    else for (const sign of run.split('')) words += plainSign(sign)
    for (let at = index; at < index + run.length; at++) places.push(at)
  }
  return { words, places }
}

export const plainOf = (text: string): string => plain(text).words.trim()

/** Longer texts are not quotations. */
const MAX_QUOTE_LENGTH = 2_000

/** Returns a function that finds a quotation, ignoring typography, and returns it as written in the text. */
export const createFinder = (text: string): ((quote: string) => Piece | undefined) => {
  const { words, places } = plain(text)
  return (quote) => {
    const wanted = plainOf(quote.slice(0, MAX_QUOTE_LENGTH))
      .replace(/^["'.…\s]+|["'…\s]+$/g, '')
      .trim()
    const at = wanted === '' ? -1 : words.indexOf(wanted)
    if (at < 0) return undefined
    const from = places[at] as number
    return { text: text.slice(from, (places[at + wanted.length - 1] as number) + 1), offset: from }
  }
}

const DAY = 86_400_000
const MAX_RANGE_DAYS = 62
/** Maximum length of each source, and of the text to verify. */
const MAX_SOURCE_LENGTH = 30_000

/** The sources that verified text may draw on. */
export interface Sources {
  /** `now` is the local time at which a text was written, encoded as UTC milliseconds. */
  texts: readonly { text: string; now: number }[]
  /** Further known times, as local time encoded as UTC milliseconds. */
  moments?: readonly number[]
}

interface Known {
  words: string
  compact: string
  numbers: Set<string>
  days: Set<number>
  clocks: Set<number>
}

const NUMBER = /\d(?:[\d.,'’:/]*\d)?/g

/** Normalizes a number: "1,200.00", "1.200" and "1200" are equal, and so are "14:00" and "14". */
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
  ...[...text.toLowerCase().matchAll(/\p{L}+/gu)].flatMap(([word]) => getNumberWords().get(word) ?? []),
]

const note = ({ days, clocks }: Known, { start, end }: Pick<TimeExpression, 'start' | 'end'>): void => {
  for (const moment of [start, end]) {
    if (!moment) continue
    days.add(moment.day)
    if (moment.seconds !== undefined) clocks.add(moment.seconds)
  }
  if (start && end && end.day - start.day <= MAX_RANGE_DAYS)
    for (let day = start.day; day <= end.day; day++) days.add(day)
}

/** Collects the numbers, dates and words that the sources support. */
export const createKnowledge = ({ texts, moments = [] }: Sources): Known => {
  const all = texts.map(({ text }) => text.slice(0, MAX_SOURCE_LENGTH)).join('\n')
  const known: Known = {
    words: plainOf(all),
    compact: compactOf(all),
    numbers: new Set(numbersIn(all)),
    days: new Set(),
    clocks: new Set(),
  }
  for (const { text, now } of texts)
    for (const time of readTimes(text.slice(0, MAX_SOURCE_LENGTH), { now })) note(known, time)
  for (const moment of moments) {
    const day = Math.floor(moment / DAY)
    const seconds = Math.floor((moment - day * DAY) / 1000)
    note(known, { start: { day, seconds } })
    for (const digits of new Date(moment).toISOString().match(/\d+/g) ?? [])
      known.numbers.add(numberOf(digits))
  }
  return known
}

/** Words for the present make no verifiable claim. */
const PRESENT = /^(?:now|right now|today|at the moment|currently|jetzt|heute|gerade|momentan|zurzeit)$/i
const PROVABLE: readonly InsightKind[] = [
  ...(['amount', 'order', 'invoice', 'tracking', 'flight'] as const),
  ...(['link', 'email', 'phone', 'company'] as const),
]
/**
 * A host name without protocol, such as "evil.example". A sentence end without a space also matches, which is
 * harmless.
 */
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

/** Finds dates, amounts, numbers, addresses and company names that no source supports. */
export const unprovenIn = (words: string, known: Known, now: number): Piece[] => {
  const text = words.slice(0, MAX_SOURCE_LENGTH)
  const unproven: Piece[] = []
  const read = new Uint8Array(text.length + 1)
  const add = ({ text: piece, offset }: Piece, isKnown: () => boolean): void => {
    const end = offset + piece.length
    // Each part of the text is verified once, by the first kind that matches.
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
  // Verify a bare number as a number, even if it may be an hour.
  for (const time of readTimes(text, { now }))
    if (time.kind !== 'duration' && /\p{L}|[:/.-]/u.test(time.text)) add(time, () => isKnownTime(known, time))
  for (const match of text.matchAll(NUMBER))
    add(
      { text: match[0], offset: match.index },
      () => known.numbers.has(numberOf(match[0])) || isCounting(text, match.index, match[0]),
    )
  return unproven.sort((a, b) => a.offset - b.offset)
}

/** True for the number of a list item, such as "1.", which makes no claim. */
const isCounting = (text: string, at: number, written: string): boolean =>
  /^\d{1,2}$/.test(written) &&
  /(?:^|\n)\s*$/.test(text.slice(Math.max(0, at - 20), at)) &&
  /^[.)]/.test(text.slice(at + written.length))

type KnownSentences = ReturnType<typeof createKnowledge>

/** Invisible characters: control, zero width, direction and tags. Line feeds are kept. */
const UNSEEN = /\p{Cc}|[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u{e0000}-\u{e007f}]/gu

export const visible = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(UNSEEN, (sign) => (sign === '\n' ? sign : ''))
    .toWellFormed()
    .trim()

/** Removes markup that a browser or mail client would render as an image, a link or a script. */
const withoutMarkup = (text: string): string =>
  visible(
    text
      .replace(/<(script|style)\b[^<>]{0,500}>[^<]{0,5000}<\/\1>/gi, '')
      .replace(/<[^<>\n]{1,500}>/g, '')
      .replace(/!?\[([^\][\n]{0,300})\]\([^()\n]{0,1000}\)/g, '$1')
      .replace(/[<>`]/g, ''),
  )

/** Maximum length of a summary, a recommendation or a title. */
const MAX_SENTENCE_LENGTH = 4_000

/** Splits a text into sentences that the sources support and sentences that they do not. */
export const provenSentences = (
  words: string,
  known: KnownSentences,
  now: number,
): { kept: string; dropped: string[] } => {
  const text = withoutMarkup(words.slice(0, MAX_SENTENCE_LENGTH))
  const unproven = unprovenIn(text, known, now)
  const kept: string[] = []
  const dropped: string[] = []
  let next = 0
  for (const { from, to } of sentencesOf(text)) {
    const first = next
    while ((unproven[next]?.offset ?? to) < to) next++
    const sentence = text.slice(from, to).trim()
    if (sentence === '') continue
    const isInvented = next > first
    ;(isInvented ? dropped : kept).push(sentence)
  }
  return { kept: kept.join(' '), dropped }
}

const MAX_MARKS = 200

/** Marks unsupported claims in place, so that the user checks them before sending. */
export const markUnproven = (
  text: string,
  known: KnownSentences,
  now: number,
): { text: string; marked: string[] } => {
  const gaps = [...text.matchAll(/\[[^[\]\n]{1,300}\]/g)].map(({ index, 0: gap }) => [
    index,
    index + gap.length,
  ])
  const marked: string[] = []
  let written = text
  for (const { text: piece, offset } of unprovenIn(text, known, now).slice(0, MAX_MARKS).toReversed()) {
    if (gaps.some(([from, to]) => offset >= (from as number) && offset < (to as number))) continue
    marked.unshift(piece)
    written = `${written.slice(0, offset)}[check: ${piece.replace(/[[\]]/g, '')}]${written.slice(offset + piece.length)}`
  }
  return { text: written, marked }
}
