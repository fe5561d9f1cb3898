import { useState } from 'react'
import * as t from '#locale/apps'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { toFieldError } from '../../../api/problem.ts'
import { ConfirmPasswordField, FormDialog, passwordOf, WRONG_PASSWORD } from '../../../ui/dialog.tsx'
import { Options, SelectField, TextField } from '../../../ui/field.tsx'
import { readText } from '../../../ui/form-values.ts'
import '../tokens/tokens.css'

type Access = Shape<'AppAccess'>
type Level = Access['calendars']
type Invitations = Shape<'AppPassword'>['invitations']

const LEVELS = Object.entries(t.levels)
const CHOICES = Object.entries(t.invitationChoices)

interface NewPasswordDialogProps {
  open: boolean
  onClose: () => void
  onCreated: (created: Shape<'AppPasswordWithSecret'>) => Promise<void>
}

export const NewPasswordDialog = ({ open, onClose, onCreated }: NewPasswordDialogProps) => {
  const client = useClient()
  const [invitations, setInvitations] = useState<Invitations>('ask')
  const close = () => {
    setInvitations('ask')
    onClose()
  }
  const create = async (values: FormData) => {
    const level = (area: keyof Access) => String(values.get(area)) as Level
    const access = { calendars: level('calendars'), tasks: level('tasks'), contacts: level('contacts') }
    if (Object.values(access).every((granted) => granted === 'none'))
      throw toFieldError('calendars', t.accessMissing, t.accessMissing)
    const body = { name: readText(values, 'name'), access, invitations, password: passwordOf(values) }
    const created = await unwrap(client.POST('/api/settings/app-passwords', { body }))
    close()
    await onCreated(created)
  }
  return (
    <FormDialog
      open={open}
      onClose={close}
      title={t.newPassword}
      about={t.newPasswordAbout}
      action={t.createPassword}
      savedAs="app-password"
      codes={WRONG_PASSWORD}
      onSubmit={create}
    >
      <TextField name="name" label={t.name} hint={t.nameHint} maxLength={100} autoComplete="off" required />
      <div className="field-pair">
        <SelectField name="calendars" label={t.calendars} defaultValue="write">
          <Options entries={LEVELS} />
        </SelectField>
        <SelectField name="tasks" label={t.tasks} defaultValue="write">
          <Options entries={LEVELS} />
        </SelectField>
        <SelectField name="contacts" label={t.contacts} defaultValue="write">
          <Options entries={LEVELS} />
        </SelectField>
      </div>
      <SelectField
        name="invitations"
        label={t.invitations}
        hint={t.invitationNotes[invitations]}
        value={invitations}
        onChange={(event) => setInvitations(event.target.value as Invitations)}
      >
        <Options entries={CHOICES} />
      </SelectField>
      <ConfirmPasswordField />
    </FormDialog>
  )
}
