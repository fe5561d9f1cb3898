import { CalendarArrowDown, CalendarX2 } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import * as common from '#locale/shared-texts'
import * as t from '#locale/tasks'
import { Form, Submit } from '../../ui/form.tsx'
import { OptionalDateField, OptionalTimeField } from '../../ui/optional-date-time.tsx'
import { Popover } from '../../ui/popover.tsx'
import type { useDates } from '../../ui/time.tsx'
import { splitDue, useDueFields } from './due-fields.ts'
import type { Task } from './groups.ts'
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
  const [isOpen, setIsOpen] = useState(false)
  const { split, readDue } = useDueFields()
  const due = splitDue(task, split)
  const choose = (chosen: Due) => {
    setIsOpen(false)
    onChange(chosen)
  }
  return (
    <Popover
      open={isOpen}
      onOpen={() => setIsOpen(true)}
      onClose={() => setIsOpen(false)}
      trigger={trigger}
      title={t.dueDate}
      size="small"
    >
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
          <button type="button" className="menu-item" onClick={() => choose({ dueAt: null, dueDay: null })}>
            <CalendarX2 size={17} aria-hidden="true" />
            {t.noDueDate}
          </button>
        )}
      </div>
      <Form label={t.dueDate} savedAs={null} onSubmit={(values) => choose(readDue(values))}>
        <div className="task-due-fields">
          <OptionalDateField name="dueDay" label={t.dueDate} required defaultValue={due.day} />
          <OptionalTimeField name="dueTime" label={t.dueTime} hint={t.optional} defaultValue={due.time} />
        </div>
        <Submit>{common.save}</Submit>
      </Form>
    </Popover>
  )
}
