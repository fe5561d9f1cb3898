import { hash, packLinear } from '../../src/nlu/learning/linear.ts'
import { featuresOf, normalize } from '../../src/nlu/tagger/features.ts'
import { LABELS, type PackedTagger, packTagger } from '../../src/nlu/tagger/tagger.ts'
import { splitWords } from '../../src/nlu/tagger/words.ts'
import { loadSlotSentences, SHIPPED_SOURCES, type SlotSentence } from '../nlu/slots.ts'
import { type Sequence, trainField } from './crf.ts'
import { generateSlotSentences } from './slot-sentences.ts'
import { createRandom } from './svm.ts'

/** Words that occur less often are known by their form only. */
const MIN_FREQUENT = 8
const GENERATED = 3000
const GENERATED_WEIGHT = 0.5
/** The number of weights to keep, by size. */
const MAX_WEIGHTS = 300_000
const SETTINGS = { rounds: 8, rate: 0.1, decay: 0.001, dropout: 0.3 }
/** A missed argument costs more than a superfluous one, so words outside of arguments score less. */
const OUTSIDE_BIAS = 0.3

const LABEL_OF = new Map(LABELS.map((label, index) => [label, index]))
const indexOf = (label: string): number => LABEL_OF.get(label) as number

/** An inner word follows a word of the same argument. */
const isPossible = (before: number, label: number): boolean =>
  label === 0 || label % 2 === 1 || before === label || before === label - 1

const countWords = (sentences: readonly SlotSentence[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const { text } of sentences)
    for (const { text: word } of splitWords(text))
      counts.set(normalize(word), (counts.get(normalize(word)) ?? 0) + 1)
  return counts
}

/** The labels that each word may have. Unannotated roles are possible outside of the marked arguments. */
const labelsOf = ({ text, slots, unannotated = [] }: SlotSentence): Uint8Array[] =>
  splitWords(text).map(({ from, to }) => {
    const flags = new Uint8Array(LABELS.length)
    const slot = slots.find(({ start, end }) => from < end && to > start)
    if (slot) flags[indexOf(`${from <= slot.start ? 'B' : 'I'}-${slot.role}`)] = 1
    else
      for (const label of ['O', ...unannotated.flatMap((role) => [`B-${role}`, `I-${role}`])])
        flags[indexOf(label)] = 1
    return flags
  })

/** Trains a tagger on sentences and generated ones. The same sentences always yield the same model. */
export const trainTaggerOn = (sentences: readonly SlotSentence[]): PackedTagger => {
  const all = [...sentences, ...generateSlotSentences(GENERATED, createRandom(3))]
  const counts = countWords(all)
  const isFrequent = (word: string): boolean => (counts.get(word) ?? 0) >= MIN_FREQUENT
  const indices = new Map<number, number>()
  const sequences = all.map(
    (sentence): Sequence => ({
      features: featuresOf(sentence.text, splitWords(sentence.text), isFrequent).map((found) =>
        Uint32Array.from(new Set(found), (feature) => {
          const index = indices.get(feature) ?? indices.size
          indices.set(feature, index)
          return index
        }),
      ),
      allowed: labelsOf(sentence),
      weight: sentence.source === 'generated' ? GENERATED_WEIGHT : 1,
    }),
  )
  const labels = LABELS.length
  const { emissions, transitions } = trainField(sequences, {
    ...SETTINGS,
    features: indices.size,
    labels,
    isPossible,
    random: createRandom(7),
  })
  const constant = (indices.get(hash('')) as number) * labels
  emissions[constant] = (emissions[constant] as number) - OUTSIDE_BIAS
  const sizes = Float32Array.from(emissions, Math.abs).sort()
  const least = sizes[Math.max(0, sizes.length - MAX_WEIGHTS)] as number
  const entries = [...indices].flatMap(([feature, index]) => {
    const weights = Array.from(
      { length: labels },
      (_, label) => [label, emissions[index * labels + label] as number] as const,
    ).filter(([, weight]) => weight !== 0 && Math.abs(weight) >= least)
    return weights.length > 0 ? [{ feature, rarity: 1, weights }] : []
  })
  return packTagger(
    packLinear(
      LABELS,
      LABELS.map(() => 0),
      entries,
    ),
    transitions,
    (slot) => isPossible(Math.floor(slot / labels), slot % labels),
    [...counts.keys()].filter(isFrequent).map(hash),
  )
}

export const trainTagger = (): { json: string; note: string } => {
  const sentences = loadSlotSentences().filter((one) => SHIPPED_SOURCES.has(one.source))
  if (sentences.length === 0) throw new Error('No slots; EVALUATION_DATA names their folder.')
  const packed = trainTaggerOn(sentences)
  const origin =
    'Made by bench/train.ts from Bot Framework Skills and Recognizers-Text (MIT), SLURP, NLU Evaluation Data and Home Assistant intents (CC BY 4.0), and patterns of the project.'
  return {
    json: `${JSON.stringify({ origin, ...packed })}\n`,
    note: `${sentences.length} sentences and ${GENERATED} generated ones`,
  }
}
