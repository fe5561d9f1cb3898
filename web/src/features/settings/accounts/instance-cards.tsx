import { useQuery } from '@tanstack/react-query'
import { Info, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import * as t from '#locale/accounts'
import * as common from '#locale/shared-texts'
import { signInOptionsQuery } from '../../../api/account.ts'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { instanceSettingsQuery } from '../../../api/instance-settings.ts'
import { mailAccountsQuery } from '../../../api/mail-accounts.ts'
import { useRefetch } from '../../../api/use-refetch.ts'
import { Card } from '../../../ui/card.tsx'
import { PasswordDialog } from '../../../ui/dialog.tsx'
import { Options, SelectField } from '../../../ui/field.tsx'
import { Form, SaveButton } from '../../../ui/form.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useAttempt } from '../../../ui/use-attempt.ts'
import { GigabytesField, readLimit } from './gigabytes-field.tsx'

type Settings = Shape<'InstanceSettings'>
type Change = Shape<'InstanceSettingsChange'>

const useInstanceSettings = () => {
  const client = useClient()
  const notify = useNotify()
  const attempt = useAttempt()
  const query = useQuery(instanceSettingsQuery(client))
  const refresh = useRefetch(instanceSettingsQuery(client).queryKey, signInOptionsQuery.queryKey)
  const save = async (body: Change): Promise<void> => {
    await unwrap(client.PATCH('/api/instance', { body }))
    await refresh()
  }
  /** Saves a single choice at once. The toast offers to undo it. */
  const choose = async (change: Change, saved: string, previous?: Change): Promise<void> => {
    const isSaved = await attempt(async () => {
      await save(change)
      notify(saved, { ...(previous && { undo: () => void choose(previous, saved) }) })
    })
    if (!isSaved) await refresh()
  }
  return { query, save, choose, notify }
}

export const RegistrationCard = () => {
  const { query, choose } = useInstanceSettings()
  return (
    <Card id="registration" title={t.registration} about={t.registrationAbout}>
      <Loaded query={query}>
        {({ registration, registrationIsFixed }) => (
          <>
            {registrationIsFixed && <Notice icon={Info}>{t.registrationFixed}</Notice>}
            <SelectField
              name="registration"
              label={t.whoMayRegister}
              value={registration}
              disabled={registrationIsFixed}
              onChange={(event) =>
                void choose(
                  { registration: event.target.value as Settings['registration'] },
                  t.registrationSaved,
                  { registration },
                )
              }
            >
              <Options entries={Object.entries(t.registrations)} />
            </SelectField>
          </>
        )}
      </Loaded>
    </Card>
  )
}

export const DefaultStorageCard = () => {
  const { query, save, notify } = useInstanceSettings()
  const submit = async (values: FormData): Promise<void> => {
    await save({ defaultStorageQuotaBytes: readLimit(values) })
    notify(t.storageLimitSaved)
  }
  return (
    <Card id="default-storage" title={t.defaultStorage} about={t.defaultStorageAbout}>
      <Loaded query={query}>
        {({ defaultStorageQuotaBytes }) => (
          <Form
            key={defaultStorageQuotaBytes}
            label={t.defaultStorage}
            savedAs="default-storage"
            onSubmit={submit}
          >
            <GigabytesField label={t.gigabytes} limit={defaultStorageQuotaBytes} />
            <div className="form-actions">
              <SaveButton />
            </div>
          </Form>
        )}
      </Loaded>
    </Card>
  )
}

/** Says which address sends the mail of the instance, or why it cannot send any. */
const SenderNotice = ({ mailAddress, mailIsFixed, hasPublicUrl }: Settings) => {
  if (mailAddress === null)
    return (
      <Notice tone="warn" icon={TriangleAlert}>
        <p>{t.noSender}</p>
        <Link href="/settings/mail-accounts">{t.addMailAccount}</Link>
      </Notice>
    )
  return (
    <>
      <Notice icon={Info}>
        <p>{mailIsFixed ? t.sentByServer(mailAddress) : t.sentFrom(mailAddress)}</p>
      </Notice>
      {!hasPublicUrl && (
        <Notice tone="warn" icon={TriangleAlert}>
          {t.noPublicUrl}
        </Notice>
      )}
    </>
  )
}

export const InstanceMailCard = () => {
  const client = useClient()
  const { query, save, notify } = useInstanceSettings()
  /** The choice that waits for the password; empty for the oldest account. */
  const [chosen, setChosen] = useState<string | null>(null)
  const confirm = async (password: string) => {
    await save({ mailAccountId: chosen || null, password })
    setChosen(null)
    notify(t.senderSaved)
  }
  const mailAccounts = useQuery(mailAccountsQuery(client)).data ?? []
  return (
    <Card id="instance-mail" title={t.instanceMail} about={t.instanceMailAbout}>
      <Loaded query={query}>
        {(settings) => (
          <div className="stack">
            <SenderNotice {...settings} />
            {!settings.mailIsFixed && mailAccounts.length > 0 && (
              <SelectField
                name="mailAccountId"
                label={t.sender}
                value={settings.mailAccountId ?? ''}
                onChange={(event) => setChosen(event.target.value)}
              >
                <option value="">{t.oldestMailAccount}</option>
                {mailAccounts.map(({ id, address, enabled }) => (
                  <option key={id} value={id} disabled={!enabled}>
                    {enabled ? address : t.turnedOffAccount(address)}
                  </option>
                ))}
              </SelectField>
            )}
            <PasswordDialog
              open={chosen !== null}
              onClose={() => setChosen(null)}
              title={t.changeSender}
              about={t.instanceMailAbout}
              action={common.save}
              savedAs={null}
              onConfirm={confirm}
            />
          </div>
        )}
      </Loaded>
    </Card>
  )
}
