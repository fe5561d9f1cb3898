import { useState } from 'react'
import { useAccountChanged } from '../../../api/account.ts'
import { unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmPasswordField, FormDialog, passwordOf, WRONG_PASSWORD } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { useNotify } from '../../../ui/toast.tsx'

export const EmailForm = ({ email }: { email: string }) => {
  const client = useClient()
  const changed = useAccountChanged()
  const notify = useNotify()
  const [open, setOpen] = useState(false)

  const change = async (values: FormData) => {
    const body = { email: String(values.get('email')), password: passwordOf(values) }
    await unwrap(client.POST('/api/settings/security/email', { body }))
    await changed()
    setOpen(false)
    notify(`You sign in as ${body.email} from now on.`)
  }
  return (
    <div className="setting-line">
      <p className="row-main">{email}</p>
      <Button onClick={() => setOpen(true)}>Change e-mail</Button>
      <FormDialog
        open={open}
        onClose={() => setOpen(false)}
        title="Change your e-mail"
        about="The new address is the one you sign in with from then on."
        action="Change e-mail"
        codes={{ ...WRONG_PASSWORD, email_taken: 'email' }}
        onSubmit={change}
      >
        <TextField
          name="email"
          label="New e-mail"
          type="email"
          autoComplete="email"
          autoCapitalize="none"
          required
        />
        <ConfirmPasswordField />
      </FormDialog>
    </div>
  )
}
