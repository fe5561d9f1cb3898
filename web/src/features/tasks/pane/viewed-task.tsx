import { Fragment } from 'react'
import * as listTexts from '#locale/task-lists'
import * as t from '#locale/tasks'
import type { TaskListInfo } from '../../../api/task-lists.ts'
import { formatDuration } from '../../../locales/format.ts'
import { useDates } from '../../../ui/time.tsx'
import { Comments } from '../comments.tsx'
import type { Task } from '../groups.ts'
import { toListName } from '../lists/list-name.ts'
import { describeRecurrence } from '../recurrence-text.ts'
import { TimeEntries } from '../time-entries.tsx'
import type { TaskActions } from '../use-tasks.ts'
import { Reminder } from './date-fields.tsx'

interface ViewedTaskProps {
  task: Task
  list: TaskListInfo | undefined
  actions: TaskActions
}

/** A task of a list that the user can only view, with the user's own reminder. */
export const ViewedTask = ({ task, list, actions }: ViewedTaskProps) => {
  const { due, dateTime, day } = useDates()
  const facts = [
    [listTexts.list, list ? toListName(list) : null],
    [t.dueDate, task.dueAt === null ? null : due(task.dueAt, task.dueDay)],
    [t.priority, t.priorities[task.priority]],
    [t.status, t.statuses[task.status]],
    [listTexts.completed, task.completedAt === null ? null : dateTime(task.completedAt)],
    [t.repeat, task.recurrence === null ? null : describeRecurrence(task.recurrence, day)],
    [t.estimate, task.estimateMinutes === null ? null : formatDuration(task.estimateMinutes)],
    [t.tags, task.tags.map((tag) => `#${tag}`).join(' ') || null],
  ] as const
  return (
    <>
      <h2 className="task-pane-title">{task.title}</h2>
      <p className="quiet small">{listTexts.viewerReminder}</p>
      {task.notes !== '' && <p className="task-viewed-notes">{task.notes}</p>}
      <dl className="facts">
        {facts.map(
          ([label, value]) =>
            value !== null && (
              <Fragment key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </Fragment>
            ),
        )}
      </dl>
      {task.changedBy && <p className="quiet small">{listTexts.lastChangedBy(task.changedBy)}</p>}
      <Reminder
        task={task}
        onChange={(change) => void actions.update([task], () => change, t.taskSaved(task.title))}
      />
      <Comments task={task} />
      <TimeEntries task={task} />
    </>
  )
}
