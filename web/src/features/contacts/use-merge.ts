import * as t from '#locale/contacts'
import { type Contact, contactsKey, nameOfContact, useContactActions } from '../../api/contacts.ts'
import { useNotify } from '../../ui/toast.tsx'
import { useAttempt } from '../../ui/use-attempt.ts'
import { useUndoActions } from '../../ui/use-undo-actions.ts'

/** Merges contacts. The toast offers the undo. */
export const useMergeContacts = () => {
  const { merge } = useContactActions()
  const notify = useNotify()
  const attempt = useAttempt()
  const undoActions = useUndoActions(contactsKey)
  return (kept: Contact, others: readonly Contact[]): Promise<boolean> =>
    attempt(async () => {
      const { contact, actionId } = await merge(
        kept.id,
        others.map(({ id }) => id),
      )
      notify(t.merged(nameOfContact(contact)), { undo: () => void undoActions([actionId], t.mergeUndone) })
    })
}
