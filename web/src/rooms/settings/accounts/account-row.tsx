import { type LucideIcon, Pencil, PlugZap, Power, RefreshCw, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Tag } from '../../../ui/card.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { Time } from '../../../ui/time.tsx'
import './account-row.css'

/** What is done with an account where it stands; a test that could not be made was told of, and has no result. */
export interface AccountDoors<Test> {
  onTest: () => Promise<Test | null>
  onSync: () => void
  onEdit: () => void
  onTurn: () => void
  onRemove: () => void
}

interface AccountRowProps<Test> extends AccountDoors<Test> {
  icon: LucideIcon
  account: { name: string; enabled: boolean }
  state: { tone: 'plain' | 'accent' | 'good' | 'bad'; words: string }
  notes: ReactNode
  /** What the button says that looks at its server at once. */
  lookNow: string
  testing: string
  shownTest: (test: Test) => ReactNode
  /** Below its line: how far it has come, what troubles it. */
  children: ReactNode
}

/** One account at a server of mail or of calendars. */
export const AccountRow = <Test,>(props: AccountRowProps<Test>) => {
  const { icon: Icon, account, state, notes, onTest, onSync, onEdit, onTurn, onRemove } = props
  const [test, setTest] = useState<Test | null>(null)
  const [isTesting, setIsTesting] = useState(false)
  const run = async () => {
    setTest(null)
    setIsTesting(true)
    setTest(await onTest())
    setIsTesting(false)
  }
  return (
    <li className="account-row">
      <div className="account-row-line">
        <span className="row-icon">
          <Icon size={18} aria-hidden="true" />
        </span>
        <div className="row-main">
          <p className="row-title">
            {account.name}
            <Tag tone={state.tone}>{state.words}</Tag>
          </p>
          <p className="row-notes">{notes}</p>
        </div>
        <div className="row-actions">
          <Button
            kind="quiet"
            shape="icon"
            size="small"
            disabled={!account.enabled}
            aria-label={props.lookNow}
            onClick={onSync}
          >
            <RefreshCw size={17} aria-hidden="true" />
          </Button>
          <RowMenu
            label={`More for ${account.name}`}
            actions={[
              { label: 'Test the connection', icon: PlugZap, onSelect: () => void run() },
              { label: 'Edit', icon: Pencil, onSelect: onEdit },
              { label: account.enabled ? 'Turn off' : 'Turn on', icon: Power, onSelect: onTurn },
              { label: 'Remove', icon: Trash2, onSelect: onRemove },
            ]}
          />
        </div>
      </div>
      {props.children}
      {isTesting && (
        <p className="quiet small" role="status">
          {props.testing}
        </p>
      )}
      {test !== null && props.shownTest(test)}
    </li>
  )
}

export const LastLook = ({ at, never }: { at: string | null; never: string }) => (
  <span>
    {at === null ? (
      never
    ) : (
      <>
        looked <Time at={at} />
      </>
    )}
  </span>
)
