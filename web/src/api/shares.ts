import { queryOptions } from '@tanstack/react-query'
import { type Client, type Shape, unwrap } from './client.ts'
import { useClient } from './context.tsx'
import { useRefetch } from './use-refetch.ts'

export type Share = Shape<'Share'>
export type ShareRole = Share['role']
export type OfferedShare = Shape<'OfferedShare'>
export type ShareKind = OfferedShare['kind']

/** A task list or calendar of the user. */
export interface SharedResource {
  kind: ShareKind
  id: number
  name: string
}

const sharesKey = ['shares'] as const
const RESOURCE_KEYS = { taskList: ['task-lists'], calendar: ['calendars'] } as const

/** Everything that changes when the user gets or loses access to a task list or calendar. */
export const sharedDataKeys = [
  sharesKey,
  RESOURCE_KEYS.taskList,
  RESOURCE_KEYS.calendar,
  ['tasks'],
  ['task-comments'],
  ['time-entries'],
  ['calendar'],
] as const

const COLLECTION = {
  taskList: '/api/task-lists/{id}/shares',
  calendar: '/api/calendars/{id}/shares',
} as const
const SINGLE = {
  taskList: '/api/task-lists/{id}/shares/{shareId}',
  calendar: '/api/calendars/{id}/shares/{shareId}',
} as const

/** The people that a task list or calendar is shared with. */
export const resourceSharesQuery = (client: Client, { kind, id }: Pick<SharedResource, 'kind' | 'id'>) =>
  queryOptions({
    queryKey: [...sharesKey, kind, id],
    queryFn: () => unwrap(client.GET(COLLECTION[kind], { params: { path: { id } } })),
  })

/** Shares a task list or calendar. The lists of them display whether they are shared, so they are refetched. */
export const useShareActions = ({ kind, id }: Pick<SharedResource, 'kind' | 'id'>) => {
  const client = useClient()
  const refetch = useRefetch([...sharesKey, kind, id], RESOURCE_KEYS[kind])
  const at = (share: Share) => ({ path: { id, shareId: share.id } })
  return {
    /** Offers it to an address. An address that already has a share gets the new role. */
    async offer(email: string, role: ShareRole): Promise<void> {
      await unwrap(client.POST(COLLECTION[kind], { params: { path: { id } }, body: { email, role } }))
      await refetch()
    },
    async changeRole(share: Share, role: ShareRole): Promise<void> {
      await unwrap(client.PATCH(SINGLE[kind], { params: at(share), body: { role } })).finally(refetch)
    },
    async revoke(share: Share): Promise<void> {
      await unwrap(client.DELETE(SINGLE[kind], { params: at(share) })).finally(refetch)
    },
  }
}

/** Offers to the user that are not answered yet, and shares that the user has accepted. */
export const offeredSharesQuery = (client: Client) =>
  queryOptions({
    queryKey: [...sharesKey, 'offered'],
    queryFn: () => unwrap(client.GET('/api/shares')),
  })

export const useOfferActions = () => {
  const client = useClient()
  const refetch = useRefetch(...sharedDataKeys)
  return {
    async accept(id: number): Promise<void> {
      await unwrap(client.POST('/api/shares/{id}/accept', { params: { path: { id } } })).finally(refetch)
    },
    /** Declines an offer, or leaves an accepted share. */
    async decline(id: number, { keepalive = false } = {}): Promise<void> {
      const params = { path: { id } }
      await unwrap(client.POST('/api/shares/{id}/decline', { params, keepalive })).finally(refetch)
    },
  }
}
