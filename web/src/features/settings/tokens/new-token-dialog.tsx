import { useState } from 'react'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { ApiError } from '../../../api/problem.ts'
import { ConfirmPasswordField, FormDialog, passwordOf, WRONG_PASSWORD } from '../../../ui/dialog.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { EXPIRIES, expiryOf } from './expiry.ts'
import type { Scope } from './scopes.ts'
import { ScopesGrid } from './scopes-grid.tsx'
import './tokens.css'

interface NewTokenDialogProps {
  open: boolean
  onClose: () => void
  onMade: (token: Shape<'TokenWithSecret'>) => Promise<void>
}

const needsScope = () =>
  new ApiError({
    status: 400,
    code: 'validation_failed',
    message: 'Choose what the token may do.',
    fields: [{ path: 'scopes', message: 'Choose at least one.' }],
  })

export const NewTokenDialog = ({ open, onClose, onMade }: NewTokenDialogProps) => {
  const client = useClient()
  const [scopes, setScopes] = useState<readonly Scope[]>([])
  const [expiry, setExpiry] = useState<string>('90')

  const close = () => {
    setScopes([])
    setExpiry('90')
    onClose()
  }
  const make = async (values: FormData) => {
    if (scopes.length === 0) throw needsScope()
    const body = {
      name: String(values.get('name')).trim(),
      password: passwordOf(values),
      scopes: [...scopes],
      expiresAt: expiryOf(expiry, String(values.get('expiresAt') ?? '')),
    }
    const made = await unwrap(client.POST('/api/settings/tokens', { body }))
    close()
    await onMade(made)
  }
  return (
    <FormDialog
      open={open}
      onClose={close}
      title="New access token"
      about="For one program, with no more than it needs."
      action="Make token"
      size="large"
      codes={WRONG_PASSWORD}
      onSubmit={make}
    >
      <TextField
        name="name"
        label="Name"
        hint="What will use it: “n8n on the NAS”."
        maxLength={100}
        autoComplete="off"
        required
      />
      <ScopesGrid scopes={scopes} onChange={setScopes} />
      <div className="field-pair">
        <SelectField
          name="expiry"
          label="Expires"
          value={expiry}
          onChange={(event) => setExpiry(event.target.value)}
        >
          {EXPIRIES.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        {expiry === 'date' && <TextField name="expiresAt" label="On" type="date" required />}
      </div>
      <ConfirmPasswordField />
    </FormDialog>
  )
}
