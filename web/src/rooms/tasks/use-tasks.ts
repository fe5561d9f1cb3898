import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ifMatch, type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { usePaged } from '../../api/paged.ts'
import { tell } from '../../api/problem.ts'
import { dropTask, type ListedTasks, putTask, showStatus, tasksKey } from '../../api/task-lists.ts'
import { useNotify } from '../../ui/toast.tsx'
import { useLeave, useLeavingIds } from '../../ui/use-leaving.ts'
import type { Task } from './groups.ts'
import type { Filter } from './place.ts'
import type { Due } from './putting-off.ts'

const LEAVING = 'task'
const FEW = 20

export const useLeavingTasks = (): ReadonlySet<number> => useLeavingIds(LEAVING)

export const useTaskList = ({ view, q, tag, priority }: Filter) => {
  const client = useClient()
  const query = usePaged([...tasksKey, { view, q, tag, priority } satisfies ListedTasks], (page) =>
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
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query
  const count = data?.pages.reduce((sum, { tasks }) => sum + tasks.length, 0) ?? 0
  // Whoever completes one after the other need not ask for the rest.
  const isShort = data !== undefined && count < FEW && hasNextPage && !isFetching && !isError
  useEffect(() => {
    if (isShort) void fetchNextPage()
  }, [isShort, fetchNextPage])
  return query
}

/** What can be done with tasks; each says what it did, and the list follows. */
export const useTaskActions = () => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const leave = useLeave()
  /** The lists follow what the service answered; what else it did, such as a next occurrence, is told as it happens. */
  const took = (task: Task): Task => {
    putTask(queries, task)
    void queries.invalidateQueries({ queryKey: ['tags'] })
    return task
  }
  const patch = (id: number, body: Shape<'TaskChange'>, etag: string | null = null) =>
    unwrap(client.PATCH('/api/tasks/{id}', { params: { path: { id } }, body, headers: ifMatch(etag) }))
  const create = (body: Shape<'NewTask'>) => unwrap(client.POST('/api/tasks', { body }))

  const failed = async (error: unknown): Promise<void> => {
    notify(tell(error), { failed: true })
    await queries.invalidateQueries({ queryKey: tasksKey })
  }
  /** Seen, said and taken back at once, however long the service takes. */
  const moveTo = async (task: Task, status: Task['status'], said: string): Promise<void> => {
    await showStatus(queries, task, status)
    let isTakenBack = false
    const sent = patch(task.id, { status })
    const takeAway = notify(said, {
      undo: () => {
        isTakenBack = true
        void moveBack(task, sent)
      },
    })
    try {
      const moved = await sent
      if (!isTakenBack) took(moved)
    } catch (error) {
      takeAway()
      await failed(error)
    }
  }
  const moveBack = async (task: Task, sent: Promise<unknown>): Promise<void> => {
    await queries.cancelQueries({ queryKey: tasksKey })
    dropTask(queries, task.id)
    putTask(queries, task)
    notify(`“${task.title}” is as it was.`)
    try {
      await sent
    } catch {
      // That has been told, and nothing has to be taken back.
      return
    }
    await patch(task.id, { status: task.status }).then(took, failed)
  }

  return {
    complete: (task: Task) => moveTo(task, 'done', `“${task.title}” is done.`),
    reopen: (task: Task) => moveTo(task, 'todo', `“${task.title}” is open again.`),
    begin: (task: Task) => moveTo(task, 'doing', `“${task.title}” is begun.`),
    cancel: (task: Task) => moveTo(task, 'cancelled', `“${task.title}” is cancelled.`),

    async move(task: Task, due: Due, day: string): Promise<void> {
      const before = { dueAt: task.dueDay === null ? task.dueAt : null, dueDay: task.dueDay }
      const putBack = async () => {
        took(await patch(task.id, before))
        notify(`“${task.title}” is as it was.`)
      }
      try {
        took(await patch(task.id, due))
        notify(`“${task.title}” is due ${day}.`, { undo: () => void putBack().catch(failed) })
      } catch (error) {
        await failed(error)
      }
    },
    async add(body: Shape<'NewTask'>): Promise<void> {
      const { title } = took(await create(body))
      notify(`“${title}” is added.`)
    },
    /** A line in words: the service reads it. */
    async capture(text: string): Promise<void> {
      const made = await unwrap(client.POST('/api/tasks/quick', { body: { text } }))
      // Only what is asked for a trial is answered with less than the task.
      const { title } = took(made as Shape<'QuickTask'>)
      notify(`“${title}” is added.`)
    },
    async change(id: number, body: Shape<'TaskChange'>, etag: string | null): Promise<void> {
      const { title } = took(await patch(id, body, etag))
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
          dropTask(queries, id)
          void queries.invalidateQueries({ queryKey: ['tags'] })
        },
      }),
  }
}

export type TaskActions = ReturnType<typeof useTaskActions>
