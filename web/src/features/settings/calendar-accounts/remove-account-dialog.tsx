import { FormDialog } from '../../../ui/dialog.tsx'
import { useLastValue } from '../../../ui/use-last-value.ts'
import type { CalendarAccount } from './account-form.ts'

interface RemoveAccountDialogProps {
  /** Null closes the dialog. */
  account: CalendarAccount | null
  onClose: () => void
  onRemove: (account: CalendarAccount, events: 'remove' | 'keep') => Promise<void>
}

export const RemoveAccountDialog = ({ account, onClose, onRemove }: RemoveAccountDialogProps) => {
  const named = useLastValue(account)
  const remove = async (values: FormData) => {
    if (!account) return
    await onRemove(account, values.get('keep') === null ? 'remove' : 'keep')
    onClose()
  }
  return (
    <FormDialog
      open={account !== null}
      onClose={onClose}
      alert
      danger
      title={`Remove ${named?.name ?? ''}?`}
      about={
        named?.kind === 'ics'
          ? 'It is no longer read, and its events disappear from your calendar here.'
          : 'Nothing happens to the calendars on its server. Their events disappear from your calendar here; only what the server has yet to hear of stays.'
      }
      action="Remove"
      onSubmit={remove}
    >
      <label className="check">
        <input type="checkbox" name="keep" />
        <span>Keep all of its events here</span>
      </label>
    </FormDialog>
  )
}
