import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import { CircleAlert, type LucideIcon, Pencil, PlugZap, Plus, Power, RefreshCw, Trash2 } from 'lucide-react'
import { type ReactNode, type SyntheticEvent, useRef, useState } from 'react'
import { describeError } from '../../../api/problem.ts'
import { Page } from '../../../shell/page.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, Tag } from '../../../ui/card.tsx'
import { CountedProgress } from '../../../ui/counted-progress.tsx'
import { FormDialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Empty, Notice } from '../../../ui/notice.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { Time } from '../../../ui/time.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useLastValue } from '../../../ui/use-last-value.ts'
import './remote-accounts.css'

/** Fields that mail accounts and calendar accounts share. */
interface RemoteAccount {
  id: string
  name: string
  enabled: boolean
  sync: { status: string; lastSyncAt: string | null; error: string | null }
}

interface AccountRequests<Account, Test> {
  test: (account: Account) => Promise<Test>
  sync: (account: Account) => Promise<unknown>
  setEnabled: (account: Account, enabled: boolean) => Promise<unknown>
  syncText: (account: Account) => string
}

/** Account actions. A toast reports the result, and the account list is fetched again. */
export const useRemoteAccountActions = <Account extends RemoteAccount, Test>(
  queryKey: 'mail-accounts' | 'calendar-accounts',
  requests: AccountRequests<Account, Test>,
) => {
  const queries = useQueryClient()
  const notify = useNotify()
  const changed = async (): Promise<void> => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: [queryKey] }),
      queries.invalidateQueries({ queryKey: ['activity'] }),
    ])
  }
  /** Resolves to null if the request failed. */
  const runWithToast = async <T,>(request: Promise<T>, toastText: string | null): Promise<T | null> => {
    try {
      const result = await request
      await changed()
      if (toastText !== null) notify(toastText)
      return result
    } catch (error) {
      notify(describeError(error), { failed: true })
      return null
    }
  }
  return {
    changed,
    runWithToast,
    test: (account: Account) => runWithToast(requests.test(account), null),
    sync: (account: Account) => runWithToast(requests.sync(account), requests.syncText(account)),
    toggle: (account: Account) => {
      const { name, enabled } = account
      const toastText = enabled ? `${name} is turned off.` : `${name} is turned on.`
      return runWithToast(requests.setEnabled(account, !enabled), toastText)
    },
    /** Errors are shown in the dialog that asked for the removal. */
    async remove(account: Account, request: Promise<unknown>): Promise<void> {
      await request
      await changed()
      notify(`${account.name} is removed.`)
    },
  }
}

interface RemoteAccountActions<Account, Test> {
  changed: () => Promise<void>
  test: (account: Account) => Promise<Test | null>
  sync: (account: Account) => Promise<unknown>
  toggle: (account: Account) => Promise<unknown>
}

/** Callbacks of an account row. `onTest` resolves to null if the test could not run. */
export interface RowCallbacks<Test> {
  onTest: () => Promise<Test | null>
  onSync: () => void
  onEdit: () => void
  onToggle: () => void
  onRemove: () => void
}

interface RemoteAccountsSectionProps<Account extends RemoteAccount, Test> {
  id: 'mail-accounts' | 'calendar-accounts'
  title: string
  about: string
  cardTitle: string
  empty: { icon: LucideIcon; title: string; text: string }
  addedText: (account: Account) => string
  query: UseQueryResult<Account[]>
  actions: RemoteAccountActions<Account, Test>
  renderRow: (account: Account, callbacks: RowCallbacks<Test>) => ReactNode
  renderAddDialog: (dialog: {
    open: boolean
    onClose: () => void
    onAdded: (account: Account) => void
  }) => ReactNode
  renderEditDialog: (dialog: EditDialogProps<Account>) => ReactNode
  renderRemoveDialog: (dialog: { account: Account | null; onClose: () => void }) => ReactNode
}

/** Settings section with the list of accounts and the dialogs to add, edit and remove one. */
export const RemoteAccountsSection = <Account extends RemoteAccount, Test>(
  props: RemoteAccountsSectionProps<Account, Test>,
) => {
  const { empty, query, actions } = props
  const notify = useNotify()
  const [isAdding, setIsAdding] = useState(false)
  const [editing, setEditing] = useState<Account | null>(null)
  const [removing, setRemoving] = useState<Account | null>(null)
  const report = (toastText: string) => {
    void actions.changed()
    notify(toastText)
  }
  return (
    <Page title={props.title} within="Settings" about={props.about}>
      <Card
        id={props.id}
        title={props.cardTitle}
        aside={
          <Button kind="primary" size="small" onClick={() => setIsAdding(true)}>
            <Plus size={16} aria-hidden="true" />
            Add account
          </Button>
        }
      >
        <Loaded query={query}>
          {(accounts) =>
            accounts.length === 0 ? (
              <Empty icon={empty.icon} title={empty.title}>
                <p>{empty.text}</p>
              </Empty>
            ) : (
              <ul className="rows">
                {accounts.map((account) =>
                  props.renderRow(account, {
                    onTest: () => actions.test(account),
                    onSync: () => void actions.sync(account),
                    onEdit: () => setEditing(account),
                    onToggle: () => void actions.toggle(account),
                    onRemove: () => setRemoving(account),
                  }),
                )}
              </ul>
            )
          }
        </Loaded>
      </Card>
      {props.renderAddDialog({
        open: isAdding,
        onClose: () => setIsAdding(false),
        onAdded: (account) => report(props.addedText(account)),
      })}
      {props.renderEditDialog({
        account: editing,
        onClose: () => setEditing(null),
        onSaved: (account) => report(`${account.name} is saved.`),
      })}
      {props.renderRemoveDialog({ account: removing, onClose: () => setRemoving(null) })}
    </Page>
  )
}

