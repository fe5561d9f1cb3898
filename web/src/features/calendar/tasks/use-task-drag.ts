import { type PointerEvent, useState } from 'react'
import { instantOf, startOfDay } from '../days.ts'
import { followPointer } from '../drag.ts'
import { findGridPosition } from '../move-event.ts'
import type { NewEventRange } from '../new-event-range.ts'
import { STEP_MINUTES } from '../timing.ts'
import { type CalendarTask, type CalendarTasks, DEFAULT_MINUTES } from './use-calendar-tasks.ts'

const DAY_MINUTES = 24 * 60

const findScroller = (): HTMLElement | null => document.querySelector('.hours')

/** Drags a task onto the hours, which books a block for it. */
export const useTaskDrag = ({ plan }: CalendarTasks, timezone: string) => {
  const [range, setRange] = useState<NewEventRange | null>(null)

  const press = (down: PointerEvent, { task, isPlannable }: CalendarTask) => {
    if (down.button !== 0 || !isPlannable) return
    down.stopPropagation()
    const minutes = Math.min(task.estimateMinutes ?? DEFAULT_MINUTES, DAY_MINUTES)
    let current: NewEventRange | null = null
    followPointer(down.nativeEvent, {
      scroller: findScroller(),
      onMove: (point) => {
        const at = findGridPosition(point)
        if (at?.minute == null) current = null
        else {
          const start = Math.floor(at.minute / STEP_MINUTES) * STEP_MINUTES
          const from = Math.max(0, Math.min(start, DAY_MINUTES - minutes))
          current = { allDay: false, day: at.day, from, to: from + minutes }
        }
        setRange(current)
      },
      onDrop: () => {
        const chosen = current
        if (!chosen || chosen.allDay) return setRange(null)
        const start = startOfDay(chosen.day, timezone)
          .toPlainDateTime()
          .add({ minutes: chosen.from })
          .toZonedDateTime(timezone)
        void plan(task, instantOf(start), instantOf(start.add({ minutes }))).finally(() => setRange(null))
      },
      onCancel: () => setRange(null),
    })
  }
  /** The hours under the dragged task. */
  return { range, press }
}

export type TaskDrag = ReturnType<typeof useTaskDrag>
