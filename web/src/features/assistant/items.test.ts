import { describe, expect, it } from 'vitest'
import { isMentioned, itemsOf, slotsOf } from './items.ts'
import type { ChatAction } from './use-chat.ts'

const action = (tool: string, result: unknown, change: Partial<ChatAction> = {}) =>
  ({ tool, status: 'done', input: {}, result, before: {}, undoId: null, ...change }) as ChatAction

const names = (...actions: ChatAction[]) => itemsOf(actions).map(({ type, id }) => `${type} ${id}`)

describe('the items of an answer', () => {
  it('are those of lists, whatever the tool is called', () => {
    const found = action('search', { tasks: [{ id: 1 }], commitments: [{ id: 2 }], total: 2 })
    expect(names(found)).toEqual(['task 1', 'commitment 2'])
  })

  it('have the type that the tool names, if the result is one item', () => {
    expect(names(action('create_task', { id: 4 }))).toEqual(['task 4'])
    expect(names(action('draft_email', { id: 5 }))).toEqual(['draft 5'])
    expect(names(action('get_briefing', { id: 6 }))).toEqual([])
  })

  it('have the reasons and types of the priorities', () => {
    const items = itemsOf([
      action('get_priorities', {
        items: [{ kind: 'email', emailId: 3, reasons: [{ code: 'urgent' }, 'broken'] }, { kind: 'weather' }],
      }),
    ])
    expect(items).toMatchObject([{ type: 'email', id: 3, reasons: [{ code: 'urgent' }] }])
  })

  it('leave out results of failed and unconfirmed actions', () => {
    expect(names(action('create_task', { id: 4 }, { status: 'failed' }))).toEqual([])
    expect(names(action('create_task', { id: 4 }, { status: 'needs_confirmation' }))).toEqual([])
  })

  it('leave out what was only searched for a change', () => {
    const search = action('search', { tasks: [{ id: 1 }, { id: 2 }] })
    const change = action('complete_task', { id: 2 }, { undoId: 9 })
    expect(names(search, change)).toEqual(['task 2'])
  })

  it('are listed once, with the values before the first change', () => {
    const first = action('update_task', { id: 1, title: 'B' }, { undoId: 1, before: { title: 'A' } })
    const second = action(
      'update_task',
      { id: 1, title: 'C' },
      { undoId: 2, before: { title: 'B', notes: '' } },
    )
    expect(itemsOf([first, second])).toMatchObject([
      { id: 1, data: { title: 'C' }, before: { title: 'A', notes: '' } },
    ])
  })

  it('are separate for the occurrences of a series', () => {
    const events = ['2026-03-02T09:00:00Z', '2026-03-03T09:00:00Z'].map((occurrenceStart) => ({
      id: 1,
      occurrenceStart,
    }))
    expect(names(action('list_events', { events }))).toEqual(['event 1', 'event 1'])
  })
})

describe('an item', () => {
  const [item] = itemsOf([
    action('search', { tasks: [{ id: 1, title: 'Write the report of the second quarter' }] }),
  ])

  it('is mentioned if the text contains the beginning of its title', () => {
    if (!item) throw new Error('The search found nothing.')
    expect(isMentioned(item, 'Next: Write the report of the second…')).toBe(true)
    expect(isMentioned(item, 'Nothing is due.')).toBe(false)
  })
})

describe('the free times of an answer', () => {
  it('have the length that was asked for', () => {
    const slot = { start: '2026-03-02T09:00:00Z', end: '2026-03-02T11:00:00Z' }
    const found = action('find_free_time', { slots: [slot, { start: null }] }, { input: { minutes: 30 } })
    expect(slotsOf([found])).toEqual([{ ...slot, minutes: 30 }])
  })
})
