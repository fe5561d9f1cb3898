import { Ban, Pencil, Play, Repeat, RotateCcw, Trash2 } from 'lucide-react'
import { Tag } from '../../ui/card.tsx'
import { RowMenu } from '../../ui/row-menu.tsx'
import { Time, useDates } from '../../ui/time.tsx'
import { isLate, type Task } from './groups.ts'
import { wordsOf } from './repeats.ts'
import type { TaskActions } from './use-tasks.ts'

const PRIORITY_TONES = { urgent: 'bad', high: 'warn', low: 'plain' } as const
const isOpen = ({ status }: Task): boolean => status === 'todo' || status === 'doing'

const Notes = ({ task, now }: { task: Task; now: Date }) => {
  const { due, timeZone } = useDates()
  const late = isOpen(task) && isLate(task, now, timeZone)
  const firstLine = task.notes.split('\n')[0]
  return (
    <p className="row-notes">
      {task.dueAt !== null && (
        <span className="task-due" data-late={late}>
          {late ? 'was due ' : 'due '}
          <time dateTime={task.dueDay ?? task.dueAt}>{due(task.dueAt, task.dueDay)}</time>
        </span>
      )}
      {task.completedAt !== null && (
        <span>
          done <Time at={task.completedAt} />
        </span>
      )}
      {task.estimateMinutes !== null && <span>{task.estimateMinutes} min</span>}
      {task.recurrence !== null && (
        <span className="task-repeat">
          <Repeat size={13} aria-hidden="true" />
          {wordsOf(task.recurrence)}
        </span>
      )}
      {firstLine && <span className="task-note">{firstLine}</span>}
    </p>
  )
}

interface TaskRowProps {
  task: Task
  now: Date
  actions: TaskActions
  onToggle: () => void
  onEdit: () => void
  onRemove: () => void
  onTag: (tag: string) => void
}

export const TaskRow = ({ task, now, actions, onToggle, onEdit, onRemove, onTag }: TaskRowProps) => {
  const { title, status, priority } = task
  const open = isOpen(task)
  return (
    <li className="task" data-status={status}>
      <input
        type="checkbox"
        className="task-box"
        checked={status === 'done'}
        aria-label={`Done: ${title}`}
        onChange={onToggle}
      />
      <div className="row-main">
        <p className="row-title">
          <button type="button" className="task-title" onClick={onEdit}>
            <span className="only-heard">Edit </span>
            {title}
          </button>
          {priority !== 'normal' && <Tag tone={PRIORITY_TONES[priority]}>{priority}</Tag>}
          {status === 'doing' && <Tag tone="accent">begun</Tag>}
          {status === 'cancelled' && <Tag>cancelled</Tag>}
          {task.tags.map((tag) => (
            <button key={tag} type="button" className="tag task-tag" onClick={() => onTag(tag)}>
              <span className="only-heard">Show tasks tagged </span>#{tag}
            </button>
          ))}
        </p>
        <Notes task={task} now={now} />
      </div>
      <div className="row-actions">
        <RowMenu
          label={`More for ${title}`}
          actions={[
            { label: 'Edit', icon: Pencil, onSelect: onEdit },
            ...(status === 'todo'
              ? [{ label: 'Begin', icon: Play, onSelect: () => void actions.begin(task) }]
              : []),
            ...(open
              ? [{ label: 'Cancel', icon: Ban, onSelect: () => void actions.cancel(task) }]
              : [{ label: 'Reopen', icon: RotateCcw, onSelect: () => void actions.reopen(task) }]),
            { label: 'Delete', icon: Trash2, onSelect: onRemove },
          ]}
        />
      </div>
    </li>
  )
}
