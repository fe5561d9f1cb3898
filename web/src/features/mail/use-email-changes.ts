import { type Query, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import {
  applyChanges,
  type EmailChanges,
  type EmailPages,
  hasChangedEmail,
  isFiltered,
} from './email-cache.ts'
import { KEYS, type Listed } from './use-emails.ts'

/** True for refetches. Loading a further page does not conflict with a change. */
const isRefetch = ({ state }: Query): boolean =>
  state.fetchStatus === 'fetching' && state.data !== undefined && !state.fetchMeta?.fetchMore

/** Keeps cached emails correct while changes run. */
export const useEmailChanges = () => {
  const queries = useQueryClient()
  /** Number of running changes, the start of the first one, and the lists with outdated data. */
  const running = useRef({ count: 0, since: 0, outdated: new Set<string>() })
  const queues = useRef(new Map<number, Promise<unknown>>())

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

  const showOptimistically = (changes: EmailChanges): void => {
    for (const queryKey of [KEYS.threads, KEYS.lists])
      for (const { queryKey: key, queryHash, state } of queries.getQueryCache().findAll({ queryKey })) {
        const data = state.data as EmailPages | undefined
        if (!data) continue
        if (isFiltered(key) && !hasChangedEmail(data, changes)) running.current.outdated.add(queryHash)
        const listed = queryKey === KEYS.lists ? (key[2] as Listed) : null
        // Keeps the time of the last fetch, because the data did not come from the service.
        queries.setQueryData(key, applyChanges(data, changes, listed), { updatedAt: state.dataUpdatedAt })
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
      // Filtered lists keep emails that no longer match until the list is opened again.
      queries.invalidateQueries({
        queryKey: KEYS.lists,
        predicate: ({ queryKey }) => isFiltered(queryKey),
        refetchType: 'none',
      }),
      queries.invalidateQueries({ queryKey: KEYS.counts }),
      queries.invalidateQueries({ queryKey: KEYS.folders }),
      queries.invalidateQueries({ queryKey: ['tags'] }),
      ...[KEYS.lists, KEYS.threads].map((queryKey) =>
        queries.invalidateQueries({ queryKey, ...(!refetchesAll && { predicate: isStale }) }),
      ),
    ])
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

  return { begin, showOptimistically, end, runInOrder }
}
