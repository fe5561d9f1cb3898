import { useId, useState } from 'react'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { ApiError } from '../../../api/problem.ts'
import { ConfirmPasswordField, FormDialog, passwordOf, WRONG_PASSWORD } from '../../../ui/dialog.tsx'
import { FieldError, SelectField, TextField } from '../../../ui/field.tsx'
import { useFormState } from '../../../ui/form.tsx'
import { AREAS, type Scope, SENDING_NOTES, withScope } from './scopes.ts'
import './tokens.css'

interface ScopesGridProps {
  scopes: readonly Scope[]
  onChange: (change: (scopes: readonly Scope[]) => Scope[]) => void
}

const ScopesGrid = ({ scopes, onChange }: ScopesGridProps) => {
  const { errors, clear } = useFormState()
  const error = errors.scopes
  const [errorId, notesId] = [useId(), useId()]
  const toggle = (scope: Scope, checked: boolean) => {
    clear('scopes')
    onChange((current) => withScope(current, scope, checked))
  }
  const writesMail = scopes.includes('mail:write')
  const draftsMail = scopes.includes('mail:draft')
  return (
    <fieldset className="field" aria-describedby={error === undefined ? notesId : errorId}>
      <legend className="field-label">Scopes</legend>
      <table className="scopes">
        <thead>
          <tr>
            <th scope="col">
              <span className="only-heard">Area</span>
            </th>
            <th scope="col">Read</th>
            <th scope="col">Write</th>
          </tr>
        </thead>
        <tbody>
          {AREAS.map(({ area, label }) => {
            const writes = scopes.includes(`${area}:write`)
            const drafts = area === 'mail' && draftsMail
            const granted = { read: writes || drafts || scopes.includes(`${area}:read`), write: writes }
            return (
              <tr key={area}>
                <th scope="row">{label}</th>
                {(['read', 'write'] as const).map((access) => (
                  <td key={access}>
                    <label>
                      <input
                        type="checkbox"
                        name="scopes"
                        value={`${area}:${access}`}
                        aria-label={`${access === 'read' ? 'Read' : 'Write'} ${label}`}
                        aria-invalid={error === undefined ? undefined : true}
                        checked={granted[access]}
                        // Write access includes read access.
                        disabled={access === 'read' && (writes || drafts)}
                        onChange={(event) => toggle(`${area}:${access}`, event.target.checked)}
                      />
                    </label>
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
      <label className="scopes-draft">
        <input
          type="checkbox"
          name="scopes"
          value="mail:draft"
          checked={writesMail || draftsMail}
          disabled={writesMail}
          onChange={(event) => toggle('mail:draft', event.target.checked)}
        />
        Draft e-mails
      </label>
      <ul id={notesId} className="scopes-notes">
        {SENDING_NOTES.map(({ scope, note }) => (
          <li key={scope}>{note}</li>
        ))}
      </ul>
      {error !== undefined && <FieldError id={errorId} label="Scopes" message={error} />}
    </fieldset>
  )
}

const DAY_MS = 86_400_000

const EXPIRIES = [
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'date', label: 'On a date…' },
  { value: 'never', label: 'Never' },
] as const

/** Returns an instant, a day (which the API reads in the user's time zone), or null. */
const expiryOf = (choice: string, date: string, now = Date.now()): string | null => {
  if (choice === 'never') return null
  if (choice === 'date') return date
  return new Date(now + Number(choice) * DAY_MS).toISOString()
}

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
