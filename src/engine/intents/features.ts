import { hash, pair } from '../learning/hash.ts'
import { kindsOf, piecesOf, wordsOf } from './words.ts'

const [SHORTEST_PIECE, LONGEST_PIECE] = [2, 5]

/** Words before the one that says whether something is asked, told or ordered. */
const OPENING = new Set(
  'please hey hi hello ok okay olly alexa siri google cortana pda so well kindly just now also i a want need would like to you could can will me for let us lets the my'.split(
    ' ',
  ),
)
const ACTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    what: 'wh',
    whats: 'wh',
    "what's": 'wh',
    which: 'wh',
    who: 'wh',
    "who's": 'wh',
    whose: 'wh',
    whom: 'wh',
    why: 'wh',
    when: 'when',
    "when's": 'when',
    where: 'where',
    "where's": 'where',
    how: 'how',
    "how's": 'how',
    is: 'whether',
    are: 'whether',
    was: 'whether',
    were: 'whether',
    do: 'whether',
    does: 'whether',
    did: 'whether',
    have: 'whether',
    has: 'whether',
    had: 'whether',
    am: 'whether',
    any: 'whether',
    should: 'whether',
    isn: 'whether',
  }),
)
const VERB_KINDS = new Set([
  'make',
  'drop',
  'look',
  'hear',
  'mail',
  'remind',
  'stop',
  'alarm',
  'off',
  'on',
  'up',
  'down',
  'no',
  'yes',
  'thank',
  'define',
  'eat',
  'clean',
  'cook',
  'like',
  'again',
  'calendar',
  'phone',
  'social',
  'change',
])

/** What the first word that matters does: it asks in one of several ways, orders, or tells. */
const actOf = (words: readonly string[]): string => {
  const first = words.find((word, at) => !OPENING.has(word) || (at === 0 && ACTS.has(word)))
  if (first === undefined) return 'none'
  return (
    ACTS.get(first) ??
    kindsOf(first).find((kind) => VERB_KINDS.has(kind)) ??
    (words[0] === 'i' ? 'telling' : 'other')
  )
}

const [START, END, PIECE, KIND, BESIDE, WITH, ACT] = ['^', '$', 'c', 'k', 'b', 'w', 'a'].map(hash) as [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
]

/** The features of one sort, and how much the sort counts as a whole. */
export interface Block {
  features: Set<number>
  weight: number
}

/**
 * A sentence for the learner, in four sorts: its words and pairs of neighbours, pieces of its words, the kinds of its
 * words with their neighbours, and which kinds come together in it, wherever they stand.
 */
export const blocksOf = (text: string): Block[] => {
  const words = wordsOf(text)
  const numbers = [START, ...words.map(hash), END]
  const [plain, pieces, kinds, pairs] = [
    new Set<number>(),
    new Set<number>(),
    new Set<number>(),
    new Set<number>(),
  ]
  for (let at = 0; at + 1 < numbers.length; at++) {
    if (at > 0) plain.add(numbers[at] as number)
    plain.add(pair(numbers[at] as number, numbers[at + 1] as number))
  }
  for (const word of words)
    for (const piece of piecesOf(word, SHORTEST_PIECE, LONGEST_PIECE)) pieces.add(pair(PIECE, hash(piece)))
  const named = words.map((word) => kindsOf(word).map(hash))
  // A word without a kind stands for itself.
  const shown = [
    [START],
    ...named.map((own, at) => (own.length > 0 ? own.slice(0, 2) : [numbers[at + 1] as number])),
    [END],
  ]
  for (const own of named) for (const kind of own) kinds.add(pair(KIND, kind))
  for (let at = 0; at + 1 < shown.length; at++)
    for (const one of shown[at] as number[])
      for (const two of shown[at + 1] as number[]) kinds.add(pair(BESIDE, pair(one, two)))
  const all = [...new Set(named.flat())].sort((a, b) => a - b)
  for (const [at, one] of all.entries())
    for (let other = at + 1; other < all.length; other++)
      pairs.add(pair(WITH, pair(one, all[other] as number)))
  const act = pair(ACT, hash(actOf(words)))
  kinds.add(act)
  for (const kind of all) pairs.add(pair(act, kind))
  return [
    { features: plain, weight: 1 },
    { features: pieces, weight: 1 },
    { features: kinds, weight: 1 },
    { features: pairs, weight: 0.8 },
  ]
}
