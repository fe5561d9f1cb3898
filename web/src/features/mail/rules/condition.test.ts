import { describe, expect, it } from 'vitest'
import { compose, NO_PARTS, partsOf } from './condition.ts'

describe('the condition of a mail rule', () => {
  it('is a search made of the fields', () => {
    expect(compose({ from: 'ana', to: '', subject: 'weekly report', words: 'has:attachment' })).toBe(
      'from:ana subject:"weekly report" has:attachment',
    )
    expect(compose(NO_PARTS)).toBe('')
  })

  it.each(['from:ana', 'to:"team sales" subject:"weekly report" has:attachment', 'list:news -draft'])(
    'keeps %s when its fields are read and written again',
    (q) => expect(compose(partsOf(q))).toBe(q),
  )

  it('fills a field with its first term, and keeps all others as words', () => {
    expect(partsOf('from:ana from:ben -to:cleo FROM')).toEqual({
      ...NO_PARTS,
      from: 'ana',
      words: 'from:ben -to:cleo FROM',
    })
  })

  it('removes quotes that would end a phrase early', () => {
    expect(compose({ ...NO_PARTS, subject: 'the "big" one' })).toBe('subject:"the big one"')
  })
})
