import { useState } from 'react'
import { TextField } from '../../ui/field.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { AuthPage } from './auth-page.tsx'
import { useSignIn } from './sign-in.ts'

interface SecondStepProps {
  email: string
  password: string
  onBack: () => void
}

/** Second factor after a correct password: a code of the authenticator app, or a backup code. */
export const SecondStep = ({ email, password, onBack }: SecondStepProps) => {
  const signIn = useSignIn()
  const [byBackup, setByBackup] = useState(false)
  return (
    <AuthPage
      title="One more step"
      about={
        byBackup
          ? 'Enter one of the backup codes you kept. Each is good for one sign-in.'
          : 'Enter the six digits that your authenticator app shows for Factotum.'
      }
      below={
        <button type="button" className="link-button" onClick={onBack}>
          Sign in as someone else
        </button>
      }
    >
      <Form
        key={String(byBackup)}
        label="Second step"
        onSubmit={(values) => signIn({ email, password, code: String(values.get('code')).trim() })}
        codes={{ invalid_two_factor_code: 'code' }}
      >
        <TextField
          name="code"
          label={byBackup ? 'Backup code' : 'Code'}
          code
          autoComplete={byBackup ? 'off' : 'one-time-code'}
          inputMode={byBackup ? 'text' : 'numeric'}
          maxLength={40}
          spellCheck={false}
          autoCapitalize="none"
          autoFocus
          required
        />
        <Submit wide>Sign in</Submit>
      </Form>
      <button type="button" className="link-button" onClick={() => setByBackup(!byBackup)}>
        {byBackup ? 'Use the authenticator app instead' : 'Use a backup code instead'}
      </button>
    </AuthPage>
  )
}
