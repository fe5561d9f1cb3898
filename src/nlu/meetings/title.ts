import { isGerman } from '../dates/read.ts'
import { loadPatterns } from '../lexicon/patterns.ts'

const pattern = loadPatterns(new URL('../lexicon/meeting-titles.txt', import.meta.url))

/** A part of a text with its offset. */
export interface Piece {
  text: string
  offset: number
}

/** Masks the parts of a text that were already read, without changing offsets. */
export const MASK = '|'

export const maskRange = (text: string, from: number, to: number): string =>
  text.slice(0, from) + MASK.repeat(Math.max(0, to - from)) + text.slice(to)

/** Returns the text between two offsets without surrounding whitespace and punctuation. */
export const pieceAt = (text: string, from: number, to: number): Piece | undefined => {
  let [start, end] = [from, to]
  while (start < end && /[\s,.;:!?|"“”()–—-]/.test(text[start] as string)) start++
  while (end > start && /[\s,;:!?|"“”(–—-]/.test(text[end - 1] as string)) end--
  if (
    end > start &&
    text[end - 1] === '.' &&
    !/\b(?:\p{Lu}|St|Dr|Inc|Jr|Sr|Co)\.$/u.test(text.slice(start, end))
  )
    end--
  if (end > start && text[end - 1] === ')' && !text.slice(start, end).includes('(')) end--
  return end > start ? { text: text.slice(start, end), offset: start } : undefined
}

export type LinkKind = 'meet' | 'zoom' | 'teams' | 'webex' | 'jitsi' | 'whereby' | 'skype' | 'phone' | 'other'

export interface MeetingLink extends Piece {
  kind: LinkKind
}

const HOSTS: readonly (readonly [LinkKind, RegExp])[] = [
  ['meet', /^https:\/\/(?:meet\.google\.com\/[\w-]|g\.co\/meet\/)/i],
  ['zoom', /^https:\/\/(?:[\w-]+\.)*zoom(?:gov)?\.(?:us|com)\/(?:j|my|w|s|wc)\//i],
  ['teams', /^https:\/\/(?:teams\.microsoft\.com\/(?:l\/meetup-join|meet)|teams\.live\.com\/meet)\//i],
  ['webex', /^https:\/\/[\w.-]+\.webex\.com\//i],
  ['jitsi', /^https:\/\/(?:meet\.jit\.si|[\w.-]*jitsi[\w.-]*|8x8\.vc)\//i],
  ['whereby', /^https:\/\/(?:[\w-]+\.)?whereby\.com\//i],
  ['skype', /^https:\/\/join\.skype\.com\//i],
  [
    'other',
    /^https:\/\/(?:[\w.-]*gotomeet(?:ing)?\.(?:com|me)|bluejeans\.com|[\w.-]*bbb[\w.-]*|app\.slack\.com\/huddle|discord\.gg)\//i,
  ],
]

const ADDRESS = /https:\/\/[^\s<>"'|)\]]{4,500}/gi

/** Finds all links and phone numbers to join a call, in order. */
export const findLinks = (text: string): MeetingLink[] => {
  const found: MeetingLink[] = []
  for (const match of text.matchAll(ADDRESS)) {
    const url = match[0].replace(/[.,;:!?]+$/, '')
    const kind = HOSTS.find(([, pattern]) => pattern.test(url))?.[0]
    if (kind) found.push({ kind, text: url, offset: match.index })
  }
  for (const match of text.matchAll(pattern('dial'))) {
    const number = match[1] as string
    found.push({ kind: 'phone', text: number.trim(), offset: match.index + match[0].indexOf(number) })
  }
  return found.sort((a, b) => a.offset - b.offset)
}

const QUOTED = /["“]([^"“”|\n]{2,100})["”]/u

const strip = (text: string, at: number, ...patterns: RegExp[]): number => {
  let offset = at
  for (let again = true; again; ) {
    again = false
    for (const pattern of patterns) {
      const match = pattern.exec(text.slice(offset, offset + 200))
      if (match && match[0].length > 0) {
        offset += match[0].length
        again = true
      }
    }
  }
  return offset
}

const endOf = (covered: string, from: number): number => {
  const bar = covered.indexOf(MASK, from)
  const clause = pattern('clause').exec(covered.slice(from, from + 300))
  return Math.min(bar < 0 ? covered.length : bar, clause ? from + clause.index : covered.length)
}

const trimmed = (covered: string, from: number, to: number): Piece | undefined => {
  const raw = covered.slice(from, to)
  const tail = pattern('tail').exec(raw)
  const piece = pieceAt(covered, from, tail ? from + tail.index : to)
  if (!piece) return undefined
  const start = strip(covered, piece.offset, pattern('determiner'))
  return start < piece.offset + piece.text.length
    ? pieceAt(covered, start, piece.offset + piece.text.length)
    : undefined
}

const isEmpty = (piece: Piece | undefined): boolean =>
  !piece || pattern('generic').test(piece.text) || !/[\p{L}\d]/u.test(piece.text)

const named = (covered: string): Piece | undefined => {
  const match = pattern('named').exec(covered)
  if (!match) return undefined
  const from = match.index + match[0].length
  return pieceAt(covered, from, endOf(covered, from))
}

/** Finds the title in a sentence whose times, people and location are masked. */
export const findTitle = (text: string, covered: string): Piece | undefined => {
  const quoted = QUOTED.exec(text)
  if (quoted) return { text: (quoted[1] as string).trim(), offset: quoted.index + 1 }
  const hide = (words: string): string => MASK.repeat(words.length)
  const clean = covered.replace(pattern('on calendar'), hide).replace(pattern('company'), hide)
  const called = named(clean)
  if (called && !isEmpty(called)) return called
  for (const sentence of sentencesOf(clean)) {
    const found = inSentence(clean, sentence)
    if (found) return found
  }
  return undefined
}

const SENTENCE_END = /(?=[.?!])(?<!\b(?:Dr|Mr|Mrs|Ms|Mt|St|vs|No|a|p|m))[.?!]+(?=\s|$)|\n/gu

interface Sentence {
  from: number
  to: number
}

/** Splits a text into sentences. Requests come first, then sentences with a time. */
const sentencesOf = (clean: string): Sentence[] => {
  const sentences: Sentence[] = []
  let from = 0
  for (const match of clean.matchAll(SENTENCE_END)) {
    sentences.push({ from, to: match.index })
    from = match.index + match[0].length
  }
  sentences.push({ from, to: clean.length })
  const worth = ({ from: start, to }: Sentence): number => {
    const text = clean.slice(start, to)
    const asked = strip(text, 0, pattern('greeting'), pattern('asking'))
    return (
      (pattern('doing').test(text.slice(asked)) ? 2 : 0) +
      (text.includes(MASK) ? 1 : 0) +
      (asked > 0 ? 0.5 : 0)
    )
  }
  return sentences
    .filter(({ from: start, to }) => /\p{L}/u.test(clean.slice(start, to)))
    .slice(0, 20)
    .sort((a, b) => worth(b) - worth(a) || a.from - b.from)
}

const inSentence = (all: string, { from, to }: Sentence): Piece | undefined => {
  const clean = all.slice(0, to)
  let at = strip(clean, from, pattern('greeting'), pattern('asking'))
  at = strip(clean, at, pattern('doing'), pattern('for me'), pattern('asking'))
  at = strip(clean, at, pattern('determiner'), pattern('event'))
  for (let segment = 0; segment < 8 && at < clean.length; segment++) {
    const end = endOf(clean, at)
    const purpose = pattern('purpose').exec(clean.slice(at, at + 200))
    if (purpose && at + purpose[0].length < clean.length) {
      const from = strip(clean, at + purpose[0].length, pattern('determiner'))
      const piece = trimmed(clean, from, endOf(clean, from))
      if (!isEmpty(piece)) return piece
    }
    const piece = trimmed(clean, at, Math.max(end, at))
    if (!isEmpty(piece)) return piece
    // The title may follow the next mask, as in "a meeting at 3 to discuss plans".
    const next =
      /[|\s.,;?!]+(?:(?:for|to|about|regarding|as|called|with|für|zum|wegen|and|it's|it is|,)\s+)*/iu.exec(
        clean.slice(end),
      )
    if (!next || next[0] === '') break
    at = strip(
      clean,
      end + next.index + next[0].length,
      pattern('asking'),
      pattern('doing'),
      pattern('determiner'),
    )
  }
  return undefined
}

/** Titles for generic words, which do not name a meeting. */
const PLAIN: Readonly<Record<string, string>> = {
  meet: 'Meeting',
  'meet up': 'Meeting',
  meeting: 'Meeting',
  meetings: 'Meeting',
  'get together': 'Get-together',
  call: 'Call',
  calls: 'Call',
  talk: 'Talk',
  speak: 'Talk',
  chat: 'Chat',
  treffen: 'Treffen',
  termin: 'Termin',
  telefonieren: 'Telefonat',
  'sehen uns': 'Treffen',
  'sehen wir uns': 'Treffen',
}

/** The words before these verbs belong to the sentence, not to a title. German nouns start with a capital. */
const VERB = /^(?:meet(?: up)?|Meet(?: up)?|treffen|telefonieren|[Ss]ehen (?:wir )?uns)$/

/** Matches backwards from the end of the string. */
const QUALIFIER = /$(?<=((?:[\p{L}\d&-]+\s){0,3}))/u

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Builds a title from the occasion nearest to a time: "quarterly review", "Lunch with Ann". */
export const occasionAt = (
  text: string,
  occasions: readonly Piece[],
  offset: number,
  people: readonly Piece[],
): string | undefined => {
  const nearest = occasions.toSorted((a, b) => Math.abs(a.offset - offset) - Math.abs(b.offset - offset))[0]
  if (!nearest) return undefined
  const word = nearest.text.toLowerCase()
  const before =
    QUALIFIER.exec(text.slice(Math.max(0, nearest.offset - 60), nearest.offset))?.[1]?.trim() ?? ''
  const kept: string[] = []
  for (const piece of before.split(/\s+/).toReversed()) {
    if (piece === '' || pattern('filler').test(piece)) break
    kept.unshift(piece)
  }
  const base =
    kept.length > 0 && !VERB.test(nearest.text)
      ? `${kept.join(' ')} ${nearest.text}`
      : (PLAIN[word] ?? nearest.text)
  const names = people.slice(0, 3).map(({ text: name }) => name)
  if (names.length === 0 || kept.length > 0) return capital(base)
  const along = isGerman(text.slice(Math.max(0, offset - 500), offset + 500)) ? 'mit' : 'with'
  return capital(`${base} ${along} ${names.join(', ')}`)
}
