import { useQuery } from '@tanstack/react-query'
import { MailPlus, Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useClient } from '../../../api/context.tsx'
import { mailAccountsQuery } from '../../../api/mail-accounts.ts'
import { Page } from '../../../shell/page.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { FormDialog } from '../../../ui/dialog.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Empty } from '../../../ui/notice.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useLastValue } from '../../../ui/use-last-value.ts'
import type { MailAccount } from './account-form.ts'
import { MailAccountRow } from './account-row.tsx'
import { AddAccountDialog } from './add-account-dialog.tsx'
import { EditAccountDialog } from './edit-account-dialog.tsx'
import { useAccountActions } from './use-account-actions.ts'
import './mail-accounts.css'

/** Shows a toast after the OAuth redirect, which sets the `connected` parameter. */
const useOAuthReturn = () => {
  const search = useSearch()
  const [, navigate] = useLocation()
  const notify = useNotify()
  const isReported = useRef(false)
  useEffect(() => {
    if (isReported.current || !new URLSearchParams(search).has('connected')) return
    isReported.current = true
    notify('The account is connected. Its mail is being fetched.')
    navigate('/settings/mail-accounts', { replace: true })
  }, [search, navigate, notify])
}

export const MailAccountsSection = () => {
  useOAuthReturn()
  const query = useQuery(mailAccountsQuery(useClient()))
  const actions = useAccountActions()
  const notify = useNotify()
  const [isAdding, setIsAdding] = useState(false)
  const [editing, setEditing] = useState<MailAccount | null>(null)
  const [removing, setRemoving] = useState<MailAccount | null>(null)
  const named = useLastValue(removing)
  const remove = async () => {
    if (!removing) return
    await actions.remove(removing)
    setRemoving(null)
  }
  return (
    <Page
      title="Mail accounts"
      within="Settings"
      about="Your mailboxes at other servers. Their mail is fetched and kept in step both ways: what you read, star, archive or delete here is so there too."
    >
      <Card
        id="mail-accounts"
        title="Your mail accounts"
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
              <Empty icon={MailPlus} title="No mail account yet">
                <p>Type your address: its servers are found for you.</p>
              </Empty>
            ) : (
              <ul className="rows">
                {accounts.map((account) => (
                  <MailAccountRow
                    key={account.id}
                    account={account}
                    onTest={() => actions.test(account)}
                    onSync={() => void actions.sync(account)}
                    onEdit={() => setEditing(account)}
                    onTurn={() => void actions.turn(account)}
                    onRemove={() => setRemoving(account)}
                  />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Card>
      <AddAccountDialog
        open={isAdding}
        onClose={() => setIsAdding(false)}
        onAdded={(account) => {
          void actions.changed()
          notify(`${account.name} is added. Its mail is being fetched.`)
        }}
      />
      <EditAccountDialog
        account={editing}
        onClose={() => setEditing(null)}
        onSaved={(account) => {
          void actions.changed()
          notify(`${account.name} is saved.`)
        }}
      />
      <FormDialog
        open={removing !== null}
        onClose={() => setRemoving(null)}
        alert
        danger
        title={`Remove ${named?.name ?? ''}?`}
        about="No more mail is fetched or sent with it, and what waits to be sent with it is not sent. The mail on its server and what was fetched stay."
        action="Remove"
        onSubmit={remove}
      />
    </Page>
  )
}
