import { useQueryClient } from '@tanstack/react-query'
import { ifMatch, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { usePendingDeletions, useUndoableDelete } from '../../ui/use-undoable-delete.ts'
import type { CalendarEvent } from './event.ts'

export type Scope = 'this' | 'following' | 'all'

/** Target of a change: one event, or some occurrences of a series. */
export interface ChangeTarget {
  id: number
  occurrence: string | null
  scope: Scope
}

export const toScopeQuery = ({ occurrence, scope }: ChangeTarget): { occurrence?: string; scope?: Scope } =>
  occurrence === null ? {} : { occurrence, scope }

const KIND = 'event'

export const usePendingEventDeletions = (): readonly ChangeTarget[] => usePendingDeletions<ChangeTarget>(KIND)

export const isPendingDeletion = (
  { id, occurrenceStart }: CalendarEvent,
  pendingDeletions: readonly ChangeTarget[],
): boolean =>
  pendingDeletions.some((changeTarget) => {
    if (changeTarget.id !== id) return false
    if (changeTarget.occurrence === null || changeTarget.scope === 'all') return true
    if (occurrenceStart === null) return false
    return changeTarget.scope === 'this'
      ? occurrenceStart === changeTarget.occurrence
      : occurrenceStart >= changeTarget.occurrence
  })

export const useDelete = () => {
  const client = useClient()
  const queries = useQueryClient()
  const deleteWithUndo = useUndoableDelete()

  return (
    changeTarget: ChangeTarget,
    etag: string | null,
    words: { toastText: string; undoneText: string },
    sendInvitations = false,
  ): void =>
    deleteWithUndo({
      kind: KIND,
      target: changeTarget,
      ...words,
      async send() {
        const query = { ...toScopeQuery(changeTarget), ...(sendInvitations && { sendInvitations }) }
        const params = { path: { id: changeTarget.id }, query }
        try {
          await unwrap(
            client.DELETE('/api/calendar/events/{id}', { params, headers: ifMatch(etag), keepalive: true }),
          )
        } finally {
          await queries.invalidateQueries({ queryKey: ['calendar'] })
        }
      },
    })
}
