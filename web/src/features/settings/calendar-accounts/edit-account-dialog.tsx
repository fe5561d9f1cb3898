import { useState } from 'react'
import { unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { FormDialog } from '../../../ui/dialog.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { useLastValue } from '../../../ui/use-last-value.ts'
import { LoginFields, UrlField } from './account-fields.tsx'
import { asksForPassword, type CalendarAccount, readChange } from './account-form.ts'

interface EditAccountDialogProps {
  /** Null closes the dialog. */
  account: CalendarAccount | null
  onClose: () => void
  onSaved: (account: CalendarAccount) => void
}

const Fields = ({ account }: { account: CalendarAccount }) => {
  const [isElsewhere, setIsElsewhere] = useState(false)
  return (
    <div
      className="stack"
      onInput={(event) => {
        const form = (event.target as HTMLElement).closest('form')
        if (form) setIsElsewhere(asksForPassword(new FormData(form), account))
      }}
    >
      <TextField
        name="name"
        label="Name"
        defaultValue={account.name}
        maxLength={100}
        autoComplete="off"
        required
      />
      <label className="check">
        <input type="checkbox" name="enabled" defaultChecked={account.enabled} />
        <span>
          Keep this account in step
          <span className="field-hint"> (turned off, nothing is fetched, and nothing told)</span>
        </span>
      </label>
      {account.kind === 'caldav' && (
        <label className="check">
          <input type="checkbox" name="receivesNew" defaultChecked={account.receivesNew} />
          <span>
            New events go here
            <span className="field-hint">
              {' '}
              (what you make in this calendar is put there; one account has it)
            </span>
          </span>
        </label>
      )}
      {account.kind === 'caldav' && account.calendars.length > 0 && (
        <SelectField
          name="newEventsCalendarId"
          label="Calendar for new events"
          defaultValue={account.newEventsCalendarId ?? ''}
        >
          <option value="">First calendar</option>
          {account.calendars
            .filter(({ writable, followed }) => writable && followed)
            .map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
        </SelectField>
      )}
      <UrlField kind={account.kind} defaultValue={account.url} />
      <LoginFields
        kind={account.kind}
        username={account.username}
        password={isElsewhere ? 'again' : account.username === null ? 'first' : 'kept'}
      />
    </div>
  )
}

export const EditAccountDialog = ({ account, onClose, onSaved }: EditAccountDialogProps) => {
  const client = useClient()
  const displayed = useLastValue(account)
  const save = async (values: FormData) => {
    if (!account) return
    const params = { path: { id: account.id } }
    const body = readChange(values, account)
    onSaved(await unwrap(client.PATCH('/api/settings/calendar-accounts/{id}', { params, body })))
    onClose()
  }
  return (
    <FormDialog
      open={account !== null}
      onClose={onClose}
      title={`Edit ${displayed?.name ?? ''}`}
      size="large"
      action="Save"
      onSubmit={save}
    >
      {displayed && <Fields key={displayed.id} account={displayed} />}
    </FormDialog>
  )
}
