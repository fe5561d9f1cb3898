import { useId } from 'react'
import { FieldError } from '../../../ui/field.tsx'
import { useFormState } from '../../../ui/form.tsx'
import { AREAS, type Scope, SENDING_NOTES, withScope } from './scopes.ts'
import './tokens.css'

interface ScopesGridProps {
  scopes: readonly Scope[]
  onChange: (change: (scopes: readonly Scope[]) => Scope[]) => void
}

export const ScopesGrid = ({ scopes, onChange }: ScopesGridProps) => {
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
      <legend className="field-label">What it may do</legend>
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
      {error !== undefined && <FieldError id={errorId} label="What it may do" message={error} />}
    </fieldset>
  )
}
