import * as t from '#locale/task-pane'
import * as texts from '#locale/tasks'
import { useDateTimeText } from '../../../ui/optional-date-time.tsx'
import { useDates } from '../../../ui/time.tsx'
import { useNow } from '../../../ui/use-now.ts'
import { DatePopover } from '../date-popover.tsx'
import { splitDue, useDueFields } from '../due-fields.ts'
import { DuePopover } from '../due-popover.tsx'
import type { Task } from '../groups.ts'
import { instantOf } from '../local-time.ts'
import type { RowChange } from '../use-tasks.ts'
import { PaneValue } from './pane-value.tsx'

const REMINDER_TIME = '09:00'

interface DateFieldProps {
  task: Task
  onChange: (change: RowChange) => void
}

export const Reminder = ({ task, onChange }: DateFieldProps) => {
  const { dateTime, timeZone } = useDates()
  const { split } = useDueFields()
  const { formatTime } = useDateTimeText()
  const { remindAt } = task
  return (
    <DatePopover
      title={t.reminder}
      labels={{ day: texts.reminderDate, time: texts.reminderTime }}
      timeHint={texts.defaultTime(formatTime(REMINDER_TIME))}
      value={split(remindAt)}
      onChange={({ day, time }) =>
        onChange({ remindAt: day === null ? null : instantOf(`${day}T${time ?? REMINDER_TIME}`, timeZone) })
      }
      trigger={<PaneValue label={t.reminder}>{remindAt === null ? t.none : dateTime(remindAt)}</PaneValue>}
    />
  )
}

export const Dates = ({ task, onChange }: DateFieldProps) => {
  const now = useNow()
  const dates = useDates()
  const { split } = useDueFields()
  const { dueAt, dueDay, startAt, startDay } = task
  return (
    <>
      <DuePopover
        task={task}
        now={now}
        dates={dates}
        onChange={onChange}
        trigger={
          <PaneValue label={texts.dueDate}>{dueAt === null ? t.none : dates.due(dueAt, dueDay)}</PaneValue>
        }
      />
      <DatePopover
        title={t.start}
        labels={{ day: t.start, time: t.startTime }}
        timeHint={texts.optional}
        value={splitDue({ dueAt: startAt, dueDay: startDay }, split)}
        onChange={({ day, time }) =>
          onChange(
            day === null || time === null
              ? { startDay: day, startAt: null }
              : { startDay: null, startAt: instantOf(`${day}T${time}`, dates.timeZone) },
          )
        }
        trigger={
          <PaneValue label={t.start}>{startAt === null ? t.none : dates.due(startAt, startDay)}</PaneValue>
        }
      />
      <Reminder task={task} onChange={onChange} />
    </>
  )
}
