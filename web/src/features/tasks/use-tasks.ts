import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { subtasksStayOpen, tasksDeleted } from '#locale/task-trees'
import * as t from '#locale/tasks'
import {
  dropTask,
  type ListedTasks,
  putTask,
  showPlaceOptimistically,
  showStatusOptimistically,
  type TaskPlace,
  tasksKey,
} from '../../api/cached-tasks.ts'
import { type Client, ifMatch, type Shape, unwrap, unwrapVersion, type Versioned } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { usePaged } from '../../api/paged.ts'
import { ApiError, describeError } from '../../api/problem.ts'
import { useNotify } from '../../ui/toast.tsx'
import { usePendingDeletions, useUndoableDelete } from '../../ui/use-undoable-delete.ts'
import type { Task } from './groups.ts'
import type { Filter } from './url-state.ts'

const DELETION_KIND = 'task'
const FEW = 20

export const usePendingTaskDeletions = (): ReadonlySet<number> => {
  const deletions = usePendingDeletions<readonly number[]>(DELETION_KIND)
  return useMemo(() => new Set(deletions.flat()), [deletions])
}

/** Whether the page shows the tree of a list, instead of tasks by date. */
export const isTree = ({ view, q, tag, priority, list }: Filter): boolean =>
  list !== null && view === 'open' && q === '' && tag === null && priority === null

/** One task with its version. */
export const taskQuery = (client: Client, id: number) =>
  queryOptions({
    queryKey: ['task', id],
    queryFn: () => unwrapVersion(client.GET('/api/tasks/{id}', { params: { path: { id } } })),
  })

/** The subtasks of a task in the order of the list. */
export const useSubtasks = (parentId: number) => {
  const client = useClient()
  const listed: ListedTasks = {
    view: 'all',
    q: '',
    tag: null,
    priority: null,
    listId: null,
    parentId,
    order: 'position',
  }
  return usePaged([...tasksKey, listed], (page) =>
    unwrap(client.GET('/api/tasks', { params: { query: { ...page, parentId, limit: 100 } } })),
  )
}

interface ListOptions {
  /** Only tasks that are due before this instant. */
  dueBefore: string | null
}

export const useTaskList = (filter: Filter, { dueBefore }: ListOptions) => {
  const { view, q, tag, priority, list: listId } = filter
  const client = useClient()
  const isOrdered = isTree(filter)
  const listed: ListedTasks = {
    view,
    q,
    tag,
    priority,
    listId,
    ...(isOrdered && { order: 'position' }),
    ...(dueBefore !== null && { dueBefore }),
  }
  const query = usePaged([...tasksKey, listed], (page) =>
    unwrap(
      client.GET('/api/tasks', {
        params: {
          query: {
            ...page,
            limit: isOrdered ? 200 : 50,
            ...(view !== 'all' && { status: view }),
            ...(q !== '' && { q }),
            ...(tag !== null && { tag }),
            ...(priority !== null && { priority }),
            ...(listId !== null && { listId }),
            ...(isOrdered && { sort: 'position' }),
            ...(dueBefore !== null && { dueBefore }),
          },
        },
      }),
    ),
  )
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query
  const count = data?.pages.reduce((sum, { tasks }) => sum + tasks.length, 0) ?? 0
  // A tree needs all its tasks. Other lists load the next page when completing tasks has nearly emptied them.
  const isShort = data !== undefined && (isOrdered || count < FEW) && hasNextPage && !isFetching && !isError
  useEffect(() => {
    if (isShort) void fetchNextPage()
  }, [isShort, fetchNextPage])
  return query
}

/** The place of a new task. Default: the Inbox. */
export type NewPlace = Pick<Shape<'QuickInput'>, 'listId' | 'sectionId' | 'parentId'>

export type RowChange = Omit<Shape<'TaskChange'>, 'children'>

/** The fields of a change, with the values that the task has now. */
const valuesBefore = (task: Task, change: RowChange): RowChange => {
  // A task has either a due day or a due time; the API reports both.
  const values = {
    ...task,
    dueAt: task.dueDay === null ? task.dueAt : null,
    startAt: task.startDay === null ? task.startAt : null,
  }
  const names = Object.keys(change) as (keyof RowChange)[]
  return Object.fromEntries(names.map((name) => [name, values[name]]))
}

const describeRestored = (tasks: readonly Task[]): string =>
  tasks.length === 1 && tasks[0] ? t.taskRestored(tasks[0].title) : t.tasksRestored(tasks.length)

const describeDeleted = (tasks: readonly Task[]): string =>
  tasks.length === 1 && tasks[0] ? t.taskDeleted(tasks[0].title) : tasksDeleted(tasks.length)

