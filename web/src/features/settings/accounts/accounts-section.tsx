import { useQueryClient } from '@tanstack/react-query'
import { Crown, HardDrive, Trash2, UserCheck, UserRound, UserX } from 'lucide-react'
import * as t from '#locale/accounts'
import { sections } from '#locale/settings'
import * as common from '#locale/shared-texts'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { usePaged } from '../../../api/paged.ts'
import { useRefetch } from '../../../api/use-refetch.ts'
import { Page } from '../../../shell/page.tsx'
import { Card, Tag } from '../../../ui/card.tsx'
import { FormDialog, PasswordDialog } from '../../../ui/dialog.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { Row, RowList } from '../../../ui/rows.tsx'
import { Time } from '../../../ui/time.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useAttempt } from '../../../ui/use-attempt.ts'
import { useItemDialog } from '../../../ui/use-item-dialog.ts'
import { useAmounts } from '../billing/amounts.ts'
import { GigabytesField, readLimit } from './gigabytes-field.tsx'
import { DefaultStorageCard, InstanceMailCard, RegistrationCard } from './instance-cards.tsx'
import { InvitationsCard } from './invitations-card.tsx'

const { label, about } = sections.accounts

type Account = Shape<'ManagedAccount'>
type Change = Shape<'ManagedAccountChange'>

const accountsKey = ['accounts']

const useAccountActions = () => {
  const client = useClient()
  const queries = useQueryClient()
  const refresh = useRefetch(accountsKey, ['storage'])
  return {
    async change({ id }: Account, body: Change): Promise<void> {
      await unwrap(client.PATCH('/api/accounts/{id}', { params: { path: { id } }, body }))
      await refresh()
    },
    async remove({ id }: Account, password: string): Promise<void> {
      await unwrap(client.DELETE('/api/accounts/{id}', { params: { path: { id } }, body: { password } }))
      await refresh()
    },
    /** The former owner may not see this page any more. */
    reloadEverything: () => queries.invalidateQueries(),
  }
}

type Question = 'hand-over' | 'delete' | 'storage-limit'

const StorageNote = ({ account: { storageBytes, storageQuotaBytes } }: { account: Account }) => {
  const { bytes } = useAmounts()
  return (
    <span>
      {storageQuotaBytes === null
        ? t.storageUsed(bytes(storageBytes))
        : t.storageUsedOfLimit({ used: bytes(storageBytes), limit: bytes(storageQuotaBytes) })}
    </span>
  )
}

interface RowProps {
  account: Account
  onAsk: (question: Question) => void
  onDisable: (disabled: boolean) => void
}

const AccountRow = ({ account, onAsk, onDisable }: RowProps) => {
  const { name, email, role, disabled, lastSignInAt } = account
  const storageLimit = {
    label: t.setStorageLimit,
    icon: HardDrive,
    onSelect: () => onAsk('storage-limit'),
  }
  const others = [
    {
      label: disabled ? t.enable : t.disable,
      icon: disabled ? UserCheck : UserX,
      onSelect: () => onDisable(!disabled),
    },
    { label: t.handOver, icon: Crown, onSelect: () => onAsk('hand-over') },
    { label: common.remove, icon: Trash2, onSelect: () => onAsk('delete') },
  ]
  return (
    <Row
      icon={UserRound}
      title={name}
      tags={
        <>
          {role === 'owner' && <Tag tone="accent">{t.owner}</Tag>}
          {disabled && <Tag tone="warn">{t.disabled}</Tag>}
        </>
      }
      actions={
        <RowMenu
          label={t.actionsFor(name)}
          actions={role === 'owner' ? [storageLimit] : [storageLimit, ...others]}
        />
      }
    >
      <p className="row-notes">
        <span>{email}</span>
        <span>
          {lastSignInAt === null ? (
            t.neverSignedIn
          ) : (
            <>
              {t.lastSignIn} <Time at={lastSignInAt} />
            </>
          )}
        </span>
        <StorageNote account={account} />
      </p>
    </Row>
  )
}

const AccountsCard = () => {
  const client = useClient()
  const notify = useNotify()
  const attempt = useAttempt()
  const { change, remove, reloadEverything } = useAccountActions()
  const query = usePaged(accountsKey, (page) =>
    unwrap(client.GET('/api/accounts', { params: { query: page } })),
  )
  const { lastItem, open, close, itemOf } = useItemDialog<Account, Question>()
  const name = lastItem?.name ?? ''

  const setDisabled = (account: Account, disabled: boolean): Promise<boolean> =>
    attempt(async () => {
      await change(account, { disabled })
      const undo = () => void setDisabled(account, !disabled)
      notify(disabled ? t.accountDisabled(account.name) : t.accountEnabled(account.name), { undo })
    })
  const handOver = async (password: string): Promise<void> => {
    if (lastItem) await change(lastItem, { role: 'owner', password })
    close()
    notify(t.handedOver(name))
    await reloadEverything()
  }
  const setStorageLimit = async (values: FormData): Promise<void> => {
    if (lastItem) await change(lastItem, { storageQuotaBytes: readLimit(values) })
    close()
    notify(t.storageLimitSaved)
  }
  const removeAccount = async (password: string): Promise<void> => {
    if (lastItem) await remove(lastItem, password)
    close()
    notify(t.accountDeleted(name))
  }
  return (
    <Card id="accounts" title={t.accounts} about={t.accountsAbout}>
      <RowList query={query} itemsOf={({ accounts }) => accounts} empty={null}>
        {(account) => (
          <AccountRow
            key={account.id}
            account={account}
            onAsk={(question) => open(question, account)}
            onDisable={(disabled) => void setDisabled(account, disabled)}
          />
        )}
      </RowList>
      <FormDialog
        open={itemOf('storage-limit') !== null}
        onClose={close}
        title={t.storageLimitTitle(name)}
        about={t.storageLimitAbout}
        savedAs={null}
        onSubmit={setStorageLimit}
      >
        <GigabytesField label={t.gigabytes} limit={lastItem?.storageQuotaBytes ?? null} />
      </FormDialog>
      <PasswordDialog
        open={itemOf('hand-over') !== null}
        onClose={close}
        danger
        title={t.handOverTitle(name)}
        about={t.handOverAbout}
        action={t.handOver}
        onConfirm={handOver}
      />
      <PasswordDialog
        open={itemOf('delete') !== null}
        onClose={close}
        danger
        title={t.deleteTitle(name)}
        about={t.deleteAbout}
        action={t.deleteAccount}
        onConfirm={removeAccount}
      />
    </Card>
  )
}

export const AccountsSection = () => (
  <Page title={label} within={common.settings} about={about}>
    <AccountsCard />
    <RegistrationCard />
    <InvitationsCard />
    <DefaultStorageCard />
    <InstanceMailCard />
  </Page>
)
