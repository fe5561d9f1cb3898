import { type LucideIcon, Pencil, PlugZap, Power, RefreshCw, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Tag } from '../../../ui/card.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { Time } from '../../../ui/time.tsx'
import './account-row.css'

/**
 * Row actions of an account. `onTest` resolves to null if the test could not run; a toast then shows the
 * error.
 */
export interface AccountActions<Test> {
  onTest: () => Promise<Test | null>
  onSync: () => void
  onEdit: () => void
  onTurn: () => void
  onRemove: () => void
}

interface AccountRowProps<Test> extends AccountActions<Test> {
  icon: LucideIcon
  account: { name: string; enabled: boolean }
  state: { tone: 'plain' | 'accent' | 'good' | 'bad'; words: string }
  notes: ReactNode
  /** Label of the sync button. */
  syncLabel: string
  testing: string
  renderTestResult: (test: Test) => ReactNode
  /** Progress and errors below the row. */
  children: ReactNode
}

/** Row of a mail or calendar account. */
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
            aria-label={props.syncLabel}
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
      {test !== null && props.renderTestResult(test)}
    </li>
  )
}

export const LastSync = ({ at, never }: { at: string | null; never: string }) => (
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
