import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import * as t from '#locale/auth'
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
      title={t.resetPassword}
      about={t.resetPasswordHelp}
      below={<Link href="/login">{t.backToSignIn}</Link>}
    >
      {isSent ? (
        <Notice tone="accent" icon={MailCheck}>
          {t.linkSent}
        </Notice>
      ) : (
        <Form onSubmit={submit} label={t.resetPassword}>
          <TextField
            name="email"
            label={t.email}
            type="email"
            autoComplete="username"
            autoCapitalize="none"
            autoFocus
            required
          />
          <Submit wide>{t.sendLink}</Submit>
        </Form>
      )}
    </AuthPage>
  )
}
