import * as t from '#locale/calendar'
import { type ListedTasks, tasksKey } from '../../../api/cached-tasks.ts'
import { unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { usePaged } from '../../../api/paged.ts'
import { useTaskLists } from '../../../api/task-lists.ts'
import { useRefetch } from '../../../api/use-refetch.ts'
import { useDates } from '../../../ui/time.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useAttempt } from '../../../ui/use-attempt.ts'
import { useUndoActions } from '../../../ui/use-undo-actions.ts'
import type { Task } from '../../tasks/groups.ts'
import { usePendingTaskDeletions, useTaskActions } from '../../tasks/use-tasks.ts'

const ALL_OPEN: ListedTasks = { view: 'open', q: '', tag: null, priority: null, listId: null }
const MAX_TASKS = 200

export interface CalendarTask {
  task: Task
  /** The due day as YYYY-MM-DD; null without a due date. */
  day: string | null
  /** The formatted due time; null if the task is due on a day. */
  time: string | null
  isEditable: boolean
  /** The planner books time for own tasks only. */
  isPlannable: boolean
}

/** The open tasks of the visible lists, and the actions on them. */
export const useCalendarTasks = () => {
  const client = useClient()
  const notify = useNotify()
  const attempt = useAttempt()
  const { dayOf, time, hours } = useDates()
  const lists = useTaskLists()
  const pendingDeletions = usePendingTaskDeletions()
  const actions = useTaskActions()
  const refreshCalendar = useRefetch(['calendar'])
  const undoActions = useUndoActions(['calendar'])
  const query = usePaged([...tasksKey, ALL_OPEN, 'calendar'], (page) =>
    unwrap(client.GET('/api/tasks', { params: { query: { ...page, status: 'open', limit: MAX_TASKS } } })),
  )
  const tasks = (query.data?.pages ?? [])
    .flatMap((page) => page.tasks)
    .filter(({ id, listId }) => !pendingDeletions.has(id) && lists.isVisible(listId))
    .map(
      (task): CalendarTask => ({
        task,
        day: task.dueDay ?? (task.dueAt === null ? null : dayOf(task.dueAt)),
        time: task.dueDay === null && task.dueAt !== null ? time(task.dueAt) : null,
        isEditable: lists.isEditable(task.listId),
        isPlannable: lists.isOwn(task.listId),
      }),
    )
  return {
    tasks,
    complete: (task: Task) => void actions.complete(task),

    /** Books a block for the task. */
    async plan(task: Task, start: string, end: string): Promise<boolean> {
      return attempt(async () => {
        const block = { taskId: task.id, start, end }
        const { actionId } = await unwrap(
          client.POST('/api/tasks/plan', { body: { start, end, blocks: [block], apply: true } }),
        )
        notify(t.taskPlanned({ title: task.title, when: hours(start, end) }), {
          ...(actionId !== null && { undo: () => void undoActions([actionId], t.planUndone) }),
        })
        await refreshCalendar()
      })
    },
  }
}

export const groupByDay = (tasks: readonly CalendarTask[]): ReadonlyMap<string, readonly CalendarTask[]> => {
  const byDay = new Map<string, CalendarTask[]>()
  for (const item of tasks) if (item.day !== null) byDay.set(item.day, [...(byDay.get(item.day) ?? []), item])
  return byDay
}

export type CalendarTasks = ReturnType<typeof useCalendarTasks>

export const DEFAULT_MINUTES = 30
