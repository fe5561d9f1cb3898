import { type InfiniteData, type Query, useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { ApiError, describeError } from '../../api/problem.ts'
import { useNotify } from '../../ui/toast.tsx'
import { usePendingDeletions, useUndoableDelete } from '../../ui/use-undoable-delete.ts'
import { type EmailSummary, type Folder, subjectOf } from './folders.ts'
import { KEYS, type Listed } from './use-emails.ts'

type Change = Shape<'EmailChange'>
type Pages = InfiniteData<{ emails: { id: number; folder: Folder }[]; nextCursor: string | null }>

const MAX_CONCURRENT = 4
const DELETION_KIND = 'emails'

/** Ids of emails whose permanent deletion can still be undone. */
export const usePendingEmailDeletions = (): ReadonlySet<number> => {
  const pendingDeletions = usePendingDeletions<readonly number[]>(DELETION_KIND)
  return useMemo(() => new Set(pendingDeletions.flat()), [pendingDeletions])
}

/** Runs `work` for each item with limited concurrency. Throws the first error after all items were tried. */
const forEachConcurrently = async <T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
  concurrency = MAX_CONCURRENT,
): Promise<void> => {
  const waiting = [...items]
  const failures: unknown[] = []
  const run = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift())
      await work(item).catch((error: unknown) => failures.push(error))
  }
  await Promise.all(Array.from({ length: concurrency }, run))
  if (failures.length > 0) throw failures[0]
}

const countOf = (emails: readonly EmailSummary[]): string =>
  emails.length === 1 && emails[0] ? `“${subjectOf(emails[0])}”` : `${emails.length} e-mails`
const isOrAre = (emails: readonly EmailSummary[]): string => (emails.length === 1 ? 'is' : 'are')

/** True for refetches. Loading a further page does not conflict with a change. */
const isRefetch = ({ state }: Query): boolean =>
  state.fetchStatus === 'fetching' && state.data !== undefined && !state.fetchMeta?.fetchMore

const ignoreNotFound = (error: unknown): void => {
  if (!(error instanceof ApiError && error.status === 404)) throw error
}

export type EmailActions = ReturnType<typeof useEmailActions>

