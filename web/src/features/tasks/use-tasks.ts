import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ifMatch, type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { usePaged } from '../../api/paged.ts'
import { describeError } from '../../api/problem.ts'
import {
  dropTask,
  type ListedTasks,
  putTask,
  showStatusOptimistically,
  tasksKey,
} from '../../api/task-lists.ts'
import { useNotify } from '../../ui/toast.tsx'
import { usePendingDeletionIds, useUndoableDelete } from '../../ui/use-undoable-delete.ts'
import type { Task } from './groups.ts'
import type { Due } from './reschedule.ts'
import type { Filter } from './url-state.ts'

const DELETION_KIND = 'task'
const FEW = 20

export const usePendingTaskDeletions = (): ReadonlySet<number> => usePendingDeletionIds(DELETION_KIND)

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
  // Loads the next page when completing tasks has nearly emptied the list.
  const isShort = data !== undefined && count < FEW && hasNextPage && !isFetching && !isError
  useEffect(() => {
    if (isShort) void fetchNextPage()
  }, [isShort, fetchNextPage])
  return query
}

/** Task actions. Each shows a toast and updates the cached lists. */
export const useTaskActions = () => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const deleteWithUndo = useUndoableDelete()
  /** Updates the lists from the response. Other effects, such as a next occurrence, arrive as live events. */
  const updateLists = (task: Task): Task => {
    putTask(queries, task)
    void queries.invalidateQueries({ queryKey: ['tags'] })
    return task
  }
  const patch = (id: number, body: Shape<'TaskChange'>, etag: string | null = null) =>
    unwrap(client.PATCH('/api/tasks/{id}', { params: { path: { id } }, body, headers: ifMatch(etag) }))
  const create = (body: Shape<'NewTask'>) => unwrap(client.POST('/api/tasks', { body }))

  const failed = async (error: unknown): Promise<void> => {
    notify(describeError(error), { failed: true })
    await queries.invalidateQueries({ queryKey: tasksKey })
  }
  /** Optimistic: the update, the toast and the undo do not wait for the service. */
  const moveTo = async (task: Task, status: Task['status'], toastText: string): Promise<void> => {
    await showStatusOptimistically(queries, task, status)
    let isReverted = false
    const sent = patch(task.id, { status })
    const dismissToast = notify(toastText, {
      undo: () => {
        isReverted = true
        void moveBack(task, sent)
      },
    })
    try {
      const moved = await sent
      if (!isReverted) updateLists(moved)
    } catch (error) {
      dismissToast()
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
      // The failure was already reported, and there is nothing to undo.
      return
    }
    await patch(task.id, { status: task.status }).then(updateLists, failed)
  }

  return {
    complete: (task: Task) => moveTo(task, 'done', `“${task.title}” is done.`),
    reopen: (task: Task) => moveTo(task, 'todo', `“${task.title}” is open again.`),
    begin: (task: Task) => moveTo(task, 'doing', `“${task.title}” is begun.`),
    cancel: (task: Task) => moveTo(task, 'cancelled', `“${task.title}” is cancelled.`),

    async move(task: Task, due: Due, day: string): Promise<void> {
      const before = { dueAt: task.dueDay === null ? task.dueAt : null, dueDay: task.dueDay }
      const restoreDue = async () => {
        updateLists(await patch(task.id, before))
        notify(`“${task.title}” is as it was.`)
      }
      try {
        updateLists(await patch(task.id, due))
        notify(`“${task.title}” is due ${day}.`, { undo: () => void restoreDue().catch(failed) })
      } catch (error) {
        await failed(error)
      }
    },
    async add(body: Shape<'NewTask'>): Promise<void> {
      const { title } = updateLists(await create(body))
      notify(`“${title}” is added.`)
    },
    /** The service parses the text. */
    async capture(text: string): Promise<void> {
      const made = await unwrap(client.POST('/api/tasks/quick', { body: { text } }))
      // Only a dry run returns less than the task.
      const { title } = updateLists(made as Shape<'QuickTask'>)
      notify(`“${title}” is added.`)
    },
    async change(id: number, body: Shape<'TaskChange'>, etag: string | null): Promise<void> {
      const { title } = updateLists(await patch(id, body, etag))
      notify(`“${title}” is saved.`)
    },
    remove: ({ id, title }: Task): void =>
      deleteWithUndo({
        kind: DELETION_KIND,
        target: id,
        toastText: `“${title}” is deleted.`,
        undoneText: `“${title}” is back.`,
        async send() {
          await unwrap(client.DELETE('/api/tasks/{id}', { params: { path: { id } }, keepalive: true }))
          dropTask(queries, id)
          void queries.invalidateQueries({ queryKey: ['tags'] })
        },
      }),
  }
}

export type TaskActions = ReturnType<typeof useTaskActions>
