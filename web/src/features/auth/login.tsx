import { useQuery } from '@tanstack/react-query'
import { Clock3 } from 'lucide-react'
import { useState } from 'react'
import { Link, Redirect, useSearch } from 'wouter'
import { signInOptionsQuery } from '../../api/account.ts'
import { useSessionState } from '../../api/context.tsx'
import { ApiError } from '../../api/problem.ts'
import { PasswordField, TextField } from '../../ui/field.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AuthPage } from './auth-page.tsx'
import { useSignIn } from './sign-in.ts'

interface SecondStepProps {
  email: string
  password: string
  onBack: () => void
}

/** Second factor after a correct password: a code of the authenticator app, or a backup code. */
const SecondStep = ({ email, password, onBack }: SecondStepProps) => {
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

const AUTH_PATHS = ['/login', '/register']

/** Reads the redirect target after sign-in. Accepts only paths of this origin, to prevent open redirects. */
const readRedirectTarget = (search: string): string => {
  const next = new URLSearchParams(search).get('next')
  if (next === null) return '/'
  const { origin } = window.location
  const url = URL.canParse(next, origin) ? new URL(next, origin) : null
  if (url === null || url.origin !== origin || AUTH_PATHS.includes(url.pathname)) return '/'
  return `${url.pathname}${url.search}${url.hash}`
}

interface Credentials {
  email: string
  password: string
}

const FirstStep = ({
  email,
  onSecondStep,
}: {
  email: string
  onSecondStep: (given: Credentials) => void
}) => {
  const signIn = useSignIn()
  const submit = async (values: FormData) => {
    const given = { email: String(values.get('email')), password: String(values.get('password')) }
    try {
      await signIn(given)
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'two_factor_required')) throw error
      onSecondStep(given)
    }
  }
  return (
    <Form onSubmit={submit} codes={{ invalid_credentials: 'password' }} label="Sign in">
      <TextField
        name="email"
        label="E-mail"
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        defaultValue={email}
        autoFocus
        required
      />
      <PasswordField name="password" label="Password" autoComplete="current-password" />
      <Submit wide>Sign in</Submit>
      <Link href="/forgotten" className="quiet">
        Forgot your password?
      </Link>
    </Form>
  )
}

export const Login = () => {
  const state = useSessionState()
  const search = useSearch()
  const options = useQuery(signInOptionsQuery).data
  const [given, setGiven] = useState<Credentials | null>(null)
  const [email, setEmail] = useState('')

  if (state.status === 'in') return <Redirect to={readRedirectTarget(search)} replace />
  if (options?.hasOwner === false) return <Redirect to="/register" replace />
  if (given !== null)
    return (
      <SecondStep
        {...given}
        onBack={() => {
          setEmail(given.email)
          setGiven(null)
        }}
      />
    )
  return (
    <AuthPage
      title="Sign in"
      about="Welcome back."
      below={
        options?.registration === 'open' ? (
          <>
            New here? <Link href="/register">Create an account</Link>
          </>
        ) : options?.registration === 'invite' ? (
          <>
            Invited? <Link href="/register">Register with your invitation</Link>
          </>
        ) : undefined
      }
    >
      {state.status === 'out' && state.why === 'ended' && (
        <Notice tone="accent" icon={Clock3}>
          Your session has ended. Sign in to go on where you were.
        </Notice>
      )}
      <FirstStep email={email} onSecondStep={setGiven} />
    </AuthPage>
  )
}
