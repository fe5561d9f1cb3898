import { expect, it } from 'vitest'
import { entryOf, entryWords, placedWords, wordsOf } from './full-text.ts'

const MAX_BYTES = 250_000

it('splits millions of letters without a space', () => {
  const text = 'я'.repeat(8_400_000)
  expect(entryWords(text)[0]).toBe('я'.repeat(64))
  expect(placedWords(text.slice(0, 100_000)).next().value).toMatchObject({ start: 0 })
})

it('limits the words of an entry by bytes, equally for the index and for rules', () => {
  const lines = Array.from({ length: 17_000 }, (_, n) => n.toString(16).padStart(64, 'a'))
  const words = entryWords(lines.join('\n'))
  expect(Buffer.byteLength(words.join(' '))).toBeLessThan(MAX_BYTES)
  expect(words.length).toBeGreaterThan(3_000)
  const entry = entryOf({ body: lines.join('\n') })
  const has = (word: string | undefined): boolean => entry.has({ words: [word ?? ''], isPrefix: false })
  expect(has(words.at(-1))).toBe(true)
  expect(has(lines[words.length])).toBe(false)
})

it('counts a repeated word once, so that long prose is searchable to its end', () => {
  const text = 'съешь ещё этих мягких французских булок да выпей чаю '.repeat(1_700)
  expect(entryWords(text)).toHaveLength(15_300)
})

it('splits a long text between words', () => {
  const text = Array.from({ length: 20_000 }, (_, n) => `word${n}`).join(' ')
  expect(wordsOf(text)).toEqual(text.split(' '))
  const placed = [...placedWords(text)]
  expect(placed.every(({ word, start, end }) => text.slice(start, end) === word)).toBe(true)
  expect(placed).toHaveLength(20_000)
})
