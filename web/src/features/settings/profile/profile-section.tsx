import { useState } from 'react'
import * as t from '#locale/account-settings'
import { sections } from '#locale/settings'
import * as common from '#locale/shared-texts'
import { useAccountChanged, useProfile } from '../../../api/account.ts'
import { ifMatch, type Shape, unwrap, unwrapVersion, type Versioned } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { Page } from '../../../shell/page.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { ConfirmPasswordField, FormDialog, passwordOf, WRONG_PASSWORD } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { readText } from '../../../ui/form-values.ts'
import { Loaded } from '../../../ui/loaded.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useVersionedForm, VersionedForm } from '../../../ui/versioned-form.tsx'
import { Picture } from './picture.tsx'

const { label, about, cards } = sections.profile

const NameForm = ({ current }: { current: Versioned<Shape<'Me'>> }) => {
  const client = useClient()
  const changed = useAccountChanged()
  const editing = useVersionedForm({
    current,
    part: ({ name }: Shape<'Me'>) => ({ name }),
    toastText: t.nameSaved,
    read: () => unwrapVersion(client.GET('/api/settings/profile')),
    send: async (body, etag) => {
      const saved = await unwrapVersion(
        client.PATCH('/api/settings/profile', { body, headers: ifMatch(etag) }),
      )
      await changed()
      return saved
    },
  })
  return (
    <VersionedForm
      editing={editing}
      label={cards.name.label}
      describeSaved={({ name }) => t.savedNameIs(name)}
      onSubmit={(values) => editing.save({ name: readText(values, 'name') })}
    >
      <TextField
        name="name"
        label={t.yourName}
        autoComplete="name"
        maxLength={200}
        defaultValue={editing.base.name}
        required
      />
    </VersionedForm>
  )
}

const EmailForm = ({ email }: { email: string }) => {
  const client = useClient()
  const changed = useAccountChanged()
  const notify = useNotify()
  const [open, setOpen] = useState(false)

  const change = async (values: FormData) => {
    const body = { email: String(values.get('email')), password: passwordOf(values) }
    await unwrap(client.POST('/api/settings/security/email', { body }))
    await changed()
    setOpen(false)
    notify(t.emailChanged(body.email))
  }
  return (
    <div className="setting-line">
      <p className="row-main">{email}</p>
      <Button onClick={() => setOpen(true)}>{t.changeEmail}</Button>
      <FormDialog
        open={open}
        onClose={() => setOpen(false)}
        title={t.changeEmail}
        about={t.newEmailAbout}
        action={t.changeEmail}
        codes={{ ...WRONG_PASSWORD, email_taken: 'email' }}
        onSubmit={change}
      >
        <TextField
          name="email"
          label={t.newEmail}
          type="email"
          autoComplete="email"
          autoCapitalize="none"
          required
        />
        <ConfirmPasswordField />
      </FormDialog>
    </div>
  )
}

export const ProfileSection = () => {
  const query = useProfile()
  return (
    <Page title={label} within={common.settings} about={about}>
      <Card id="name" title={cards.name.label}>
        <Loaded query={query} lines={2}>
          {(profile) => <NameForm current={profile} />}
        </Loaded>
      </Card>
      <Card id="picture" title={cards.picture.label} about={t.pictureAbout}>
        <Loaded query={query} lines={2}>
          {({ value }) => <Picture name={value.name} avatarUrl={value.avatarUrl} />}
        </Loaded>
      </Card>
      <Card id="email" title={cards.email.label} about={t.emailAbout}>
        <Loaded query={query} lines={2}>
          {({ value }) => <EmailForm email={value.email} />}
        </Loaded>
      </Card>
    </Page>
  )
}
