import { describe, expect, it } from 'vitest'
import { hrefOf, readUrlState, taskHref } from './url-state.ts'

const NO_FILTER = {
  view: 'open',
  q: '',
  tag: null,
  priority: null,
  list: null,
  days: null,
  layout: null,
  task: null,
} as const

describe('the address of the task page', () => {
  it.each([
    ['/tasks', {}],
    ['/tasks?view=done&q=milk', { view: 'done', q: 'milk' }],
    ['/tasks?tag=home+office&priority=high', { tag: 'home office', priority: 'high' }],
    ['/tasks?list=3&task=12', { list: 3, task: 12 }],
    ['/tasks?list=3&layout=board', { list: 3, layout: 'board' }],
    ['/tasks?days=upcoming', { days: 'upcoming' }],
  ] as const)('is %s', (href, change) => {
    expect(hrefOf({ ...NO_FILTER, ...change })).toBe(href)
    expect(readUrlState(href.slice('/tasks'.length))).toEqual({ ...NO_FILTER, ...change })
  })

  it('ignores unknown values', () => {
    expect(readUrlState('?view=mine&priority=huge&list=0&days=1&layout=grid&task=1e3&tag=')).toEqual(
      NO_FILTER,
    )
  })

  it('of one task has no filters', () => {
    expect(readUrlState(new URL(taskHref(5), 'http://console').search)).toEqual({ ...NO_FILTER, task: 5 })
  })
})
