import { queryOptions } from '@tanstack/react-query'
import { type Client, unwrap } from './client.ts'

const SOON_MS = 3_000
const LATER_MS = 30_000

/** One's calendars elsewhere. Nobody has so many accounts that a page would not hold them. */
export const calendarAccountsQuery = (client: Client) =>
  queryOptions({
    queryKey: ['calendar-accounts'],
    queryFn: async () =>
      (await unwrap(client.GET('/api/settings/calendar-accounts', { params: { query: { limit: 200 } } })))
        .calendarAccounts,
    refetchInterval: ({ state }) =>
      state.data?.some(({ sync }) => sync.status === 'waiting' || sync.status === 'syncing')
        ? SOON_MS
        : LATER_MS,
  })

/** The first events of an account that could not be read. Another count asks again. */
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
