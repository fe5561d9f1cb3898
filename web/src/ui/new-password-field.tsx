import { Check, Circle } from 'lucide-react'
import { useState } from 'react'
import * as t from '#locale/ui'
import { PasswordField } from './field.tsx'

const MIN_LENGTH = 8
const MAX_BYTES = 72

const Rule = ({ met, children }: { met: boolean; children: string }) => (
  <li data-met={met}>
    {met ? <Check size={14} aria-hidden="true" /> : <Circle size={14} aria-hidden="true" />}
    {children}
    {met && <span className="visually-hidden"> {t.ruleMet}</span>}
  </li>
)

/** Shows the API's password rules while typing. Only the API can detect common passwords. */
export const NewPasswordField = ({ name, label }: { name: string; label: string }) => {
  const [password, setPassword] = useState('')
  const isShort = new TextEncoder().encode(password).length <= MAX_BYTES
  return (
    <PasswordField
      name={name}
      label={label}
      autoComplete="new-password"
      onChange={(event) => setPassword(event.target.value)}
      hint={
        <ul className="rules">
          <Rule met={[...password].length >= MIN_LENGTH}>{t.passwordLength}</Rule>
          {!isShort && <Rule met={false}>{t.passwordTooLong}</Rule>}
        </ul>
      }
    />
  )
}
