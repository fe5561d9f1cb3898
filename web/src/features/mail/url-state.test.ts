import { describe, expect, it } from 'vitest'
import { hrefOf, PLAIN_VIEW, readUrlState, type UrlState } from './url-state.ts'

const state = (change: Partial<UrlState>): UrlState => ({ ...PLAIN_VIEW, folder: 'inbox', ...change })
const read = (href: string): UrlState => {
  const { pathname, search } = new URL(href, 'http://console')
  return readUrlState(pathname, search)
}

describe('the address of the mail page', () => {
  it.each([
    ['/mail/inbox', {}],
    ['/mail/sent/12', { folder: 'sent', open: 12 }],
    ['/mail/drafts/new', { folder: 'drafts', open: 'new' }],
    ['/mail/folder-7?tag=home', { folder: 'other', folderId: 7, tag: 'home' }],
    ['/mail/inbox?q=from%3Aana&in=here', { q: 'from:ana', here: true }],
    ['/mail/inbox?show=unread', { unread: true }],
    ['/mail/starred', { starred: true }],
    ['/mail/snoozed/3', { snoozed: true, open: 3 }],
  ] as const)('is %s', (href, change) => {
    expect(hrefOf(state(change))).toBe(href)
    expect(read(href)).toEqual(state(change))
  })

  it('names the folder of a search only if the search is limited to it', () => {
    expect(hrefOf(state({ here: true }))).toBe('/mail/inbox')
  })

  it('falls back to the inbox for unknown folders and ids', () => {
    for (const href of ['/mail', '/mail/nowhere', '/mail/folder-0', '/mail/inbox/abc', '/mail/inbox/-1'])
      expect(read(href)).toEqual(state({}))
  })
})
