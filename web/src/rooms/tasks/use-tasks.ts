import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { ifMatch, type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { usePaged } from '../../api/paged.ts'
import { tell } from '../../api/problem.ts'
import { useNotify } from '../../ui/toast.tsx'
import { useLeave, useLeavingIds } from '../../ui/use-leaving.ts'
import type { Task } from './groups.ts'
import type { Filter, View } from './place.ts'

const key = ['tasks']
const LEAVING = 'task'

export const useLeavingTasks = (): ReadonlySet<number> => useLeavingIds(LEAVING)

export const useTaskList = ({ view, q, tag, priority }: Filter) => {
  const client = useClient()
  return usePaged([...key, { view, q, tag, priority }], (page) =>
    unwrap(
      client.GET('/api/tasks', {
        params: {
          query: {
            ...page,
            limit: 50,
            ...(view !== 'all' && { status: view }),
            ...(q !== '' && { q }),
            ...(tag !== null && { tag }),
            ...(priority !== null && { priority }),
          },
        },
      }),
    ),
  )
}

type Pages = InfiniteData<{ tasks: Task[]; nextCursor: string | null }>

const fits = (status: Task['status'], view: View): boolean =>
  view === 'all' || (view === 'done' ? status === 'done' : status === 'todo' || status === 'doing')

/** Shows at once how it stands in every list that is there; those it no longer fits into lose it. */
const show = async (queries: QueryClient, { id }: Task, status: Task['status']): Promise<void> => {
  // What is being read may still say what was.
  await queries.cancelQueries({ queryKey: key })
  for (const { queryKey } of queries.getQueryCache().findAll({ queryKey: key })) {
    const { view } = queryKey[1] as Filter
    queries.setQueryData<Pages>(queryKey, (data) =>
      data === undefined
        ? undefined
        : {
            ...data,
            pages: data.pages.map((page) => ({
              ...page,
              tasks: page.tasks
                .filter((task) => task.id !== id || fits(status, view))
                .map((task) => (task.id === id ? { ...task, status } : task)),
            })),
          },
    )
  }
}

/** What can be done with tasks; each says what it did, and the list follows. */
export const useTaskActions = () => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const leave = useLeave()
  const changed = () =>
    Promise.all([key, ['tags']].map((queryKey) => queries.invalidateQueries({ queryKey })))
  const patch = (id: number, body: Shape<'TaskChange'>, etag: string | null = null) =>
    unwrap(client.PATCH('/api/tasks/{id}', { params: { path: { id } }, body, headers: ifMatch(etag) }))
  const create = (body: Shape<'NewTask'>) => unwrap(client.POST('/api/tasks', { body }))

  const moveTo = async (task: Task, status: Task['status'], said: string): Promise<void> => {
    await show(queries, task, status)
    try {
      await patch(task.id, { status })
      notify(said, { undo: () => void moveBack(task) })
    } catch (error) {
      notify(tell(error), { failed: true })
    } finally {
      await changed()
    }
  }
  const moveBack = async ({ id, status, title }: Task): Promise<void> => {
    try {
      await patch(id, { status })
      await changed()
      notify(`“${title}” is as it was.`)
    } catch (error) {
      notify(tell(error), { failed: true })
    }
  }

  return {
    complete: (task: Task) => moveTo(task, 'done', `“${task.title}” is done.`),
    reopen: (task: Task) => moveTo(task, 'todo', `“${task.title}” is open again.`),
    begin: (task: Task) => moveTo(task, 'doing', `“${task.title}” is begun.`),
    cancel: (task: Task) => moveTo(task, 'cancelled', `“${task.title}” is cancelled.`),

    async add(body: Shape<'NewTask'>): Promise<void> {
      const { title } = await create(body)
      await changed()
      notify(`“${title}” is added.`)
    },
    /** A line in words: the service reads it. */
    async capture(text: string): Promise<void> {
      const { title } = await unwrap(client.POST('/api/tasks/quick', { body: { text } }))
      await changed()
      notify(`“${title}” is added.`)
    },
    async change(id: number, body: Shape<'TaskChange'>, etag: string | null): Promise<void> {
      const { title } = await patch(id, body, etag)
      await changed()
      notify(`“${title}” is saved.`)
    },
    remove: ({ id, title }: Task): void =>
      leave({
        kind: LEAVING,
        what: id,
        said: `“${title}” is deleted.`,
        back: `“${title}” is back.`,
        async send() {
          await unwrap(client.DELETE('/api/tasks/{id}', { params: { path: { id } }, keepalive: true }))
          await changed()
        },
      }),
  }
}

export type TaskActions = ReturnType<typeof useTaskActions>
