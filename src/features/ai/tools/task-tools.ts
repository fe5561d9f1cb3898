import Type from 'typebox'
import { etagOf } from '../../../platform/http/etag.ts'
import type { NewTask, TaskChange } from '../../tasks/schema.ts'
import type { TaskView } from '../../tasks/shown-task.ts'
import type { Tasks } from '../../tasks/tasks.ts'
import { Changed, Fields, type Journal, Left, pick, remake, unlessChanged } from './journal.ts'
import type { Privacy } from './privacy.ts'
import { proposalsIn } from './proposals.ts'
import { defineTool, type Tool, type ToolUse } from './tool.ts'

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
      description: 'RFC 3339 with an offset, or a day such as 2026-03-01, all of which it has',
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

/** What a task says of itself that one would have to give to make it again. */
const GIVEN = [
  ...['title', 'notes', 'status', 'priority', 'dueAt', 'remindAt', 'estimateMinutes', 'tags', 'recurrence'],
  ...['emailId', 'eventId'],
]

/** Of what there was, that which a change names. A day is a day again, on whichever clock that is by then. */
const pickTask = (task: TaskView, names: readonly string[]): Record<string, unknown> => {
  const picked = pick(task, names)
  if (!('dueAt' in picked)) return picked
  return { ...picked, ...(task.dueDay === null ? { dueDay: null } : { dueAt: task.dueDay }) }
}

const viewOf = (shown: { text: string }): TaskView => JSON.parse(shown.text) as TaskView

export const createTaskTools = (deps: { tasks: Tasks; journal: Journal; privacy: Privacy }): Tool[] => {
  const { tasks, journal, privacy } = deps
  /** The task, unless a model asks that may not know of it. */
  const get = async (id: number, use: ToolUse) => {
    const task = await tasks.get(id)
    await privacy.requireOpen('task', viewOf(task), use)
    return task
  }
  const fromOf = ({ emailId }: TaskView) => (emailId === null ? [] : [emailId])

  const recordCreated = journal.define('task_created', Type.Object(Left), (left) =>
    unlessChanged('task', left, (etag) => tasks.remove(left.id, etag)),
  )
  const recordChanged = journal.define('task_changed', Type.Object({ ...Changed, before: Fields }), (left) =>
    unlessChanged('task', left, (etag) => tasks.change(left.id, left.before as TaskChange, etag)),
  )
  const Deleted = Type.Object({ before: Fields, completedAt: Type.Optional(Type.String()) })
  const recordDeleted = journal.define('task_deleted', Deleted, ({ before, completedAt }) =>
    remake(before, (fields) => tasks.restore(fields as NewTask, completedAt)),
  )

  return [
    defineTool({
      name: 'list_tasks',
      description: 'Tasks, open ones first, by due date and priority.',
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
      async run({ query, limit = 20, ...filters }, { leaves }) {
        const wish = { ...filters, limit, ...(query !== undefined && { q: query }) }
        const found = JSON.parse(await tasks.list(wish as never)) as {
          tasks: TaskView[]
          nextCursor: string | null
        }
        const hidden = await privacy.tasks(found.tasks)
        const shown = leaves ? found.tasks.filter(({ id }) => !hidden.has(id)) : found.tasks
        return {
          result: { tasks: shown, more: found.nextCursor !== null && (!leaves || hidden.size === 0) },
          emails: shown.flatMap(fromOf),
          isPrivate: !leaves && hidden.size > 0,
        }
      },
    }),
    defineTool({
      name: 'create_task',
      description: 'Adds a task.',
      effect: 'write',
      scope: 'tasks:write',
      input: Type.Object({ title: Title, ...fields }, strict),
      run: (wish) =>
        recordCreated(async () => {
          const task = await tasks.create(wish)
          const result = viewOf(task)
          return {
            result,
            summary: `Added the task “${result.title}”`,
            payload: { id: task.id, version: task.version },
          }
        }),
    }),
    defineTool({
      name: 'update_task',
      description: 'Changes a task; `status` done completes it.',
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
      run: ({ id, ...wish }, use) =>
        recordChanged(async () => {
          const found = await get(id, use)
          const task = await tasks.change(id, wish, undefined)
          const result = viewOf(task)
          const before = pickTask(viewOf(found), Object.keys(wish))
          const payload = { id, version: task.version, found: found.version, before }
          const verb = wish.status === 'done' ? 'Completed' : 'Changed'
          return { result, summary: `${verb} the task “${result.title}”`, payload }
        }),
    }),
    defineTool({
      name: 'delete_task',
      description: 'Deletes a task. The person is asked first.',
      effect: 'confirm',
      scope: 'tasks:write',
      input: Type.Object({ id: Id }, strict),
      async propose({ id }, use) {
        const task = await get(id, use)
        const summary = proposalsIn(use.language).deleteTask(viewOf(task).title)
        return { summary, about: { kind: 'task', id, version: task.version } }
      },
      run: ({ id }) =>
        recordDeleted(async () => {
          const task = await tasks.get(id)
          const view = viewOf(task)
          await tasks.remove(id, etagOf(task))
          const summary = `Deleted the task “${view.title}”`
          const { completedAt } = view
          const payload = { before: pickTask(view, GIVEN), ...(completedAt !== null && { completedAt }) }
          return { result: { deleted: id }, summary, payload }
        }),
    }),
  ]
}
