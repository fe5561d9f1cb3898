import { type InfiniteData, type Query, useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { ApiError, tell } from '../../api/problem.ts'
import { useNotify } from '../../ui/toast.tsx'
import { useLeave, useLeaving } from '../../ui/use-leaving.ts'
import { type EmailSummary, type Folder, subjectOf } from './folders.ts'
import { KEYS, type Listed } from './use-emails.ts'

type Change = Shape<'EmailChange'>
type Pages = InfiniteData<{ emails: { id: number; folder: Folder }[]; nextCursor: string | null }>

const AT_ONCE = 4
const LEAVING = 'emails'

/** Those that are deleted for good unless that is taken back: they are not shown. */
export const useLeavingEmails = (): ReadonlySet<number> => {
  const leaving = useLeaving<readonly number[]>(LEAVING)
  return useMemo(() => new Set(leaving.flat()), [leaving])
}

/** Runs `work` for each, a few at a time; the first failure is thrown when all have been tried. */
const forEach = async <T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
  atOnce = AT_ONCE,
): Promise<void> => {
  const waiting = [...items]
  const failures: unknown[] = []
  const run = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift())
      await work(item).catch((error: unknown) => failures.push(error))
  }
  await Promise.all(Array.from({ length: atOnce }, run))
  if (failures.length > 0) throw failures[0]
}

const countOf = (emails: readonly EmailSummary[]): string =>
  emails.length === 1 && emails[0] ? `“${subjectOf(emails[0])}”` : `${emails.length} e-mails`
const areOf = (emails: readonly EmailSummary[]): string => (emails.length === 1 ? 'is' : 'are')

/** A further page is no older than those that are there: it may come. */
const isReread = ({ state }: Query): boolean =>
  state.fetchStatus === 'fetching' && state.data !== undefined && !state.fetchMeta?.fetchMore

const unlessGone = (error: unknown): void => {
  if (!(error instanceof ApiError && error.status === 404)) throw error
}

export type EmailActions = ReturnType<typeof useEmailActions>

