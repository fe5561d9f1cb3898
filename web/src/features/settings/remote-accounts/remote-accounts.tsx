import type { UseQueryResult } from '@tanstack/react-query'
import { CircleAlert, type LucideIcon, Pencil, PlugZap, Power, RefreshCw, Trash2 } from 'lucide-react'
import { type ReactNode, type SyntheticEvent, useRef, useState } from 'react'
import * as t from '#locale/remote-accounts'
import * as common from '#locale/shared-texts'
import { describeError } from '../../../api/problem.ts'
import { Page } from '../../../shell/page.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Tag } from '../../../ui/card.tsx'
import { CountedProgress } from '../../../ui/counted-progress.tsx'
import { FormDialog } from '../../../ui/dialog.tsx'
import { CheckField, TextField } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RichText } from '../../../ui/rich-text.tsx'
import { type RowAction, RowMenu } from '../../../ui/row-menu.tsx'
import { Time } from '../../../ui/time.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useLastValue } from '../../../ui/use-last-value.ts'
import './remote-accounts.css'
import { useRefetch } from '../../../api/use-refetch.ts'
import { ListCard } from '../../../ui/list-card.tsx'
import { useAttempt } from '../../../ui/use-attempt.ts'
import { useItemDialog } from '../../../ui/use-item-dialog.ts'

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
}

/** Account actions. A toast reports the result, and the account list is fetched again. */
export const useRemoteAccountActions = <Account extends RemoteAccount, Test>(
  queryKey: 'mail-accounts' | 'calendar-accounts',
  requests: AccountRequests<Account, Test>,
) => {
  const notify = useNotify()
  const attempt = useAttempt()
  const changed = useRefetch([queryKey], ['activity'])
  /** Resolves to null if the request failed. `undo` adds an Undo button to the toast. */
  const runWithToast = async <T,>(
    request: Promise<T>,
    toastText: string | null,
    undo?: () => void,
  ): Promise<T | null> => {
    let result: T | null = null
    await attempt(async () => {
      result = await request
      await changed()
      if (toastText !== null) notify(toastText, { ...(undo && { undo }) })
    })
    return result
  }
  const setEnabled = (account: Account, enabled: boolean, undo?: () => void) =>
    runWithToast(
      requests.setEnabled(account, enabled),
      enabled ? t.turnedOn(account.name) : t.turnedOff(account.name),
      undo,
    )
  return {
    changed,
    runWithToast,
    test: (account: Account) => runWithToast(requests.test(account), null),
    sync: (account: Account) => runWithToast(requests.sync(account), t.refreshing(account.name)),
    toggle: (account: Account) =>
      setEnabled(account, !account.enabled, () => void setEnabled(account, account.enabled)),
    /** Errors are shown in the dialog that asked for the removal. */
    async remove(account: Account, request: Promise<unknown>): Promise<void> {
      await request
      await changed()
      notify(t.accountDeleted(account.name))
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
  empty: { icon: LucideIcon; title: string; about: string }
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
  /** More cards of the page. */
  children?: ReactNode
}

/** Settings section with the list of accounts and the dialogs to add, edit and remove one. */
export const RemoteAccountsSection = <Account extends RemoteAccount, Test>(
  props: RemoteAccountsSectionProps<Account, Test>,
) => {
  const { query, actions } = props
  const notify = useNotify()
  const [isAdding, setIsAdding] = useState(false)
  const { open, close, itemOf } = useItemDialog<Account, 'edit' | 'remove'>()
  const report = (toastText: string) => {
    void actions.changed()
    notify(toastText)
  }
  return (
    <Page title={props.title} within={common.settings} about={props.about}>
      <ListCard
        id={props.id}
        title={t.connectedAccounts}
        add={{ label: t.addAccount, onClick: () => setIsAdding(true) }}
        query={query}
        itemsOf={(all) => all}
        empty={props.empty}
      >
        {(account) =>
          props.renderRow(account, {
            onTest: () => actions.test(account),
            onSync: () => void actions.sync(account),
            onEdit: () => open('edit', account),
            onToggle: () => void actions.toggle(account),
            onRemove: () => open('remove', account),
          })
        }
      </ListCard>
      {props.children}
      {props.renderAddDialog({
        open: isAdding,
        onClose: () => setIsAdding(false),
        onAdded: (account) => report(props.addedText(account)),
      })}
      {props.renderEditDialog({
        account: itemOf('edit'),
        onClose: close,
        onSaved: (account) => report(t.accountSaved(account.name)),
      })}
      {props.renderRemoveDialog({ account: itemOf('remove'), onClose: close })}
    </Page>
  )
}

const TONES = {
  waiting: 'plain',
  syncing: 'accent',
  live: 'good',
  paused: 'warn',
  failing: 'bad',
  signed_out: 'bad',
  off: 'plain',
} as const satisfies Record<keyof typeof t.statuses, string>

interface AccountRowProps<Test> {
  icon: LucideIcon
  account: RemoteAccount
  status: keyof typeof TONES
  notes: ReactNode
  renderTestResult: (test: Test) => ReactNode
  callbacks: RowCallbacks<Test>
  /** Further actions of the menu. */
  moreActions?: readonly RowAction[]
  /** Progress and errors below the row. */
  children: ReactNode
}

export const AccountRow = <Test,>(props: AccountRowProps<Test>) => {
  const { icon: Icon, account, status, notes, callbacks } = props
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
            <Tag tone={TONES[status]}>{t.statuses[status]}</Tag>
          </p>
          <p className="row-notes">{notes}</p>
        </div>
        <div className="row-actions">
          <IconButton
            icon={RefreshCw}
            label={t.refresh(account.name)}
            disabled={!account.enabled}
            onClick={callbacks.onSync}
          />
          <RowMenu
            label={t.actionsFor(account.name)}
            actions={[
              { label: t.testConnection, icon: PlugZap, onSelect: () => void runTest() },
              { label: common.edit, icon: Pencil, onSelect: callbacks.onEdit },
              ...(props.moreActions ?? []),
              { label: account.enabled ? t.turnOff : t.turnOn, icon: Power, onSelect: callbacks.onToggle },
              { label: common.remove, icon: Trash2, onSelect: callbacks.onRemove },
            ]}
          />
        </div>
      </div>
      {props.children}
      {isTesting && (
        <p className="quiet small" role="status">
          {t.testing}
        </p>
      )}
      {test !== null && props.renderTestResult(test)}
    </li>
  )
}

export const LastSync = ({ at }: { at: string | null }) => (
  <span>
    {at === null ? t.neverChecked : <RichText text={t.checkedAt} tags={{ time: () => <Time at={at} /> }} />}
  </span>
)

interface SyncProgressProps {
  status: string
  label: string
  done: number
  total: number
  text: string
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
    {t.editAccount}
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
        {t.test}
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
      title={t.editAccountTitle(displayed ? props.title(displayed) : '')}
      size="large"
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
        label={t.name}
        defaultValue={account.name}
        maxLength={100}
        autoComplete="off"
        required
      />
      {dialog.renderNameFields?.(account)}
      <CheckField name="enabled" defaultChecked={account.enabled} label={t.syncAccount} />
      {dialog.renderFields(account, isElsewhere)}
    </div>
  )
}
