import { describe, expect, it } from 'vitest'
import { SAME_IDS } from './references.ts'
import { idOrNull, instant, oneOf, own, portable, text } from './table.ts'

const unsubscriptions = portable('unsubscriptions', {
  file: 'unsubscriptions.jsonl',
  formerNames: { recipient: 'toldTo' },
  of: () => [],
  columns: {
    userId: own,
    listId: text,
    at: instant,
    by: oneOf('one-click', 'mail'),
    recipient: text,
    emailId: idOrNull('emails'),
  },
})
const row = { listId: 'news.example.org', at: '2026-03-02T08:00:00.000Z', by: 'mail', emailId: null }

describe('a renamed column', () => {
  it('is read by the name that it has in older exports', () => {
    const current = { ...row, recipient: 'leave@example.org' }
    const stored = { ...current, userId: 1 }
    expect(
      unsubscriptions.read({ ...row, toldTo: 'leave@example.org' }, { userId: 1, ids: SAME_IDS }),
    ).toEqual(stored)
    expect(unsubscriptions.read(current, { userId: 1, ids: SAME_IDS })).toEqual(stored)
  })

  it('is rejected if it is missing, or given by both names', () => {
    expect(unsubscriptions.faultOf(row, SAME_IDS)).toBe('recipient is missing')
    expect(unsubscriptions.faultOf({ ...row, recipient: 'a', toldTo: 'b' }, SAME_IDS)).toBe(
      'toldTo is unknown',
    )
  })
})