/** What can be done with e-mails. It is seen at once; what the service refuses comes back. */
export const useEmailActions = () => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const leave = useLeave()
  /** How many changes are on their way, since when, and which lists are known to tell what was. */
  const underWay = useRef({ count: 0, since: 0, outdated: new Set<string>() })
  const turns = useRef(new Map<number, Promise<unknown>>())

  const show = (ids: ReadonlySet<number>, change: Change): void => {
    for (const queryKey of [KEYS.threads, KEYS.lists])
      for (const { queryKey: key, queryHash, state } of queries.getQueryCache().findAll({ queryKey })) {
        const data = state.data as Pages | undefined
        if (!data) continue
        const listed = queryKey === KEYS.lists ? (key[2] as Listed).folder : null
        if (isNarrowed(key) && !has(data, ids)) underWay.current.outdated.add(queryHash)
        const leaves = change.folder !== undefined && listed !== null && listed !== change.folder
        // It is as old as it was: only what is read from the service is newer.
        queries.setQueryData(key, leaves ? without(data, ids) : edit(data, ids, change), {
          updatedAt: state.dataUpdatedAt,
        })
      }
  }

  /** Two changes of one e-mail reach the service in the order in which they were made. */
  const inTurn = async <T>(id: number, work: () => Promise<T>): Promise<T> => {
    const turn = (turns.current.get(id) ?? Promise.resolve()).then(work, work)
    turns.current.set(id, turn)
    try {
      return await turn
    } finally {
      if (turns.current.get(id) === turn) turns.current.delete(id)
    }
  }

  const patch = (id: number, body: Change) =>
    unwrap(client.PATCH('/api/emails/{id}', { params: { path: { id } }, body }))

  /** What is being read may still say what was: it would be shown over the change. */
  const begin = async (): Promise<void> => {
    const { current } = underWay
    if (current.count++ === 0) current.since = Date.now()
    for (const queryKey of [KEYS.lists, KEYS.threads]) {
      const read = queries.getQueryCache().findAll({ queryKey, predicate: isReread })
      if (read.length === 0) continue
      for (const { queryHash } of read) current.outdated.add(queryHash)
      await queries.cancelQueries({ queryKey, predicate: isReread })
    }
  }

  /**
   * When nothing more is on its way, whatever was read meanwhile is read again: the service may have answered before
   * it had heard of the change.
   */
  const settle = async (rereads: boolean): Promise<void> => {
    const { current } = underWay
    if (--current.count > 0) return
    const { since } = current
    const outdated = new Set(current.outdated)
    current.outdated.clear()
    const isStale = ({ queryHash, state }: Query): boolean =>
      outdated.has(queryHash) || state.fetchStatus === 'fetching' || state.dataUpdatedAt >= since
    await Promise.all([
      // One that no longer fits stays where it is as long as the list is looked at.
      queries.invalidateQueries({
        queryKey: KEYS.lists,
        predicate: ({ queryKey }) => isNarrowed(queryKey),
        refetchType: 'none',
      }),
      queries.invalidateQueries({ queryKey: KEYS.counts }),
      queries.invalidateQueries({ queryKey: ['tags'] }),
      ...[KEYS.lists, KEYS.threads].map((queryKey) =>
        queries.invalidateQueries({ queryKey, ...(!rereads && { predicate: isStale }) }),
      ),
    ])
  }

  const apply = async (
    emails: readonly EmailSummary[],
    changeOf: (email: EmailSummary) => Change,
    shown: Change,
  ): Promise<boolean> => {
    if (emails.length === 0) return true
    await begin()
    show(new Set(emails.map(({ id }) => id)), shown)
    let failed = false
    try {
      await forEach(emails, (email) =>
        inTurn(email.id, async () => {
          const change = changeOf(email)
          // What is about to be sent would be sent from the bin as well.
          if (change.folder === 'trash' && email.delivery?.status === 'queued')
            await unwrap(client.POST('/api/emails/{id}/cancel-send', { params: { path: { id: email.id } } }))
          await patch(email.id, change)
        }),
      )
    } catch (error) {
      failed = true
      notify(tell(error), { failed: true })
    }
    await settle(failed || shown.folder !== undefined)
    return !failed
  }

  const move = async (emails: readonly EmailSummary[], folder: Folder, said: string): Promise<void> => {
    const moved = emails.filter((email) => email.folder !== folder)
    if (moved.length === 0) return
    if (!(await apply(moved, () => ({ folder }), { folder }))) return
    notify(`${countOf(moved)} ${areOf(moved)} ${said}.`, { undo: () => void putBack(moved) })
  }

  const putBack = async (emails: readonly EmailSummary[]): Promise<void> => {
    const folders = new Set(emails.map(({ folder }) => folder))
    for (const folder of folders) {
      const these = emails.filter((email) => email.folder === folder)
      if (!(await apply(these, () => ({ folder }), { folder }))) return
    }
    notify(`${countOf(emails)} ${areOf(emails)} back.`)
  }

  return {
    archive: (emails: readonly EmailSummary[]) => move(emails, 'archive', 'archived'),
    toInbox: (emails: readonly EmailSummary[]) => move(emails, 'inbox', 'in the inbox'),
    toTrash: (emails: readonly EmailSummary[]) => move(emails, 'trash', 'in the trash'),
    markRead: (emails: readonly EmailSummary[], read: boolean) =>
      apply(
        emails.filter((email) => email.read !== read),
        () => ({ read }),
        { read },
      ),
    star: (emails: readonly EmailSummary[], starred: boolean) =>
      apply(
        emails.filter((email) => email.starred !== starred),
        () => ({ starred }),
        { starred },
      ),
    setTags: (email: EmailSummary, tags: string[]) => apply([email], () => ({ tags }), { tags }),

    /** For good, when it can no longer be taken back. */
    remove: (emails: readonly EmailSummary[]): void =>
      leave({
        kind: LEAVING,
        what: emails.map(({ id }) => id),
        said: `${countOf(emails)} ${areOf(emails)} deleted.`,
        back: `${countOf(emails)} ${areOf(emails)} back in the trash.`,
        async send(atOnce) {
          await begin()
          const removeOne = async (id: number): Promise<void> => {
            const params = { path: { id } }
            await unwrap(client.DELETE('/api/emails/{id}', { params, keepalive: true })).catch(unlessGone)
          }
          try {
            const inLine = atOnce ? emails.length : AT_ONCE
            await forEach(emails, ({ id }) => inTurn(id, () => removeOne(id)), inLine)
          } finally {
            await settle(true)
          }
        },
      }),
  }
}

/** Whether e-mails may come to fit into a list, or fit no longer, as they change. */
const isNarrowed = (key: readonly unknown[]): boolean => {
  const listed = key[2]
  if (typeof listed !== 'object' || listed === null) return false
  const { q, tag, unread } = listed as Listed
  return q !== '' || tag !== null || unread
}

const has = (data: Pages, ids: ReadonlySet<number>): boolean =>
  data.pages.some(({ emails }) => emails.some(({ id }) => ids.has(id)))

const edit = (data: Pages, ids: ReadonlySet<number>, change: Change): Pages => ({
  ...data,
  pages: data.pages.map((page) => ({
    ...page,
    emails: page.emails.map((email) => (ids.has(email.id) ? { ...email, ...change } : email) as typeof email),
  })),
})

const without = (data: Pages, ids: ReadonlySet<number>): Pages => ({
  ...data,
  pages: data.pages.map((page) => ({ ...page, emails: page.emails.filter(({ id }) => !ids.has(id)) })),
})
