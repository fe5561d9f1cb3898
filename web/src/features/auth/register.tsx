import { useQuery } from '@tanstack/react-query'
import { Link, Redirect, useSearch } from 'wouter'
import * as t from '#locale/auth'
import { type SignInOptions, signInOptionsQuery } from '../../api/account.ts'
import { useSessionState } from '../../api/context.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { NewPasswordField } from '../../ui/new-password-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RichText } from '../../ui/rich-text.tsx'
import { AuthPage } from './auth-page.tsx'
import { useSignUp } from './sign-in.ts'

const RegisterForm = ({ invitation, asksInvitation }: { invitation: string; asksInvitation: boolean }) => {
  const signUp = useSignUp()
  const submit = (values: FormData) => {
    const text = (name: string) => String(values.get(name) ?? '')
    const code = text('invitation').trim()
    return signUp({
      name: text('name').trim(),
      email: text('email'),
      password: text('password'),
      ...(code !== '' && { invitation: code }),
    })
  }
  return (
    <Form
      onSubmit={submit}
      label={t.createAccount}
      codes={{ email_taken: 'email', registration_closed: 'invitation' }}
    >
      <TextField name="name" label={t.yourName} autoComplete="name" maxLength={200} autoFocus required />
      <TextField
        name="email"
        label={t.email}
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        required
      />
      <NewPasswordField name="password" label={t.password} />
      {asksInvitation && (
        <TextField
          name="invitation"
          label={t.invitation}
          hint={t.invitationHint}
          defaultValue={invitation}
          autoComplete="off"
          spellCheck={false}
          required
        />
      )}
      <Submit wide>{t.createAccountAction}</Submit>
    </Form>
  )
}

const aboutOf = ({ hasOwner, registration }: SignInOptions): string => {
  if (!hasOwner) return t.firstAccount
  if (registration === 'invite') return t.invitationOnly
  if (registration === 'closed') return t.registrationClosed
  return t.openRegistration
}

export const Register = () => {
  const state = useSessionState()
  const invitation = new URLSearchParams(useSearch()).get('invitation') ?? ''
  const query = useQuery(signInOptionsQuery)
  if (state.status === 'in') return <Redirect to="/" replace />
  const isFirst = query.data?.hasOwner === false
  return (
    <AuthPage
      title={isFirst ? t.welcome : t.createAccount}
      about={query.data && aboutOf(query.data)}
      below={
        isFirst ? undefined : (
          <RichText text={t.haveAccount} tags={{ link: (text) => <Link href="/login">{text}</Link> }} />
        )
      }
    >
      <Loaded query={query} lines={6}>
        {({ registration }) =>
          registration === 'closed' ? (
            <Notice>{t.registrationClosedHelp}</Notice>
          ) : (
            <RegisterForm
              invitation={invitation}
              asksInvitation={registration === 'invite' || invitation !== ''}
            />
          )
        }
      </Loaded>
    </AuthPage>
  )
}
