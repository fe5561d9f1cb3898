import { createRandom, type Vector } from './svm.ts'

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z']{2,}|\d+|\?/g) ?? []

const gramsOf = (text: string): string[] => {
  const words = wordsOf(text)
  return [...words, ...words.slice(1).map((word, at) => `${words[at]} ${word}`)]
}

/** Words and pairs of words by how rare they are, brought to length one: what a textbook begins with. */
const createTfIdf = (texts: readonly string[]) => {
  const places = new Map<string, number>()
  const counts: number[] = []
  for (const text of texts)
    for (const gram of new Set(gramsOf(text))) {
      const place = places.get(gram) ?? places.size
      places.set(gram, place)
      counts[place] = (counts[place] ?? 0) + 1
    }
  const rarity = counts.map((count) => Math.log((1 + texts.length) / (1 + count)) + 1)
  const vectorOf = (text: string): Vector => {
    const found = new Map<number, number>()
    for (const gram of gramsOf(text)) {
      const place = places.get(gram)
      if (place !== undefined) found.set(place, (found.get(place) ?? 0) + (rarity[place] as number))
    }
    const norm = Math.sqrt([...found.values()].reduce((sum, value) => sum + value * value, 0)) || 1
    return { at: [...found.keys()], value: [...found.values()].map((value) => value / norm) }
  }
  return { vectorOf, size: places.size }
}

const ROUNDS = 20
const RATE = 1

/** Logistic regression over TF-IDF, the baseline beside the models: learnt in the same run, and never shipped. */
export const trainLogistic = (
  sentences: readonly { text: string; intent: string }[],
): ((text: string) => string) => {
  const { vectorOf, size } = createTfIdf(sentences.map(({ text }) => text))
  const labels = [...new Set(sentences.map(({ intent }) => intent))].sort()
  const many = labels.length
  const vectors = sentences.map(({ text }) => vectorOf(text))
  const wanted = sentences.map(({ intent }) => labels.indexOf(intent))
  const weights = new Float32Array((size + 1) * many)
  // How far each weight has moved: what has moved far moves more slowly (AdaGrad).
  const moved = new Float32Array((size + 1) * many).fill(0.1)
  const random = createRandom(1)
  const order = vectors.map((_, index) => index)
  const scores = new Float64Array(many)
  const score = ({ at, value }: Vector): void => {
    for (let label = 0; label < many; label++) scores[label] = weights[size * many + label] as number
    for (let index = 0; index < at.length; index++) {
      const row = (at[index] as number) * many
      for (let label = 0; label < many; label++)
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
      for (let label = 0; label < many; label++) {
        scores[label] = Math.exp((scores[label] as number) - top)
        sum += scores[label] as number
      }
      const step = (row: number, value: number): void => {
        for (let label = 0; label < many; label++) {
          const slope = ((scores[label] as number) / sum - (wanted[one] === label ? 1 : 0)) * value
          const place = row + label
          moved[place] = (moved[place] as number) + slope * slope
          weights[place] = (weights[place] as number) - (RATE * slope) / Math.sqrt(moved[place] as number)
        }
      }
      for (let index = 0; index < vector.at.length; index++)
        step((vector.at[index] as number) * many, vector.value[index] as number)
      step(size * many, 1)
    }
  }
  return (text) => {
    score(vectorOf(text))
    let best = 0
    for (let label = 1; label < many; label++)
      if ((scores[label] as number) > (scores[best] as number)) best = label
    return labels[best] as string
  }
}
