import type { Generated } from 'kysely'
import type { TableKeys } from './keys.ts'

export interface TaskRow {
  id: Generated<number>
  title: string
  notes: string
  status: string
  priority: string
  dueAt: string | null
  /** The day that it is due on, where it is due at no hour: `dueAt` is then where that day begins. */
  dueDay: string | null
  remindAt: string | null
  estimateMinutes: number | null
  /** JSON, as the person wrote them. */
  tags: string
  recurrence: string | null
  emailId: number | null
  eventId: number | null
  completedAt: string | null
  /** When it was completed or cancelled. */
  closedAt: string | null
  createdAt: string
  updatedAt: string
  version: number
  /** Where it stands among all tasks, and among all that are due: see features/tasks/place.ts. */
  place: number
  duePlace: number | null
  /** Its JSON, from the title on, so that a list is put together from text: see features/tasks/shown-task.ts. */
  shown: string
  /** What a search looks in: see database/word-index.ts. */
  words: string
  /** When `task.due` is to be recorded; null when it has been, or never is. */
  nextReminderAt: string | null
  /** The moment for which `task.due` was recorded: it is not recorded for the same moment again. */
  remindedFor: string | null
  /** What the wall clock was to show when it falls due, where that hour was skipped; else `dueAt` says it. */
  dueWall: string | null
  /** From when on it is overdue, while it is open: see features/tasks/due.ts. */
  lateAt: string | null
  /** The zone by whose clocks its day was read, while it is open and due on a day. */
  dueZone: string | null
  /** The next occurrence, made when this one was completed. */
  successorId: number | null
}

/** A task once for each of its tags, with all that a list is filtered and ordered by. */
export interface TaskTagRow {
  taskId: number
  /** As tags are compared. */
  tag: string
  status: string
  priority: string
  place: number
  duePlace: number | null
}

/** SQLite's index of `tasks.words`. */
interface TaskWordsRow {
  rowid: number
}

/** Time in the calendar that was planned for a task. */
export interface TaskBlockRow {
  eventId: number
  taskId: number
  actionId: number
}

/** One row: when the next reminder's job runs. Who changes it holds it until the commit. */
export interface TaskAlarmRow {
  id: number
  ringsAt: string | null
}

export interface TasksTables {
  tasks: TaskRow
  task_tags: TaskTagRow
  task_blocks: TaskBlockRow
  task_alarm: TaskAlarmRow
  task_words: TaskWordsRow
}

export const tasksKeys: TableKeys<TasksTables> = {
  tasks: ['id'],
  task_tags: ['taskId', 'tag'],
  task_blocks: ['eventId'],
  task_alarm: ['id'],
  task_words: null,
}
