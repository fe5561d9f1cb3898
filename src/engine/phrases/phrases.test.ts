import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openingsOf } from './openings.ts'
import { phraseFinder } from './phrases.ts'

const PATTERNS = [
  /\b(?:meetings?|meet(?: up)?|get together|1:1)\b/,
  /\b(?:(?:can|could) (?:we|you)|let(?:'?s| us))\b/,
  /\b(?:(?:you(?:'re| are) )?(?:cordially )?invited|\d{1,3} ?% off)\b/,
  /\blet'?s\b|\bshall we\b/,
]

const found = (patterns: readonly RegExp[], text: string): string[] => {
  const hits: string[] = []
  phraseFinder(patterns)(text, (index, from, to) => hits.push(`${index} ${from} ${text.slice(from, to)}`))
  return hits.sort()
}

describe('phrases', () => {
  it('are those that their patterns find one by one', () => {
    const words = fc.constantFrom(
      ..."meet meeting meetings up get together 1:1 can could we you let's lets let us you're are cordially invited 20% 5 % off shall meetup's".split(
        ' ',
      ),
    )
    const marks = fc.constantFrom(' ', ' ', ' ', '. ', ', ', '\n', '-', '—', '’', '')
    fc.assert(
      fc.property(fc.array(fc.tuple(words, marks), { maxLength: 30 }), (pieces) => {
        const text = pieces.flat().join('')
        const oneByOne = PATTERNS.flatMap((pattern, index) =>
          [...text.matchAll(new RegExp(pattern, 'g'))].map((match) => `${index} ${match.index} ${match[0]}`),
        )
        expect(found(PATTERNS, text)).toEqual(oneByOne.sort())
      }),
      { numRuns: 300 },
    )
  })

  it('may begin with a letter that English does not know', () => {
    expect(found([/\b(?:überfällig|öffnungszeiten)\b/], 'es ist überfällig; unüberfällig')).toEqual([
      '0 7 überfällig',
    ])
  })

  it('must begin with something that is known', () => {
    expect(openingsOf('\\b(?:meetings?|(?:very )?good|\\d%)')).toEqual([
      'meeting',
      'very',
      'good',
      ...'0123456789',
    ])
    expect(() => openingsOf('\\b(?:[ab]c|d)')).toThrow('how [ab]c begins')
    expect(() => openingsOf('(?:a')).toThrow('not closed')
  })
})
