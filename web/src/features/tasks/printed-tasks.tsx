import * as t from '#locale/tasks'
import type { TaskListInfo } from '../../api/task-lists.ts'
import { formatDuration } from '../../locales/format.ts'
import { useDates } from '../../ui/time.tsx'
import type { Group, Task } from './groups.ts'
import { toListName } from './lists/list-name.ts'
import { describeRecurrence } from './recurrence-text.ts'

/** Lists the details of a task in text, with absolute dates. */
const useDetails = () => {
  const { day, due, dateTime } = useDates()
  return (task: Task): string[] => [
    ...(task.dueAt === null ? [] : [t.dueOn(due(task.dueAt, task.dueDay))]),
    ...(task.completedAt === null ? [] : [t.completedOn(dateTime(task.completedAt))]),
    ...(task.priority === 'normal' ? [] : [t.priorities[task.priority]]),
    ...(task.status === 'doing' || task.status === 'cancelled' ? [t.statuses[task.status]] : []),
    ...(task.estimateMinutes === null ? [] : [formatDuration(task.estimateMinutes)]),
    ...(task.recurrence === null ? [] : [describeRecurrence(task.recurrence, day)]),
    ...task.tags.map((tag) => `#${tag}`),
  ]
}

interface PrintedTasksProps {
  groups: readonly Group[]
  hasHeadings: boolean
  /** Returns the list of a task, if the page names it. */
  findDisplayedList: (task: Task) => TaskListInfo | undefined
}

/** The list on paper: all tasks, all notes, absolute dates, and a box to tick. */
export const PrintedTasks = ({ groups, hasHeadings, findDisplayedList }: PrintedTasksProps) => {
  const { date } = useDates()
  const listDetails = useDetails()
  const listAllDetails = (task: Task): string[] => {
    const list = findDisplayedList(task)
    return [...(list ? [toListName(list)] : []), ...listDetails(task)]
  }
  return (
    <div className="printed-tasks">
      <p className="quiet">{date(new Date())}</p>
      {groups.map(({ title, tasks }) => (
        <section key={title} aria-label={title}>
          {hasHeadings && <h2>{title}</h2>}
          <ul>
            {tasks.map((task) => (
              <li key={task.id} data-status={task.status}>
                <p className="printed-title">{task.title}</p>
                <p className="quiet">{listAllDetails(task).join(' · ')}</p>
                {task.notes !== '' && <p className="printed-notes">{task.notes}</p>}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
