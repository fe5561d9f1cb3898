import { type QueryKey, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import * as t from '#locale/assistant'
import { unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { useUndoActions } from '../../ui/use-undo-actions.ts'

/** A change of an answer may concern any feature. */
const EVERYTHING: QueryKey = []
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
  const undoActions = useUndoActions(EVERYTHING)
  return (ids: readonly number[]): Promise<boolean> => undoActions(ids, t.undone)
}
