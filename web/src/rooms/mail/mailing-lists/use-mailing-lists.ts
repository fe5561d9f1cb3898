import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { usePaged } from '../../../api/paged.ts'
import { tell } from '../../../api/problem.ts'
import { useNotify } from '../../../ui/toast.tsx'
import { KEYS } from '../use-emails.ts'

export type MailingList = Shape<'MailingList'>
export type WaysOut = Shape<'WaysOut'>
export type Unsubscription = Shape<'Unsubscription'>
export type WayOut = WaysOut['ways'][number]

/** What it takes to leave a list, or to put its mails away. */
export interface ListNamed {
  /** The e-mail that says how it is left. */
  emailId: number
  listId: string
  name: string
}

export const useMailingLists = () => {
  const client = useClient()
  return usePaged([...KEYS.all, 'mailing-lists'], (page) =>
    unwrap(client.GET('/api/mailing-lists', { params: { query: page } })),
  )
}

/** How the list of an e-mail is left, and whether it has been. */
export const useWaysOut = (id: number | null) => {
  const client = useClient()
  return useQuery({
    queryKey: [...KEYS.all, 'ways-out', id],
    queryFn: () =>
      unwrap(client.GET('/api/emails/{id}/mailing-list', { params: { path: { id: id as number } } })),
    enabled: id !== null,
  })
}

/** A mail that was not sent, or was taken back, has told nobody. */
export const isLeft = (left: Unsubscription | null): left is Unsubscription =>
  left !== null && left.status !== 'failed' && left.status !== 'cancelled'

const PUT_AWAY = { archive: 'archived', trash: 'in the trash' } as const

/** What can be done about a list; each says how it went. */
export const useListDeeds = () => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const refresh = () => queries.invalidateQueries({ queryKey: KEYS.all })

  const takeBack = async (id: number) => {
    try {
      await unwrap(client.POST('/api/actions/{id}/undo', { params: { path: { id } } }))
      notify('The e-mails are back where they were.')
    } catch (error) {
      notify(tell(error), { failed: true })
    }
    await refresh()
  }

  const move = async ({ listId, name }: ListNamed, folder: 'archive' | 'trash') => {
    try {
      const { moved, more, actionId } = await unwrap(
        client.POST('/api/mailing-lists/move', { body: { id: listId, folder } }),
      )
      const mails = moved === 1 ? '1 e-mail' : `${moved} e-mails`
      const rest = more ? ' There are more: ask again.' : ''
      if (actionId === null) notify(`No e-mail of ${name} is left to put away.`)
      else notify(`${mails} of ${name}: ${PUT_AWAY[folder]}.${rest}`, { undo: () => void takeBack(actionId) })
    } catch (error) {
      notify(tell(error), { failed: true })
    }
    await refresh()
  }

  return {
    move,

    /** Refused it throws: whoever asked shows why, and what else there is. */
    async leave(list: ListNamed, by: WayOut['by']) {
      const params = { path: { id: list.emailId } }
      const body = { by, again: true }
      const { status, to } = await unwrap(client.POST('/api/emails/{id}/unsubscribe', { params, body }))
      await refresh()
      const said = status === 'accepted' ? `You have left ${list.name}.` : `A mail to ${to} is on its way.`
      notify(said, { offer: { label: 'Archive its mails', accept: () => void move(list, 'archive') } })
    },
  }
}