interface AccountRowProps<Test> {
  icon: LucideIcon
  account: RemoteAccount
  state: { tone: 'plain' | 'accent' | 'good' | 'bad'; words: string }
  notes: ReactNode
  syncLabel: string
  testing: string
  renderTestResult: (test: Test) => ReactNode
  callbacks: RowCallbacks<Test>
  /** Progress and errors below the row. */
  children: ReactNode
}

export const AccountRow = <Test,>(props: AccountRowProps<Test>) => {
  const { icon: Icon, account, state, notes, callbacks } = props
  const [test, setTest] = useState<Test | null>(null)
  const [isTesting, setIsTesting] = useState(false)
  const runTest = async () => {
    setTest(null)
    setIsTesting(true)
    setTest(await callbacks.onTest())
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
            onClick={callbacks.onSync}
          >
            <RefreshCw size={17} aria-hidden="true" />
          </Button>
          <RowMenu
            label={`More for ${account.name}`}
            actions={[
              { label: 'Test the connection', icon: PlugZap, onSelect: () => void runTest() },
              { label: 'Edit', icon: Pencil, onSelect: callbacks.onEdit },
              { label: account.enabled ? 'Turn off' : 'Turn on', icon: Power, onSelect: callbacks.onToggle },
              { label: 'Remove', icon: Trash2, onSelect: callbacks.onRemove },
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

interface SyncProgressProps {
  status: string
  label: string
  done: number
  total: number
  things: string
}

export const SyncProgress = ({ status, ...progress }: SyncProgressProps) =>
  status === 'syncing' && progress.total > 0 ? <CountedProgress {...progress} /> : null

/** The last sync error, with an action that may solve it. */
export const SyncError = ({ error, children }: { error: string | null; children: ReactNode }) =>
  error === null ? null : (
    <Notice tone="bad" icon={CircleAlert}>
      <p>{error}</p>
      {children}
    </Notice>
  )

export const EditAccountButton = ({ onEdit }: { onEdit: () => void }) => (
  <Button size="small" onClick={onEdit}>
    Edit the account
  </Button>
)

/** A connection test with the values of a form that is not saved yet. */
export const useConnectionTest = <Test,>(send: (values: FormData) => Promise<Test>) => {
  const fields = useRef<HTMLDivElement>(null)
  const [test, setTest] = useState<Test | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [isTesting, setIsTesting] = useState(false)
  const reset = () => {
    setTest(null)
    setFailure(null)
  }
  const run = async () => {
    const form = fields.current?.closest('form')
    if (!form) return
    reset()
    setIsTesting(true)
    try {
      setTest(await send(new FormData(form)))
    } catch (error) {
      setFailure(describeError(error))
    } finally {
      setIsTesting(false)
    }
  }
  return {
    fields,
    test,
    reset,
    alert: <div role="alert">{failure !== null && <Notice tone="bad">{failure}</Notice>}</div>,
    button: (
      <Button busy={isTesting} onClick={() => void run()}>
        {!isTesting && <PlugZap size={16} aria-hidden="true" />}
        Test
      </Button>
    ),
  }
}

export interface EditDialogProps<Account> {
  /** Null closes the dialog. */
  account: Account | null
  onClose: () => void
  onSaved: (account: Account) => void
}

interface EditAccountDialogProps<Account> extends EditDialogProps<Account> {
  title: (account: Account) => string
  /** Names the functions that stop while the account is turned off. */
  disabledHint: string
  /** Fields between the name and the switch. */
  renderNameFields?: (account: Account) => ReactNode
  /** `isElsewhere`: the stored password was given for another server or user. */
  renderFields: (account: Account, isElsewhere: boolean) => ReactNode
  asksForPassword: (values: FormData, account: Account) => boolean
  save: (values: FormData, account: Account) => Promise<Account>
}

export const EditAccountDialog = <Account extends RemoteAccount>(props: EditAccountDialogProps<Account>) => {
  const { account, onClose, onSaved } = props
  const displayed = useLastValue(account)
  const submit = async (values: FormData) => {
    if (!account) return
    onSaved(await props.save(values, account))
    onClose()
  }
  return (
    <FormDialog
      open={account !== null}
      onClose={onClose}
      title={`Edit ${displayed ? props.title(displayed) : ''}`}
      size="large"
      action="Save"
      onSubmit={submit}
    >
      {displayed && <EditFields key={displayed.id} dialog={props} account={displayed} />}
    </FormDialog>
  )
}

interface EditFieldsProps<Account> {
  dialog: EditAccountDialogProps<Account>
  account: Account
}

const EditFields = <Account extends RemoteAccount>({ dialog, account }: EditFieldsProps<Account>) => {
  const [isElsewhere, setIsElsewhere] = useState(false)
  const onInput = (event: SyntheticEvent) => {
    const form = (event.target as HTMLElement).closest('form')
    if (form) setIsElsewhere(dialog.asksForPassword(new FormData(form), account))
  }
  return (
    <div className="stack" onInput={onInput}>
      <TextField
        name="name"
        label="Name"
        defaultValue={account.name}
        maxLength={100}
        autoComplete="off"
        required
      />
      {dialog.renderNameFields?.(account)}
      <label className="check">
        <input type="checkbox" name="enabled" defaultChecked={account.enabled} />
        <span>
          Sync this account
          <span className="field-hint"> {dialog.disabledHint}</span>
        </span>
      </label>
      {dialog.renderFields(account, isElsewhere)}
    </div>
  )
}
