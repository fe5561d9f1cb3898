import { useQuery } from '@tanstack/react-query'
import { unwrap } from './client.ts'
import { useClient } from './context.tsx'

const MAX_TAGS = 200

/** Tags in use by mail, tasks or both, for autocompletion. Empty until loaded. */
export const useTags = (of: 'emails' | 'tasks' | 'any' = 'any'): readonly string[] => {
  const client = useClient()
  const { data } = useQuery({
    queryKey: ['tags'],
    queryFn: () => unwrap(client.GET('/api/tags', { params: { query: { limit: MAX_TAGS } } })),
  })
  return (data?.tags ?? []).filter((used) => of === 'any' || used[of]).map(({ tag }) => tag)
}
