import { queryOptions, useQuery } from '@tanstack/react-query'
import { toServerPath } from './base-path.ts'
import { type Client, unwrap, unwrapVersion } from './client.ts'
import { useClient } from './context.tsx'
import { toApiError, unreachable } from './problem.ts'
import { useRefetch } from './use-refetch.ts'

export const healthQuery = (client: Client) =>
  queryOptions({
    queryKey: ['health'],
    // An unhealthy service returns the same report with status 503.
    queryFn: async () => {
      const { data, error, response } = await client.GET('/api/health')
      if (data) return data
      if (response.status === 503 && error && 'database' in error) return error
      throw await toApiError(response, error)
    },
    refetchInterval: 30_000,
  })

/** Settings of the sign-in page. They come from /console/options, which is not part of the public API. */
export interface SignInOptions {
  hasOwner: boolean
  registration: 'open' | 'invite' | 'closed'
}

export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: async (): Promise<SignInOptions> => {
    const response = await fetch(toServerPath('/console/options')).catch(() => {
      throw unreachable()
    })
    if (!response.ok) throw await toApiError(response, await response.json().catch(() => null))
    return (await response.json()) as SignInOptions
  },
  staleTime: 0,
})

/** Profile and preferences are two views of one database row and share its version. */
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

/** The request needs the access token, so an <img> element cannot load the picture. */
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

/** Call after every change of the account row: all views of the row then have a new version. */
export const useAccountChanged = () => useRefetch(accountKey, ['activity'])
