import { useQuery } from '@tanstack/react-query'
import { Link, Redirect, useSearch } from 'wouter'
import { type SignInOptions, signInOptionsQuery } from '../../api/account.ts'
import { useSessionState } from '../../api/context.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { NewPasswordField } from '../../ui/new-password-field.tsx'
import { Notice } from '../../ui/notice.tsx'
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
      label="Create an account"
      codes={{ email_taken: 'email', registration_closed: 'invitation' }}
    >
      <TextField name="name" label="Your name" autoComplete="name" maxLength={200} autoFocus required />
      <TextField
        name="email"
        label="E-mail"
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        required
      />
      <NewPasswordField name="password" label="Password" />
      {asksInvitation && (
        <TextField
          name="invitation"
          label="Invitation"
          hint="The code in the link you were given."
          defaultValue={invitation}
          autoComplete="off"
          spellCheck={false}
          required
        />
      )}
      <Submit wide>Create account</Submit>
    </Form>
  )
}

const aboutOf = ({ hasOwner, registration }: SignInOptions): string => {
  if (!hasOwner) return 'Create the first account. It owns this instance.'
  if (registration === 'invite') return 'This instance takes new accounts by invitation.'
  if (registration === 'closed') return 'This instance takes no more accounts.'
  return 'Your own settings, at the same desk as everyone here.'
}

export const Register = () => {
  const state = useSessionState()
  const invitation = new URLSearchParams(useSearch()).get('invitation') ?? ''
  const query = useQuery(signInOptionsQuery)
  if (state.status === 'in') return <Redirect to="/" replace />
  const isFirst = query.data?.hasOwner === false
  return (
    <AuthPage
      title={isFirst ? 'Welcome' : 'Create an account'}
      about={query.data && aboutOf(query.data)}
      below={
        isFirst ? undefined : (
          <>
            Have an account? <Link href="/login">Sign in</Link>
          </>
        )
      }
    >
      <Loaded query={query} lines={6}>
        {({ registration }) =>
          registration === 'closed' ? (
            <Notice>Ask whoever runs it if you think that it should.</Notice>
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
