import type { Db } from '../../../database/db.ts'
import { type FullText, wordsOf } from '../../../database/full-text/full-text.ts'
import { positionOf } from '../../../database/positions.ts'
import { eachOnce } from '../../../platform/collections.ts'
import { notFound } from '../../../platform/errors.ts'
import { readCursor, writeCursor } from '../../../platform/http/etag.ts'
import { listPlaces } from '../folders/places.ts'
import {
  type EmailSummary,
  MAX_TAGS,
  SUMMARY_COLUMNS,
  showIn,
  tagKeys,
  toSummaries,
} from '../messages/email.ts'
import {
  createEmailLists,
  type EmailFilter,
  isListedPlace,
  matchesPlace,
  toListPosition,
} from '../messages/email-list-repository.ts'
import type { Finding } from '../messages/email-queries.ts'
import type { Highlight } from '../messages/schema.ts'
import { type Filter, tagKeyOf } from '../messages/search.ts'
import {
  filterByWords,
  findThreadVersion,
  listMembers,
  listRecentSenders,
  type ThreadMember,
} from './repository.ts'
import type { SearchSuggestions, Thread, ThreadList, ThreadQuery } from './schema.ts'

/** The most emails that one page reads. A page of long threads contains fewer of them than requested. */
const MAX_READ = 1_000
const MAX_PARTICIPANTS = 5

const OUTGOING: readonly string[] = ['sent', 'drafts']

/** Whether an email matches a filter, as `email-list-repository.ts` decides it in SQL. */
const matchesFilter = (email: ThreadMember, filter: Filter): boolean => {
  switch (filter.kind) {
    case 'tag':
      return tagKeys(JSON.parse(email.tags) as string[]).includes(filter.tag)
    case 'flag':
      return (email[filter.flag] === 1) === filter.value
    case 'attachment':
      return (email.hasAttachments === 1) === filter.value
    case 'pinned':
      return (email.pinned === 1) === filter.value
    case 'snoozed':
      return (email.snoozedUntil !== null) === filter.value
    case 'folder':
    case 'folderId':
      return listPlaces(email).some((place) => matchesPlace(place, filter))
    case 'list':
      return filter.list === null ? email.listId !== null : email.listId === filter.list
    case 'before':
      return email.position < positionOf(filter.at)
    case 'after':
      return email.position >= positionOf(filter.at)
  }
}

/** Whether an email matches everything but the words. */
const matchesFilters = (
  email: ThreadMember,
  { accountId, urgency, filters, withoutJunk = false, inbox, words }: EmailFilter,
): boolean => {
  const isReturned = inbox !== undefined && words === null && email.returnedPosition !== null
  const account = accountId ?? (isReturned ? inbox.accountId : undefined)
  return (
    (account === undefined || email.accountId === account) &&
    (urgency === undefined || email.urgency === urgency) &&
    !(withoutJunk && email.folder === 'junk') &&
    !(inbox && email.snoozedUntil !== null) &&
    filters.every(
      (filter) =>
        (isReturned && !filter.not && (filter.kind === 'folder' || filter.kind === 'folderId')) ||
        matchesFilter(email, filter) !== filter.not,
    )
  )
}

/** Folders whose emails are counted only in a list that contains them. */
const DISCARDED: readonly string[] = ['trash', 'junk']

/** Selects the emails of a thread that are counted: those in the folder of the list, or all but trash and junk. */
const selectCounted = (
  members: readonly ThreadMember[],
  head: EmailSummary,
  { accountId, filters }: EmailFilter,
): ThreadMember[] => {
  const folders = filters.filter(({ kind }) => kind === 'folder' || kind === 'folderId')
  return members.filter(
    (email) =>
      (accountId === undefined || email.accountId === accountId) &&
      (folders.length > 0
        ? folders.every((filter) => matchesFilter(email, filter) !== filter.not)
        : email.folder === head.folder || !DISCARDED.includes(email.folder)),
  )
}

