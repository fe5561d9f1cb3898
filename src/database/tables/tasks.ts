import type { Generated } from 'kysely'
import type { TableKeys } from './keys.ts'

/** Each account has exactly one Inbox, which is created with its first task or list. */
export interface TaskListRow {
  id: Generated<number>
  userId: number
  name: string
  /** `#rrggbb` in lower case. */
  color: string
  isInbox: number
  visible: number
  version: number
  createdAt: string
  updatedAt: string
}

export interface TaskSectionRow {
  id: Generated<number>
  /** The account that owns the list. */
  userId: number
  listId: number
  name: string
  /** See features/tasks/position.ts. */
  position: string
  version: number
  createdAt: string
  updatedAt: string
}

export interface TaskRow {
  id: Generated<number>
  /** The account that owns the list of the task. */
  userId: number
  listId: number
  title: string
  notes: string
  status: string
  priority: string
  dueAt: string | null
  /** The due date of a task without a due time. `dueAt` is then the start of that day. */
  dueDay: string | null
  remindAt: string | null
  estimateMinutes: number | null
  /** JSON, in the user's spelling. */
  tags: string
  recurrence: string | null
  emailId: number | null
  eventId: number | null
  completedAt: string | null
  /** Time of completion or cancellation. */
  closedAt: string | null
  createdAt: string
  updatedAt: string
  version: number
  /** Sort position among all tasks, and among those with a due date: see features/tasks/task.ts. */
  place: number
  duePlace: number | null
  /** Search words: see database/word-index.ts. */
  words: string
  /** Time at which `task.due` will be recorded; null if it was recorded or never will be. */
  nextReminderAt: string | null
  /** The due time for which `task.due` was recorded. It is not recorded again for the same time. */
  remindedFor: string | null
  /** The intended local due time if daylight saving skips that hour; otherwise `dueAt` determines it. */
  dueWall: string | null
  /** Time from which an open task is overdue: see features/tasks/due.ts. */
  lateAt: string | null
  /** The time zone of the due day and the start day, while the task is open. */
  dueZone: string | null
  /** The next occurrence, created when this one was completed. */
  successorId: number | null
  /** The name of the member who made the last change; null if the owner of the list made it. */
  changedBy: string | null
  /** Identifies the parcel or invoice that the task was created from. */
  sourceKey: Generated<string | null>
  /** The identity in iCalendar, which passes to the next occurrence. */
  uid: string
  /** A task of the same list. */
  parentId: number | null
  /** Only tasks without a parent have a section. */
  sectionId: number | null
  /** The order among the tasks with the same list, parent and section: see features/tasks/position.ts. */
  position: string
  /** With a start day, `startAt` is the start of that day in `dueZone`. */
  startAt: string | null
  startDay: string | null
  percentComplete: number
  /** The owner or a member of the list. */
  assigneeId: number | null
  recurrenceFrom: string
  /** Unknown iCalendar properties, as they were sent. */
  extra: Generated<string | null>
}

/** One row per task and tag, with all columns that lists filter and sort by. */
export interface TaskTagRow {
  taskId: number
  userId: number
  /** Normalized for comparison. */
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

/** See features/tasks/filters/filter-query.ts. */
export interface TaskFilterRow {
  id: Generated<number>
  userId: number
  name: string
  query: string
  version: number
  createdAt: string
  updatedAt: string
}

export interface TaskTemplateRow {
  id: Generated<number>
  userId: number
  name: string
  /** JSON: see features/tasks/templates/schema.ts. */
  tasks: string
  version: number
  createdAt: string
  updatedAt: string
}

/** A calendar event that reserves time for a task. */
export interface TaskBlockRow {
  eventId: number
  userId: number
  taskId: number
  actionId: number
}

/** The reminder of a member of a shared list. The owner's reminder is in the task. */
export interface TaskReminderRow {
  userId: number
  taskId: number
  remindAt: string
  /** Time at which `task.due` will be recorded for the member; null if it was recorded or never will be. */
  nextReminderAt: string | null
}

export interface TaskCommentRow {
  id: Generated<number>
  /** The account that owns the list of the task. */
  userId: number
  taskId: number
  /** Null if the account was deleted. */
  authorId: number | null
  /** The name of the member who wrote it; null if the owner of the list did. */
  memberName: string | null
  text: string
  version: number
  createdAt: string
  updatedAt: string
}

export interface TimeEntryRow {
  id: Generated<number>
  /** The account that owns the list of the task. */
  userId: number
  taskId: number
  /** Null if the account was deleted. */
  personId: number | null
  /** The name of the member who worked; null if the owner of the list did. */
  memberName: string | null
  startedAt: string
  /** Null while the timer runs. Each person has one running timer at most. */
  endedAt: string | null
  /** The duration; null while the timer runs. */
  seconds: number | null
  note: string
  version: number
  createdAt: string
  updatedAt: string
}

/** One row: the time of the next reminder job. A writer locks it until the commit. */
export interface TaskAlarmRow {
  id: number
  ringsAt: string | null
}

export interface TasksTables {
  task_lists: TaskListRow
  task_sections: TaskSectionRow
  tasks: TaskRow
  task_tags: TaskTagRow
  task_blocks: TaskBlockRow
  task_reminders: TaskReminderRow
  task_comments: TaskCommentRow
  time_entries: TimeEntryRow
  task_alarm: TaskAlarmRow
  task_words: TaskWordsRow
  task_filters: TaskFilterRow
  task_templates: TaskTemplateRow
}

export const tasksKeys: TableKeys<TasksTables> = {
  task_lists: ['id'],
  task_sections: ['id'],
  tasks: ['id'],
  task_tags: ['taskId', 'tag'],
  task_blocks: ['eventId'],
  task_reminders: ['userId', 'taskId'],
  task_comments: ['id'],
  time_entries: ['id'],
  task_alarm: ['id'],
  task_words: null,
  task_filters: ['id'],
  task_templates: ['id'],
}
