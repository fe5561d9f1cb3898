import { hash, pair } from '../learning/hash.ts'
import type { Token } from '../learning/network.ts'
import { groupsOf, kindsOf, piecesOf, wordsOf } from './words.ts'

const [SHORTEST_PIECE, LONGEST_PIECE] = [3, 5]
const KIND = hash('k')
const [START, END] = ['^', '$'].map((mark): Token => ({ word: hash(mark), kinds: [], pieces: [] })) as [
  Token,
  Token,
]

/** A sentence for the network: its words in their order, between two marks. */
export const tokensOf = (text: string): Token[] => [
  START,
  ...wordsOf(text).map((word) => ({
    word: hash(word),
    kinds: [...kindsOf(word), ...groupsOf(word)].map((kind) => pair(KIND, hash(kind))),
    pieces: [...new Set(piecesOf(word, SHORTEST_PIECE, LONGEST_PIECE).map(hash))],
  })),
  END,
]
