import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { NewPasswordField } from '../../ui/new-password-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Door } from './door.tsx'

/** Where the link leads. What it proves stands behind the #, which browsers send to nobody. */
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
    <Door
      title="Choose a new password"
      about="Every session of your account ends; a second factor stays on."
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
        <Notice>This page is opened by the link in our mail, and the link is not whole.</Notice>
      ) : (
        <Form onSubmit={submit} label="Choose a new password">
          <NewPasswordField name="password" label="New password" />
          <Submit wide>Change password</Submit>
        </Form>
      )}
    </Door>
  )
}
