import { useId, useState } from 'react'
import * as t from '#locale/tokens'
import { useProfile } from '../../../api/account.ts'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { toFieldError } from '../../../api/problem.ts'
import { ConfirmPasswordField, FormDialog, passwordOf, WRONG_PASSWORD } from '../../../ui/dialog.tsx'
import { FieldError, Options, SelectField, TextField } from '../../../ui/field.tsx'
import { useFormState } from '../../../ui/form.tsx'
import { readText } from '../../../ui/form-values.ts'
import { OptionalDateField, useDateTimeText } from '../../../ui/optional-date-time.tsx'
import { AREAS, type Scope, SENDING_NOTES, withScope } from './scopes.ts'
import './tokens.css'

interface ScopesGridProps {
  scopes: readonly Scope[]
  onChange: (change: (scopes: readonly Scope[]) => Scope[]) => void
}

const ScopesGrid = ({ scopes, onChange }: ScopesGridProps) => {
  const { errors, clear } = useFormState()
  const isOwner = useProfile().data?.value.role === 'owner'
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
      <legend className="field-label">{t.scopes}</legend>
      <table className="scopes">
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">{t.area}</span>
            </th>
            <th scope="col">{t.read}</th>
            <th scope="col">{t.write}</th>
          </tr>
        </thead>
        <tbody>
          {AREAS.map((area) => {
            const label = t.areas[area]
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
                        aria-label={access === 'read' ? t.readArea(label) : t.writeArea(label)}
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
        {t.draftEmails}
      </label>
      {isOwner && (
        <label className="scopes-draft">
          <input
            type="checkbox"
            name="scopes"
            value="metrics:read"
            checked={scopes.includes('metrics:read')}
            onChange={(event) => toggle('metrics:read', event.target.checked)}
          />
          {t.readMetrics}
        </label>
      )}
      <ul id={notesId} className="scopes-notes">
        {SENDING_NOTES.map(([scope, note]) => (
          <li key={scope}>{note}</li>
        ))}
      </ul>
      {error !== undefined && <FieldError id={errorId} label={t.scopes} message={error} />}
    </fieldset>
  )
}

const DAY_MS = 86_400_000

const EXPIRIES = [
  ['30', t.expiryInDays(30)],
  ['90', t.expiryInDays(90)],
  ['365', t.expiryInYear],
  ['date', t.expiryOnDate],
  ['never', t.expiryNever],
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
  onCreated: (token: Shape<'TokenWithSecret'>) => Promise<void>
}

export const NewTokenDialog = ({ open, onClose, onCreated }: NewTokenDialogProps) => {
  const client = useClient()
  const { parseDay } = useDateTimeText()
  const [scopes, setScopes] = useState<readonly Scope[]>([])
  const [expiry, setExpiry] = useState<string>('90')

  const close = () => {
    setScopes([])
    setExpiry('90')
    onClose()
  }
  const make = async (values: FormData) => {
    if (scopes.length === 0) throw toFieldError('scopes', t.scopesMissing, t.selectOne)
    const body = {
      name: readText(values, 'name'),
      password: passwordOf(values),
      scopes: [...scopes],
      expiresAt: expiryOf(expiry, parseDay(String(values.get('expiresAt') ?? '')) ?? ''),
    }
    const created = await unwrap(client.POST('/api/settings/tokens', { body }))
    close()
    await onCreated(created)
  }
  return (
    <FormDialog
      open={open}
      onClose={close}
      title={t.newTokenTitle}
      about={t.newTokenAbout}
      action={t.createToken}
      size="large"
      savedAs="access-token"
      codes={WRONG_PASSWORD}
      onSubmit={make}
    >
      <TextField
        name="name"
        label={t.name}
        hint={t.tokenNameHint}
        maxLength={100}
        autoComplete="off"
        required
      />
      <ScopesGrid scopes={scopes} onChange={setScopes} />
      <div className="field-pair">
        <SelectField
          name="expiry"
          label={t.expires}
          value={expiry}
          onChange={(event) => setExpiry(event.target.value)}
        >
          <Options entries={EXPIRIES} />
        </SelectField>
        {expiry === 'date' && (
          <OptionalDateField name="expiresAt" label={t.expiryDate} defaultValue={null} required />
        )}
      </div>
      <ConfirmPasswordField />
    </FormDialog>
  )
}
