import { queryOptions } from '@tanstack/react-query'
import { type Client, unwrap } from './client.ts'

const BUSY_POLL_MS = 3_000
const IDLE_POLL_MS = 30_000

/** All mail accounts. One page of 200 is enough for any user. */
export const mailAccountsQuery = (client: Client) =>
  queryOptions({
    queryKey: ['mail-accounts'],
    queryFn: async () =>
      (await unwrap(client.GET('/api/settings/mail-accounts', { params: { query: { limit: 200 } } })))
        .mailAccounts,
    refetchInterval: ({ state }) =>
      state.data?.some(({ sync }) => sync.status === 'waiting' || sync.status === 'syncing')
        ? BUSY_POLL_MS
        : IDLE_POLL_MS,
  })

/** The known providers with their steps. `ways` changes when the owner enters an OAuth client. */
export const mailProvidersQuery = (client: Client) =>
  queryOptions({
    queryKey: ['mail-providers'],
    queryFn: () => unwrap(client.GET('/api/settings/mail-accounts/providers')),
  })
