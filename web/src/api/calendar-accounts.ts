import { queryOptions } from '@tanstack/react-query'
import { type Client, unwrap } from './client.ts'

const BUSY_POLL_MS = 3_000
const IDLE_POLL_MS = 30_000

/** All calendar accounts. One page of 200 is enough for any user. */
export const calendarAccountsQuery = (client: Client) =>
  queryOptions({
    queryKey: ['calendar-accounts'],
    queryFn: async () =>
      (await unwrap(client.GET('/api/settings/calendar-accounts', { params: { query: { limit: 200 } } })))
        .calendarAccounts,
    refetchInterval: ({ state }) =>
      state.data?.some(({ sync }) => sync.status === 'waiting' || sync.status === 'syncing')
        ? BUSY_POLL_MS
        : IDLE_POLL_MS,
  })

/**
 * The first unreadable events of an account. `count` is part of the key, so a changed count fetches again.
 */
export const unreadableEventsQuery = (client: Client, id: string, count: number) =>
  queryOptions({
    queryKey: ['unreadable-events', id, count],
    queryFn: async () =>
      (
        await unwrap(
          client.GET('/api/settings/calendar-accounts/{id}/unreadable', {
            params: { path: { id }, query: { limit: 20 } },
          }),
        )
      ).unreadable,
  })
