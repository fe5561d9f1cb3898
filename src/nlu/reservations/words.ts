import { createWordPatterns } from '../lexicon/word-patterns.ts'

export const { alternatives, wordsOf } = createWordPatterns(
  new URL('../lexicon/bookings.txt', import.meta.url),
)
