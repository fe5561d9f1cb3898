import { type Client, unwrap } from './client.ts'
import { usePaged } from './paged.ts'

export const sessionsKey = ['sessions'] as const

export const useSessions = (client: Client) =>
  usePaged(sessionsKey, (query) =>
    unwrap(client.GET('/api/settings/security/sessions', { params: { query } })),
  )
