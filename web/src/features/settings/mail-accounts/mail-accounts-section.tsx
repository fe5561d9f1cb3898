import { useQuery } from '@tanstack/react-query'
import { CalendarPlus, Mail, MailPlus, Signature } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import * as writingTexts from '#locale/mail-templates'
import * as t from '#locale/remote-accounts'
import * as common from '#locale/shared-texts'
import { calendarAccountsQuery } from '../../../api/calendar-accounts.ts'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { mailAccountsQuery } from '../../../api/mail-accounts.ts'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import {
  AccountRow,
  EditAccountButton,
  LastSync,
  RemoteAccountsSection,
  type RowCallbacks,
  SyncError,
  SyncProgress,
  useRemoteAccountActions,
} from '../remote-accounts/remote-accounts.tsx'
import { EditMailAccountDialog, SignInButton, TestResult, useProviderSignIn } from './account-dialogs.tsx'
import type { MailAccount } from './account-form.ts'
import { AddMailAccountDialog } from './connect-dialog.tsx'
import { RemoteImagesCard } from './remote-images-card.tsx'
import { WritingDialog } from './writing-dialog.tsx'
import './mail-accounts.css'

/** Shows a toast after the OAuth redirect, which sets the `connected` parameter. */
const useOAuthReturn = () => {
  const search = useSearch()
  const [, navigate] = useLocation()
  const notify = useNotify()
  const isReported = useRef(false)
  useEffect(() => {
    const parameters = new URLSearchParams(search)
    if (isReported.current || !parameters.has('connected')) return
    isReported.current = true
    if (parameters.get('calendar') === 'denied') notify(t.connectedWithoutCalendar, { failed: true })
    else notify(t.connected)
    navigate('/settings/mail-accounts', { replace: true })
  }, [search, navigate, notify])
}

const at = ({ id }: MailAccount) => ({ path: { id } })

const useMailAccountActions = () => {
  const client = useClient()
  const actions = useRemoteAccountActions('mail-accounts', {
    test: (account: MailAccount) =>
      unwrap(client.POST('/api/settings/mail-accounts/{id}/test', { params: at(account) })),
    sync: (account) => unwrap(client.POST('/api/settings/mail-accounts/{id}/sync', { params: at(account) })),
    setEnabled: (account, enabled) =>
      unwrap(client.PATCH('/api/settings/mail-accounts/{id}', { params: at(account), body: { enabled } })),
  })
  const remove = (account: MailAccount) =>
    actions.remove(
      account,
      unwrap(client.DELETE('/api/settings/mail-accounts/{id}', { params: at(account) })),
    )
  return { ...actions, remove }
}

export const MailAccountsSection = () => {
  useOAuthReturn()
  const query = useQuery(mailAccountsQuery(useClient()))
  const actions = useMailAccountActions()
  return (
    <RemoteAccountsSection
      id="mail-accounts"
      title={t.emailAccounts}
      about={t.emailAccountsAbout}
      empty={{
        icon: MailPlus,
        title: t.noEmailAccount,
        about: t.noEmailAccountAbout,
      }}
      addedText={({ name }) => t.emailAccountAdded(name)}
      query={query}
      actions={actions}
      renderRow={(account, callbacks) => (
        <MailAccountRow key={account.id} account={account} callbacks={callbacks} />
      )}
      renderAddDialog={(dialog) => <AddMailAccountDialog {...dialog} />}
      renderEditDialog={(dialog) => <EditMailAccountDialog {...dialog} />}
      renderRemoveDialog={({ account, onClose }) => (
        <ConfirmDialog
          item={account}
          onClose={onClose}
          title={({ name }) => t.deleteTitle(name)}
          about={() => t.deleteEmailAccountAbout}
          action={common.remove}
          onConfirm={actions.remove}
        />
      )}
    >
      <RemoteImagesCard />
    </RemoteAccountsSection>
  )
}

const Notes = ({ account: { name, address, imap, sync } }: { account: MailAccount }) => (
  <>
    {name !== address && <span>{address}</span>}
    <span>{imap.host}</span>
    <LastSync at={sync.lastSyncAt} />
    {sync.progress.stored > 0 && sync.status !== 'syncing' && (
      <span>{t.emailCount(sync.progress.stored)}</span>
    )}
    {sync.unreadable > 0 && <span>{t.unreadableEmails(sync.unreadable)}</span>}
  </>
)

/** The action that connects the calendars of a Google account, unless they are connected. */
const useCalendarAction = ({ id, address, signIn }: MailAccount) => {
  const notify = useNotify()
  const { data } = useQuery(calendarAccountsQuery(useClient()))
  const { begin } = useProviderSignIn((why) => notify(why, { failed: true }))
  const isConnected = data?.some(({ mailAccountId }) => mailAccountId === id) ?? true
  if (signIn !== 'google' || isConnected) return []
  return [
    {
      label: t.connectCalendars,
      icon: CalendarPlus,
      onSelect: () => void begin({ provider: signIn, accountId: id, address, calendar: true }),
    },
  ]
}

interface MailAccountRowProps {
  account: MailAccount
  callbacks: RowCallbacks<Shape<'MailTest'>>
}

const MailAccountRow = ({ account, callbacks }: MailAccountRowProps) => {
  const [refused, setRefused] = useState<string | null>(null)
  const [isWriting, setIsWriting] = useState(false)
  const { name, sync, signIn } = account
  const calendarAction = useCalendarAction(account)
  return (
    <AccountRow
      icon={Mail}
      account={account}
      status={sync.status}
      notes={<Notes account={account} />}
      renderTestResult={(test) => <TestResult test={test} />}
      callbacks={callbacks}
      moreActions={[
        { label: writingTexts.writing, icon: Signature, onSelect: () => setIsWriting(true) },
        ...calendarAction,
      ]}
    >
      {isWriting && <WritingDialog account={account} onClose={() => setIsWriting(false)} />}
      <SyncProgress
        status={sync.status}
        label={t.progressLabel(name)}
        done={sync.progress.stored}
        total={sync.progress.total}
        text={t.emailProgress({ done: sync.progress.stored, total: sync.progress.total })}
      />
      <SyncError error={sync.error}>
        {refused !== null && <p>{refused}</p>}
        {sync.status === 'paused' ? null : signIn === 'password' ? (
          <EditAccountButton onEdit={callbacks.onEdit} />
        ) : (
          <SignInButton
            provider={signIn}
            address={account.address}
            accountId={account.id}
            size="small"
            onRefused={setRefused}
          />
        )}
      </SyncError>
    </AccountRow>
  )
}
