import { createWordPatterns } from '../lexicon/word-patterns.ts'

export const { patternOf, wordsOf } = createWordPatterns(new URL('../lexicon/bookings.txt', import.meta.url))
