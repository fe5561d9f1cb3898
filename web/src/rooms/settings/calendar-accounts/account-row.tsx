import { CalendarSync, CircleAlert, Pencil, PlugZap, Power, RefreshCw, Rss, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Shape } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Tag } from '../../../ui/card.tsx'
import { CountedProgress } from '../../../ui/counted-progress.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { Time } from '../../../ui/time.tsx'
import type { CalendarAccount } from './account-form.ts'
import { type Calendar, FollowedCalendars } from './followed-calendars.tsx'
import { TestResult } from './test-result.tsx'

const STATES = {
  waiting: { tone: 'plain', words: 'Waiting' },
  syncing: { tone: 'accent', words: 'Looking' },
  live: { tone: 'good', words: 'In step' },
  failing: { tone: 'bad', words: 'Trouble' },
  off: { tone: 'plain', words: 'Off' },
} as const

const Notes = ({ account: { url, username, receivesNew, sync } }: { account: CalendarAccount }) => (
  <p className="row-notes">
    <span>{URL.parse(url)?.host ?? url}</span>
    {username !== null && <span>{username}</span>}
    <span>
      {sync.lastSyncAt === null ? (
        'not looked at yet'
      ) : (
        <>
          looked <Time at={sync.lastSyncAt} />
        </>
      )}
    </span>
    {receivesNew && <span>new events go here</span>}
    {sync.waiting > 0 && (
      <span>
        {sync.waiting === 1
          ? 'one change waits to be told the server'
          : `${sync.waiting.toLocaleString('en')} changes wait to be told the server`}
      </span>
    )}
  </p>
)

interface AccountRowProps {
  account: CalendarAccount
  onTest: () => Promise<Shape<'CalendarTest'> | null>
  onSync: () => void
  onEdit: () => void
  onTurn: () => void
  onRemove: () => void
  onFollow: (calendar: Calendar, followed: boolean) => Promise<unknown>
}

export const AccountRow = (props: AccountRowProps) => {
  const { account, onTest, onSync, onEdit, onTurn, onRemove, onFollow } = props
  const [test, setTest] = useState<Shape<'CalendarTest'> | null>(null)
  const [isTesting, setIsTesting] = useState(false)
  const { name, kind, sync, enabled } = account
  const { tone, words } = STATES[sync.status]
  const Icon = kind === 'caldav' ? CalendarSync : Rss
  const run = async () => {
    setTest(null)
    setIsTesting(true)
    setTest(await onTest())
    setIsTesting(false)
  }
  return (
    <li className="calendar-account">
      <div className="calendar-account-line">
        <span className="row-icon">
          <Icon size={18} aria-hidden="true" />
        </span>
        <div className="row-main">
          <p className="row-title">
            {name}
            <Tag tone={tone}>{words}</Tag>
          </p>
          <Notes account={account} />
        </div>
        <div className="row-actions">
          <Button
            kind="quiet"
            shape="icon"
            size="small"
            disabled={!enabled}
            aria-label={`Look at ${name} now`}
            onClick={onSync}
          >
            <RefreshCw size={17} aria-hidden="true" />
          </Button>
          <RowMenu
            label={`More for ${name}`}
            actions={[
              { label: 'Test the connection', icon: PlugZap, onSelect: () => void run() },
              { label: 'Edit', icon: Pencil, onSelect: onEdit },
              { label: enabled ? 'Turn off' : 'Turn on', icon: Power, onSelect: onTurn },
              { label: 'Remove', icon: Trash2, onSelect: onRemove },
            ]}
          />
        </div>
      </div>
      {sync.status === 'syncing' && sync.progress.total > 0 && (
        <CountedProgress
          label={`Events fetched for ${name}`}
          done={sync.progress.done}
          total={sync.progress.total}
          things="events"
        />
      )}
      {kind === 'caldav' && account.calendars.length > 0 && (
        <FollowedCalendars calendars={account.calendars} onFollow={onFollow} />
      )}
      {sync.error !== null && (
        <Notice tone="bad" icon={CircleAlert}>
          <p>{sync.error}</p>
          <Button size="small" onClick={onEdit}>
            Edit the account
          </Button>
        </Notice>
      )}
      {isTesting && (
        <p className="quiet small" role="status">
          Testing…
        </p>
      )}
      {test && <TestResult test={test} />}
    </li>
  )
}
