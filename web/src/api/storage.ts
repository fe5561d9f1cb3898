import { queryOptions } from '@tanstack/react-query'
import { type Client, unwrap } from './client.ts'

/** The storage of the user's account and its limit. */
export const storageQuery = (client: Client) =>
  queryOptions({
    queryKey: ['storage'],
    queryFn: () => unwrap(client.GET('/api/settings/storage')),
  })
