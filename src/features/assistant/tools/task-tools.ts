import Type from 'typebox'
import { etagOf } from '../../../platform/http/etag.ts'
import type { NewTask, TaskChange } from '../../tasks/schema.ts'
import type { Task } from '../../tasks/task.ts'
import type { Tasks } from '../../tasks/tasks.ts'
import {
  Changed,
  ChangedItem,
  defineTool,
  Fields,
  getProposalTexts,
  type Journal,
  type Privacy,
  pick,
  recreate,
  type Tool,
  type ToolUse,
  unlessChanged,
} from './tool.ts'

const strict = { additionalProperties: false }
const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const Moment = Type.String({
  maxLength: 40,
  description: 'RFC 3339 with an offset, or a day such as 2026-03-01',
})
const fields = {
  notes: Type.Optional(Type.String({ maxLength: 20_000 })),
  priority: Type.Optional(Type.Enum(['low', 'normal', 'high', 'urgent'], { type: 'string' })),
  dueAt: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'RFC 3339 with an offset, or a day such as 2026-03-01 for a task due on that day',
    }),
  ),
  remindAt: Type.Optional(Moment),
  estimateMinutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_080 })),
  tags: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 50, pattern: '\\S' }), { maxItems: 30 }),
  ),
  recurrence: Type.Optional(
    Type.String({ maxLength: 500, description: 'RRULE of RFC 5545, e.g. FREQ=WEEKLY;BYDAY=MO' }),
  ),
}
const Title = Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' })

/** Fields needed to recreate a deleted task. */
const RECREATED_FIELDS = [
  'title',
  'notes',
  'status',
  'priority',
  'dueAt',
  'remindAt',
  'estimateMinutes',
  'tags',
  'recurrence',
  'emailId',
  'eventId',
]

/** Picks the old values of the changed fields. A due day is restored as a day, in any timezone. */
const pickTask = (task: Task, names: readonly string[]): Record<string, unknown> => {
  const picked = pick(task, names)
  if (!('dueAt' in picked)) return picked
  return { ...picked, ...(task.dueDay === null ? { dueDay: null } : { dueAt: task.dueDay }) }
}

export const createTaskTools = (deps: { tasks: Tasks; journal: Journal; privacy: Privacy }): Tool[] => {
  const { tasks, journal, privacy } = deps
  /** Throws if the task is private and the result would go to a model. */
  const get = async (id: number, use: ToolUse) => {
    const task = await tasks.get(id)
    await privacy.requireOpen('task', task, use)
    return task
  }
  const fromOf = ({ emailId }: Task) => (emailId === null ? [] : [emailId])

  const recordCreated = journal.define('task_created', Type.Object(ChangedItem), (left) =>
    unlessChanged('task', left, (etag) => tasks.remove(left.id, etag)),
  )
  const recordChanged = journal.define('task_changed', Type.Object({ ...Changed, before: Fields }), (left) =>
    unlessChanged('task', left, (etag) => tasks.change(left.id, left.before as TaskChange, etag)),
  )
  const Deleted = Type.Object({ before: Fields, completedAt: Type.Optional(Type.String()) })
  const recordDeleted = journal.define('task_deleted', Deleted, ({ before, completedAt }) =>
    recreate(before, (fields) => tasks.restore(fields as NewTask, completedAt)),
  )

  return [
    defineTool({
      name: 'list_tasks',
      description: 'Lists tasks by due date and priority, open tasks first.',
      effect: 'read',
      scope: 'tasks:read',
      input: Type.Object(
        {
          status: Type.Optional(
            Type.Enum(['open', 'overdue', 'todo', 'doing', 'done', 'cancelled'], { type: 'string' }),
          ),
          priority: fields.priority,
          tag: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
          dueBefore: Type.Optional(Moment),
          query: Type.Optional(Type.String({ maxLength: 200, description: 'Words of the title or notes' })),
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
        },
        strict,
      ),
      async run({ query, limit = 20, ...filters }, { sendsToModel }) {
        const taskInput = { ...filters, limit, ...(query !== undefined && { q: query }) }
        const found = await tasks.list(taskInput as never)
        const hidden = await privacy.tasks(found.tasks)
        const visible = sendsToModel ? found.tasks.filter(({ id }) => !hidden.has(id)) : found.tasks
        return {
          result: { tasks: visible, more: found.nextCursor !== null && (!sendsToModel || hidden.size === 0) },
          emails: visible.flatMap(fromOf),
          isPrivate: !sendsToModel && hidden.size > 0,
        }
      },
    }),
    defineTool({
      name: 'create_task',
      description: 'Adds a task.',
      effect: 'write',
      scope: 'tasks:write',
      input: Type.Object({ title: Title, ...fields }, strict),
      run: (taskInput) =>
        recordCreated(async () => {
          const { version, ...result } = await tasks.create(taskInput)
          return {
            result,
            summary: `Added the task “${result.title}”`,
            payload: { id: result.id, version },
          }
        }),
    }),
    defineTool({
      name: 'update_task',
      description: 'Changes a task; status `done` completes it.',
      effect: 'write',
      scope: 'tasks:write',
      input: Type.Object(
        {
          id: Id,
          title: Type.Optional(Title),
          status: Type.Optional(Type.Enum(['todo', 'doing', 'done', 'cancelled'], { type: 'string' })),
          ...fields,
        },
        strict,
      ),
      run: ({ id, ...taskInput }, use) =>
        recordChanged(async () => {
          const found = await get(id, use)
          const { version, ...result } = await tasks.change(id, taskInput, undefined)
          const before = pickTask(found, Object.keys(taskInput))
          const payload = { id, version, found: found.version, before }
          const verb = taskInput.status === 'done' ? 'Completed' : 'Changed'
          return { result, summary: `${verb} the task “${result.title}”`, payload }
        }),
    }),
    defineTool({
      name: 'delete_task',
      description: 'Deletes a task. The person must confirm first.',
      effect: 'confirm',
      scope: 'tasks:write',
      input: Type.Object({ id: Id }, strict),
      async propose({ id }, use) {
        const task = await get(id, use)
        const summary = getProposalTexts(use.language).deleteTask(task.title)
        return { summary, about: { kind: 'task', id, version: task.version } }
      },
      run: ({ id }) =>
        recordDeleted(async () => {
          const task = await tasks.get(id)
          await tasks.remove(id, etagOf(task))
          const summary = `Deleted the task “${task.title}”`
          const { completedAt } = task
          const payload = {
            before: pickTask(task, RECREATED_FIELDS),
            ...(completedAt !== null && { completedAt }),
          }
          return { result: { deleted: id }, summary, payload }
        }),
    }),
  ]
}
