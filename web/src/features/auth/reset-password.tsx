import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import * as t from '#locale/auth'
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
      title={t.setNewPassword}
      {...(token !== '' && !isDone && { about: t.setNewPasswordHelp })}
      below={
        <Link href={isDone || token !== '' ? '/login' : '/forgotten'}>
          {token === '' ? t.requestLink : t.signIn}
        </Link>
      }
    >
      {isDone ? (
        <Notice tone="accent" icon={CircleCheck}>
          {t.passwordChanged}
        </Notice>
      ) : token === '' ? (
        <Notice>{t.linkIncomplete}</Notice>
      ) : (
        <Form onSubmit={submit} label={t.setNewPassword}>
          <NewPasswordField name="password" label={t.newPassword} />
          <Submit wide>{t.changePassword}</Submit>
        </Form>
      )}
    </AuthPage>
  )
}
