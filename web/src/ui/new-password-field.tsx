import { Check, Circle } from 'lucide-react'
import { useState } from 'react'
import { PasswordField } from './field.tsx'

const SHORTEST = 8
const LONGEST_BYTES = 72

const Rule = ({ met, children }: { met: boolean; children: string }) => (
  <li data-met={met}>
    {met ? <Check size={14} aria-hidden="true" /> : <Circle size={14} aria-hidden="true" />}
    {children}
    {met && <span className="only-heard"> (met)</span>}
  </li>
)

/** The API's own rules, shown while typing. Whether a password is too common only the API can tell. */
export const NewPasswordField = ({ name, label }: { name: string; label: string }) => {
  const [password, setPassword] = useState('')
  const isShort = new TextEncoder().encode(password).length <= LONGEST_BYTES
  return (
    <PasswordField
      name={name}
      label={label}
      autoComplete="new-password"
      onChange={(event) => setPassword(event.target.value)}
      hint={
        <ul className="rules">
          <Rule met={[...password].length >= SHORTEST}>At least 8 characters</Rule>
          {!isShort && <Rule met={false}>Too long: 72 bytes at most, about 72 letters</Rule>}
        </ul>
      }
    />
  )
}
