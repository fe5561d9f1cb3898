import type { QueryKey } from '@tanstack/react-query'
import { unwrap } from '../api/client.ts'
import { useClient } from '../api/context.tsx'
import { useRefetch } from '../api/use-refetch.ts'
import { useNotify } from './toast.tsx'
import { useAttempt } from './use-attempt.ts'

/** Undoes actions of the journal, and refetches the queries that show them. */
export const useUndoActions = (...keys: QueryKey[]) => {
  const client = useClient()
  const notify = useNotify()
  const attempt = useAttempt()
  const refetch = useRefetch(...keys)
  return async (ids: readonly number[], toastText: string): Promise<boolean> => {
    const isDone = await attempt(async () => {
      // The newest action first, because it may depend on an earlier one.
      for (const id of ids.toReversed())
        await unwrap(client.POST('/api/actions/{id}/undo', { params: { path: { id } } }))
      notify(toastText)
    })
    await refetch()
    return isDone
  }
}
