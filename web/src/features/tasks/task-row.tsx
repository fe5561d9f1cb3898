import { Ban, CalendarArrowDown, Pencil, Play, Repeat, RotateCcw, Trash2 } from 'lucide-react'
import { Tag } from '../../ui/card.tsx'
import { RowMenu } from '../../ui/row-menu.tsx'
import type { useDates } from '../../ui/time.tsx'
import type { RowProps } from '../../ui/virtual-list.tsx'
import { isLate, type Task } from './groups.ts'
import { describeRecurrence } from './recurrence-text.ts'
import { type Due, findRescheduleDays, toDueOn } from './reschedule.ts'

const PRIORITY_TONES = { urgent: 'bad', high: 'warn', low: 'plain' } as const
const isOpen = ({ status }: Task): boolean => status === 'todo' || status === 'doing'

const Notes = ({ task, now, dates }: Pick<TaskRowProps, 'task' | 'now' | 'dates'>) => {
  const { due, nearDue, near, dateTime } = dates
  const late = isOpen(task) && isLate(task, now, dates)
  const firstLine = task.notes.split('\n')[0]
  return (
    <p className="row-notes">
      {task.dueAt !== null && (
        <span className="task-due" data-late={late}>
          {late ? 'was due ' : 'due '}
          <time dateTime={task.dueDay ?? task.dueAt} title={due(task.dueAt, task.dueDay)}>
            {nearDue(task.dueAt, task.dueDay, now)}
          </time>
        </span>
      )}
      {task.completedAt !== null && (
        <span>
          done{' '}
          <time dateTime={task.completedAt} title={dateTime(task.completedAt)}>
            {near(task.completedAt)}
          </time>
        </span>
      )}
      {task.estimateMinutes !== null && <span>{task.estimateMinutes} min</span>}
      {task.recurrence !== null && (
        <span className="task-repeat">
          <Repeat size={13} aria-hidden="true" />
          {describeRecurrence(task.recurrence)}
        </span>
      )}
      {firstLine && <span className="task-note">{firstLine}</span>}
    </p>
  )
}

export interface RowActions {
  toggle: (task: Task) => void
  begin: (task: Task) => void
  cancel: (task: Task) => void
  move: (task: Task, due: Due, day: string) => void
  reopen: (task: Task) => void
  edit: (task: Task) => void
  remove: (task: Task) => void
  tag: (tag: string) => void
}

interface TaskRowProps {
  row: RowProps
  task: Task
  now: Date
  dates: ReturnType<typeof useDates>
  actions: RowActions
}

export const TaskRow = ({ row, task, now, dates, actions }: TaskRowProps) => {
  const { title, status, priority } = task
  const open = isOpen(task)
  return (
    <li {...row} className="task" data-task={task.id} data-status={status}>
      <input
        type="checkbox"
        className="task-box"
        checked={status === 'done'}
        aria-label={`Done: ${title}`}
        onChange={() => actions.toggle(task)}
      />
      <div className="row-main">
        <p className="row-title">
          <button type="button" className="task-title" onClick={() => actions.edit(task)}>
            <span className="only-heard">Edit </span>
            {title}
          </button>
          {priority !== 'normal' && <Tag tone={PRIORITY_TONES[priority]}>{priority}</Tag>}
          {status === 'doing' && <Tag tone="accent">begun</Tag>}
          {status === 'cancelled' && <Tag>cancelled</Tag>}
          {task.tags.map((tag) => (
            <button key={tag} type="button" className="tag task-tag" onClick={() => actions.tag(tag)}>
              <span className="only-heard">Show tasks tagged </span>#{tag}
            </button>
          ))}
        </p>
        <Notes task={task} now={now} dates={dates} />
      </div>
      <div className="row-actions">
        <RowMenu
          label={`More for ${title}`}
          actions={[
            { label: 'Edit', icon: Pencil, onSelect: () => actions.edit(task) },
            ...(status === 'todo'
              ? [{ label: 'Begin', icon: Play, onSelect: () => actions.begin(task) }]
              : []),
            ...(open
              ? findRescheduleDays(task, now, dates).map((day) => ({
                  label: `Due ${dates.nearDay(day, now)}`,
                  icon: CalendarArrowDown,
                  onSelect: () => actions.move(task, toDueOn(day, task, new Date(), dates), day),
                }))
              : []),
            ...(open
              ? [{ label: 'Cancel', icon: Ban, onSelect: () => actions.cancel(task) }]
              : [{ label: 'Reopen', icon: RotateCcw, onSelect: () => actions.reopen(task) }]),
            { label: 'Delete', icon: Trash2, onSelect: () => actions.remove(task) },
          ]}
        />
      </div>
    </li>
  )
}
