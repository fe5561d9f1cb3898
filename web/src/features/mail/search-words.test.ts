import { describe, expect, it } from 'vitest'
import { findWords, toPrefixSearch } from './search-words.ts'

const found = (text: string, q: string) => findWords(text, q).map(({ start, end }) => text.slice(start, end))

describe('the search of mail', () => {
  it('takes the last word as the beginning of a word while the user types', () => {
    expect(toPrefixSearch('invoice mar')).toBe('invoice mar*')
    expect(toPrefixSearch('invoice mar ')).toBe('invoice mar')
  })

  it('completes no single letter, operator or quoted phrase', () => {
    for (const q of ['a', 'from:ana', '-draft', '"annual rep', 'tag:home']) expect(toPrefixSearch(q)).toBe(q)
  })

  it('finds words without case and accents, at their positions', () => {
    expect(found('Die Präsenz in Zürich', 'prasenz zurich ')).toEqual(['Präsenz', 'Zürich'])
  })

  it('finds whole words, and the beginnings for the last one', () => {
    expect(found('mark the market', 'mark ')).toEqual(['mark'])
    expect(found('mark the market', 'mark')).toEqual(['mark', 'market'])
  })

  it('marks the words of a phrase and of operators for text, but not filters or excluded words', () => {
    expect(found('Annual report', '"annual report"')).toEqual(['Annual', 'report'])
    expect(found('Lunch with Ana', 'subject:lunch ')).toEqual(['Lunch'])
    expect(found('home inbox draft', 'tag:home in:inbox -draft is:unread ')).toEqual([])
    expect(found('Anything', '')).toEqual([])
  })
})
