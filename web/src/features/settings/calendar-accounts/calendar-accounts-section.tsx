import { useQuery } from '@tanstack/react-query'
import { CalendarPlus, CalendarSync, Rss } from 'lucide-react'
import { useState } from 'react'
import * as t from '#locale/remote-accounts'
import * as common from '#locale/shared-texts'
import { calendarAccountsQuery, unreadableEventsQuery } from '../../../api/calendar-accounts.ts'
import { type Shape, unwrap, unwrapFile } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { CheckField } from '../../../ui/field.tsx'
import { OptimisticCheckbox } from '../../../ui/optimistic-checkbox.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { useAttempt } from '../../../ui/use-attempt.ts'
import { SignInButton } from '../mail-accounts/account-dialogs.tsx'
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
import { type UnreadableItem, UnreadableNotice } from '../remote-accounts/unreadable-notice.tsx'
import { AddCalendarAccountDialog, EditCalendarAccountDialog, TestResult } from './account-dialogs.tsx'
import type { CalendarAccount } from './account-form.ts'
import './calendar-accounts.css'

const useCalendarAccountActions = () => {
  const client = useClient()
  const at = ({ id }: CalendarAccount) => ({ path: { id } })
  const change = (account: CalendarAccount, body: Shape<'CalendarAccountChange'>) =>
    unwrap(client.PATCH('/api/settings/calendar-accounts/{id}', { params: at(account), body }))
  const actions = useRemoteAccountActions('calendar-accounts', {
    test: (account: CalendarAccount) =>
      unwrap(client.POST('/api/settings/calendar-accounts/{id}/test', { params: at(account) })),
    sync: (account) =>
      unwrap(client.POST('/api/settings/calendar-accounts/{id}/sync', { params: at(account) })),
    setEnabled: (account, enabled) => change(account, { enabled }),
  })
  const follow = (
    account: CalendarAccount,
    { id, name }: Calendar,
    followed: boolean,
    undo?: () => void,
  ): Promise<unknown> =>
    actions.runWithToast(
      change(account, { calendars: [{ id, followed }] }),
      followed ? t.calendarFollowed(name) : t.calendarHidden(name),
      undo,
    )
  return {
    ...actions,
    follow: (account: CalendarAccount, calendar: Calendar, followed: boolean) =>
      follow(account, calendar, followed, () => void follow(account, calendar, !followed)),
    remove: (account: CalendarAccount, events: 'remove' | 'keep') => {
      const params = { ...at(account), query: { events } }
      return actions.remove(
        account,
        unwrap(client.DELETE('/api/settings/calendar-accounts/{id}', { params })),
      )
    },
  }
}

export const CalendarAccountsSection = () => {
  const query = useQuery(calendarAccountsQuery(useClient()))
  const actions = useCalendarAccountActions()
  return (
    <RemoteAccountsSection
      id="calendar-accounts"
      title={t.calendarAccounts}
      about={t.calendarAccountsAbout}
      empty={{
        icon: CalendarPlus,
        title: t.noCalendarAccount,
        about: t.noCalendarAccountAbout,
      }}
      addedText={({ name }) => t.calendarAccountAdded(name)}
      query={query}
      actions={actions}
      renderRow={(account, callbacks) => (
        <CalendarAccountRow
          key={account.id}
          account={account}
          callbacks={callbacks}
          onFollow={(calendar, followed) => actions.follow(account, calendar, followed)}
        />
      )}
      renderAddDialog={(dialog) => <AddCalendarAccountDialog {...dialog} />}
      renderEditDialog={(dialog) => <EditCalendarAccountDialog {...dialog} />}
      renderRemoveDialog={(dialog) => <RemoveAccountDialog {...dialog} onRemove={actions.remove} />}
    />
  )
}

const Notes = ({ account: { url, username, receivesNew, sync } }: { account: CalendarAccount }) => (
  <>
    <span>{URL.parse(url)?.host ?? url}</span>
    {username !== null && <span>{username}</span>}
    <LastSync at={sync.lastSyncAt} />
    {receivesNew && <span>{t.newEventsHere}</span>}
    {sync.held > 0 && <span>{t.localChanges(sync.held)}</span>}
    {sync.waiting > 0 && <span>{t.unsyncedChanges(sync.waiting)}</span>}
  </>
)

interface CalendarAccountRowProps {
  account: CalendarAccount
  callbacks: RowCallbacks<Shape<'CalendarTest'>>
  onFollow: FollowedCalendarsProps['onFollow']
}

