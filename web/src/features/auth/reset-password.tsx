import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { NewPasswordField } from '../../ui/new-password-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AuthPage } from './auth-page.tsx'

/**
 * Target page of the reset link. The token is in the URL fragment, which browsers do not send to the server.
 */
export const ResetPassword = () => {
  const client = useClient()
  const [token] = useState(() => window.location.hash.slice(1))
  const [isDone, setDone] = useState(false)
  const submit = async (values: FormData) => {
    const body = { token, password: String(values.get('password')) }
    await unwrap(client.POST('/api/auth/password-reset/confirm', { body }))
    setDone(true)
  }
  return (
    <AuthPage
      title="Choose a new password"
      about="Use the browser in which you asked. All sessions end; a second factor stays on."
      below={
        <Link href={isDone || token !== '' ? '/login' : '/forgotten'}>
          {token === '' ? 'Ask for a link' : 'Sign in'}
        </Link>
      }
    >
      {isDone ? (
        <Notice tone="accent" icon={CircleCheck}>
          Your password is changed. Sign in with the new one.
        </Notice>
      ) : token === '' ? (
        <Notice>The link is incomplete. Open the whole link from the mail, or ask for a new one.</Notice>
      ) : (
        <Form onSubmit={submit} label="Choose a new password">
          <NewPasswordField name="password" label="New password" />
          <Submit wide>Change password</Submit>
        </Form>
      )}
    </AuthPage>
  )
}
