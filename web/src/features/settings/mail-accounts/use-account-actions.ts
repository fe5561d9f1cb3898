import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { toggledText, useRunWithToast } from '../accounts/use-run-with-toast.ts'
import type { MailAccount } from './account-form.ts'

/** Account actions. A toast reports failures. */
export const useAccountActions = () => {
  const client = useClient()
  const { changed, runWithToast, notify } = useRunWithToast('mail-accounts')
  const at = ({ id }: MailAccount) => ({ path: { id } })
  return {
    changed,
    test: (account: MailAccount): Promise<Shape<'MailTest'> | null> =>
      runWithToast(
        unwrap(client.POST('/api/settings/mail-accounts/{id}/test', { params: at(account) })),
        null,
      ),
    sync: (account: MailAccount) =>
      runWithToast(
        unwrap(client.POST('/api/settings/mail-accounts/{id}/sync', { params: at(account) })),
        `Looking for mail of ${account.name}.`,
      ),
    turn: (account: MailAccount) => {
      const body = { enabled: !account.enabled }
      const sent = client.PATCH('/api/settings/mail-accounts/{id}', { params: at(account), body })
      return runWithToast(unwrap(sent), toggledText(account))
    },
    async remove(account: MailAccount): Promise<void> {
      await unwrap(client.DELETE('/api/settings/mail-accounts/{id}', { params: at(account) }))
      await changed()
      notify(`${account.name} is removed.`)
    },
  }
}
