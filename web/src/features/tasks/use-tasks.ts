import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import * as t from '#locale/tasks'
import {
  dropTask,
  type ListedTasks,
  putTask,
  showStatusOptimistically,
  tasksKey,
} from '../../api/cached-tasks.ts'
import { ifMatch, type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { usePaged } from '../../api/paged.ts'
import { describeError } from '../../api/problem.ts'
import { useNotify } from '../../ui/toast.tsx'
import { usePendingDeletionIds, useUndoableDelete } from '../../ui/use-undoable-delete.ts'
import type { Task } from './groups.ts'
import type { Filter } from './url-state.ts'

const DELETION_KIND = 'task'
const FEW = 20

export const usePendingTaskDeletions = (): ReadonlySet<number> => usePendingDeletionIds(DELETION_KIND)

export const useTaskList = ({ view, q, tag, priority, list: listId }: Filter) => {
  const client = useClient()
  const query = usePaged([...tasksKey, { view, q, tag, priority, listId } satisfies ListedTasks], (page) =>
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
            ...(listId !== null && { listId }),
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
    notify(t.taskRestored(task.title))
    try {
      await sent
    } catch {
      // The failure was already reported, and there is nothing to undo.
      return
    }
    await patch(task.id, { status: task.status }).then(updateLists, failed)
  }

  return {
    complete: (task: Task) => moveTo(task, 'done', t.taskCompleted(task.title)),
    reopen: (task: Task) => moveTo(task, 'todo', t.taskReopened(task.title)),
    begin: (task: Task) => moveTo(task, 'doing', t.taskStarted(task.title)),
    cancel: (task: Task) => moveTo(task, 'cancelled', t.taskCancelled(task.title)),

    /** Changes a task from its row. Undo restores the previous values. */
    async update(
      task: Task,
      change: Omit<Shape<'TaskChange'>, 'children'>,
      toastText: string,
    ): Promise<void> {
      // A task has either a due day or a due time; the API reports both.
      const dueAt = task.dueDay === null ? task.dueAt : null
      const values = { ...task, dueAt, startAt: task.startDay === null ? task.startAt : null }
      const names = Object.keys(change) as (keyof typeof change)[]
      const before = Object.fromEntries(names.map((name) => [name, values[name]]))
      const restore = async () => {
        updateLists(await patch(task.id, before))
        notify(t.taskRestored(task.title))
      }
      try {
        updateLists(await patch(task.id, change))
        notify(toastText, { undo: () => void restore().catch(failed) })
      } catch (error) {
        await failed(error)
      }
    },
    async add(body: Shape<'NewTask'>): Promise<void> {
      const { title } = updateLists(await create(body))
      notify(t.taskAdded(title))
    },
    /** The service parses the text. Without a list, the task goes to the Inbox. */
    async capture(text: string, listId: number | null = null): Promise<void> {
      const body = { text, ...(listId !== null && { listId }) }
      const created = await unwrap(client.POST('/api/tasks/quick', { body }))
      // Only a dry run returns less than the task.
      const { title } = updateLists(created as Shape<'QuickTask'>)
      notify(t.taskAdded(title))
    },
    async change(id: number, body: Shape<'TaskChange'>, etag: string | null): Promise<void> {
      const { title } = updateLists(await patch(id, body, etag))
      notify(t.taskSaved(title))
    },
    remove: ({ id, title }: Task): void =>
      deleteWithUndo({
        kind: DELETION_KIND,
        target: id,
        toastText: t.taskDeleted(title),
        undoneText: t.taskRestored(title),
        async send() {
          await unwrap(client.DELETE('/api/tasks/{id}', { params: { path: { id } }, keepalive: true }))
          dropTask(queries, id)
          void queries.invalidateQueries({ queryKey: ['tags'] })
        },
      }),
  }
}

export type TaskActions = ReturnType<typeof useTaskActions>
