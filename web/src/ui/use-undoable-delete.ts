import { useMemo } from 'react'
import * as t from '#locale/ui'
import { useServices, useStore } from '../api/context.tsx'
import { ApiError, describeError } from '../api/problem.ts'
import { rememberRowFocus } from './row-focus.ts'
import { useNotify } from './toast.tsx'

/** Items of a kind whose deletion can still be undone. Lists must hide them. */
export const usePendingDeletions = <T>(kind: string): readonly T[] => {
  const deletions = useStore(useServices().pendingDeletions.deletions)
  return useMemo(
    () => deletions.filter((deletion) => deletion.kind === kind).map(({ target }) => target as T),
    [deletions, kind],
  )
}

/** Like usePendingDeletions, as a set of ids. */
export const usePendingDeletionIds = <Id = number>(kind: string): ReadonlySet<Id> => {
  const pendingDeletions = usePendingDeletions<Id>(kind)
  return useMemo(() => new Set(pendingDeletions), [pendingDeletions])
}

interface UndoableDeletion {
  kind: string
  target: unknown
  /** Toast texts after the deletion and after its undo. */
  toastText: string
  undoneText: string
  /** Toast text after a failed request. The default says that the item was not deleted. */
  describeFailure?: (reason: string) => string
  /** Sends the deletion and invalidates the affected queries. `isUnloading`: the page is unloading. */
  send: (isUnloading: boolean) => Promise<unknown>
}

const statusOf = (error: unknown): number | null => (error instanceof ApiError ? error.status : null)

/** Deletes an item after its undo period. A toast offers the undo. */
export const useUndoableDelete = () => {
  const { pendingDeletions } = useServices()
  const notify = useNotify()
  return ({
    kind,
    target,
    toastText,
    undoneText,
    describeFailure = t.notDeleted,
    send,
  }: UndoableDeletion): void => {
    const restoreFocus = rememberRowFocus()
    const deletion = pendingDeletions.schedule({ kind, target }, async (isUnloading) => {
      dismissToast()
      try {
        await send(isUnloading)
      } catch (error) {
        const status = statusOf(error)
        if (status === 412) notify(t.notDeletedChanged, { failed: true })
        // A 404 means that somebody else deleted the item, which is the intended result.
        else if (status !== 404) notify(describeFailure(describeError(error)), { failed: true })
      }
    })
    const dismissToast = notify(toastText, {
      undo: () => {
        if (deletion.cancel()) notify(undoneText)
      },
      onClosed: deletion.commit,
    })
    restoreFocus()
  }
}