const CalendarAccountRow = ({ account, callbacks, onFollow }: CalendarAccountRowProps) => {
  const { name, kind, sync, calendars } = account
  return (
    <AccountRow
      icon={kind === 'caldav' ? CalendarSync : Rss}
      account={account}
      status={sync.status}
      notes={<Notes account={account} />}
      renderTestResult={(test) => <TestResult test={test} />}
      callbacks={callbacks}
    >
      <SyncProgress
        status={sync.status}
        label={t.progressLabel(name)}
        done={sync.progress.done}
        total={sync.progress.total}
        text={t.eventProgress(sync.progress)}
      />
      {kind === 'caldav' && calendars.length > 0 && (
        <FollowedCalendars calendars={calendars} onFollow={onFollow} />
      )}
      {sync.unreadable > 0 && <UnreadableEvents account={account} />}
      <AccountProblem account={account} onEdit={callbacks.onEdit} />
    </AccountRow>
  )
}

/** The last error, or the missing sign-in of an account that was imported or lost its mail account. */
const AccountProblem = ({ account, onEdit }: { account: CalendarAccount; onEdit: () => void }) => {
  const [refused, setRefused] = useState<string | null>(null)
  const { signIn, mailAccountId, username, sync } = account
  if (signIn === 'password')
    return (
      <SyncError error={sync.error}>
        <EditAccountButton onEdit={onEdit} />
      </SyncError>
    )
  return (
    <SyncError error={sync.error ?? (mailAccountId === null ? t.signInAgain : null)}>
      {refused !== null && <p>{refused}</p>}
      <SignInButton
        provider={signIn}
        calendar
        {...(username !== null && { address: username })}
        {...(mailAccountId !== null && { accountId: mailAccountId })}
        size="small"
        onRefused={setRefused}
      />
    </SyncError>
  )
}

type Calendar = Shape<'RemoteCalendar'>

interface FollowedCalendarsProps {
  calendars: readonly Calendar[]
  /** Settles when the request has finished. */
  onFollow: (calendar: Calendar, followed: boolean) => Promise<unknown>
}

const FollowedCalendars = ({ calendars, onFollow }: FollowedCalendarsProps) => (
  <fieldset className="followed-calendars">
    <legend className="quiet small">{t.syncedCalendars}</legend>
    {calendars.map((calendar) => (
      <label key={calendar.id} className="check">
        <OptimisticCheckbox
          checked={calendar.followed}
          onChange={(followed) => onFollow(calendar, followed)}
        />
        <span
          className="calendar-color"
          style={calendar.color === null ? undefined : { background: calendar.color }}
        />
        <span>
          {calendar.name}
          {!calendar.writable && <span className="quiet"> ({t.readOnly})</span>}
        </span>
      </label>
    ))}
  </fieldset>
)

const UnreadableEvents = ({ account: { id, sync } }: { account: CalendarAccount }) => {
  const client = useClient()
  const attempt = useAttempt()
  const { data = [] } = useQuery(unreadableEventsQuery(client, id, sync.unreadable))
  const download = (item: UnreadableItem) =>
    attempt(async () => {
      const path = { id, itemId: String(item.id) }
      const call = client.GET('/api/settings/calendar-accounts/{id}/unreadable/{itemId}', {
        params: { path },
        parseAs: 'blob',
      })
      saveFile(await unwrapFile(call), `unreadable-${item.id}.ics`)
    })
  return (
    <UnreadableNotice
      text={t.unreadableEvents(sync.unreadable)}
      items={data}
      onDownload={(item) => void download(item)}
    />
  )
}

interface RemoveAccountDialogProps {
  /** Null closes the dialog. */
  account: CalendarAccount | null
  onClose: () => void
  onRemove: (account: CalendarAccount, events: 'remove' | 'keep') => Promise<void>
}

const RemoveAccountDialog = ({ account, onClose, onRemove }: RemoveAccountDialogProps) => (
  <ConfirmDialog
    item={account}
    onClose={onClose}
    title={({ name }) => t.deleteTitle(name)}
    about={({ kind }) => (kind === 'ics' ? t.deleteSubscriptionAbout : t.deleteCalendarAccountAbout)}
    action={common.remove}
    onConfirm={(removed, values) => onRemove(removed, values.get('keep') === null ? 'remove' : 'keep')}
  >
    <CheckField name="keep" label={t.keepEvents} />
  </ConfirmDialog>
)
