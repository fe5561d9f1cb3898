import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { FormDialog, PasswordDialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useLastValue } from '../../../ui/use-last-value.ts'
import type { TokenAction } from './token-row.tsx'

interface TokenDialogsProps {
  /** The selected action and token; null closes the dialogs. */
  chosen: { action: TokenAction; token: Shape<'Token'> } | null
  onClose: () => void
  onChanged: () => Promise<void>
  onSecret: (secret: string) => void
}

export const TokenDialogs = ({ chosen, onClose, onChanged, onSecret }: TokenDialogsProps) => {
  const client = useClient()
  const notify = useNotify()
  const last = useLastValue(chosen)
  if (!last) return null
  const { id, name } = last.token
  const params = { path: { id } }
  const shows = (action: TokenAction) => chosen?.action === action

  const rename = async (values: FormData) => {
    const body = { name: String(values.get('name')).trim() }
    await unwrap(client.PATCH('/api/settings/tokens/{id}', { params, body }))
    await onChanged()
    onClose()
    notify('The token has its new name.')
  }
  const rotate = async (password: string) => {
    const { token } = await unwrap(
      client.POST('/api/settings/tokens/{id}/rotate', { params, body: { password } }),
    )
    onClose()
    onSecret(token)
    await onChanged()
  }
  const revoke = async () => {
    await unwrap(client.DELETE('/api/settings/tokens/{id}', { params }))
    await onChanged()
    onClose()
    notify(`“${name}” is revoked.`)
  }
  return (
    <>
      <FormDialog
        open={shows('rename')}
        onClose={onClose}
        title="Rename the token"
        action="Rename"
        savedAs={`token ${id}`}
        onSubmit={rename}
      >
        <TextField
          key={id}
          name="name"
          label="Name"
          defaultValue={name}
          maxLength={100}
          autoComplete="off"
          required
        />
      </FormDialog>
      <PasswordDialog
        open={shows('rotate')}
        onClose={onClose}
        title={`A new secret for “${name}”`}
        about="The present one is worth nothing from then on: whatever uses it needs the new one."
        action="Make a new secret"
        onConfirm={rotate}
      />
      <FormDialog
        open={shows('revoke')}
        onClose={onClose}
        alert
        danger
        title={`Revoke “${name}”?`}
        about="Whatever uses this token is refused from the next request on. This cannot be taken back."
        action="Revoke"
        onSubmit={revoke}
      />
    </>
  )
}
