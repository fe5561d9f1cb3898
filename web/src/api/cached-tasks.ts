import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query'
import type { Shape } from './client.ts'

type Task = Shape<'Task'>

/** Filters that identify one cached task list. */
export interface ListedTasks {
  view: 'open' | 'done' | 'all'
  q: string
  tag: string | null
  priority: Task['priority'] | null
  /** Null for all lists. */
  listId: number | null
  /** Only the subtasks of this task. */
  parentId?: number
  /** The order of the owner of the list. Default: by due date. */
  order?: 'position'
  /** Only tasks that are due before this instant. */
  dueBefore?: string
}

export const tasksKey = ['tasks'] as const

type Pages = InfiniteData<Shape<'TaskList'>>

const listedOf = ({ queryKey }: Query): ListedTasks => queryKey[1] as ListedTasks

const isOpen = (status: Task['status']): boolean => status === 'todo' || status === 'doing'
const isOfView = (status: Task['status'], view: ListedTasks['view']): boolean =>
  view === 'all' || (view === 'done' ? status === 'done' : isOpen(status))
const tagKeyOf = (tag: string): string => tag.trim().normalize('NFC').toLowerCase()

const fits = (task: Task, { view, tag, priority, listId, parentId, dueBefore }: ListedTasks): boolean =>
  isOfView(task.status, view) &&
  (listId === null || task.listId === listId) &&
  (parentId === undefined || task.parentId === parentId) &&
  (dueBefore === undefined || (task.dueAt !== null && task.dueAt < dueBefore)) &&
  (priority === null || task.priority === priority) &&
  (tag === null || task.tags.some((own) => tagKeyOf(own) === tagKeyOf(tag)))

const RANKS: Readonly<Record<Task['priority'], number>> = { urgent: 0, high: 1, normal: 2, low: 3 }

/**
 * Sort key in the order that the API documents: open tasks by due date and priority, then closed tasks by
 * date, latest first.
 */
const toSortKey = (task: Task): readonly number[] =>
  isOpen(task.status)
    ? [
        0,
        task.dueAt === null ? Number.POSITIVE_INFINITY : Date.parse(task.dueAt),
        RANKS[task.priority],
        task.id,
      ]
    : [1, -Date.parse(task.completedAt ?? task.updatedAt), 0, task.id]

const isBefore = (one: Task, other: Task, { order }: ListedTasks): boolean => {
  if (order === 'position' && one.position !== other.position) return one.position < other.position
  const [a, b] = [toSortKey(one), toSortKey(other)]
  const at = a.findIndex((value, index) => value !== b[index])
  return at >= 0 && (a[at] as number) < (b[at] as number)
}

const withoutTask = (data: Pages, id: number): Pages => ({
  ...data,
  pages: data.pages.map((page) =>
    page.tasks.some((task) => task.id === id)
      ? { ...page, tasks: page.tasks.filter((task) => task.id !== id) }
      : page,
  ),
})

/**
 * Inserts the task at its sorted position. A task behind the loaded pages is skipped: a later page contains
 * it.
 */
const withTask = (data: Pages, task: Task, listed: ListedTasks): Pages => {
  const at = data.pages.findIndex(
    ({ tasks, nextCursor }) => nextCursor === null || tasks.some((other) => isBefore(task, other, listed)),
  )
  const page = data.pages[at]
  if (!page) return data
  const index = page.tasks.findIndex((other) => isBefore(task, other, listed))
  const tasks = page.tasks.toSpliced(index < 0 ? page.tasks.length : index, 0, task)
  return { ...data, pages: data.pages.with(at, { ...page, tasks }) }
}

const inPlace = (data: Pages, task: Task): Pages => ({
  ...data,
  pages: data.pages.map((page) => ({
    ...page,
    tasks: page.tasks.map((other) => (other.id === task.id ? task : other)),
  })),
})

const find = (data: Pages, id: number): Task | undefined =>
  data.pages.flatMap(({ tasks }) => tasks).find((task) => task.id === id)

/** A task from a live event. It has no reminder if another account owns it. */
type ReceivedTask = Omit<Task, 'remindAt'> & { remindAt?: Task['remindAt'] }

