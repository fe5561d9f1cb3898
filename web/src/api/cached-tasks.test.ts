import { type InfiniteData, QueryClient } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import {
  dropTask,
  followTask,
  type ListedTasks,
  putTask,
  showStatusOptimistically,
  tasksKey,
} from './cached-tasks.ts'
import type { Shape } from './client.ts'

type Task = Shape<'Task'>
type Pages = InfiniteData<Shape<'TaskList'>>

const ALL: ListedTasks = { view: 'open', q: '', tag: null, priority: null, listId: null }
const NOW = '2026-03-02T08:00:00.000Z'

const task = (id: number, change: Partial<Task> = {}): Task =>
  ({
    id,
    listId: 1,
    title: `Task ${id}`,
    notes: '',
    status: 'todo',
    priority: 'normal',
    dueAt: null,
    tags: [],
    remindAt: null,
    completedAt: null,
    updatedAt: NOW,
    ...change,
  }) as Task

/** A cache with one list. Each argument after the filter is a page. */
const cached = (listed: Partial<ListedTasks>, ...pages: Task[][]) => {
  const queries = new QueryClient()
  const key = [...tasksKey, { ...ALL, ...listed }]
  const data: Pages = {
    pages: pages.map((tasks, index) => ({
      tasks,
      nextCursor: index === pages.length - 1 ? null : `page-${index + 1}`,
    })) as Pages['pages'],
    pageParams: [],
  }
  queries.setQueryData(key, data)
  const tasks = () => queries.getQueryData<Pages>(key)?.pages.flatMap((page) => page.tasks) ?? []
  return {
    queries,
    tasks,
    ids: () => tasks().map(({ id }) => id),
    isOutdated: () => queries.getQueryState(key)?.isInvalidated,
    stopAtFirstPage() {
      queries.setQueryData<Pages>(key, (known) => known && { ...known, pages: known.pages.slice(0, 1) })
    },
  }
}

describe('a cached list of tasks', () => {
  it('inserts a new task by due date, then priority, then id', () => {
    const list = cached({}, [
      task(1, { dueAt: '2026-03-03T09:00:00.000Z' }),
      task(2, { dueAt: '2026-03-05T09:00:00.000Z' }),
      task(3, { priority: 'high' }),
      task(5),
    ])
    putTask(list.queries, task(6, { dueAt: '2026-03-04T09:00:00.000Z' }))
    putTask(list.queries, task(7, { priority: 'urgent' }))
    putTask(list.queries, task(4))
    expect(list.ids()).toEqual([1, 6, 2, 7, 3, 4, 5])
  })

  it('moves a task whose due date has changed', () => {
    const list = cached({}, [task(1, { dueAt: '2026-03-03T09:00:00.000Z' }), task(2), task(3)])
    putTask(list.queries, task(3, { dueAt: '2026-03-02T09:00:00.000Z' }))
    expect(list.ids()).toEqual([3, 1, 2])
  })

  it('leaves a task behind the loaded pages to the next page', () => {
    const list = cached({}, [task(1, { dueAt: '2026-03-03T09:00:00.000Z' })], [task(9)])
    list.stopAtFirstPage()
    putTask(list.queries, task(5))
    expect(list.ids()).toEqual([1])
  })

  it('loses a task that no longer fits its filter', () => {
    const ofView = cached({ view: 'open' }, [task(1), task(2)])
    putTask(ofView.queries, task(1, { status: 'done' }))
    expect(ofView.ids()).toEqual([2])
    const ofPriority = cached({ priority: 'high' }, [task(1, { priority: 'high' })])
    putTask(ofPriority.queries, task(1))
    expect(ofPriority.ids()).toEqual([])
    const ofList = cached({ listId: 1 }, [task(1)])
    putTask(ofList.queries, task(1, { listId: 2 }))
    expect(ofList.ids()).toEqual([])
  })

  it('compares tags without case', () => {
    const list = cached({ tag: 'Home' }, [])
    putTask(list.queries, task(1, { tags: ['home '] }))
    putTask(list.queries, task(2, { tags: ['homework'] }))
    expect(list.ids()).toEqual([1])
  })

  it('lists closed tasks by the day of completion, latest first', () => {
    const list = cached({ view: 'all' }, [task(1)])
    putTask(list.queries, task(2, { status: 'done', completedAt: '2026-03-01T08:00:00.000Z' }))
    putTask(list.queries, task(3, { status: 'done', completedAt: '2026-03-02T08:00:00.000Z' }))
    expect(list.ids()).toEqual([1, 3, 2])
  })

  it('ignores an event that is older than the loaded task', () => {
    const list = cached({}, [task(1, { title: 'New', updatedAt: '2026-03-02T09:00:00.000Z' })])
    putTask(list.queries, task(1, { title: 'Old' }))
    expect(list.tasks().map(({ title }) => title)).toEqual(['New'])
  })

  it('keeps the own reminder, which events of other accounts do not have', () => {
    const list = cached({}, [task(1, { remindAt: NOW })])
    const { remindAt, ...received } = task(1, { title: 'Renamed' })
    expect(remindAt).toBeNull()
    putTask(list.queries, received)
    expect(list.tasks()).toMatchObject([{ title: 'Renamed', remindAt: NOW }])
  })

  it('is fetched again if only the service can tell whether a task matches the search', () => {
    const list = cached({ q: 'milk' }, [task(1, { title: 'Milk' })])
    putTask(list.queries, task(1, { title: 'Milk', priority: 'high' }))
    expect(list.isOutdated()).toBe(false)
    putTask(list.queries, task(1, { title: 'Cheese' }))
    expect(list.tasks().map(({ title }) => title)).toEqual(['Cheese'])
    expect(list.isOutdated()).toBe(true)
  })

  it('removes a deleted task', () => {
    const list = cached({}, [task(1), task(2)])
    dropTask(list.queries, 1)
    expect(list.ids()).toEqual([2])
  })

  it('follows live events of tasks', () => {
    const list = cached({}, [task(1), task(2)])
    followTask(list.queries, { type: 'task.deleted', data: JSON.stringify({ subject: '1', data: {} }) })
    followTask(list.queries, {
      type: 'task.created',
      data: JSON.stringify({ subject: '3', data: task(3) }),
    })
    expect(list.ids()).toEqual([2, 3])
  })

  it('shows a new status before the service confirms it', async () => {
    const open = cached({ view: 'open' }, [task(1), task(2)])
    await showStatusOptimistically(open.queries, task(1), 'done')
    expect(open.ids()).toEqual([2])
    const all = cached({ view: 'all' }, [task(1), task(2)])
    await showStatusOptimistically(all.queries, task(1), 'done')
    expect(all.tasks().map(({ status }) => status)).toEqual(['done', 'todo'])
  })
})
