import type { TimeExpression } from '../dates/read.ts'
import { hash as hashed, pair as paired } from '../learning/linear.ts'
import { phraseFinder } from '../text.ts'

/** Signed 32-bit numbers fit V8's small integers and keep the same bits. */
const hash = (text: string): number => hashed(text) | 0
const pair = (a: number, b: number): number => paired(a, b) | 0

/** Verbs of requests. At the start of a clause they form an imperative. */
const VERBS =
  "call|send|give|let|check|see|review|look|get|make|take|find|forward|contact|email|e-mail|reply|respond|confirm|advise|note|remember|remind|ask|tell|talk|discuss|meet|come|join|bring|keep|try|add|put|set|schedule|arrange|book|sign|print|fax|provide|prepare|draft|complete|fill|submit|update|help|work|coordinate|handle|follow|include|use|change|move|cancel|verify|ensure|have|be|do|read|share|think|consider|plan|attend|stop|wait|pick|drop|buy|pay|order|download|visit|click|go|run|write|copy|cc|resend|return|hold|leave|start|finish|approve|cover|assist|speak|page|ring|fix|feel free|don't|do not"
const IMPERATIVE = new RegExp(
  `^(?:(?:also|then|so|and|but|ok|okay|now|just|pls|plz|please|kindly|hey|hi|\\w+,|\\w+ ?--?|\\d\\)|[a-z]\\)|-)\\s*){0,4}(?:${VERBS})\\b(?! (?:is|was|are|were|will|has|had)\\b)`,
)

/** Patterns of requests, proposals, promises and their negations, matched against lower-case text. */
const FORMS: readonly (readonly [name: string, form: RegExp])[] = [
  ['please', /\b(?:please|pls|plz)\b(?!d|r)/],
  ['pleasev', /\b(?:please|pls|plz),? (?:do not |don't |also |just )?[a-z]+\b/],
  ['canyou', /\b(?:can|could|would|will) (?:you|u|someone|anyone|one of you|we|i)\b/],
  ['canyouq', /\b(?:can|could|would|will) (?:you|u|we)\b[^.]{0,300}\?/],
  ['letmeknow', /\blet (?:me|us) (?:know|have)\b/],
  ['lets', /\blet'?s\b|\bshall we\b|\bwhy don'?t (?:we|you|i)\b|\bhow about\b|\bwhat about\b/],
  [
    'needyou',
    /\b(?:i|we|you)(?:'ll| will| would|'d)?(?: all| both| also| still)? (?:need|want|like|have|expect|ask|appreciate|prefer|love)(?: for)?(?: you)?(?: all| both)? to\b/,
  ],
  ['needtoyou', /\byou(?:'ll| will)? (?:need|should|must|have|may want|might want|ought)(?: to)?\b/],
  ['weshould', /\bwe (?:should|need|must|ought|could|can|have to)\b/],
  ['suggest', /\b(?:suggest|recommend|propose|proposal|advise)\b/],
  [
    'callme',
    /\b(?:call|e-?mail|contact|page|ring|fax|send|give|forward|get back to|reply to|see|tell|show|remind|bring|meet) (?:me|us|him|her|them)\b/,
  ],
  ['meet', /\b(?:meet|meeting|lunch|dinner|breakfast|conference call|get together|call)\b/],
  ['avail', /\b(?:available|availability|free)\b/],
  ['you?', /\b(?:you|your|u)\b[^.]{0,300}\?/],
  ['q', /\?\s*$/],
  ['whq', /^(?:\w+,? )?(?:what|when|where|who|how|why|which)\b[^.]{0,300}\?/],
  ['doyou', /\b(?:do|did|are|have|were|is) (?:you|we|it|there|this|that|he|she|they)\b[^.]{0,300}\?/],
  ['imp', IMPERATIVE],
  ['ifimp', new RegExp(`^if\\b[^,]{0,200},\\s*(?:please )?(?:then )?(?:${VERBS})\\b`)],
  [
    'illcall',
    /\b(?:i|we)(?:'ll| will| shall| can| could| would|'d)(?: also| probably| just| be)? (?:call|send|talk|meet|discuss|get|forward|see|give|let|be happy|be glad|try|check|contact|e-?mail|follow|work|have|set|bring|stop|come|provide|schedule)\b/,
  ],
  ['wouldlike', /\b(?:i|we)(?: would|'d) (?:really |also |very much )?(?:like|love|appreciate)\b/],
  [
    'possible',
    /\b(?:is it possible|any chance|would it be possible|if possible|is there any way|wondering if|would you mind|do you mind)\b/,
  ],
  [
    'ask',
    /\b(?:need|asap|urgent|deadline|by (?:monday|tuesday|wednesday|thursday|friday|tomorrow|noon|the end|close|cob|eod))\b/,
  ],
  [
    'past',
    /\b(?:was|were|had|did|went|came|said|told|sent|received|got|met|talked|called|asked|made|took)\b/,
  ],
  ['third', /^(?:he|she|they|it|this|that|these|those|there|the|our|my)\b/],
  ['will3', /\b(?:he|she|they|it|who|which) will\b/],
  [
    'unsub',
    /\$link|click|unsubscribe|subscription|our (?:site|website|app|newsletter)|% off|download|privacy|coupon|account|free\b/,
  ],
  ['thanks', /\bthank(?:s| you)\b/],
  ['iam', /^(?:i|we)(?:'m| am|'re| are) (?!available|looking|wondering)/],
  [
    'works',
    /\bwould work\b|\bworks? (?:well |fine |great |better |best )?for (?:me|us|you|everyone)|\b(?:is|are|sounds?|looks?) (?:good|great|fine|ok|okay)\b/,
  ],
  ['seeyou', /\b(?:see|call|talk to|join|meet) (?:you|u|us)\b/],
  ['notable', /\b(?:won't|can't|cannot|not able|unable|unfortunately)\b/],
]

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
