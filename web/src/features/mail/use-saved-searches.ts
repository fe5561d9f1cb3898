import { useQuery } from '@tanstack/react-query'
import { type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { useRefetch } from '../../api/use-refetch.ts'

export type SavedSearch = Shape<'SavedSearch'>

const KEY = ['saved-searches']

/** The searches that the account has saved, and their changes. */
export const useSavedSearches = () => {
  const client = useClient()
  const { data } = useQuery({ queryKey: KEY, queryFn: () => unwrap(client.GET('/api/saved-searches')) })
  const refresh = useRefetch(KEY)
  return {
    searches: data?.savedSearches ?? [],
    async add(name: string, q: string): Promise<void> {
      await unwrap(client.POST('/api/saved-searches', { body: { name, q } }))
      await refresh()
    },
    async rename({ id }: SavedSearch, name: string): Promise<void> {
      await unwrap(client.PATCH('/api/saved-searches/{id}', { params: { path: { id } }, body: { name } }))
      await refresh()
    },
    async remove({ id }: SavedSearch): Promise<void> {
      await unwrap(client.DELETE('/api/saved-searches/{id}', { params: { path: { id } } }))
      await refresh()
    },
  }
}
