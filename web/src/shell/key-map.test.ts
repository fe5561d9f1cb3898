import { describe, expect, it } from 'vitest'
import { createKeySequence, findPageAction, readGlobalKey } from './key-map.ts'
import { NAVIGATION } from './navigation.ts'

describe('the key map', () => {
  it('opens each page of the navigation with g and its own letter', () => {
    const hrefs = NAVIGATION.map(({ key }) => readGlobalKey(key, true, true))
    expect(hrefs).toEqual(NAVIGATION.map(({ href }) => ({ kind: 'page', href })))
    expect(new Set(NAVIGATION.map(({ key }) => key)).size).toBe(NAVIGATION.length)
  })

  it('opens quick add, the search and the help with one key', () => {
    expect(readGlobalKey('q', false, true)).toEqual({ kind: 'quick-add' })
    expect(readGlobalKey('/', false, true)).toEqual({ kind: 'search' })
    expect(readGlobalKey('?', false, true)).toEqual({ kind: 'help' })
    expect(readGlobalKey('m', false, true)).toBeNull()
  })

  it('keeps the help when the user has turned off the keys', () => {
    expect(readGlobalKey('?', false, false)).toEqual({ kind: 'help' })
    for (const key of ['q', '/']) expect(readGlobalKey(key, false, false)).toBeNull()
    expect(readGlobalKey('m', true, false)).toBeNull()
  })

  it('does not act on the page with a key after g', () => {
    const keys = { n: 'new task' }
    expect(findPageAction(keys, 'n', false)).toBe('new task')
    expect(findPageAction(keys, 'n', true)).toBeNull()
    expect(findPageAction(keys, 'toString', false)).toBeNull()
  })

  it('forgets g after another key and after 1.5 seconds', () => {
    const followsG = createKeySequence()
    expect(followsG('g', 0)).toBe(false)
    expect(followsG('m', 1_000)).toBe(true)
    expect(followsG('m', 1_100)).toBe(false)
    followsG('g', 5_000)
    expect(followsG('m', 6_500)).toBe(false)
  })
})
