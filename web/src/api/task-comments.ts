import { type Shape, unwrap } from './client.ts'
import { useClient } from './context.tsx'
import { usePaged } from './paged.ts'
import { useRefetch } from './use-refetch.ts'

export type TaskComment = Shape<'TaskComment'>

const keyOf = (taskId: number) => ['task-comments', taskId] as const

/** The comments on a task, oldest first. */
export const useTaskComments = (taskId: number) => {
  const client = useClient()
  return usePaged(keyOf(taskId), (page) =>
    unwrap(
      client.GET('/api/tasks/{id}/comments', {
        params: { path: { id: taskId }, query: { ...page, limit: 200 } },
      }),
    ),
  )
}

export const useTaskCommentActions = (taskId: number) => {
  const client = useClient()
  const refetch = useRefetch(keyOf(taskId))
  const at = (id: number) => ({ path: { id: taskId, commentId: id } })
  return {
    async add(text: string): Promise<void> {
      const params = { path: { id: taskId } }
      await unwrap(client.POST('/api/tasks/{id}/comments', { params, body: { text } }))
      await refetch()
    },
    async change({ id }: TaskComment, text: string): Promise<void> {
      const options = { params: at(id), body: { text } }
      await unwrap(client.PATCH('/api/tasks/{id}/comments/{commentId}', options)).finally(refetch)
    },
    send: ({ id }: TaskComment) =>
      unwrap(client.DELETE('/api/tasks/{id}/comments/{commentId}', { params: at(id) })).finally(refetch),
  }
}
