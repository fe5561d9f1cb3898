import { hash, pair } from '../learning/hash.ts'
import type { Block } from './features.ts'
import { phrasesOf } from './phrases.ts'
import { groupsOf, kindsOf, wordsOf } from './words.ts'

const [START, END, GROUP, WITH, BESIDE, PHRASE, NONE] = ['^', '$', 'g', 'gw', 'gb', 'p', 'none'].map(
  hash,
) as [number, number, number, number, number, number, number]

/** So many groups of a word are looked at beside those of its neighbours. */
const NEIGHBOURS = 3

const pairsOf = (mark: number, numbers: readonly number[]): Set<number> => {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b)
  return new Set(
    sorted.flatMap((one, at) => sorted.slice(at + 1).map((other) => pair(mark, pair(one, other)))),
  )
}

/**
 * What a larger model looks at besides: the groups of the words, which of them come together, which stand side by side, and
 * the forms of words, by themselves, with one another and with the kinds of the words.
 */
export const fineBlocksOf = (text: string): Block[] => {
  const words = wordsOf(text)
  const groups = words.map((word) => groupsOf(word).map(hash))
  const shown = [
    [START],
    ...groups.map((own, at) => (own.length > 0 ? own.slice(0, NEIGHBOURS) : [hash(words[at] as string)])),
    [END],
  ]
  const beside = new Set<number>()
  for (let at = 0; at + 1 < shown.length; at++)
    for (const one of shown[at] as number[])
      for (const two of shown[at + 1] as number[]) beside.add(pair(BESIDE, pair(one, two)))
  const phrases = phrasesOf(words).map((phrase) => pair(PHRASE, hash(phrase)))
  const kinds = new Set(words.flatMap(kindsOf).map(hash))
  const said = new Set(phrases.length > 0 ? phrases : [pair(PHRASE, NONE)])
  for (const phrase of phrases) for (const kind of kinds) said.add(pair(phrase, kind))
  for (const both of pairsOf(PHRASE, phrases)) said.add(both)
  return [
    { features: new Set(groups.flat().map((group) => pair(GROUP, group))), weight: 0.5 },
    { features: pairsOf(WITH, groups.flat()), weight: 0.5 },
    { features: beside, weight: 0.5 },
    { features: said, weight: 0.5 },
  ]
}
