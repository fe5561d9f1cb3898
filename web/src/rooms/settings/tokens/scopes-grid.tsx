import { useId } from 'react'
import { FieldError } from '../../../ui/field.tsx'
import { useFormState } from '../../../ui/form.tsx'
import { AREAS, type Scope, withScope } from './scopes.ts'
import './tokens.css'

interface ScopesGridProps {
  scopes: readonly Scope[]
  onChange: (change: (scopes: readonly Scope[]) => Scope[]) => void
}

export const ScopesGrid = ({ scopes, onChange }: ScopesGridProps) => {
  const { errors, clear } = useFormState()
  const error = errors.scopes
  const errorId = useId()
  return (
    <fieldset className="field" aria-describedby={error === undefined ? undefined : errorId}>
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
            const granted = { read: writes || scopes.includes(`${area}:read`), write: writes }
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
                        // Who may write may read.
                        disabled={access === 'read' && writes}
                        onChange={(event) => {
                          clear('scopes')
                          const { checked } = event.target
                          onChange((current) => withScope(current, area, access, checked))
                        }}
                      />
                    </label>
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
      {error !== undefined && <FieldError id={errorId} label="What it may do" message={error} />}
    </fieldset>
  )
}
