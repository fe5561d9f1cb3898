import { CalendarSync, CircleAlert, Rss } from 'lucide-react'
import type { Shape } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { CountedProgress } from '../../../ui/counted-progress.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { type AccountActions, AccountRow, LastSync } from '../accounts/account-row.tsx'
import type { CalendarAccount } from './account-form.ts'
import { type Calendar, FollowedCalendars } from './followed-calendars.tsx'
import { TestResult } from './test-result.tsx'
import { UnreadableEvents } from './unreadable-events.tsx'

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

interface CalendarAccountRowProps extends AccountActions<Shape<'CalendarTest'>> {
  account: CalendarAccount
  onFollow: (calendar: Calendar, followed: boolean) => Promise<unknown>
}

export const CalendarAccountRow = ({ account, onFollow, ...actions }: CalendarAccountRowProps) => {
  const { name, kind, sync, calendars } = account
  return (
    <AccountRow
      {...actions}
      icon={kind === 'caldav' ? CalendarSync : Rss}
      account={account}
      state={STATES[sync.status]}
      notes={<Notes account={account} />}
      syncLabel={`Look at ${name} now`}
      testing="Testing…"
      renderTestResult={(test) => <TestResult test={test} />}
    >
      {sync.status === 'syncing' && sync.progress.total > 0 && (
        <CountedProgress
          label={`Events fetched for ${name}`}
          done={sync.progress.done}
          total={sync.progress.total}
          things="events"
        />
      )}
      {kind === 'caldav' && calendars.length > 0 && (
        <FollowedCalendars calendars={calendars} onFollow={onFollow} />
      )}
      {sync.unreadable > 0 && <UnreadableEvents account={account} />}
      {sync.error !== null && (
        <Notice tone="bad" icon={CircleAlert}>
          <p>{sync.error}</p>
          <Button size="small" onClick={actions.onEdit}>
            Edit the account
          </Button>
        </Notice>
      )}
    </AccountRow>
  )
}
