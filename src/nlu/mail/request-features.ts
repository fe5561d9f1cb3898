import type { TimeExpression } from '../dates/read.ts'
import { hash as hashed, pair as paired } from '../learning/linear.ts'
import { compilePatterns } from '../lexicon/patterns.ts'
import { phraseFinder } from '../text.ts'

/** Signed 32-bit numbers fit V8's small integers and keep the same bits. */
const hash = (text: string): number => hashed(text) | 0
const pair = (a: number, b: number): number => paired(a, b) | 0

/** Patterns of requests, proposals, promises and their negations, matched against lower-case text. */
const FORMS = [...compilePatterns(new URL('../lexicon/request-forms.txt', import.meta.url))].slice(1)
const IMPERATIVE = FORMS.find(([name]) => name === 'imp')?.[1] as RegExp

const isPhrase = ({ source }: RegExp): boolean => source.startsWith('\\b')
const PHRASES = FORMS.filter(([, form]) => isPhrase(form))
const findPhrases = phraseFinder(PHRASES.map(([, form]) => form))

const QUESTIONS = new Set(['canyouq', 'you?', 'q', 'whq', 'doyou'])

const FORM_VALUE = 0.3
const PAIR_VALUE = 0.1
const MAX_SENTENCE_LENGTH = 600

/** Splits a text into words, numbers, links and punctuation. */
const piecesOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll('’', "'")
    .match(/\$link|https?:\/\/\S{1,500}|\$?\d[\d.,:/-]*|[a-zß-ÿ']+|[?!:;,.()\n-]/g) ?? []

const JOINING = new Set(['and', 'but', 'so', 'or', 'und', 'aber', 'oder'])
const [LINK, NUMBER] = ['_link_', '_num_'].map(hash) as [number, number]

const numberOf = (piece: string): number => {
  const first = piece.charCodeAt(0)
  if (piece === '$link' || piece.startsWith('http')) return LINK
  return first === 36 || (first >= 48 && first <= 57) ? NUMBER : hash(piece)
}

const lengthClass = (words: number): number =>
  words < 6 ? 0 : words < 12 ? 1 : words < 20 ? 2 : words < 35 ? 3 : 4

/** Returns the names of the patterns that match a sentence, and markers for its times. */
export const formsOf = (sentence: string, times: readonly TimeExpression[]): string[] => {
  const text = sentence.slice(0, MAX_SENTENCE_LENGTH).toLowerCase().replaceAll('’', "'").trim()
  const asked = text.includes('?')
  const said = new Set<string>()
  findPhrases(text, (phrase) => said.add((PHRASES[phrase] as (typeof PHRASES)[number])[0]))
  const names = FORMS.filter(
    ([name, form]) => (asked || !QUESTIONS.has(name)) && (isPhrase(form) ? said.has(name) : form.test(text)),
  ).map(([name]) => name)
  const named = times.filter(({ kind }) => kind !== 'duration')
  if (named.length > 0) names.push('time')
  if (named.some(({ start }) => start?.seconds !== undefined)) names.push('clock')
  if (
    text
      .split(/(?<=[.?!])\s+/)
      .slice(1)
      .some((rest) => IMPERATIVE.test(rest))
  )
    names.push('imp2')
  return names
}

const [START, END, CLAUSE, FORM, PAIR, LENGTH] = ['^', '$', 'C', 'R', 'K', 'len'].map(hash) as [
  number,
  number,
  number,
  number,
  number,
  number,
]
const FORM_NUMBERS = new Map(
  [...FORMS.map(([name]) => name), 'time', 'clock', 'imp2'].map((name) => [name, hash(name)]),
)

/**
 * Visits the features of a sentence: words, word pairs and triples, clause starts, patterns and pairs of
 * patterns.
 */
export const eachFeature = (
  sentence: string,
  names: readonly string[],
  visit: (feature: number, value: number) => void,
): void => {
  const pieces = piecesOf(sentence.slice(0, MAX_SENTENCE_LENGTH))
  const words: number[] = []
  // Hash set of numbers in which 0 means empty. A `Set` takes twice as long.
  const mask = 2 ** Math.ceil(Math.log2(8 * pieces.length + 8)) - 1
  const places = new Int32Array(mask + 1)
  const features: number[] = []
  const add = (feature: number): void => {
    let place = feature & mask
    while (places[place] !== 0 && places[place] !== feature) place = (place + 1) & mask
    if (places[place] === feature) return
    places[place] = feature
    features.push(feature)
  }
  // Index of the next word in its clause.
  let inside = 0
  let first = 0
  for (const piece of pieces) {
    const isMark = piece.length === 1 && '?!:;,.()\n-'.includes(piece)
    const isWord = !isMark || '?!:;'.includes(piece)
    const word = isWord ? numberOf(piece) : 0
    if (isWord) words.push(word)
    if (isMark || JOINING.has(piece)) {
      inside = 0
      continue
    }
    if (inside === 0) first = pair(CLAUSE, word)
    if (inside < 2) add(inside === 0 ? first : pair(first, word))
    inside++
  }
  for (const word of words) add(word)
  const padded = [START, ...words, END]
  for (let at = 0; at + 1 < padded.length; at++) {
    const two = pair(padded[at] as number, padded[at + 1] as number)
    add(two)
    if (at + 2 < padded.length) add(pair(two, padded[at + 2] as number))
  }
  const share = 1 / Math.sqrt(features.length)
  for (const feature of features) visit(feature, share)
  const forms = [
    ...names.map((name) => FORM_NUMBERS.get(name) as number),
    pair(LENGTH, lengthClass(words.length)),
  ]
  for (const [index, form] of forms.entries()) {
    visit(pair(FORM, form), FORM_VALUE)
    for (let other = index + 1; other < forms.length; other++)
      visit(pair(PAIR, pair(form, forms[other] as number)), PAIR_VALUE)
  }
}
