import { type Shape, unwrap } from './client.ts'
import { useClient } from './context.tsx'
import { usePaged } from './paged.ts'
import { useRefetch } from './use-refetch.ts'

export type Commitment = Shape<'Commitment'>
type CommitmentChange = Shape<'CommitmentChange'>

export const commitmentsKey = ['commitments'] as const

const PAGE_SIZE = 50

export interface CommitmentFilter {
  direction?: Commitment['direction']
  status: Commitment['status']
  /** Only commitments from or to the person with this address. */
  address?: string
}

export const useCommitmentList = (filter: CommitmentFilter) => {
  const client = useClient()
  return usePaged([...commitmentsKey, 'list', filter], ({ cursor }) =>
    unwrap(
      client.GET('/api/commitments', {
        params: { query: { limit: PAGE_SIZE, ...filter, ...(cursor !== undefined && { cursor }) } },
      }),
    ),
  )
}

/** Changes of commitments. Each refetches the lists that show them. */
export const useCommitmentRequests = () => {
  const client = useClient()
  const refetch = useRefetch(commitmentsKey, ['stats'])
  return {
    async change(id: number, body: CommitmentChange): Promise<void> {
      await unwrap(client.PATCH('/api/commitments/{id}', { params: { path: { id } }, body })).finally(refetch)
    },
    async makeTask(id: number): Promise<Shape<'CommitmentTask'>> {
      const created = await unwrap(client.POST('/api/commitments/{id}/task', { params: { path: { id } } }))
      await refetch()
      return created
    },
    async undo(actionId: number): Promise<void> {
      const params = { path: { id: actionId } }
      await unwrap(client.POST('/api/actions/{id}/undo', { params })).finally(refetch)
    },
  }
}
