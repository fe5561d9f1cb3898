import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { snippetOf, withoutQuotes } from './quotes.ts'

const DATA = '../shared/data/reply-quoting/cases.public.jsonl'

it.skipIf(!existsSync(DATA))(
  'separates what is new from what is quoted, in the ways that programs quote',
  () => {
    interface Case {
      id: string
      text: string
      expected?: string
      reply?: string
    }
    const cases = readFileSync(DATA, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Case)
    const wrong = cases.filter(({ id, text, expected, reply }) => {
      const wanted = (expected ?? reply ?? '').replaceAll('\r\n', '\n').trim()
      const found = withoutQuotes(text)
      return found !== wanted && !(id.startsWith('crisp') && wanted !== '' && found.startsWith(wanted))
    })
    console.log(`reply-quoting: ${cases.length - wrong.length} of ${cases.length}`)
    expect(1 - wrong.length / cases.length).toBeGreaterThanOrEqual(0.9)
  },
)

it.each([
  ['nothing quoted', 'Hello\n\nAt 12:30 then?', 'Hello\n\nAt 12:30 then?'],
  ['answers between quotations', 'On 1 Mar 2026, Ana wrote:\n> one?\nyes\n> two?\nno', 'yes\nno'],
  [
    'nothing but history',
    '-----Original Message-----\nFrom: a@b.example\nSent: today\nTo: c\n\nHi',
    '-----Original Message-----\nFrom: a@b.example\nSent: today\nTo: c\n\nHi',
  ],
  [
    'a colon in plain prose',
    'The plan for 2026-03-01 is simple:\n\nwe go',
    'The plan for 2026-03-01 is simple:\n\nwe go',
  ],
  [
    'a list of dates',
    'Dates:\n01.03.2026: Berlin\n02.03.2026: Paris',
    'Dates:\n01.03.2026: Berlin\n02.03.2026: Paris',
  ],
  ['nothing at all', '', ''],
])('keeps what somebody wrote: %s', (_what, text, own) => {
  expect(withoutQuotes(text)).toBe(own)
})

it('makes a snippet of one line, without history, signature or filler', () => {
  expect(snippetOf('Hi Ben,\n\n  yes\u200b \u00adplease.\n\n-- \nAna\nCEO')).toBe('Hi Ben, yes please.')
  expect(
    snippetOf('Yes\n\nSent from my iPhone\n\nOn 1 Mar 2026, at 10:00, Ana <a@b.example> wrote:\n> no'),
  ).toBe('Yes')
  const long = snippetOf('word '.repeat(100))
  expect([long.length <= 200, long.endsWith('word…')]).toEqual([true, true])
  expect(snippetOf('😀'.repeat(300)).isWellFormed()).toBe(true)
})