/** Lists each person once. */
const listPeople = (people: Thread['participants']): Thread['participants'] => {
  const byAddress = new Map<string, Thread['participants'][number]>()
  for (const person of people) {
    const key = person.address.toLowerCase() || person.name
    if (!byAddress.has(key)) byAddress.set(key, person)
  }
  return [...byAddress.values()].slice(0, MAX_PARTICIPANTS)
}

const toSender = ({ fromName, fromAddress }: Pick<ThreadMember, 'fromName' | 'fromAddress'>) => ({
  name: fromName,
  address: fromAddress,
})

type Head = EmailSummary & { highlights?: Highlight[] }

/** The earliest of these times. */
const findEarliest = (times: readonly (string | null)[]): string | null =>
  times.filter((time) => time !== null).sort()[0] ?? null

const toThread = (
  head: Head,
  counted: readonly ThreadMember[],
  members: readonly ThreadMember[],
): Thread => ({
  id: head.threadId,
  emailId: head.id,
  subject: head.subject,
  snippet: head.snippet,
  date: head.date,
  folder: head.folder,
  folderId: head.folderId,
  accountId: head.accountId,
  participants: OUTGOING.includes(head.folder)
    ? listPeople([...head.to, ...head.cc])
    : listPeople(counted.map(toSender)).reverse(),
  messageCount: Math.max(counted.length, 1),
  unreadCount: counted.filter(({ read }) => read === 0).length,
  hasAttachments: head.attachments.length > 0 || counted.some(({ hasAttachments }) => hasAttachments === 1),
  starred: head.starred || counted.some(({ starred }) => starred === 1),
  tags: eachOnce(
    [...head.tags, ...counted.flatMap(({ tags }) => JSON.parse(tags) as string[])],
    tagKeyOf,
  ).slice(0, MAX_TAGS),
  snoozedUntil: head.snoozedUntil ?? findEarliest(counted.map(({ snoozedUntil }) => snoozedUntil)),
  followUpAt: findEarliest([head, ...members].map(({ followUpAt }) => followUpAt)),
  pinned: head.pinned || counted.some(({ pinned }) => pinned === 1),
  returned: head.returned,
  delivery: head.delivery,
  unreadable: head.unreadable,
  ...(head.highlights && { highlights: head.highlights }),
})

export type ThreadLists = ReturnType<typeof createThreadLists>

/**
 * Lists conversations. A thread is listed at its newest email that matches. Emails are read from the index of their
 * list, newest first. An email is skipped if its thread has a newer one that matches.
 */
