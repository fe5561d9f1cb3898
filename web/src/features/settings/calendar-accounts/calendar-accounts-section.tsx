import { useQuery } from '@tanstack/react-query'
import { CalendarPlus, Plus } from 'lucide-react'
import { useState } from 'react'
import { calendarAccountsQuery } from '../../../api/calendar-accounts.ts'
import { useClient } from '../../../api/context.tsx'
import { Page } from '../../../shell/page.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Empty } from '../../../ui/notice.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import type { CalendarAccount } from './account-form.ts'
import { CalendarAccountRow } from './account-row.tsx'
import { AddAccountDialog } from './add-account-dialog.tsx'
import { EditAccountDialog } from './edit-account-dialog.tsx'
import { RemoveAccountDialog } from './remove-account-dialog.tsx'
import { useAccountActions } from './use-account-actions.ts'
import './calendar-accounts.css'

export const CalendarAccountsSection = () => {
  const query = useQuery(calendarAccountsQuery(useClient()))
  const actions = useAccountActions()
  const notify = useNotify()
  const [isAdding, setIsAdding] = useState(false)
  const [editing, setEditing] = useState<CalendarAccount | null>(null)
  const [removing, setRemoving] = useState<CalendarAccount | null>(null)
  return (
    <Page
      title="Calendar accounts"
      within="Settings"
      about="Your calendars elsewhere. Those at a CalDAV server are kept in step both ways: what you change here is changed there too. Published calendars are read."
    >
      <Card
        id="calendar-accounts"
        title="Your calendar accounts"
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
              <Empty icon={CalendarPlus} title="No calendar account yet">
                <p>
                  Bring the calendar of your phone or your provider here, or follow one that is published.
                </p>
              </Empty>
            ) : (
              <ul className="rows">
                {accounts.map((account) => (
                  <CalendarAccountRow
                    key={account.id}
                    account={account}
                    onTest={() => actions.test(account)}
                    onSync={() => void actions.sync(account)}
                    onEdit={() => setEditing(account)}
                    onTurn={() => void actions.turn(account)}
                    onRemove={() => setRemoving(account)}
                    onFollow={(calendar, followed) => actions.follow(account, calendar, followed)}
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
          notify(`${account.name} is added. Its events are being fetched.`)
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
      <RemoveAccountDialog account={removing} onClose={() => setRemoving(null)} onRemove={actions.remove} />
    </Page>
  )
}
