import { CircleAlert, Mail } from 'lucide-react'
import { useState } from 'react'
import type { Shape } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { CountedProgress } from '../../../ui/counted-progress.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { type AccountActions, AccountRow, LastSync } from '../accounts/account-row.tsx'
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

const Notes = ({ account: { name, address, imap, sync } }: { account: MailAccount }) => (
  <>
    {name !== address && <span>{address}</span>}
    <span>{imap.host}</span>
    <LastSync at={sync.lastSyncAt} never="not fetched yet" />
    {sync.progress.stored > 0 && sync.status !== 'syncing' && (
      <span>{sync.progress.stored.toLocaleString('en')} messages</span>
    )}
    {sync.unreadable > 0 && <span>{sync.unreadable.toLocaleString('en')} could not be read</span>}
  </>
)

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

interface MailAccountRowProps extends AccountActions<Shape<'MailTest'>> {
  account: MailAccount
}

export const MailAccountRow = ({ account, ...actions }: MailAccountRowProps) => {
  const [refused, setRefused] = useState<string | null>(null)
  const { sync, signIn } = account
  return (
    <AccountRow
      {...actions}
      icon={Mail}
      account={account}
      state={STATES[sync.status]}
      notes={<Notes account={account} />}
      syncLabel={`Look for mail of ${account.name} now`}
      testing="Testing both servers…"
      renderTestResult={(test) => <TestResult test={test} />}
    >
      <Progress account={account} />
      {sync.error !== null && (
        <Notice tone="bad" icon={CircleAlert}>
          <p>{sync.error}</p>
          {refused !== null && <p>{refused}</p>}
          {signIn === 'password' ? (
            <Button size="small" onClick={actions.onEdit}>
              Edit the account
            </Button>
          ) : (
            <SignInButton
              provider={signIn}
              address={account.address}
              accountId={account.id}
              size="small"
              onRefused={setRefused}
            />
          )}
        </Notice>
      )}
    </AccountRow>
  )
}
