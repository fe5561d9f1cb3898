import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { toggledText, useRunWithToast } from '../accounts/use-run-with-toast.ts'
import type { CalendarAccount } from './account-form.ts'

/** Account actions. A toast reports failures. */
export const useAccountActions = () => {
  const client = useClient()
  const { changed, runWithToast, notify } = useRunWithToast('calendar-accounts')
  const at = ({ id }: CalendarAccount) => ({ path: { id } })
  const change = (account: CalendarAccount, body: Shape<'CalendarAccountChange'>, toastText: string) =>
    runWithToast(
      unwrap(client.PATCH('/api/settings/calendar-accounts/{id}', { params: at(account), body })),
      toastText,
    )
  return {
    changed,
    test: (account: CalendarAccount): Promise<Shape<'CalendarTest'> | null> =>
      runWithToast(
        unwrap(client.POST('/api/settings/calendar-accounts/{id}/test', { params: at(account) })),
        null,
      ),
    sync: (account: CalendarAccount) =>
      runWithToast(
        unwrap(client.POST('/api/settings/calendar-accounts/{id}/sync', { params: at(account) })),
        `Looking at ${account.name}.`,
      ),
    turn: (account: CalendarAccount) => change(account, { enabled: !account.enabled }, toggledText(account)),
    follow: (account: CalendarAccount, { id, name }: Shape<'RemoteCalendar'>, followed: boolean) =>
      change(
        account,
        { calendars: [{ id, followed }] },
        followed ? `${name} is being fetched.` : `${name} is no longer shown here.`,
      ),
    async remove(account: CalendarAccount, events: 'remove' | 'keep'): Promise<void> {
      const params = { ...at(account), query: { events } }
      await unwrap(client.DELETE('/api/settings/calendar-accounts/{id}', { params }))
      await changed()
      notify(`${account.name} is removed.`)
    },
  }
}
