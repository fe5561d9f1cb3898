import { hash } from '../../src/nlu/learning/linear.ts'
import { CONSTANT, featuresOf, normalize } from '../../src/nlu/tagger/features.ts'
import { type FeatureWeights, type PackedTagger, packTagger } from '../../src/nlu/tagger/model.ts'
import { isPossible, LABELS } from '../../src/nlu/tagger/tagger.ts'
import { splitWords } from '../../src/nlu/tagger/words.ts'
import { loadSlotSentences, SHIPPED_SOURCES, type SlotSentence } from '../nlu/slots.ts'
import { loadAnnotatedRequests } from './annotated.ts'
import { type Field, type Sequence, trainField } from './crf.ts'
import { generateSlotSentences } from './slot-sentences.ts'
import { createRandom } from './svm.ts'

/** Words that occur less often are known by their form only. */
const MIN_FREQUENT = 8
/** Rarer features are left out. */
const MIN_COUNT = 2
const GENERATED = 12_000
/** Some sources mark their arguments less consistently than others. Generated sentences resemble each other. */
const SOURCE_WEIGHTS: Readonly<Record<string, number>> = {
  slurp: 0.7,
  'nlu-eval': 0.7,
  'generated en': 0.8,
  'generated de': 0.5,
  // They are few, and nearest to what people write.
  annotated: 2,
}
/** The number of weights to keep. */
const MAX_WEIGHTS = 600_000
/** A weight of a frequent feature matters more than its size says. */
const COUNT_POWER = 0.25
const SETTINGS = { rounds: 5, rate: 0.1, decay: 0.001, dropout: 0.3 }
/** A missed argument costs more than a superfluous one, so words outside of arguments score less. */
const OUTSIDE_BIAS = 0.3

const LABEL_OF = new Map(LABELS.map((label, index) => [label, index]))
const indexOf = (label: string): number => LABEL_OF.get(label) as number

const countAll = <T>(values: Iterable<T>): Map<T, number> => {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
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

/** Returns the weights that matter most, by feature. */
const pickWeights = (
  { emissions, labels }: Field,
  indices: ReadonlyMap<number, number>,
  counts: ReadonlyMap<number, number>,
): FeatureWeights[] => {
  const importance = new Float32Array(emissions.length)
  for (const [feature, index] of indices) {
    const factor = (counts.get(feature) as number) ** COUNT_POWER
    for (let slot = index * labels; slot < (index + 1) * labels; slot++)
      importance[slot] = Math.abs(emissions[slot] as number) * factor
  }
  const least = importance.toSorted()[Math.max(0, importance.length - MAX_WEIGHTS)] as number
  return [...indices].map(([feature, index]) => ({
    feature,
    weights: LABELS.map((_, label) => [label, emissions[index * labels + label] as number] as const).filter(
      ([label, weight]) => weight !== 0 && (importance[index * labels + label] as number) >= least,
    ),
  }))
}

/** Trains a tagger on sentences and generated ones. The same sentences always yield the same model. */
export const trainTaggerOn = (sentences: readonly SlotSentence[]): PackedTagger => {
  const all = [...sentences, ...generateSlotSentences(GENERATED, createRandom(3))]
  const wordCounts = countAll(
    all.flatMap(({ text }) => splitWords(text).map(({ text: word }) => normalize(word))),
  )
  const isFrequent = (word: string): boolean => (wordCounts.get(word) ?? 0) >= MIN_FREQUENT
  const found = all.map(({ text }) =>
    featuresOf(text, splitWords(text), isFrequent).map((features) => [...new Set(features)]),
  )
  const counts = countAll(found.flat(2))
  const indices = new Map<number, number>()
  for (const [feature, count] of counts) if (count >= MIN_COUNT) indices.set(feature, indices.size)
  const sequences = all.map(
    (sentence, at): Sequence => ({
      features: (found[at] as number[][]).map((features) =>
        Uint32Array.from(features.flatMap((feature) => indices.get(feature) ?? [])),
      ),
      allowed: labelsOf(sentence),
      weight:
        SOURCE_WEIGHTS[sentence.source] ?? SOURCE_WEIGHTS[`${sentence.source} ${sentence.language}`] ?? 1,
    }),
  )
  const field = trainField(sequences, {
    ...SETTINGS,
    features: indices.size,
    labels: LABELS.length,
    isPossible,
    random: createRandom(7),
  })
  const constant = (indices.get(CONSTANT) as number) * LABELS.length
  field.emissions[constant] = (field.emissions[constant] as number) - OUTSIDE_BIAS
  return packTagger(
    pickWeights(field, indices, counts),
    field.transitions,
    [...wordCounts.keys()].filter(isFrequent).map(hash),
  )
}

export const trainTagger = (): { json: string; note: string } => {
  const sentences = loadSlotSentences().filter((one) => SHIPPED_SOURCES.has(one.source))
  if (sentences.length === 0) throw new Error('No slots; EVALUATION_DATA names their folder.')
  const annotated = loadAnnotatedRequests().filter(({ isValidation }) => !isValidation)
  const packed = trainTaggerOn([...sentences, ...annotated])
  const origin =
    'Made by bench/train.ts from Bot Framework Skills and Recognizers-Text (MIT), SLURP, NLU Evaluation Data and Home Assistant intents (CC BY 4.0), and annotated requests and patterns of the project.'
  return {
    json: `${JSON.stringify({ origin, ...packed })}\n`,
    note: `${sentences.length + annotated.length} sentences and ${GENERATED} generated ones`,
  }
}
