import { expect, it } from 'vitest'
import { entryWords } from './full-text.ts'
import { entryOf } from './matching.ts'
import { placedWords, wordsOf } from './words.ts'

const MOST_BYTES = 250_000

it('reads millions of letters without a blank', () => {
  const text = 'я'.repeat(8_400_000)
  expect(entryWords(text)[0]).toBe('я'.repeat(64))
  expect(placedWords(text.slice(0, 100_000)).next().value).toMatchObject({ start: 0 })
})

it('bounds the words of an entry by bytes, for the index and for rules alike', () => {
  const lines = Array.from({ length: 17_000 }, (_, n) => n.toString(16).padStart(64, 'a'))
  const words = entryWords(lines.join('\n'))
  expect(Buffer.byteLength(words.join(' '))).toBeLessThan(MOST_BYTES)
  expect(words.length).toBeGreaterThan(3_000)
  const entry = entryOf({ body: lines.join('\n') })
  const has = (word: string | undefined): boolean => entry.has({ words: [word ?? ''], isPrefix: false })
  expect(has(words.at(-1))).toBe(true)
  expect(has(lines[words.length])).toBe(false)
})

it('counts a word that repeats once, so that long prose is found to its end', () => {
  const text = 'съешь ещё этих мягких французских булок да выпей чаю '.repeat(1_700)
  expect(entryWords(text)).toHaveLength(15_300)
})

it('cuts a long text between words', () => {
  const text = Array.from({ length: 20_000 }, (_, n) => `word${n}`).join(' ')
  expect(wordsOf(text)).toEqual(text.split(' '))
  const placed = [...placedWords(text)]
  expect(placed.every(({ word, start, end }) => text.slice(start, end) === word)).toBe(true)
  expect(placed).toHaveLength(20_000)
})
