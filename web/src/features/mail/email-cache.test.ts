import { describe, expect, it } from 'vitest'
import {
  applyToEmails,
  applyToThreads,
  type EmailPages,
  insertThreads,
  isFiltered,
  type Listed,
  patchEmailOfThread,
  patchThread,
  type ThreadChange,
  type ThreadPages,
} from './email-cache.ts'
import type { EmailSummary } from './folders.ts'
import type { Thread } from './threads.ts'

const INBOX = {
  folder: 'inbox',
  folderId: null,
  q: '',
  tag: null,
  unread: false,
  starred: false,
  snoozed: false,
} as Listed
const ALL = { ...INBOX, folder: null } as Listed

const thread = (id: number, change: Partial<Thread> = {}): Thread =>
  ({
    id,
    date: `2026-03-0${id}T08:00:00.000Z`,
    folder: 'inbox',
    folderId: null,
    messageCount: 2,
    unreadCount: 1,
    starred: false,
    pinned: false,
    snoozedUntil: null,
    returned: null,
    tags: [],
    ...change,
  }) as Thread
const pages = (...lists: Thread[][]): ThreadPages =>
  ({
    pages: lists.map((threads, index) => ({
      threads,
      nextCursor: index === lists.length - 1 ? null : 'more',
    })),
    pageParams: [],
  }) as unknown as ThreadPages
const idsOf = (data: ThreadPages) => data.pages.map(({ threads }) => threads.map(({ id }) => id))

const changed = (change: ThreadChange, listed = INBOX, known = thread(1)) =>
  patchThread(change, null)(known, listed)

describe('the change of a thread', () => {
  it('marks it as read or unread', () => {
    expect(changed({ read: true })?.unreadCount).toBe(0)
    expect(changed({ read: false }, INBOX, thread(1, { unreadCount: 0 }))?.unreadCount).toBe(1)
    expect(changed({ read: false }, INBOX, thread(1, { unreadCount: 3 }))?.unreadCount).toBe(3)
  })

  it('adds and removes tags without case', () => {
    const known = thread(1, { tags: ['Home', 'work'] })
    expect(changed({ addTags: ['home', 'new'], removeTags: ['WORK'] }, INBOX, known)?.tags).toEqual([
      'Home',
      'new',
    ])
  })

  it('removes it from the list of the folder that it leaves, but not from all mail', () => {
    expect(changed({ folder: 'archive' })).toBeNull()
    expect(changed({ folder: 'archive' }, ALL)).toMatchObject({ folder: 'archive' })
    expect(changed({ folder: 'inbox' })).toMatchObject({ folder: 'inbox' })
  })

  it('removes it from the inbox while it is snoozed, and from the snoozed mail after that', () => {
    const until = '2026-03-09T08:00:00.000Z'
    expect(changed({ snoozedUntil: until })).toBeNull()
    expect(changed({ snoozedUntil: until }, ALL)).toMatchObject({ snoozedUntil: until })
    expect(changed({ snoozedUntil: null }, { ...ALL, snoozed: true } as Listed)).toBeNull()
  })
})

describe('the change of one email', () => {
  const email = {
    id: 11,
    folder: 'inbox',
    folderId: null,
    folders: [],
    read: false,
    tags: ['work'],
  } as unknown as EmailSummary

  it('counts unread emails, never below zero', () => {
    const read = patchEmailOfThread(email, { read: true })
    expect(read(thread(1), INBOX)?.unreadCount).toBe(0)
    expect(read(thread(1, { unreadCount: 0 }), INBOX)?.unreadCount).toBe(0)
    expect(patchEmailOfThread(email, { read: false })(thread(1), INBOX)?.unreadCount).toBe(1)
  })

  it('removes the thread with its last email', () => {
    const archive = patchEmailOfThread(email, { folder: 'archive' })
    expect(archive(thread(1), INBOX)?.messageCount).toBe(1)
    expect(archive(thread(1, { messageCount: 1 }), INBOX)).toBeNull()
  })

  it('replaces its own tags and keeps those of other emails', () => {
    const retag = patchEmailOfThread(email, { tags: ['home'] })
    expect(retag(thread(1, { tags: ['work', 'family'] }), INBOX)?.tags).toEqual(['family', 'home'])
  })

  it('is shown in the open thread', () => {
    const data = { pages: [{ emails: [email] }], pageParams: [] } as unknown as EmailPages
    const next = applyToEmails(data, new Map([[11, { read: true }]]))
    expect(next.pages[0]?.emails).toMatchObject([{ id: 11, read: true }])
  })
})

describe('a cached list of threads', () => {
  it('keeps the pages that a change does not concern', () => {
    const data = pages([thread(3), thread(2)], [thread(1)])
    const next = applyToThreads(data, new Map([[2, () => null]]), INBOX)
    expect(idsOf(next)).toEqual([[3], [1]])
    expect(next.pages[1]).toBe(data.pages[1])
  })

  it('shows a thread again at its time', () => {
    const data = pages([thread(5), thread(3)], [thread(1)])
    expect(idsOf(insertThreads(data, [thread(4), thread(2)]))).toEqual([
      [5, 4, 3],
      [2, 1],
    ])
  })

  it('leaves a thread that is older than the loaded pages to the next page', () => {
    const data = pages([thread(5)], [thread(3)])
    const first = { ...data, pages: data.pages.slice(0, 1) }
    expect(idsOf(insertThreads(first, [thread(2)]))).toEqual([[5]])
  })

  it('is filtered by a search, a tag or a state', () => {
    expect(isFiltered(INBOX)).toBe(false)
    for (const filter of [{ q: 'ana' }, { tag: 'home' }, { unread: true }, { starred: true }])
      expect(isFiltered({ ...INBOX, ...filter } as Listed)).toBe(true)
  })
})