const put = (queries: QueryClient, query: Query, received: ReceivedTask): void => {
  const data = query.state.data as Pages | undefined
  if (!data) return
  const listed = listedOf(query)
  const before = find(data, received.id)
  const task: Task = { remindAt: before?.remindAt ?? null, ...received }
  // A live event may be older than the loaded task.
  if (before && before.updatedAt > task.updatedAt) return
  // Keeps the time of the last fetch, because the rest of the list was not refreshed.
  const set = (pages: Pages) =>
    queries.setQueryData(query.queryKey, pages, { updatedAt: query.state.dataUpdatedAt })
  if (!fits(task, listed)) return void (before && set(withoutTask(data, task.id)))
  if (listed.q === '') return void set(withTask(withoutTask(data, task.id), task, listed))
  // Only the service can decide whether the task matches the search.
  if (before) set(inPlace(data, task))
  const isReworded = before?.title !== task.title || before.notes !== task.notes
  if (isReworded) void queries.invalidateQueries({ queryKey: query.queryKey, exact: true })
}

/**
 * Applies a change to every cached list. A list that is being fetched may return stale data, so it gets the
 * change afterwards.
 */
const inLists = (queries: QueryClient, change: (query: Query) => void): void => {
  for (const query of queries.getQueryCache().findAll({ queryKey: tasksKey })) {
    if (query.state.fetchStatus === 'idle') change(query)
    else void query.promise?.catch(() => {}).then(() => change(query))
  }
}

/** Inserts, moves or removes a task in every cached list without a refetch. */
export const putTask = (queries: QueryClient, task: ReceivedTask): void =>
  inLists(queries, (query) => put(queries, query, task))

export const dropTask = (queries: QueryClient, id: number): void =>
  inLists(queries, (query) => {
    const data = query.state.data as Pages | undefined
    if (data && find(data, id))
      queries.setQueryData(query.queryKey, withoutTask(data, id), { updatedAt: query.state.dataUpdatedAt })
  })

/**
 * Optimistic update: shows the new status before the service has confirmed it. Lists that exclude the status
 * lose the task.
 */
export const showStatusOptimistically = async (
  queries: QueryClient,
  { id }: Task,
  status: Task['status'],
): Promise<void> => {
  // A running fetch may still return the old status.
  await queries.cancelQueries({ queryKey: tasksKey })
  for (const query of queries.getQueryCache().findAll({ queryKey: tasksKey })) {
    const data = query.state.data as Pages | undefined
    const task = data && find(data, id)
    if (!task) continue
    const updated = isOfView(status, listedOf(query).view)
      ? inPlace(data, { ...task, status })
      : withoutTask(data, id)
    queries.setQueryData(query.queryKey, updated, { updatedAt: query.state.dataUpdatedAt })
  }
}

/** A place in the order of a list. */
export interface TaskPlace {
  listId: number
  parentId: number | null
  sectionId: number | null
  /** The task in front of it; null for the first place, undefined for the last one. */
  afterId: number | null | undefined
}

/** Inserts a task behind another one, or in front of all tasks. */
const withTaskAfter = (data: Pages, task: Task, afterId: TaskPlace['afterId']): Pages => {
  if (afterId === undefined) return withTaskAfter(data, task, data.pages.at(-1)?.tasks.at(-1)?.id ?? null)
  const at = data.pages.findIndex(({ tasks }) => afterId === null || tasks.some(({ id }) => id === afterId))
  const page = data.pages[at]
  if (!page) return data
  const index = page.tasks.findIndex(({ id }) => id === afterId) + 1
  return { ...data, pages: data.pages.with(at, { ...page, tasks: page.tasks.toSpliced(index, 0, task) }) }
}

/** Optimistic update: shows the new place in the order of a list before the service has confirmed it. */
export const showPlaceOptimistically = async (
  queries: QueryClient,
  task: Task,
  { afterId, ...place }: TaskPlace,
): Promise<void> => {
  await queries.cancelQueries({ queryKey: tasksKey })
  for (const query of queries.getQueryCache().findAll({ queryKey: tasksKey })) {
    const data = query.state.data as Pages | undefined
    const { order, listId, parentId } = listedOf(query)
    if (!data || order !== 'position' || parentId !== undefined) continue
    const others = withoutTask(data, task.id)
    const updated = listId === place.listId ? withTaskAfter(others, { ...task, ...place }, afterId) : others
    queries.setQueryData(query.queryKey, updated, { updatedAt: query.state.dataUpdatedAt })
  }
}

const parseEvent = (text: string): { subject: string; data: Partial<Task> } => JSON.parse(text)

/** Applies a live task event to the cached lists. */
export const followTask = (
  queries: QueryClient,
  { type, data: text }: { type: string; data: string },
): void => {
  const { subject, data } = parseEvent(text)
  if (type === 'task.deleted') dropTask(queries, Number(subject))
  else if (data.id !== undefined && data.status !== undefined) putTask(queries, data as ReceivedTask)
}
