import { useQuery } from '@tanstack/react-query'
import * as t from '#locale/subscriptions'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { usePaged } from '../../../api/paged.ts'
import { useRefetch } from '../../../api/use-refetch.ts'
import { useNotify } from '../../../ui/toast.tsx'
import { useAttempt } from '../../../ui/use-attempt.ts'
import { useUndoActions } from '../../../ui/use-undo-actions.ts'
import { KEYS } from '../use-emails.ts'

export type MailingList = Shape<'MailingList'>
export type UnsubscribeOptions = Shape<'UnsubscribeOptions'>
export type Unsubscription = Shape<'Unsubscription'>
export type UnsubscribeMethod = UnsubscribeOptions['ways'][number]

/** Reference to a mailing list for actions. */
export interface MailingListRef {
  /** An email with unsubscribe headers. */
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

/** Unsubscribe methods and status for the list of an email. */
export const useUnsubscribeOptions = (id: number | null) => {
  const client = useClient()
  return useQuery({
    queryKey: [...KEYS.all, 'unsubscribe-options', id],
    queryFn: () =>
      unwrap(client.GET('/api/emails/{id}/mailing-list', { params: { path: { id: id as number } } })),
    enabled: id !== null,
  })
}

/** A failed or cancelled request did not reach the list. */
export const isUnsubscribed = (unsubscription: Unsubscription | null): unsubscription is Unsubscription =>
  unsubscription !== null && unsubscription.status !== 'failed' && unsubscription.status !== 'cancelled'

const MOVED_TEXTS = {
  archive: { all: t.archived, part: t.archivedPartly },
  trash: { all: t.movedToTrash, part: t.movedToTrashPartly },
}

/** Mailing-list actions. Each reports its result in a toast. */
export const useMailingListActions = () => {
  const client = useClient()
  const notify = useNotify()
  const attempt = useAttempt()
  const refresh = useRefetch(KEYS.all)
  const undoActions = useUndoActions(KEYS.all)

  const move = async ({ listId, name }: MailingListRef, folder: 'archive' | 'trash') => {
    await attempt(async () => {
      const { moved, more, actionId } = await unwrap(
        client.POST('/api/mailing-lists/move', { body: { id: listId, folder } }),
      )
      const toastText = MOVED_TEXTS[folder][more ? 'part' : 'all']
      if (actionId === null) notify(t.nothingToMove(name))
      else notify(toastText({ name, count: moved }), { undo: () => void undoActions([actionId], t.reverted) })
    })
    await refresh()
  }

  return {
    move,

    /** Throws when the request fails. The dialog then shows the error and the other methods. */
    async unsubscribe(list: MailingListRef, by: UnsubscribeMethod['by']) {
      const params = { path: { id: list.emailId } }
      const body = { by, again: true }
      const { status, to } = await unwrap(client.POST('/api/emails/{id}/unsubscribe', { params, body }))
      await refresh()
      const toastText = status === 'accepted' ? t.unsubscribed(list.name) : t.emailQueued(to)
      notify(toastText, { offer: { label: t.archiveAll, accept: () => void move(list, 'archive') } })
    },
  }
}
