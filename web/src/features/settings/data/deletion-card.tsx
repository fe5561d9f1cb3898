import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useProfile } from '../../../api/account.ts'
import { unwrap } from '../../../api/client.ts'
import { useServices } from '../../../api/context.tsx'
import { ApiError } from '../../../api/problem.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { FormDialog, PasswordDialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'

const PHRASE = 'delete everything'

const mustBeTyped = () =>
  new ApiError({
    status: 400,
    code: 'validation_failed',
    message: `Type “${PHRASE}”.`,
    fields: [{ path: 'phrase', message: `Type “${PHRASE}” to go on.` }],
  })

/**
 * The first request deletes only the account. The service rejects it for the owner (409), and only then the
 * dialog offers to delete the instance.
 */
export const DeletionCard = () => {
  const { client, session } = useServices()
  const email = useProfile().data?.value.email
  const [open, setOpen] = useState(false)
  const [ownersPassword, setOwnersPassword] = useState<string | null>(null)
  const close = () => {
    setOpen(false)
    setOwnersPassword(null)
  }
  const send = async (body: { password: string; wipe?: boolean }) => {
    await unwrap(client.DELETE('/api/settings/account', { body }))
    close()
    session.end('signed-out')
  }

  const deleteOwn = async (password: string) => {
    try {
      await send({ password })
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'conflict')) throw error
      setOwnersPassword(password)
    }
  }
  const wipe = async (values: FormData) => {
    if (ownersPassword === null) return
    if (String(values.get('phrase')).trim().toLowerCase() !== PHRASE) throw mustBeTyped()
    await send({ password: ownersPassword, wipe: true })
  }
  return (
    <Card
      id="account"
      tone="bad"
      title="Delete the account"
      about="Your settings, sessions and tokens go with it. This cannot be taken back; export first if you may miss something."
    >
      <Button kind="warning" onClick={() => setOpen(true)}>
        Delete account
      </Button>
      <PasswordDialog
        open={open && ownersPassword === null}
        onClose={close}
        alert
        danger
        title="Delete your account?"
        about={email === undefined ? undefined : `The account ${email} goes, with all that is its own.`}
        action="Delete account"
        onConfirm={deleteOwn}
      />
      <FormDialog
        open={open && ownersPassword !== null}
        onClose={close}
        alert
        danger
        title="You own this instance"
        action="Delete everything"
        onSubmit={wipe}
      >
        <Notice tone="bad" icon={TriangleAlert}>
          Deleting the owner’s account deletes everything in the instance, for everyone who uses it: every
          account, and all mail, tasks, events and files. Nothing is kept, and nothing can be brought back.
        </Notice>
        <TextField
          name="phrase"
          label={`Type “${PHRASE}” to confirm`}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
      </FormDialog>
    </Card>
  )
}
