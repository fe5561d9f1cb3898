import { useQuery } from '@tanstack/react-query'
import { BellRing, PencilLine, Smartphone, Trash2 } from 'lucide-react'
import { useState } from 'react'
import * as t from '#locale/apps'
import { sections } from '#locale/settings'
import * as common from '#locale/shared-texts'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { usePaged } from '../../../api/paged.ts'
import { useRefetch } from '../../../api/use-refetch.ts'
import { Page } from '../../../shell/page.tsx'
import { Tag } from '../../../ui/card.tsx'
import { ConfirmDialog, FormDialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { readText } from '../../../ui/form-values.ts'
import { ListCard } from '../../../ui/list-card.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { Row } from '../../../ui/rows.tsx'
import { OneTimeSecretDialog } from '../../../ui/secret.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useAttempt } from '../../../ui/use-attempt.ts'
import { useItemDialog } from '../../../ui/use-item-dialog.ts'
import { useLastValue } from '../../../ui/use-last-value.ts'
import { LastUsed } from '../tokens/tokens-section.tsx'
import { NewPasswordDialog } from './new-password-dialog.tsx'
import { ReachNotice, SetupCard, Values } from './setup-card.tsx'

type AppPassword = Shape<'AppPassword'>
type CreatedPassword = Shape<'AppPasswordWithSecret'>

const key = ['app-passwords']
const AREAS = ['calendars', 'tasks', 'contacts'] as const

interface PasswordRowProps {
  appPassword: AppPassword
  onRename: () => void
  onAskFirst: () => void
  onRevoke: () => void
}

const PasswordRow = ({ appPassword, onRename, onAskFirst, onRevoke }: PasswordRowProps) => {
  const { name, access, invitations, lastUsedAt } = appPassword
  return (
    <Row
      icon={Smartphone}
      title={name}
      actions={
        <RowMenu
          label={t.actionsFor(name)}
          actions={[
            { label: t.rename, icon: PencilLine, onSelect: onRename },
            ...(invitations === 'yes' ? [{ label: t.askFirst, icon: BellRing, onSelect: onAskFirst }] : []),
            { label: t.revoke, icon: Trash2, onSelect: onRevoke },
          ]}
        />
      }
    >
      <ul className="token-scopes" aria-label={t.appPasswords}>
        {AREAS.map((area) => {
          const level = access[area]
          return (
            level !== 'none' && (
              <li key={area}>
                <Tag>{t.grants[area][level]}</Tag>
              </li>
            )
          )
        })}
      </ul>
      <p className="row-notes">
        {access.calendars === 'write' && <span>{t.invitationNotes[invitations]}</span>}
        <LastUsed at={lastUsedAt} />
      </p>
    </Row>
  )
}

interface CreatedDialogProps {
  created: CreatedPassword | null
  server: Shape<'DavServer'> | undefined
  onClose: () => void
}

const CreatedDialog = ({ created, server, onClose }: CreatedDialogProps) => {
  const [isSaved, setIsSaved] = useState(false)
  const displayed = useLastValue(created)
  const close = () => {
    setIsSaved(false)
    onClose()
  }
  return (
    <OneTimeSecretDialog
      open={created !== null}
      title={t.yourPassword}
      about={t.yourPasswordAbout}
      isSaved={isSaved}
      onClose={close}
    >
      {displayed !== null && server && (
        <Values
          server={{ url: server.url, username: displayed.username }}
          password={displayed.password}
          onCopied={() => setIsSaved(true)}
        />
      )}
    </OneTimeSecretDialog>
  )
}

/** App passwords, and how to connect calendar, task and contact apps (CalDAV, CardDAV). */
export const AppsSection = () => {
  const client = useClient()
  const notify = useNotify()
  const attempt = useAttempt()
  const query = usePaged(key, (page) =>
    unwrap(client.GET('/api/settings/app-passwords', { params: { query: page } })),
  )
  const server = useQuery({ queryKey: ['dav'], queryFn: () => unwrap(client.GET('/api/settings/dav')) })
  const [isCreating, setIsCreating] = useState(false)
  const [created, setCreated] = useState<CreatedPassword | null>(null)
  const dialog = useItemDialog<AppPassword, 'rename' | 'revoke'>()
  const changed = useRefetch(key, ['activity'])

  const change = async (id: string, body: Shape<'AppPasswordChange'>) => {
    await unwrap(client.PATCH('/api/settings/app-passwords/{id}', { params: { path: { id } }, body }))
    await changed()
  }
  const rename = async (values: FormData) => {
    if (!dialog.lastItem) return
    await change(dialog.lastItem.id, { name: readText(values, 'name') })
    dialog.close()
    notify(t.renamed)
  }
  const askFirst = async ({ id, name }: AppPassword) => {
    await change(id, { invitations: 'ask' })
    notify(t.asksFirst(name))
  }
  const revoke = async ({ id, name }: AppPassword) => {
    await unwrap(client.DELETE('/api/settings/app-passwords/{id}', { params: { path: { id } } }))
    await changed()
    notify(t.revoked(name))
  }
  return (
    <Page title={sections.apps.label} within={common.settings} about={t.appsAbout}>
      {server.data && <ReachNotice reach={server.data.reach} />}
      <Notice>
        <p>{t.onlyCalendars}</p>
      </Notice>
      <ListCard
        id="app-passwords"
        title={t.appPasswords}
        add={{ label: t.newPassword, onClick: () => setIsCreating(true) }}
        query={query}
        itemsOf={({ appPasswords }) => appPasswords}
        empty={{ icon: Smartphone, title: t.noPasswords, about: t.noPasswordsAbout }}
      >
        {(appPassword) => (
          <PasswordRow
            key={appPassword.id}
            appPassword={appPassword}
            onRename={() => dialog.open('rename', appPassword)}
            onAskFirst={() => void attempt(() => askFirst(appPassword))}
            onRevoke={() => dialog.open('revoke', appPassword)}
          />
        )}
      </ListCard>
      <Loaded query={server}>{(data) => <SetupCard server={data} />}</Loaded>
      <NewPasswordDialog
        open={isCreating}
        onClose={() => setIsCreating(false)}
        onCreated={async (password) => {
          setCreated(password)
          await changed()
        }}
      />
      <CreatedDialog created={created} server={server.data} onClose={() => setCreated(null)} />
      <FormDialog
        open={dialog.itemOf('rename') !== null}
        onClose={dialog.close}
        title={t.renameTitle}
        savedAs={`app-password:${dialog.lastItem?.id}`}
        onSubmit={rename}
      >
        <TextField
          key={dialog.lastItem?.id}
          name="name"
          label={t.name}
          defaultValue={dialog.lastItem?.name}
          maxLength={100}
          autoComplete="off"
          required
        />
      </FormDialog>
      <ConfirmDialog
        item={dialog.itemOf('revoke')}
        onClose={dialog.close}
        title={(appPassword) => t.revokeTitle(appPassword.name)}
        about={() => t.revokeAbout}
        action={t.revoke}
        onConfirm={revoke}
      />
    </Page>
  )
}
