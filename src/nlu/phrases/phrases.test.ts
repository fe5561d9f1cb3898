import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findPrefixes, phraseFinder } from '../text.ts'

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

describe('phraseFinder', () => {
  it('finds the same matches as each pattern alone', () => {
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

  it('finds phrases that start with an umlaut', () => {
    expect(found([/\b(?:überfällig|öffnungszeiten)\b/], 'es ist überfällig; unüberfällig')).toEqual([
      '0 7 überfällig',
    ])
  })

  it('rejects patterns without a known prefix', () => {
    expect(findPrefixes('\\b(?:meetings?|(?:very )?good|\\d%)')).toEqual([
      'meeting',
      'very',
      'good',
      ...'0123456789',
    ])
    expect(() => findPrefixes('\\b(?:[ab]c|d)')).toThrow('Cannot determine the prefix of the pattern [ab]c')
    expect(() => findPrefixes('(?:a')).toThrow('Unclosed bracket')
  })
})
