import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Client, unwrap, unwrapVersion } from './client.ts'
import { useClient } from './context.tsx'
import { refusalOf, unreachable } from './problem.ts'

export const healthQuery = (client: Client) =>
  queryOptions({
    queryKey: ['health'],
    // A service that is not well says so with the same report and 503.
    queryFn: async () => {
      const { data, error, response } = await client.GET('/api/health')
      if (data) return data
      if (response.status === 503 && error && 'database' in error) return error
      throw refusalOf(response, error)
    },
    refetchInterval: 30_000,
  })

/** What a page that greets whoever comes has to know; the service tells it the console, not the API's callers. */
export interface SignInOptions {
  hasOwner: boolean
  registration: 'open' | 'invite' | 'closed'
}

export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: async (): Promise<SignInOptions> => {
    const response = await fetch('/console/options').catch(() => {
      throw unreachable()
    })
    if (!response.ok) throw refusalOf(response, await response.json().catch(() => null))
    return (await response.json()) as SignInOptions
  },
  staleTime: 0,
})

/** The account's own row: profile and preferences are two views of it and share its version. */
const accountKey = ['account'] as const

export const profileQuery = (client: Client) =>
  queryOptions({
    queryKey: [...accountKey, 'profile'],
    queryFn: () => unwrapVersion(client.GET('/api/settings/profile')),
  })

export const preferencesQuery = (client: Client) =>
  queryOptions({
    queryKey: [...accountKey, 'preferences'],
    queryFn: () => unwrapVersion(client.GET('/api/settings/preferences')),
  })

export const twoFactorQuery = (client: Client) =>
  queryOptions({
    queryKey: ['two-factor'],
    queryFn: () => unwrap(client.GET('/api/settings/security/2fa')),
  })

/** The picture needs the token, so an <img> cannot fetch it by itself. */
export const pictureQuery = (client: Client, avatarUrl: string | null) =>
  queryOptions({
    queryKey: ['picture', avatarUrl],
    queryFn: () =>
      unwrap(client.GET('/api/settings/profile/avatar', { parseAs: 'blob' })) as unknown as Promise<Blob>,
    enabled: avatarUrl !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })

export const useProfile = () => useQuery(profileQuery(useClient()))
export const usePreferences = () => useQuery(preferencesQuery(useClient()))

/** To call after anything that changed the account's row: every view of it has a new version then. */
export const useAccountChanged = () => {
  const queries = useQueryClient()
  return async (): Promise<void> => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: accountKey }),
      queries.invalidateQueries({ queryKey: ['activity'] }),
    ])
  }
}
