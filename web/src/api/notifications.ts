import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Client, type Shape, unwrap, unwrapVersion } from './client.ts'
import { useClient } from './context.tsx'
import { usePaged } from './paged.ts'

export type Notification = Shape<'Notification'>
export type Kind = Notification['kind']

const KEY = ['notifications'] as const
const PAGE = 20

/** Notifications and the unread count. Live events invalidate the list. */
export const useNotifications = () => {
  const client = useClient()
  return usePaged([...KEY, 'list'], (query) =>
    unwrap(client.GET('/api/notifications', { params: { query: { limit: PAGE, ...query } } })),
  )
}

/** Mutations of notifications. Each refetches the list. */
export const useNotificationActions = () => {
  const client = useClient()
  const queries = useQueryClient()
  const act = <T>(work: (given: T) => Promise<unknown>) => ({
    mutationFn: work,
    onSettled: () => queries.invalidateQueries({ queryKey: [...KEY, 'list'] }),
  })
  const path = (id: number) => ({ params: { path: { id } } })
  const read = useMutation(
    act((id: number) =>
      unwrap(client.PATCH('/api/notifications/{id}', { ...path(id), body: { read: true } })),
    ),
  )
  const remove = useMutation(act((id: number) => unwrap(client.DELETE('/api/notifications/{id}', path(id)))))
  /** Marks notifications up to the newest displayed one. Newer ones stay unread. */
  const readAll = useMutation(
    act((upTo: number) => unwrap(client.POST('/api/notifications/read', { body: { upTo } }))),
  )
  const clear = useMutation(
    act((upTo: number) => unwrap(client.DELETE('/api/notifications', { params: { query: { upTo } } }))),
  )
  const undo = useMutation({
    mutationFn: (id: number) => unwrap(client.POST('/api/actions/{id}/undo', path(id))),
    onSettled: () => queries.invalidateQueries({ queryKey: ['calendar'] }),
  })
  return { read, remove, readAll, clear, undo }
}

export const notificationSettingsQuery = (client: Client) =>
  queryOptions({
    queryKey: [...KEY, 'settings'],
    queryFn: () => unwrapVersion(client.GET('/api/settings/notifications')),
    // Not refetched while the user edits, so that the form keeps its initial values.
    meta: { isEdited: true },
  })

export const useNotificationSettings = () => useQuery(notificationSettingsQuery(useClient()))
