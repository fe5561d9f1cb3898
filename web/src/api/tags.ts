import { useQuery } from '@tanstack/react-query'
import { unwrap } from './client.ts'
import { useClient } from './context.tsx'

const MOST = 200

/** The tags that mail or tasks have, to choose from; none while they are not known. */
export const useTags = (of: 'emails' | 'tasks' | 'any' = 'any'): readonly string[] => {
  const client = useClient()
  const { data } = useQuery({
    queryKey: ['tags'],
    queryFn: () => unwrap(client.GET('/api/tags', { params: { query: { limit: MOST } } })),
  })
  return (data?.tags ?? []).filter((used) => of === 'any' || used[of]).map(({ tag }) => tag)
}
