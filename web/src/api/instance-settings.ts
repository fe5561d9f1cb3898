import { queryOptions } from '@tanstack/react-query'
import { type Client, unwrap } from './client.ts'

/** The settings of the instance. Only its owner may read them. */
export const instanceSettingsQuery = (client: Client) =>
  queryOptions({
    queryKey: ['instance-settings'],
    queryFn: () => unwrap(client.GET('/api/instance')),
  })
