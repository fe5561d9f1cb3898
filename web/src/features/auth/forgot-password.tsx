import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AuthPage } from './auth-page.tsx'

/** Requests a reset link by email. The response does not reveal whether the address is registered. */
export const ForgotPassword = () => {
  const client = useClient()
  const [isSent, setSent] = useState(false)
  const submit = async (values: FormData) => {
    await unwrap(client.POST('/api/auth/password-reset', { body: { email: String(values.get('email')) } }))
    setSent(true)
  }
  return (
    <AuthPage
      title="Choose a new password"
      about="We send a link to the address of your account."
      below={<Link href="/login">Back to signing in</Link>}
    >
      {isSent ? (
        <Notice tone="accent" icon={MailCheck}>
          If there is an account with this address, a link is on its way. Open it in this browser within 30
          minutes.
        </Notice>
      ) : (
        <Form onSubmit={submit} label="Choose a new password">
          <TextField
            name="email"
            label="E-mail"
            type="email"
            autoComplete="username"
            autoCapitalize="none"
            autoFocus
            required
          />
          <Submit wide>Send the link</Submit>
        </Form>
      )}
    </AuthPage>
  )
}