export const createThreadLists = (
  db: Db,
  fullText: FullText,
  finding: Pick<Finding, 'readFilter' | 'highlight'>,
) => {
  const lists = createEmailLists(fullText, SUMMARY_COLUMNS)
  type Row = Awaited<ReturnType<typeof lists.listNewest>>[number]

  const readMembers = async (
    userId: number,
    rows: readonly Row[],
    members: Map<number, ThreadMember[]>,
  ): Promise<void> => {
    const threadIds = [...new Set(rows.map(({ threadId }) => threadId))].filter((id) => !members.has(id))
    for (const id of threadIds) members.set(id, [])
    for (const member of await listMembers(db, userId, threadIds)) members.get(member.threadId)?.push(member)
  }

  /** Returns the threads of which a newer email matches than the first one in `rows`. */
  const findListedBefore = async (
    filter: EmailFilter,
    rows: readonly Row[],
    members: ReadonlyMap<number, ThreadMember[]>,
  ): Promise<Set<number>> => {
    const first = new Map<number, number>()
    for (const row of rows) if (!first.has(row.threadId)) first.set(row.threadId, toListPosition(row, filter))
    const newer = [...first].flatMap(([threadId, position]) =>
      (members.get(threadId) ?? []).filter(
        (member) => toListPosition(member, filter) > position && matchesFilters(member, filter),
      ),
    )
    const { words } = filter
    if (words === null) return new Set(newer.map(({ threadId }) => threadId))
    const positions = newer.map(({ position }) => position)
    const found = await filterByWords(db, fullText, { userId: filter.userId, words }, positions)
    return new Set(newer.filter(({ position }) => found.has(position)).map(({ threadId }) => threadId))
  }

  const queries = {
    async list(userId: number, query: ThreadQuery & { threadId?: number }): Promise<ThreadList> {
      const read = await finding.readFilter(userId, query)
      if (read === null) return { threads: [], nextCursor: null }
      const { filter, hints } = read
      const { limit, excerpts = false } = query
      const start = readCursor(query.cursor, 'integer')?.[0]
      const members = new Map<number, ThreadMember[]>()
      const listed = new Set<number>()
      const heads: Row[] = []
      let before = start
      let hasMore = true
      for (let count = 0; hasMore && heads.length < limit && count < MAX_READ; ) {
        const rows = await lists.listNewest(db, filter, { limit, before })
        hasMore = rows.length > limit
        const batch = rows.slice(0, limit)
        count += batch.length
        const isNew = batch.filter(({ threadId }) => !listed.has(threadId))
        await readMembers(userId, isNew, members)
        // The first page starts at the newest email, so that `listed` is complete.
        if (start !== undefined)
          for (const threadId of await findListedBefore(filter, isNew, members)) listed.add(threadId)
        for (const row of batch) {
          if (!listed.has(row.threadId)) {
            if (heads.length === limit) {
              hasMore = true
              break
            }
            listed.add(row.threadId)
            heads.push(row)
          }
          before = toListPosition(row, filter)
        }
      }
      const isListed = isListedPlace(filter)
      const emails: Head[] = toSummaries(heads).map((email) => showIn(email, isListed))
      const { words } = filter
      const found = words === null ? emails : await finding.highlight(emails, words, excerpts)
      return {
        threads: found.map((head) => {
          const all = members.get(head.threadId) ?? []
          return toThread(head, selectCounted(all, head, filter), all)
        }),
        nextCursor: hasMore && before !== undefined ? writeCursor([before]) : null,
        ...hints,
      }
    },

    async get(userId: number, id: number): Promise<Thread & { version: number; extra: string }> {
      const { threads } = await queries.list(userId, { limit: 1, threadId: id })
      const version = await findThreadVersion(db, userId, id)
      if (!threads[0] || !version) throw notFound('thread')
      return { ...threads[0], ...version }
    },
  }
  return queries
}

/** Emails that a suggestion reads, and tags that it returns. */
const MAX_SUGGESTED_FROM = 100
const MAX_SUGGESTED = 5

/** The newest emails whose senders are searched for a single letter. */
const MAX_FOR_A_LETTER = 10_000
const LETTER = /^[a-z0-9]$/

/** Suggests senders and tags for the beginning of a word. Senders are those of the newest mail with that word. */
export const createSuggestions = (
  db: Db,
  fullText: FullText,
  usedTags: (userId: number) => Promise<readonly string[]>,
) => {
  const lists = createEmailLists(fullText, ['fromName', 'fromAddress'])

  const findSenders = (userId: number, words: readonly string[]) =>
    lists.listNewest(
      db,
      {
        userId,
        filters: [],
        words: { all: words.map((word) => ({ words: [word], isPrefix: true, column: 'sender' })), none: [] },
      },
      { limit: MAX_SUGGESTED_FROM, before: undefined },
    )

  /** The word index would read all emails with a word that begins so, also if no sender does. */
  const findRecentSenders = async (userId: number, words: readonly string[]) => {
    const senders = await listRecentSenders(db, userId, MAX_FOR_A_LETTER)
    return senders.filter(({ fromName, fromAddress }) => {
      const own = wordsOf(`${fromName} ${fromAddress}`)
      return words.every((word) => own.some((each) => each.startsWith(word)))
    })
  }

  return async (userId: number, q: string): Promise<SearchSuggestions> => {
    const words = wordsOf(q)
    if (words.length === 0) return { senders: [], tags: [] }
    const senders = words.every((word) => LETTER.test(word))
      ? await findRecentSenders(userId, words)
      : await findSenders(userId, words)
    const key = tagKeyOf(q)
    const tags = (await usedTags(userId)).filter((tag) => tagKeyOf(tag).startsWith(key))
    return { senders: listPeople(senders.map(toSender)), tags: tags.slice(0, MAX_SUGGESTED) }
  }
}
