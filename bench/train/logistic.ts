import { createRandom, type Vector } from './svm.ts'

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z']{2,}|\d+|\?/g) ?? []

const gramsOf = (text: string): string[] => {
  const words = wordsOf(text)
  return [...words, ...words.slice(1).map((word, at) => `${words[at]} ${word}`)]
}

/** Creates normalized TF-IDF vectors of words and word pairs. */
const createTfIdf = (texts: readonly string[]) => {
  const indices = new Map<string, number>()
  const counts: number[] = []
  for (const text of texts)
    for (const gram of new Set(gramsOf(text))) {
      const column = indices.get(gram) ?? indices.size
      indices.set(gram, column)
      counts[column] = (counts[column] ?? 0) + 1
    }
  const rarity = counts.map((count) => Math.log((1 + texts.length) / (1 + count)) + 1)
  const vectorOf = (text: string): Vector => {
    const found = new Map<number, number>()
    for (const gram of gramsOf(text)) {
      const column = indices.get(gram)
      if (column !== undefined) found.set(column, (found.get(column) ?? 0) + (rarity[column] as number))
    }
    const norm = Math.sqrt([...found.values()].reduce((sum, value) => sum + value * value, 0)) || 1
    return { at: [...found.keys()], value: [...found.values()].map((value) => value / norm) }
  }
  return { vectorOf, size: indices.size }
}

const ROUNDS = 20
const RATE = 1

/** Trains logistic regression over TF-IDF. It is the baseline of the evaluation and is not shipped. */
export const trainLogistic = (
  sentences: readonly { text: string; intent: string }[],
): ((text: string) => string) => {
  const { vectorOf, size } = createTfIdf(sentences.map(({ text }) => text))
  const labels = [...new Set(sentences.map(({ intent }) => intent))].sort()
  const labelCount = labels.length
  const vectors = sentences.map(({ text }) => vectorOf(text))
  const wanted = sentences.map(({ intent }) => labels.indexOf(intent))
  const weights = new Float32Array((size + 1) * labelCount)
  // AdaGrad: the sum of squared gradients slows down weights that have moved far.
  const squaredGradients = new Float32Array((size + 1) * labelCount).fill(0.1)
  const random = createRandom(1)
  const order = vectors.map((_, index) => index)
  const scores = new Float64Array(labelCount)
  const score = ({ at, value }: Vector): void => {
    for (let label = 0; label < labelCount; label++)
      scores[label] = weights[size * labelCount + label] as number
    for (let index = 0; index < at.length; index++) {
      const row = (at[index] as number) * labelCount
      for (let label = 0; label < labelCount; label++)
        scores[label] =
          (scores[label] as number) + (weights[row + label] as number) * (value[index] as number)
    }
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (let last = order.length - 1; last > 0; last--) {
      const other = Math.floor(random() * (last + 1))
      ;[order[last], order[other]] = [order[other] as number, order[last] as number]
    }
    for (const one of order) {
      const vector = vectors[one] as Vector
      score(vector)
      const top = scores.reduce((max, value) => Math.max(max, value), Number.NEGATIVE_INFINITY)
      let sum = 0
      for (let label = 0; label < labelCount; label++) {
        scores[label] = Math.exp((scores[label] as number) - top)
        sum += scores[label] as number
      }
      const step = (row: number, value: number): void => {
        for (let label = 0; label < labelCount; label++) {
          const gradient = ((scores[label] as number) / sum - (wanted[one] === label ? 1 : 0)) * value
          const column = row + label
          squaredGradients[column] = (squaredGradients[column] as number) + gradient * gradient
          weights[column] =
            (weights[column] as number) - (RATE * gradient) / Math.sqrt(squaredGradients[column] as number)
        }
      }
      for (let index = 0; index < vector.at.length; index++)
        step((vector.at[index] as number) * labelCount, vector.value[index] as number)
      step(size * labelCount, 1)
    }
  }
  return (text) => {
    score(vectorOf(text))
    let best = 0
    for (let label = 1; label < labelCount; label++)
      if ((scores[label] as number) > (scores[best] as number)) best = label
    return labels[best] as string
  }
}