/** Task actions. Each shows a toast and updates the cached lists. */
export const useTaskActions = () => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const deleteWithUndo = useUndoableDelete()
  /** Updates the lists from the response. Other effects, such as a next occurrence, arrive as live events. */
  const updateLists = (task: Task): Task => {
    putTask(queries, task)
    // The version stays the one that was read: a text that is being edited compares it with the server.
    queries.setQueryData<Versioned<Task>>(['task', task.id], (read) => read && { ...read, value: task })
    void queries.invalidateQueries({ queryKey: ['tags'] })
    return task
  }
  const patch = (id: number, body: Shape<'TaskChange'>) =>
    unwrap(client.PATCH('/api/tasks/{id}', { params: { path: { id } }, body }))
  const create = (body: Shape<'NewTask'>) => unwrap(client.POST('/api/tasks', { body }))

  const removeTask = async (id: number): Promise<void> => {
    try {
      await unwrap(client.DELETE('/api/tasks/{id}', { params: { path: { id } }, keepalive: true }))
    } catch (error) {
      // It was a subtask of another deleted task.
      if (!(error instanceof ApiError && error.status === 404)) throw error
    }
    dropTask(queries, id)
  }
  const failed = async (error: unknown): Promise<void> => {
    notify(describeError(error), { failed: true })
    await queries.invalidateQueries({ queryKey: tasksKey })
  }
  /** Optimistic: the update, the toast and the undo do not wait for the service. */
  const moveTo = async (
    task: Task,
    status: Task['status'],
    toastText: string,
    subtasks: readonly Task[] = [],
  ): Promise<void> => {
    for (const each of [task, ...subtasks]) await showStatusOptimistically(queries, each, status)
    let isReverted = false
    const sent = patch(task.id, { status, ...(subtasks.length > 0 && { children: 'complete' }) })
    const dismissToast = notify(toastText, {
      undo: () => {
        isReverted = true
        void moveBack([task, ...subtasks], sent)
      },
    })
    try {
      const moved = await sent
      if (isReverted) return
      updateLists(moved)
      if (moved.openSubtasks) notify(subtasksStayOpen(moved.openSubtasks))
    } catch (error) {
      dismissToast()
      await failed(error)
    }
  }
  const moveBack = async (moved: readonly Task[], sent: Promise<unknown>): Promise<void> => {
    await queries.cancelQueries({ queryKey: tasksKey })
    for (const task of moved) {
      dropTask(queries, task.id)
      putTask(queries, task)
    }
    notify(describeRestored(moved))
    try {
      await sent
    } catch {
      // The failure was already reported, and there is nothing to undo.
      return
    }
    for (const { id, status } of moved) await patch(id, { status }).then(updateLists, failed)
  }

  return {
    /** Completes a task and the given subtasks, which are all its open ones. Without them, they stay open. */
    complete: (task: Task, subtasks: readonly Task[] = []) =>
      moveTo(task, 'done', t.taskCompleted(task.title), subtasks),
    reopen: (task: Task) => moveTo(task, 'todo', t.taskReopened(task.title)),
    begin: (task: Task) => moveTo(task, 'doing', t.taskStarted(task.title)),
    cancel: (task: Task) => moveTo(task, 'cancelled', t.taskCancelled(task.title)),

    /** Changes tasks from their rows. Undo restores the previous values. */
    async update(
      tasks: readonly Task[],
      toChange: (task: Task) => RowChange,
      toastText: string,
    ): Promise<void> {
      const changes = tasks.map((task) => ({ task, change: toChange(task) }))
      const restore = async () => {
        for (const { task, change } of changes) updateLists(await patch(task.id, valuesBefore(task, change)))
        notify(describeRestored(tasks))
      }
      try {
        for (const { task, change } of changes) updateLists(await patch(task.id, change))
        notify(toastText, { undo: () => void restore().catch(failed) })
      } catch (error) {
        await failed(error)
      }
    },
    /** Moves a task to a place of its list. Optimistic; `before` is its place for the undo. */
    async move(task: Task, to: TaskPlace, before: TaskPlace, toastText: string): Promise<void> {
      const send = async (place: TaskPlace) => {
        const { afterId, ...rest } = place
        const body = { ...rest, ...(afterId !== undefined && { afterId }) }
        await showPlaceOptimistically(queries, task, place)
        updateLists(
          await unwrap(client.POST('/api/tasks/{id}/move', { params: { path: { id: task.id } }, body })),
        )
      }
      const sent = send(to)
      const dismissToast = notify(toastText, {
        undo: () => {
          void sent
            .then(() => send(before))
            .then(() => notify(t.taskRestored(task.title)))
            .catch(failed)
        },
      })
      await sent.catch(async (error) => {
        dismissToast()
        await failed(error)
      })
    },
    async add(body: Shape<'NewTask'>): Promise<Task> {
      const task = updateLists(await create(body))
      notify(t.taskAdded(task.title))
      return task
    },
    /** The service parses the text. Without a list, the task goes to the Inbox. */
    async capture(text: string, place: NewPlace = {}): Promise<Task> {
      const body = { text, ...place }
      const created = await unwrap(client.POST('/api/tasks/quick', { body }))
      // Only a dry run returns less than the task.
      const task = updateLists(created as Shape<'QuickTask'>)
      notify(t.taskAdded(task.title))
      return task
    },
    read: (id: number) => queries.fetchQuery({ ...taskQuery(client, id), staleTime: 0 }),
    /** Saves a text, unless the task has another version. */
    async save(id: number, body: RowChange, etag: string | null): Promise<Versioned<Task>> {
      const params = { path: { id } }
      const saved = await unwrapVersion(
        client.PATCH('/api/tasks/{id}', { params, body, headers: ifMatch(etag) }),
      )
      updateLists(saved.value)
      queries.setQueryData(['task', id], saved)
      return saved
    },
    /** Deletes tasks with their subtasks. One toast undoes all of it. */
    remove: (...tasks: readonly Task[]): void =>
      deleteWithUndo({
        kind: DELETION_KIND,
        target: tasks.map(({ id }) => id),
        toastText: describeDeleted(tasks),
        undoneText: describeRestored(tasks),
        async send() {
          await Promise.all(tasks.map(({ id }) => removeTask(id)))
          void queries.invalidateQueries({ queryKey: ['tags'] })
        },
      }),
  }
}

export type TaskActions = ReturnType<typeof useTaskActions>
