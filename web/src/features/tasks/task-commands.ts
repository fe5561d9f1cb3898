import { CalendarArrowDown, Check, Pencil, Play, RotateCcw, Trash2 } from 'lucide-react'
import * as t from '#locale/commands'
import { useCommands } from '../../shell/commands.ts'
import type { useDates } from '../../ui/time.tsx'
import type { Task } from './groups.ts'
import { findRescheduleDays, toDueOn } from './reschedule.ts'
import type { RowActions } from './task-row.tsx'

interface TaskCommands {
  tasks: readonly Task[]
  isEditable: (task: Task) => boolean
  actions: RowActions
  now: Date
  dates: ReturnType<typeof useDates>
}

const findFocusedTask = (tasks: readonly Task[]): Task | undefined => {
  const row = document.activeElement?.closest<HTMLElement>('[data-task]')
  return tasks.find(({ id }) => id === Number(row?.dataset.task))
}

/** Adds the actions on the focused task to the command palette. */
export const useTaskCommands = ({ tasks, isEditable, actions, now, dates }: TaskCommands): void =>
  useCommands(() => {
    const task = findFocusedTask(tasks)
    if (!task || !isEditable(task)) return []
    const isOpen = task.status === 'todo' || task.status === 'doing'
    return [
      {
        title: task.title,
        commands: [
          {
            id: 'tasks.complete',
            label: isOpen ? t.complete : t.reopen,
            icon: isOpen ? Check : RotateCcw,
            keys: ['e'],
            run: () => (isOpen ? actions.toggle(task) : actions.reopen(task)),
          },
          ...(task.status === 'todo'
            ? [{ id: 'tasks.start', label: t.start, icon: Play, run: () => actions.begin(task) }]
            : []),
          ...(isOpen
            ? [
                {
                  id: 'tasks.due',
                  label: t.setDue,
                  icon: CalendarArrowDown,
                  choices: () =>
                    findRescheduleDays(task, now, dates).map((day) => ({
                      id: `tasks.due.${day}`,
                      label: t.due(dates.nearDay(day, now)),
                      icon: CalendarArrowDown,
                      run: () => actions.setDue(task, toDueOn(day, task, new Date(), dates)),
                    })),
                },
              ]
            : []),
          { id: 'tasks.edit', label: t.edit, icon: Pencil, keys: ['Enter'], run: () => actions.edit(task) },
          { id: 'tasks.delete', label: t.remove, icon: Trash2, keys: ['#'], run: () => actions.remove(task) },
        ],
      },
    ]
  })
