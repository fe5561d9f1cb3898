import { type Query, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import {
  applyToEmails,
  applyToThreads,
  type EmailChanges,
  type EmailPages,
  hasThread,
  insertThreads,
  isFiltered,
  isListOf,
  isListOfFolder,
  type Listed,
  type Scope,
  type ThreadPages,
  type ThreadPatches,
} from './email-cache.ts'
import type { Thread } from './threads.ts'
import { KEYS } from './use-emails.ts'

/** True for refetches. Loading a further page does not conflict with a change. */
const isRefetch = ({ state }: Query): boolean =>
  state.fetchStatus === 'fetching' && state.data !== undefined && !state.fetchMeta?.fetchMore

const isFilteredList = ({ queryKey }: Query): boolean => isFiltered(queryKey[2] as Listed)

/** Keeps cached threads correct while changes run. */
export const useEmailChanges = () => {
  const queries = useQueryClient()
  /** Number of running changes, the start of the first one, and the lists with outdated data. */
  const running = useRef({ count: 0, since: 0, outdated: new Set<string>() })
  const queue = useRef<Promise<unknown>>(Promise.resolve())

  /** Cancels running refetches, which would overwrite the change with old data. */
  const begin = async (): Promise<void> => {
    const { current } = running
    if (current.count++ === 0) current.since = Date.now()
    for (const queryKey of [KEYS.lists, KEYS.threads]) {
      const read = queries.getQueryCache().findAll({ queryKey, predicate: isRefetch })
      if (read.length === 0) continue
      for (const { queryHash } of read) current.outdated.add(queryHash)
      await queries.cancelQueries({ queryKey, predicate: isRefetch })
    }
  }

  /** Keeps the time of the last fetch, because the data did not come from the service. */
  const replace = <T>({ queryKey, state }: Query, data: T): void => {
    queries.setQueryData(queryKey, data, { updatedAt: state.dataUpdatedAt })
  }

  const showInLists = (patches: ThreadPatches): void => {
    for (const query of queries.getQueryCache().findAll({ queryKey: KEYS.lists })) {
      const data = query.state.data as ThreadPages | undefined
      if (!data) continue
      if (isFilteredList(query) && !hasThread(data, patches)) running.current.outdated.add(query.queryHash)
      replace(query, applyToThreads(data, patches, query.queryKey[2] as Listed))
    }
  }

  const showInThreads = (changes: EmailChanges): void => {
    for (const query of queries.getQueryCache().findAll({ queryKey: KEYS.threads })) {
      const data = query.state.data as EmailPages | undefined
      if (data) replace(query, applyToEmails(data, changes))
    }
  }

  /**
   * Puts threads back into the list of `scope`, or into the lists of their folder. A long list is not fetched
   * again as a whole.
   */
  const showAgain = (threads: readonly Thread[], scope: Scope | null): void => {
    for (const query of queries.getQueryCache().findAll({ queryKey: KEYS.lists })) {
      const data = query.state.data as ThreadPages | undefined
      const listed = query.queryKey[2] as Listed
      const returned = threads.filter((thread) =>
        scope === null ? isListOfFolder(listed, thread) : isListOf(listed, scope),
      )
      if (data && returned.length > 0 && !isFilteredList(query)) replace(query, insertThreads(data, returned))
    }
  }

  /**
   * After the last change, refetches everything that was read meanwhile: the service may have answered before
   * it processed the change.
   */
  const end = async (refetchesAll: boolean): Promise<void> => {
    const { current } = running
    if (--current.count > 0) return
    const { since } = current
    const outdated = new Set(current.outdated)
    current.outdated.clear()
    const isStale = ({ queryHash, state }: Query): boolean =>
      outdated.has(queryHash) || state.fetchStatus === 'fetching' || state.dataUpdatedAt >= since
    await Promise.all([
      // Filtered lists keep threads that no longer match until the list is opened again.
      queries.invalidateQueries({ queryKey: KEYS.lists, predicate: isFilteredList, refetchType: 'none' }),
      queries.invalidateQueries({ queryKey: KEYS.counts }),
      queries.invalidateQueries({ queryKey: KEYS.folders }),
      queries.invalidateQueries({ queryKey: ['tags'] }),
      queries.invalidateQueries({ queryKey: KEYS.threads }),
      queries.invalidateQueries({ queryKey: KEYS.lists, ...(!refetchesAll && { predicate: isStale }) }),
    ])
  }

  /** After a failure, the lists start again with the state of the service. */
  const reset = (): Promise<void> => queries.resetQueries({ queryKey: KEYS.lists })

  /** Sends changes one after the other, in the order in which they were made. */
  const runInOrder = <T>(work: () => Promise<T>): Promise<T> => {
    const queued = queue.current.then(work, work)
    queue.current = queued
    return queued
  }

  return { begin, showInLists, showInThreads, showAgain, end, reset, runInOrder }
}
