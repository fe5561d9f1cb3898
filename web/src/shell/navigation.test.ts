import { describe, expect, it } from 'vitest'
import type { BrowserStorage } from '../api/browser-storage.ts'
import {
  DEFAULT_PAGES,
  isWithin,
  movePage,
  NAVIGATION,
  readPinnedPages,
  savePinnedPages,
} from './navigation.ts'

const storage = (initial: string | null = null) => {
  let value = initial
  const browserStorage: BrowserStorage = {
    works: true,
    read: () => value,
    write: (_, next) => {
      value = next
    },
  }
  return { browserStorage, read: () => value }
}

const hrefs = (pages: readonly { href: string }[]) => pages.map(({ href }) => href)
const page = (href: string) => NAVIGATION.find((item) => item.href === href) as (typeof NAVIGATION)[number]

describe('the navigation', () => {
  it('pins all pages at first, except the rarely used ones', () => {
    const { browserStorage } = storage()
    expect(readPinnedPages(browserStorage)).toEqual(DEFAULT_PAGES)
    expect(hrefs(DEFAULT_PAGES)).not.toContain('/insights')
  })

  it('keeps the order of a device, and ignores pages that no longer exist', () => {
    const { browserStorage } = storage('/tasks /former /mail /tasks')
    expect(hrefs(readPinnedPages(browserStorage))).toEqual(['/tasks', '/mail'])
  })

  it('stores nothing for the default order', () => {
    const { browserStorage, read } = storage('/tasks')
    savePinnedPages(browserStorage, DEFAULT_PAGES)
    expect(read()).toBeNull()
    savePinnedPages(browserStorage, [page('/mail'), page('/')])
    expect(read()).toBe('/mail /')
  })

  it('swaps a page with its neighbour, and stops at the ends', () => {
    const pages = [page('/'), page('/mail'), page('/tasks')]
    expect(hrefs(movePage(pages, page('/mail'), 1))).toEqual(['/', '/tasks', '/mail'])
    expect(movePage(pages, page('/'), -1)).toBe(pages)
  })

  it('marks the page of an address, and the home page for its own address only', () => {
    expect(isWithin('/mail/inbox/3', page('/mail'))).toBe(true)
    expect(isWithin('/mailing', page('/mail'))).toBe(false)
    expect(isWithin('/mail', page('/'))).toBe(false)
  })
})
