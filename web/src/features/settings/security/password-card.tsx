import { useQueryClient } from '@tanstack/react-query'
import { useAccountChanged } from '../../../api/account.ts'
import { unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { sessionsKey } from '../../../api/sessions.ts'
import { Card } from '../../../ui/card.tsx'
import { ConfirmPasswordField, passwordOf, WRONG_PASSWORD } from '../../../ui/dialog.tsx'
import { Form, Submit } from '../../../ui/form.tsx'
import { NewPasswordField } from '../../../ui/new-password-field.tsx'
import { useNotify } from '../../../ui/toast.tsx'

const elsewhere = (count: number): string => {
  if (count === 0) return ''
  return count === 1 ? ' One session elsewhere has ended.' : ` ${count} sessions elsewhere have ended.`
}

export const PasswordCard = () => {
  const client = useClient()
  const queries = useQueryClient()
  const changed = useAccountChanged()
  const notify = useNotify()
  const change = async (values: FormData) => {
    const body = { password: passwordOf(values), newPassword: String(values.get('newPassword')) }
    const { sessionsEnded } = await unwrap(client.POST('/api/settings/security/password', { body }))
    await Promise.all([changed(), queries.invalidateQueries({ queryKey: sessionsKey })])
    notify(`Your password is changed.${elsewhere(sessionsEnded)}`)
  }
  return (
    <Card id="password" title="Password" about="Changing it ends every other session.">
      <Form label="Change your password" onSubmit={change} codes={WRONG_PASSWORD} resetOnSuccess>
        <ConfirmPasswordField label="Present password" />
        <NewPasswordField name="newPassword" label="New password" />
        <div className="form-actions">
          <Submit>Change password</Submit>
        </div>
      </Form>
    </Card>
  )
}
