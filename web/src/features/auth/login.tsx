import { useQuery } from '@tanstack/react-query'
import { Clock3 } from 'lucide-react'
import { useState } from 'react'
import { Link, Redirect, useSearch } from 'wouter'
import * as t from '#locale/auth'
import { signInOptionsQuery } from '../../api/account.ts'
import { useSessionState } from '../../api/context.tsx'
import { ApiError } from '../../api/problem.ts'
import { LoadingScreen } from '../../shell/loading-screen.tsx'
import { PasswordField, TextField } from '../../ui/field.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { readText } from '../../ui/form-values.ts'
import { Notice } from '../../ui/notice.tsx'
import { RichText } from '../../ui/rich-text.tsx'
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
      title={t.secondStep}
      about={byBackup ? t.backupCodeHelp : t.codeHelp}
      below={
        <button type="button" className="link-button" onClick={onBack}>
          {t.otherAccount}
        </button>
      }
    >
      <Form
        key={String(byBackup)}
        label={t.secondStep}
        onSubmit={(values) => signIn({ email, password, code: readText(values, 'code') })}
        codes={{ invalid_two_factor_code: 'code' }}
      >
        <TextField
          name="code"
          label={byBackup ? t.backupCode : t.code}
          code
          autoComplete={byBackup ? 'off' : 'one-time-code'}
          inputMode={byBackup ? 'text' : 'numeric'}
          maxLength={40}
          spellCheck={false}
          autoCapitalize="none"
          autoFocus
          required
        />
        <Submit wide>{t.signIn}</Submit>
      </Form>
      <button type="button" className="link-button" onClick={() => setByBackup(!byBackup)}>
        {byBackup ? t.withAuthenticator : t.withBackupCode}
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
    <Form onSubmit={submit} codes={{ invalid_credentials: 'password' }} label={t.signIn}>
      <TextField
        name="email"
        label={t.email}
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        defaultValue={email}
        autoFocus
        required
      />
      <PasswordField name="password" label={t.password} autoComplete="current-password" />
      <Submit wide>{t.signIn}</Submit>
      <Link href="/forgotten" className="quiet">
        {t.forgotPassword}
      </Link>
    </Form>
  )
}

export const Login = () => {
  const state = useSessionState()
  const search = useSearch()
  const { data: options, isPending } = useQuery(signInOptionsQuery)
  const [given, setGiven] = useState<Credentials | null>(null)
  const [email, setEmail] = useState('')

  if (state.status === 'in') return <Redirect to={readRedirectTarget(search)} replace />
  // Without an account, the page is another one. The form must not appear before it.
  if (isPending) return <LoadingScreen />
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
      title={t.signIn}
      about={t.signInHelp}
      below={
        options === undefined || options.registration === 'closed' ? undefined : (
          <RichText
            text={options.registration === 'open' ? t.newHere : t.invited}
            tags={{ link: (text) => <Link href="/register">{text}</Link> }}
          />
        )
      }
    >
      {state.status === 'out' && state.why === 'ended' && (
        <Notice tone="accent" icon={Clock3}>
          {t.sessionEnded}
        </Notice>
      )}
      <FirstStep email={email} onSecondStep={setGiven} />
    </AuthPage>
  )
}
