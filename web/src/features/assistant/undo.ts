import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import * as t from '#locale/assistant'
import { unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { describeError } from '../../api/problem.ts'
import { useNotify } from '../../ui/toast.tsx'

const JOURNAL = ['assistant-journal']
/** The limit is the maximum of the API. */
const MAX_ACTIONS = 200

/** Ids of the journal entries that were undone. The journal knows them after a reload too. */
export const useUndoneIds = (): ReadonlySet<number> => {
  const client = useClient()
  const { data } = useQuery({
    queryKey: JOURNAL,
    queryFn: () => unwrap(client.GET('/api/actions', { params: { query: { limit: MAX_ACTIONS } } })),
  })
  return useMemo(
    () => new Set(data?.actions.filter(({ undoneAt }) => undoneAt !== null).map(({ id }) => id)),
    [data],
  )
}

/** Undoes changes of an answer. Resolves to whether all of them were undone. */
export const useUndo = () => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  return async (ids: readonly number[]): Promise<boolean> => {
    try {
      // The newest change first, because it may depend on an earlier one.
      for (const id of ids.toReversed())
        await unwrap(client.POST('/api/actions/{id}/undo', { params: { path: { id } } }))
      notify(t.undone)
      return true
    } catch (error) {
      notify(describeError(error), { failed: true })
      return false
    } finally {
      await queries.invalidateQueries()
    }
  }
}
