import { queryOptions } from '@tanstack/react-query'
import { type Client, unwrap } from './client.ts'

const SOON_MS = 3_000
const LATER_MS = 30_000

/** One's accounts at mail servers. Nobody has so many that a page would not hold them. */
export const mailAccountsQuery = (client: Client) =>
  queryOptions({
    queryKey: ['mail-accounts'],
    queryFn: async () =>
      (await unwrap(client.GET('/api/settings/mail-accounts', { params: { query: { limit: 200 } } })))
        .mailAccounts,
    refetchInterval: ({ state }) =>
      state.data?.some(({ sync }) => sync.status === 'waiting' || sync.status === 'syncing')
        ? SOON_MS
        : LATER_MS,
  })
