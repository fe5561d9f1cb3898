import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Client, type Shape, unwrap } from './client.ts'
import { useClient } from './context.tsx'
import { useRefetch } from './use-refetch.ts'

export type TaskListInfo = Shape<'TaskListInfo'>

export const taskListsKey = ['task-lists'] as const

/** All lists, also those on later pages: rows and forms look up a list by its id. */
const fetchTaskLists = async (client: Client): Promise<TaskListInfo[]> => {
  const lists: TaskListInfo[] = []
  let cursor: string | null = null
  do {
    const query: { cursor?: string } = cursor === null ? {} : { cursor }
    const page: Shape<'TaskListCollection'> = await unwrap(
      client.GET('/api/task-lists', { params: { query } }),
    )
    lists.push(...page.taskLists)
    cursor = page.nextCursor
  } while (cursor !== null)
  return lists
}

const taskListsQuery = (client: Client) =>
  queryOptions({
    queryKey: taskListsKey,
    queryFn: () => fetchTaskLists(client),
  })

const NONE: readonly TaskListInfo[] = []

/** The own lists and those that others share with the user. */
export const useTaskLists = () => {
  const query = useQuery(taskListsQuery(useClient()))
  const lists = query.data ?? NONE
  return useMemo(() => {
    const byId = new Map(lists.map((list) => [list.id, list]))
    return {
      lists,
      isLoaded: query.data !== undefined,
      isPending: query.isPending,
      error: query.error,
      refetch: query.refetch,
      find: (id: number): TaskListInfo | undefined => byId.get(id),
      isVisible: (id: number): boolean => byId.get(id)?.visible ?? true,
      /** A list that is not loaded yet counts as editable. The server checks every change. */
      isEditable: (id: number): boolean => byId.get(id)?.role !== 'viewer',
      isOwn: (id: number): boolean => (byId.get(id)?.owner ?? null) === null,
    }
  }, [lists, query.data, query.isPending, query.error, query.refetch])
}

export type TaskLists = ReturnType<typeof useTaskLists>

/** Changes of lists. Each refetches the lists. */
export const useTaskListActions = () => {
  const client = useClient()
  const queries = useQueryClient()
  const refetch = useRefetch(taskListsKey)
  const change = ({ id }: TaskListInfo, body: Shape<'TaskListChange'>) =>
    unwrap(client.PATCH('/api/task-lists/{id}', { params: { path: { id } }, body }))
  return {
    async create(body: Shape<'NewTaskList'>): Promise<TaskListInfo> {
      const list = await unwrap(client.POST('/api/task-lists', { body }))
      await refetch()
      return list
    },
    async change(list: TaskListInfo, body: Shape<'TaskListChange'>): Promise<void> {
      await change(list, body).finally(refetch)
    },
    /** Optimistic: the checkbox does not wait for the service. */
    async setVisible(list: TaskListInfo, visible: boolean): Promise<void> {
      await queries.cancelQueries({ queryKey: taskListsKey })
      queries.setQueryData<TaskListInfo[]>(taskListsKey, (lists) =>
        lists?.map((other) => (other.id === list.id ? { ...other, visible } : other)),
      )
      await change(list, { visible }).finally(refetch)
    },
    async remove({ id }: TaskListInfo, tasks: 'move' | 'delete'): Promise<void> {
      const params = { path: { id }, query: { tasks } }
      await unwrap(client.DELETE('/api/task-lists/{id}', { params }))
      await Promise.all([refetch(), queries.invalidateQueries({ queryKey: ['tasks'] })])
    },
  }
}