/** Optimistic email actions. A failed request restores the state of the service. */
export const useEmailActions = () => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const deleteWithUndo = useUndoableDelete()
  /** Number of running changes, the start of the first one, and the lists with outdated data. */
  const runningChanges = useRef({ count: 0, since: 0, outdated: new Set<string>() })
  const queues = useRef(new Map<number, Promise<unknown>>())

  const showOptimistically = (ids: ReadonlySet<number>, change: Change): void => {
    for (const queryKey of [KEYS.threads, KEYS.lists])
      for (const { queryKey: key, queryHash, state } of queries.getQueryCache().findAll({ queryKey })) {
        const data = state.data as Pages | undefined
        if (!data) continue
        const listed = queryKey === KEYS.lists ? (key[2] as Listed).folder : null
        if (isFiltered(key) && !has(data, ids)) runningChanges.current.outdated.add(queryHash)
        const leaves = change.folder !== undefined && listed !== null && listed !== change.folder
        // Keeps the time of the last fetch, because the data did not come from the service.
        queries.setQueryData(key, leaves ? without(data, ids) : edit(data, ids, change), {
          updatedAt: state.dataUpdatedAt,
        })
      }
  }

  /** Sends changes of the same email in order. */
  const runInOrder = async <T>(id: number, work: () => Promise<T>): Promise<T> => {
    const queued = (queues.current.get(id) ?? Promise.resolve()).then(work, work)
    queues.current.set(id, queued)
    try {
      return await queued
    } finally {
      if (queues.current.get(id) === queued) queues.current.delete(id)
    }
  }

  const patch = (id: number, body: Change) =>
    unwrap(client.PATCH('/api/emails/{id}', { params: { path: { id } }, body }))

  /** Cancels running refetches, which would overwrite the change with old data. */
  const beginChange = async (): Promise<void> => {
    const { current } = runningChanges
    if (current.count++ === 0) current.since = Date.now()
    for (const queryKey of [KEYS.lists, KEYS.threads]) {
      const read = queries.getQueryCache().findAll({ queryKey, predicate: isRefetch })
      if (read.length === 0) continue
      for (const { queryHash } of read) current.outdated.add(queryHash)
      await queries.cancelQueries({ queryKey, predicate: isRefetch })
    }
  }

  /**
   * After the last change, refetches everything that was read meanwhile: the service may have answered before
   * it processed the change.
   */
  const endChange = async (refetchesAll: boolean): Promise<void> => {
    const { current } = runningChanges
    if (--current.count > 0) return
    const { since } = current
    const outdated = new Set(current.outdated)
    current.outdated.clear()
    const isStale = ({ queryHash, state }: Query): boolean =>
      outdated.has(queryHash) || state.fetchStatus === 'fetching' || state.dataUpdatedAt >= since
    await Promise.all([
      // Filtered lists keep emails that no longer match until the list is opened again.
      queries.invalidateQueries({
        queryKey: KEYS.lists,
        predicate: ({ queryKey }) => isFiltered(queryKey),
        refetchType: 'none',
      }),
      queries.invalidateQueries({ queryKey: KEYS.counts }),
      queries.invalidateQueries({ queryKey: ['tags'] }),
      ...[KEYS.lists, KEYS.threads].map((queryKey) =>
        queries.invalidateQueries({ queryKey, ...(!refetchesAll && { predicate: isStale }) }),
      ),
    ])
  }

  const apply = async (
    emails: readonly EmailSummary[],
    changeOf: (email: EmailSummary) => Change,
    optimisticChange: Change,
  ): Promise<boolean> => {
    if (emails.length === 0) return true
    await beginChange()
    showOptimistically(new Set(emails.map(({ id }) => id)), optimisticChange)
    let failed = false
    try {
      await forEachConcurrently(emails, (email) =>
        runInOrder(email.id, async () => {
          const change = changeOf(email)
          // A queued email would be sent from the trash as well.
          if (change.folder === 'trash' && email.delivery?.status === 'queued')
            await unwrap(client.POST('/api/emails/{id}/cancel-send', { params: { path: { id: email.id } } }))
          await patch(email.id, change)
        }),
      )
    } catch (error) {
      failed = true
      notify(describeError(error), { failed: true })
    }
    await endChange(failed || optimisticChange.folder !== undefined)
    return !failed
  }

  const move = async (emails: readonly EmailSummary[], folder: Folder, toastText: string): Promise<void> => {
    const moved = emails.filter((email) => email.folder !== folder)
    if (moved.length === 0) return
    if (!(await apply(moved, () => ({ folder }), { folder }))) return
    notify(`${countOf(moved)} ${isOrAre(moved)} ${toastText}.`, { undo: () => void restoreFolders(moved) })
  }

  const restoreFolders = async (emails: readonly EmailSummary[]): Promise<void> => {
    const folders = new Set(emails.map(({ folder }) => folder))
    for (const folder of folders) {
      const these = emails.filter((email) => email.folder === folder)
      if (!(await apply(these, () => ({ folder }), { folder }))) return
    }
    notify(`${countOf(emails)} ${isOrAre(emails)} back.`)
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

    /** Deletes permanently after the undo period. */
    remove: (emails: readonly EmailSummary[]): void =>
      deleteWithUndo({
        kind: DELETION_KIND,
        target: emails.map(({ id }) => id),
        toastText: `${countOf(emails)} ${isOrAre(emails)} deleted.`,
        undoneText: `${countOf(emails)} ${isOrAre(emails)} back in the trash.`,
        async send(isUnloading) {
          await beginChange()
          const removeOne = async (id: number): Promise<void> => {
            const params = { path: { id } }
            await unwrap(client.DELETE('/api/emails/{id}', { params, keepalive: true })).catch(ignoreNotFound)
          }
          try {
            const limit = isUnloading ? emails.length : MAX_CONCURRENT
            await forEachConcurrently(emails, ({ id }) => runInOrder(id, () => removeOne(id)), limit)
          } finally {
            await endChange(true)
          }
        },
      }),
  }
}

/** True for filtered lists, where a change may add or remove emails. */
const isFiltered = (key: readonly unknown[]): boolean => {
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
