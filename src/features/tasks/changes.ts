import Type from 'typebox'
import { declareChanges } from '../../platform/changes.ts'
import { TaskComment } from './comment-schema.ts'
import { TaskFilter } from './filters/schema.ts'
import { Task } from './schema.ts'
import { TaskTemplate } from './templates/schema.ts'
import { TimeEntry } from './time-entry-schema.ts'

const { id, listId, remindAt } = Task.properties
const { taskId, authorName: by, text } = TaskComment.properties

const declared = {
  /** The members of a list have reminders of their own, so their copies have no `remindAt`. */
  payload: Type.Object({ ...Task.properties, remindAt: Type.Optional(remindAt) }),
  live: 'tasks:read',
  webhook: true,
  members: 'taskList',
} as const

const ofComment = {
  ...declared,
  payload: Type.Object({ ...TaskComment.properties, listId }),
} as const

const ofTimeEntry = {
  ...declared,
  payload: Type.Object({ ...TimeEntry.properties, listId }),
} as const

/** A comment or time entry that does not exist any more. */
const removed = { ...declared, payload: Type.Object({ taskId, listId }) } as const
const filter = { payload: Type.Pick(TaskFilter, ['id', 'name']), live: 'tasks:read' } as const
const template = { payload: Type.Pick(TaskTemplate, ['id', 'name']), live: 'tasks:read' } as const

export const taskChanges = declareChanges({
  'task.created': declared,
  'task.updated': declared,
  'task.completed': declared,
  /** Each person has reminders of their own, so members receive no copy. */
  'task.due': { payload: Task, live: 'tasks:read', webhook: true },
  'task.deleted': {
    ...declared,
    /** `id` and `deleted` for a member whose list the task has left. */
    payload: Type.Object({
      listId,
      id: Type.Optional(id),
      deleted: Type.Optional(Type.Literal(true)),
    }),
  },
  'task.comment_created': ofComment,
  'task.comment_updated': ofComment,
  'task.comment_deleted': removed,
  'task.time_entry_created': ofTimeEntry,
  'task.time_entry_updated': ofTimeEntry,
  'task.time_entry_deleted': removed,
  /** For each person whom a comment concerns. */
  'task.commented': { payload: Type.Object({ taskId, title: Task.properties.title, by, text }) },
  'task.lists_updated': { payload: Type.Object({ listId }), live: 'tasks:read', members: 'taskList' },
  'task_filter.added': filter,
  'task_filter.changed': filter,
  'task_filter.removed': filter,
  'task_template.added': template,
  'task_template.changed': template,
  'task_template.removed': template,
})

type TaskChanges = typeof taskChanges
declare module '../../platform/changes.ts' {
  interface DeclaredChanges extends TaskChanges {}
}
