import Type from 'typebox'
import { declareChanges } from '../../platform/changes.ts'
import { Task } from './schema.ts'

const { id, listId, remindAt } = Task.properties

const declared = {
  /** The members of a list have reminders of their own, so their copies have no `remindAt`. */
  payload: Type.Object({ ...Task.properties, remindAt: Type.Optional(remindAt) }),
  live: 'tasks:read',
  webhook: true,
  members: 'taskList',
} as const

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
  'task.lists_updated': { payload: Type.Object({ listId }), live: 'tasks:read', members: 'taskList' },
})

type TaskChanges = typeof taskChanges
declare module '../../platform/changes.ts' {
  interface DeclaredChanges extends TaskChanges {}
}
