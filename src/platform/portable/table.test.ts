import { describe, expect, it } from 'vitest'
import { idOrNull, instant, oneOf, portable, text } from './table.ts'

const unsubscriptions = portable('unsubscriptions', {
  file: 'unsubscriptions.jsonl',
  formerNames: { recipient: 'toldTo' },
  columns: {
    listId: text,
    at: instant,
    by: oneOf('one-click', 'mail'),
    recipient: text,
    emailId: idOrNull,
  },
})
const row = { listId: 'news.example.org', at: '2026-03-02T08:00:00.000Z', by: 'mail', emailId: null }

describe('a renamed column', () => {
  it('is read by the name that it has in older exports', () => {
    const current = { ...row, recipient: 'leave@example.org' }
    expect(unsubscriptions.read({ ...row, toldTo: 'leave@example.org' }, { userId: 1 })).toEqual(current)
    expect(unsubscriptions.read(current, { userId: 1 })).toEqual(current)
  })

  it('is rejected if it is missing, or given by both names', () => {
    expect(unsubscriptions.faultOf(row)).toBe('recipient is missing')
    expect(unsubscriptions.faultOf({ ...row, recipient: 'a', toldTo: 'b' })).toBe('toldTo is unknown')
  })
})
