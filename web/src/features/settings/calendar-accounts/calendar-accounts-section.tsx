import { useQuery } from '@tanstack/react-query'
import { CalendarPlus, CalendarSync, Rss } from 'lucide-react'
import { useState } from 'react'
import { calendarAccountsQuery, unreadableEventsQuery } from '../../../api/calendar-accounts.ts'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { describeError } from '../../../api/problem.ts'
import { FormDialog } from '../../../ui/dialog.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { useNotify } from '../../../ui/toast.tsx'
import { useLastValue } from '../../../ui/use-last-value.ts'
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
    syncText: ({ name }) => `Looking at ${name}.`,
  })
  return {
    ...actions,
    follow: (account: CalendarAccount, { id, name }: Calendar, followed: boolean) =>
      actions.runWithToast(
        change(account, { calendars: [{ id, followed }] }),
        followed ? `${name} is being fetched.` : `${name} is no longer shown here.`,
      ),
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
      title="Calendar accounts"
      about="Two-way sync with CalDAV servers, and read-only subscriptions to published calendars."
      cardTitle="Your calendar accounts"
      empty={{
        icon: CalendarPlus,
        title: 'No calendar account yet',
        text: 'Bring the calendar of your phone or your provider here, or follow one that is published.',
      }}
      addedText={({ name }) => `${name} is added. Its events are being fetched.`}
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

const STATES = {
  waiting: { tone: 'plain', words: 'Waiting' },
  syncing: { tone: 'accent', words: 'Looking' },
  live: { tone: 'good', words: 'In step' },
  failing: { tone: 'bad', words: 'Trouble' },
  off: { tone: 'plain', words: 'Off' },
} as const

const Notes = ({ account: { url, username, receivesNew, sync } }: { account: CalendarAccount }) => (
  <>
    <span>{URL.parse(url)?.host ?? url}</span>
    {username !== null && <span>{username}</span>}
    <LastSync at={sync.lastSyncAt} never="not looked at yet" />
    {receivesNew && <span>new events go here</span>}
    {sync.held > 0 && (
      <span>
        {sync.held === 1 ? 'One change' : `${sync.held.toLocaleString('en')} changes`} by mail kept here only
      </span>
    )}
    {sync.waiting > 0 && (
      <span>
        {sync.waiting === 1
          ? 'one change waits to be told the server'
          : `${sync.waiting.toLocaleString('en')} changes wait to be told the server`}
      </span>
    )}
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
      state={STATES[sync.status]}
      notes={<Notes account={account} />}
      syncLabel={`Look at ${name} now`}
      testing="Testing…"
      renderTestResult={(test) => <TestResult test={test} />}
      callbacks={callbacks}
    >
      <SyncProgress
        status={sync.status}
        label={`Events fetched for ${name}`}
        done={sync.progress.done}
        total={sync.progress.total}
        things="events"
      />
      {kind === 'caldav' && calendars.length > 0 && (
        <FollowedCalendars calendars={calendars} onFollow={onFollow} />
      )}
      {sync.unreadable > 0 && <UnreadableEvents account={account} />}
      <SyncError error={sync.error}>
        <EditAccountButton onEdit={callbacks.onEdit} />
      </SyncError>
    </AccountRow>
  )
}

type Calendar = Shape<'RemoteCalendar'>

interface FollowedCalendarsProps {
  calendars: readonly Calendar[]
  /** Settles when the request has finished. */
  onFollow: (calendar: Calendar, followed: boolean) => Promise<unknown>
}

const FollowedCalendars = ({ calendars, onFollow }: FollowedCalendarsProps) => {
  // Optimistic checkbox states, dropped when the request has finished.
  const [pressed, setPressed] = useState<ReadonlyMap<number, boolean>>(new Map())
  const press = async (calendar: Calendar, followed: boolean) => {
    setPressed((before) => new Map(before).set(calendar.id, followed))
    await onFollow(calendar, followed)
    setPressed((before) => new Map([...before].filter(([id]) => id !== calendar.id)))
  }
  return (
    <fieldset className="followed-calendars">
      <legend className="quiet small">Calendars that are shown here</legend>
      {calendars.map((calendar) => (
        <label key={calendar.id} className="check">
          <input
            type="checkbox"
            checked={pressed.get(calendar.id) ?? calendar.followed}
            onChange={({ target }) => void press(calendar, target.checked)}
          />
          <span
            className="calendar-colour"
            style={calendar.colour === null ? undefined : { background: calendar.colour }}
          />
          <span>
            {calendar.name}
            {!calendar.writable && <span className="quiet"> (to be read only)</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

const UnreadableEvents = ({ account: { id, sync } }: { account: CalendarAccount }) => {
  const client = useClient()
  const notify = useNotify()
  const { data = [] } = useQuery(unreadableEventsQuery(client, id, sync.unreadable))
  const download = async (item: UnreadableItem) => {
    try {
      const path = { id, itemId: String(item.id) }
      const call = client.GET('/api/settings/calendar-accounts/{id}/unreadable/{itemId}', {
        params: { path },
        parseAs: 'blob',
      })
      saveFile((await unwrap(call)) as unknown as Blob, `unreadable-${item.id}.ics`)
    } catch (error) {
      notify(describeError(error), { failed: true })
    }
  }
  return (
    <UnreadableNotice
      nouns={['event', 'events']}
      count={sync.unreadable}
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

const RemoveAccountDialog = ({ account, onClose, onRemove }: RemoveAccountDialogProps) => {
  const named = useLastValue(account)
  const remove = async (values: FormData) => {
    if (!account) return
    await onRemove(account, values.get('keep') === null ? 'remove' : 'keep')
    onClose()
  }
  return (
    <FormDialog
      open={account !== null}
      onClose={onClose}
      alert
      danger
      title={`Remove ${named?.name ?? ''}?`}
      about={
        named?.kind === 'ics'
          ? 'It is no longer read, and its events disappear from your calendar here.'
          : 'Nothing happens to the calendars on its server. Their events disappear from your calendar here; only what the server has yet to hear of stays.'
      }
      action="Remove"
      onSubmit={remove}
    >
      <label className="check">
        <input type="checkbox" name="keep" />
        <span>Keep all of its events here</span>
      </label>
    </FormDialog>
  )
}
