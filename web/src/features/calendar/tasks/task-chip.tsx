import type { CSSProperties, PointerEvent } from 'react'
import { Link } from 'wouter'
import * as t from '#locale/calendar'
import { taskHref } from '../../tasks/url-state.ts'
import type { CalendarTask } from './use-calendar-tasks.ts'
import './tasks.css'

interface TaskChipProps {
  item: CalendarTask
  style?: CSSProperties
  onComplete: () => void
  onPress?: (down: PointerEvent) => void
}

/** A task on its due day, with a checkbox. */
export const TaskChip = ({ item, style, onComplete, onPress }: TaskChipProps) => {
  const { task, time } = item
  return (
    <div className="calendar-task" style={style} onPointerDown={onPress} data-task={task.id}>
      <input
        type="checkbox"
        className="calendar-task-box"
        checked={task.status === 'done'}
        disabled={!item.isEditable}
        aria-label={t.completeTask(task.title)}
        onPointerDown={(down) => down.stopPropagation()}
        onChange={onComplete}
      />
      {time !== null && <span className="calendar-task-time">{time}</span>}
      <Link href={taskHref(task.id)} draggable={false} title={task.title}>
        {task.title}
      </Link>
    </div>
  )
}
