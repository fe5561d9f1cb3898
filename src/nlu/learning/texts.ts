import { readFileSync } from 'node:fs'
import { hash, type Linear, type PackedLinear, pair, scoreLinear, unpackLinear } from './linear.ts'

/* Classifies sentences and mails with a linear model over words, pairs of words and character n-grams. */

/** The features of one group, and the weight of the group. */
export interface Block {
  features: Set<number>
  weight: number
}

const TOKEN = /https?:\/\/\S{1,500}|[a-zß-ÿ]+(?:'[a-z]+)?|\d[\d.,:/-]*|[?!:;€$£\n]/g
const MARK = /^[?!:;\n]$/

const normalize = (token: string): string =>
  token.startsWith('http') ? '_link' : /^\d/.test(token) ? (token.length > 2 ? '0000' : '00') : token

const [MIN_PIECE, MAX_PIECE] = [3, 5]
const PIECE_WEIGHT = 0.8
const [EDGE, PIECE, TRIPLE, MARKED, OPENING] = ['^$', 'c', '3', 'm', 'o'].map(hash) as [
  number,
  number,
  number,
  number,
  number,
]

/** Returns the features of a text. `marks` name what its words do not say, such as a time or a foreign link. */
export const toTextBlocks = (text: string, marks: readonly string[], markWeight = 0.5): Block[] => {
  const tokens = (text.toLowerCase().replaceAll('’', "'").match(TOKEN) ?? []).map(normalize)
  const [plain, pieces] = [new Set<number>(), new Set<number>()]
  const numbers = [EDGE, ...tokens.map(hash), EDGE]
  for (let at = 0; at + 1 < numbers.length; at++) {
    const two = pair(numbers[at] as number, numbers[at + 1] as number)
    plain.add(numbers[at] as number).add(two)
    if (at + 2 < numbers.length) plain.add(pair(TRIPLE, pair(two, numbers[at + 2] as number)))
    // The first words of a clause show its mood.
    if (MARK.test(tokens[at - 1] ?? '\n')) plain.add(pair(OPENING, numbers[at + 1] as number))
  }
  for (const token of new Set(tokens)) {
    const word = `_${token}_`
    for (let length = MIN_PIECE; length <= Math.min(MAX_PIECE, word.length); length++)
      for (let at = 0; at + length <= word.length; at++)
        pieces.add(pair(PIECE, hash(word.slice(at, at + length))))
  }
  return [
    { features: plain, weight: 1 },
    { features: pieces, weight: PIECE_WEIGHT },
    { features: new Set(marks.map((mark) => pair(MARKED, hash(mark)))), weight: markWeight },
  ]
}

/** Loads a model on first use. Returns the score of each of its classes. */
export const createClassifier = <Label extends string>(
  file: URL,
): ((blocks: readonly Block[]) => Record<Label, number>) => {
  let model: Linear | undefined
  return (blocks) => {
    model ??= unpackLinear(JSON.parse(readFileSync(file, 'utf8')) as PackedLinear)
    const values = scoreLinear(model, blocks)
    return Object.fromEntries(model.labels.map((label, at) => [label, values[at]])) as Record<Label, number>
  }
}
