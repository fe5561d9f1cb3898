import * as t from '#locale/contacts'
import { type Contact, nameOfContact, useContactActions } from '../../api/contacts.ts'
import { describeError } from '../../api/problem.ts'
import { useNotify } from '../../ui/toast.tsx'

/** Merges contacts. The toast offers the undo. */
export const useMergeContacts = () => {
  const { merge, undoMerge } = useContactActions()
  const notify = useNotify()
  const undo = async (actionId: number) => {
    try {
      await undoMerge(actionId)
      notify(t.mergeUndone)
    } catch (error) {
      notify(describeError(error), { failed: true })
    }
  }
  return async (kept: Contact, others: readonly Contact[]): Promise<boolean> => {
    try {
      const { contact, actionId } = await merge(
        kept.id,
        others.map(({ id }) => id),
      )
      notify(t.merged(nameOfContact(contact)), { undo: () => void undo(actionId) })
      return true
    } catch (error) {
      notify(describeError(error), { failed: true })
      return false
    }
  }
}
