import { useState } from 'react'
import { unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { FormDialog } from '../../../ui/dialog.tsx'
import { PasswordField, TextField } from '../../../ui/field.tsx'
import { useLastValue } from '../../../ui/use-last-value.ts'
import { asksForPassword, type MailAccount, readChange } from './account-form.ts'
import { ServerFields } from './server-fields.tsx'

interface EditAccountDialogProps {
  /** Null closes the dialog. */
  account: MailAccount | null
  onClose: () => void
  onSaved: (account: MailAccount) => void
}

const Fields = ({ account }: { account: MailAccount }) => {
  const [isElsewhere, setIsElsewhere] = useState(false)
  const hasPassword = account.signIn === 'password'
  return (
    <div
      className="stack"
      onInput={(event) => {
        const form = (event.target as HTMLElement).closest('form')
        if (form && hasPassword) setIsElsewhere(asksForPassword(new FormData(form), account))
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
      <TextField
        name="senderName"
        label="Your name, as others see it"
        defaultValue={account.senderName}
        maxLength={100}
        autoComplete="name"
      />
      <label className="check">
        <input type="checkbox" name="enabled" defaultChecked={account.enabled} />
        <span>
          Keep this account in step
          <span className="field-hint"> (turned off, nothing is fetched)</span>
        </span>
      </label>
      {hasPassword && (
        <>
          <TextField
            name="username"
            label="User name"
            defaultValue={account.username}
            maxLength={254}
            autoComplete="off"
            autoCapitalize="none"
            required
          />
          <ServerFields side="imap" server={account.imap} />
          <ServerFields side="smtp" server={account.smtp} />
          <PasswordField
            name="password"
            label={isElsewhere ? 'Password, once more' : 'New password'}
            autoComplete="off"
            required={isElsewhere}
            hint={
              isElsewhere
                ? 'It was given for the servers and the user name before: for others it is asked for again.'
                : 'Leave it empty to keep the one there is.'
            }
          />
        </>
      )}
    </div>
  )
}

export const EditAccountDialog = ({ account, onClose, onSaved }: EditAccountDialogProps) => {
  const client = useClient()
  const displayed = useLastValue(account)
  const save = async (values: FormData) => {
    if (!account) return
    const body = readChange(values, account)
    onSaved(
      await unwrap(
        client.PATCH('/api/settings/mail-accounts/{id}', { params: { path: { id: account.id } }, body }),
      ),
    )
    onClose()
  }
  return (
    <FormDialog
      open={account !== null}
      onClose={onClose}
      title={`Edit ${displayed?.address ?? ''}`}
      size="large"
      action="Save"
      onSubmit={save}
    >
      {displayed && <Fields key={displayed.id} account={displayed} />}
    </FormDialog>
  )
}
