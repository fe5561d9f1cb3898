import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { turned, useSaid } from '../accounts/use-said.ts'
import type { MailAccount } from './account-form.ts'

/** What can be done with an account where it stands; what fails is told. */
export const useAccountActions = () => {
  const client = useClient()
  const { changed, say, notify } = useSaid('mail-accounts')
  const at = ({ id }: MailAccount) => ({ path: { id } })
  return {
    changed,
    test: (account: MailAccount): Promise<Shape<'MailTest'> | null> =>
      say(unwrap(client.POST('/api/settings/mail-accounts/{id}/test', { params: at(account) })), null),
    sync: (account: MailAccount) =>
      say(
        unwrap(client.POST('/api/settings/mail-accounts/{id}/sync', { params: at(account) })),
        `Looking for mail of ${account.name}.`,
      ),
    turn: (account: MailAccount) => {
      const body = { enabled: !account.enabled }
      const sent = client.PATCH('/api/settings/mail-accounts/{id}', { params: at(account), body })
      return say(unwrap(sent), turned(account))
    },
    async remove(account: MailAccount): Promise<void> {
      await unwrap(client.DELETE('/api/settings/mail-accounts/{id}', { params: at(account) }))
      await changed()
      notify(`${account.name} is removed.`)
    },
  }
}
