import { CalendarArrowDown, CalendarX2 } from 'lucide-react'
import type { ReactElement } from 'react'
import * as t from '#locale/tasks'
import type { useDates } from '../../ui/time.tsx'
import { DatePopover } from './date-popover.tsx'
import { splitDue, useDueFields } from './due-fields.ts'
import type { Task } from './groups.ts'
import { instantOf } from './local-time.ts'
import { type Due, findRescheduleDays, toDueOn } from './reschedule.ts'

interface DuePopoverProps {
  task: Task
  now: Date
  dates: ReturnType<typeof useDates>
  /** The button that opens it. */
  trigger: ReactElement
  onChange: (due: Due) => void
}

/** Sets the due date beside the row: usual days with one press, or a date and a time. */
export const DuePopover = ({ task, now, dates, trigger, onChange }: DuePopoverProps) => {
  const { split } = useDueFields()
  return (
    <DatePopover
      title={t.dueDate}
      labels={{ day: t.dueDate, time: t.dueTime }}
      timeHint={t.optional}
      value={splitDue(task, split)}
      trigger={trigger}
      onChange={({ day, time }) =>
        onChange(
          day === null || time === null
            ? { dueDay: day, dueAt: null }
            : { dueDay: null, dueAt: instantOf(`${day}T${time}`, dates.timeZone) },
        )
      }
      choices={(close) => {
        const choose = (due: Due) => {
          close()
          onChange(due)
        }
        return (
          <div className="task-due-choices">
            {findRescheduleDays(task, now, dates).map((day, index) => (
              <button
                key={day}
                type="button"
                className="menu-item"
                data-first={index === 0 || undefined}
                onClick={() => choose(toDueOn(day, task, new Date(), dates))}
              >
                <CalendarArrowDown size={17} aria-hidden="true" />
                {t.dueOn(dates.nearDay(day, now))}
              </button>
            ))}
            {task.dueAt !== null && (
              <button
                type="button"
                className="menu-item"
                onClick={() => choose({ dueAt: null, dueDay: null })}
              >
                <CalendarX2 size={17} aria-hidden="true" />
                {t.noDueDate}
              </button>
            )}
          </div>
        )
      }}
    />
  )
}
