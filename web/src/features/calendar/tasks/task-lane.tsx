import { CalendarPlus } from 'lucide-react'
import { useState } from 'react'
import * as t from '#locale/calendar'
import { IconButton } from '../../../ui/button.tsx'
import { DateField, TimeField } from '../../../ui/date-time-input.tsx'
import { FormPopover } from '../../../ui/popover.tsx'
import { type Day, type DayWords, dayOf, instantOf } from '../days.ts'
import { TaskChip } from './task-chip.tsx'
import { type CalendarTask, type CalendarTasks, DEFAULT_MINUTES } from './use-calendar-tasks.ts'
import type { TaskDrag } from './use-task-drag.ts'

interface TaskLaneProps {
  tasks: CalendarTasks
  drag: TaskDrag
  /** The day that is offered for a block. */
  day: Day
  words: DayWords
  timezone: string
}

const PlanButton = ({ item, tasks, day, timezone }: TaskLaneProps & { item: CalendarTask }) => {
  const { task } = item
  const [start, setStart] = useState({ day: day.toString(), time: '09:00' })
  const plan = async () => {
    const from = dayOf(start.day).toZonedDateTime({ timeZone: timezone, plainTime: start.time })
    const until = from.add({ minutes: task.estimateMinutes ?? DEFAULT_MINUTES })
    await tasks.plan(task, instantOf(from), instantOf(until))
  }
  return (
    <FormPopover
      title={t.planTime(task.title)}
      align="end"
      action={t.plan}
      onSubmit={plan}
      trigger={<IconButton icon={CalendarPlus} label={t.planTime(task.title)} data-plan="" />}
    >
      <div className="when">
        <DateField
          name="day"
          label={t.date}
          value={start.day}
          onChange={(chosen) => setStart({ ...start, day: chosen })}
        />
        <TimeField
          name="time"
          label={t.time}
          value={start.time}
          onChange={(time) => setStart({ ...start, time })}
        />
      </div>
    </FormPopover>
  )
}

/** Open tasks beside the hours. Dragging one onto the hours books time for it. */
export const TaskLane = (props: TaskLaneProps) => {
  const { tasks, drag, words } = props
  return (
    <section className="task-lane card" aria-label={t.tasks}>
      <h2>{t.tasks}</h2>
      <p className="quiet small">{tasks.tasks.length === 0 ? t.noTasks : t.taskLaneHint}</p>
      <ul>
        {tasks.tasks.map((item) => (
          <li key={`${item.task.id}-${String(props.day)}`}>
            <TaskChip
              item={{ ...item, time: item.day === null ? null : words.dayShort(dayOf(item.day)) }}
              onComplete={() => tasks.complete(item.task)}
              onPress={(down) => drag.press(down, item)}
            />
            {item.isPlannable && <PlanButton {...props} item={item} />}
          </li>
        ))}
      </ul>
    </section>
  )
}
