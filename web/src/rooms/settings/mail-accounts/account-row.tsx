import { CircleAlert, Mail, Pencil, PlugZap, Power, RefreshCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Shape } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Tag } from '../../../ui/card.tsx'
import { CountedProgress } from '../../../ui/counted-progress.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { Time } from '../../../ui/time.tsx'
import type { MailAccount } from './account-form.ts'
import { SignInButton } from './sign-in-button.tsx'
import { TestResult } from './test-result.tsx'

const STATES = {
  waiting: { tone: 'plain', words: 'Waiting' },
  syncing: { tone: 'accent', words: 'Fetching' },
  live: { tone: 'good', words: 'In step' },
  failing: { tone: 'bad', words: 'Trouble' },
  signed_out: { tone: 'bad', words: 'Signed out' },
  off: { tone: 'plain', words: 'Off' },
} as const

const Progress = ({ account }: { account: MailAccount }) => {
  const { status, progress } = account.sync
  if (status !== 'syncing' || progress.total === 0) return null
  return (
    <CountedProgress
      label={`Messages fetched for ${account.name}`}
      done={progress.stored}
      total={progress.total}
      things="messages"
    />
  )
}

interface AccountRowProps {
  account: MailAccount
  onTest: () => Promise<Shape<'MailTest'> | null>
  onSync: () => void
  onEdit: () => void
  onTurn: () => void
  onRemove: () => void
}

export const AccountRow = ({ account, onTest, onSync, onEdit, onTurn, onRemove }: AccountRowProps) => {
  const [test, setTest] = useState<Shape<'MailTest'> | null>(null)
  const [isTesting, setIsTesting] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const { name, address, sync, signIn, enabled } = account
  const { tone, words } = STATES[sync.status]
  const run = async () => {
    setTest(null)
    setIsTesting(true)
    setTest(await onTest())
    setIsTesting(false)
  }
  return (
    <li className="mail-account">
      <div className="mail-account-line">
        <span className="row-icon">
          <Mail size={18} aria-hidden="true" />
        </span>
        <div className="row-main">
          <p className="row-title">
            {name}
            <Tag tone={tone}>{words}</Tag>
          </p>
          <p className="row-notes">
            {name !== address && <span>{address}</span>}
            <span>{account.imap.host}</span>
            <span>
              {sync.lastSyncAt === null ? (
                'not fetched yet'
              ) : (
                <>
                  looked <Time at={sync.lastSyncAt} />
                </>
              )}
            </span>
            {sync.progress.stored > 0 && sync.status !== 'syncing' && (
              <span>{sync.progress.stored.toLocaleString('en')} messages</span>
            )}
          </p>
        </div>
        <div className="row-actions">
          <Button
            kind="quiet"
            shape="icon"
            size="small"
            disabled={!enabled}
            aria-label={`Look for mail of ${name} now`}
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
      <Progress account={account} />
      {sync.error !== null && (
        <Notice tone="bad" icon={CircleAlert}>
          <p>{sync.error}</p>
          {refused !== null && <p>{refused}</p>}
          {signIn === 'password' ? (
            <Button size="small" onClick={onEdit}>
              Edit the account
            </Button>
          ) : (
            <SignInButton
              provider={signIn}
              address={address}
              accountId={account.id}
              size="small"
              onRefused={setRefused}
            />
          )}
        </Notice>
      )}
      {isTesting && (
        <p className="quiet small" role="status">
          Testing both servers…
        </p>
      )}
      {test && <TestResult test={test} />}
    </li>
  )
}
