import Type, { type Static } from 'typebox'
import { etagOf } from '../../../platform/http/etag.ts'
import { Nullable } from '../../../platform/http/shapes.ts'
import type { Language } from '../../../platform/language.ts'
import type { Attached } from '../../tasks/attached.ts'
import type { NewTask, TaskChange } from '../../tasks/schema.ts'
import type { Task } from '../../tasks/task.ts'
import type { Tasks, TreeTask } from '../../tasks/tasks.ts'
import { near, says } from './commands.ts'
import { Changed, ChangedItem, fieldsOf, pickValues, recreate, unlessChanged } from './journal.ts'
import { formatStart, getProposalTexts } from './proposal-texts.ts'
import type { ToolDeps } from './services.ts'
import { defineTool, type Tool, type ToolUse } from './tool.ts'

const TASK = 'tasks?|to-?dos?|reminders?|(?:\\p{L}+ )?lists?|aufgaben?|erinnerung|(?:\\p{L}*)liste|zettel'
const CREATE_VERBS = says({
  words: [
    'add|create|save|remember',
    'new (?:task|to-?do|reminder)',
    'neue (?:aufgabe|erinnerung)',
    'note(?! (?:from|by|about))',
    'remind(?! (?:me|us) (?:what|who|when|how))',
    near('make|put|turn|set|write', TASK),
  ],
  stems: ['füg|erstell|leg|notier|merk|erinner', near('mach|schreib|setz|trag|nimm|nehm', TASK)],
})
const CHANGE_VERBS = says({
  words: ['change|update|move|set|rename|reschedule|postpone|push|make|give|add|edit', near('mark', 'as')],
  stems: ['änder|verschieb|setz|benenn|stell|mach|markier|verleg|plan|füg|gib|geb'],
})
const STATUS_VERBS = {
  done: says({
    words: [
      'complete|finish|close',
      near('check|tick|cross', 'off'),
      near('mark|set', 'done|completed?|finished'),
    ],
    stems: ['erledig|schließ|hak', near('markier|setz', 'erledigt|fertig|abgeschlossen')],
  }),
  cancelled: says({ words: ['cancel|drop|delete|remove'], stems: ['streich|stornier|lösch'] }),
  doing: says({ words: ['start', near('mark|set', 'started|doing|in progress')], stems: ['beginn|start'] }),
  todo: says({ words: ['reopen|restart', near('mark|set', 'open|undone|to-?do')], stems: ['öffn'] }),
}
const PRIORITY =
  /(?<!\p{L})(?:priorit\p{L}*|urgent|important|high|low|normal|top|dringend|wichtig|hoch|niedrig)/iu
const namePriority = ({ priority }: { priority?: unknown }): RegExp[] =>
  priority === undefined ? [] : [PRIORITY]
const MAX_LISTS = 100

/** Picks the due time. A due day is restored as a day, in any time zone. */
export const pickDue = ({ dueAt, dueDay }: Task): TaskChange =>
  dueDay === null ? { dueAt, dueDay } : { dueAt: dueDay }

const pickStart = ({ startAt, startDay }: Task): TaskChange =>
  startDay === null ? { startAt, startDay } : { startAt: startDay }

/** Picks the old values of the changed fields. */
const pickTask = (task: Task, names: readonly string[]): TaskChange => ({
  ...pickValues(task, names),
  ...(names.includes('dueAt') && pickDue(task)),
  ...(names.includes('startAt') && pickStart(task)),
})

/** Fields of a change that a stored task does not have, or has in another field. */
const NOT_STORED = new Set(['dueDay', 'startDay', 'children'])

const Contribution = {
  personId: Nullable(Type.Integer()),
  memberName: Nullable(Type.String()),
}
const Moment = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' })

/** The comments and time entries of a deleted task. */
const Attachments = Type.Object({
  comments: Type.Array(
    Type.Object({ ...Contribution, text: Type.String(), createdAt: Moment, updatedAt: Moment }),
  ),
  timeEntries: Type.Array(
    Type.Object({ ...Contribution, note: Type.String(), startedAt: Moment, endedAt: Moment }),
  ),
})

/** The journal entry of a deleted task. */
const Deleted = {
  before: fieldsOf<NewTask>(),
  completedAt: Type.Optional(Type.String()),
  uid: Type.Optional(Type.String()),
  position: Type.Optional(Type.String()),
  attached: Type.Optional(Attachments),
}
export interface DeletedTask extends Static<Type.TObject<typeof Deleted>> {
  subtasks?: DeletedTask[]
}
export const DeletedTask = Type.Object({
  ...Deleted,
  subtasks: Type.Optional(Type.Unsafe<DeletedTask[]>(Type.Array(Type.Object(Deleted)))),
})

const toDeleted = (
  tasks: Tasks,
  { task, subtasks }: TreeTask,
  attached: ReadonlyMap<number, Attached>,
): DeletedTask => {
  const own = attached.get(task.id)
  return {
    before: {
      ...pickTask(
        task,
        Object.keys(tasks.fields).filter((name) => !NOT_STORED.has(name)),
      ),
      title: task.title,
    },
    ...(task.completedAt !== null && { completedAt: task.completedAt }),
    uid: task.uid,
    position: task.position,
    ...(own && { attached: own }),
    ...(subtasks.length > 0 && { subtasks: subtasks.map((one) => toDeleted(tasks, one, attached)) }),
  }
}

/** Deletes a task with its subtasks, and returns what restores them. */
export const deleteTask = async (tasks: Tasks, userId: number, id: number): Promise<DeletedTask> => {
  const tree = await tasks.getTree(userId, id)
  const attached = await tasks.listAttached(userId, id)
  await tasks.remove(userId, id, etagOf(tree.task))
  return toDeleted(tasks, tree, attached)
}

export const restoreTask = async (tasks: Tasks, userId: number, deleted: DeletedTask): Promise<void> => {
  const { before, subtasks = [], ...kept } = deleted
  const { id } = await recreate(before, (fields) => tasks.restore(userId, fields, kept))
  for (const one of subtasks)
    await restoreTask(tasks, userId, { ...one, before: { ...one.before, parentId: id } })
}

const listOpen = (tasks: readonly TreeTask[]): Task[] =>
  tasks.flatMap(({ task, subtasks }) => [
    ...(task.completedAt === null && task.status !== 'cancelled' ? [task] : []),
    ...listOpen(subtasks),
  ])

const toOpenSubtasks = (tasks: readonly TreeTask[]) =>
  tasks.length === 0
    ? {}
    : { subtasks: listOpen(tasks).map(({ id, status }) => ({ id, before: { status } })) }

/** Formats a due time, or the day of a task that is due on a day. Returns an empty text for none. */
export const formatDue = (
  dueAt: string | undefined,
  timezone: string,
  language: Language | undefined,
): string =>
  dueAt ? formatStart({ start: dueAt, allDay: dueAt.length === 10, timezone: 'UTC' }, timezone, language) : ''

export const createTaskTools = (deps: ToolDeps): Tool[] => {
  const { contracts, tasks, taskLists, journal, privacy, zoneOf } = deps
  /** Throws if the task is private and the result would go to a model. */
  const get = async (id: number, use: ToolUse) => {
    const task = await tasks.get(use.userId, id)
    await privacy.requireOpen('task', task, use)
    return task
  }
  /** Names the list that a call chooses. Others may see that list. */
  const nameList = async (userId: number, listId: number | undefined): Promise<{ listName?: string }> => {
    if (listId === undefined) return {}
    const { taskLists: lists } = await taskLists.list(userId, { limit: MAX_LISTS })
    return { listName: lists.find(({ id }) => id === listId)?.name ?? '' }
  }
  const fromOf = ({ emailId }: Task) => (emailId === null ? [] : [emailId])

  const recordCreated = journal.define(
    'task',
    'assistant.task_created',
    Type.Object(ChangedItem),
    (left, _tx, userId) => unlessChanged('task', left, (etag) => tasks.remove(userId, left.id, etag)),
  )
  const recordChanged = journal.define(
    'task',
    'assistant.task_changed',
    Type.Object({
      ...Changed,
      before: fieldsOf<TaskChange>(),
      /** Subtasks that were completed with the task. */
      subtasks: Type.Optional(
        Type.Array(Type.Object({ id: Type.Integer(), before: fieldsOf<TaskChange>() })),
      ),
    }),
    async (left, _tx, userId) => {
      const restored = await unlessChanged('task', left, (etag) =>
        tasks.change(userId, left.id, left.before, etag),
      )
      for (const { id, before } of left.subtasks ?? []) await tasks.change(userId, id, before, undefined)
      return restored
    },
  )
  const recordDeleted = journal.define('task', 'assistant.task_deleted', DeletedTask, (task, _tx, userId) =>
    restoreTask(tasks, userId, task),
  )

  return [
    defineTool(contracts.list_tasks, {
      async run({ query, limit = 20, ...filters }, use) {
        const search = { ...filters, limit, ...(query !== undefined && { q: query }) }
        const found = await tasks.list(use.userId, search)
        const { visible, hasPrivate } = await privacy.filter('task', found.tasks, use)
        return {
          result: { tasks: visible, more: found.nextCursor !== null && !(use.sendsToModel && hasPrivate) },
          emails: visible.flatMap(fromOf),
          isPrivate: !use.sendsToModel && hasPrivate,
        }
      },
    }),
    defineTool(contracts.create_task, {
      verbs: () => [CREATE_VERBS],
      mentions: namePriority,
      async propose({ title, dueAt, listId }, { userId, language }) {
        const due = formatDue(dueAt, await zoneOf(userId), language)
        return {
          summary: getProposalTexts(language).createTask(title, due),
          about: null,
          target: null,
          ...(await nameList(userId, listId)),
        }
      },
      run: (taskInput, { userId }) =>
        recordCreated(userId, async () => {
          const { version, ...result } = await tasks.create(userId, taskInput)
          return {
            result,
            summary: `Added the task “${result.title}”`,
            payload: { id: result.id, version },
          }
        }),
    }),
    defineTool(contracts.update_task, {
      verbs: ({ id: _, status, children: __, ...changes }) => [
        ...(status === undefined ? [] : [STATUS_VERBS[status]]),
        ...(Object.keys(changes).length > 0 ? [CHANGE_VERBS] : []),
      ],
      mentions: namePriority,
      async propose({ id, status, listId }, use) {
        const task = await get(id, use)
        await tasks.requireEditor(use.userId, id)
        const texts = getProposalTexts(use.language)
        return {
          summary: status === 'done' ? texts.completeTask(task.title) : texts.changeTask(task.title),
          about: { kind: 'task', id, version: task.version },
          target: { kind: 'task', id, titles: [task.title], people: [] },
          ...(await nameList(use.userId, listId)),
        }
      },
      run: ({ id, ...taskInput }, use) =>
        recordChanged(use.userId, async () => {
          const found = await get(id, use)
          const subtasks =
            taskInput.children === 'complete' ? (await tasks.getTree(use.userId, id)).subtasks : []
          const { version, ...result } = await tasks.change(use.userId, id, taskInput, undefined)
          const { children: _, ...changes } = taskInput
          const before = pickTask(found, Object.keys(changes))
          const payload = { id, version, found: found.version, before, ...toOpenSubtasks(subtasks) }
          const verb = taskInput.status === 'done' ? 'Completed' : 'Changed'
          return { result, summary: `${verb} the task “${result.title}”`, payload }
        }),
    }),
    defineTool(contracts.delete_task, {
      async propose({ id }, use) {
        const task = await get(id, use)
        await tasks.requireEditor(use.userId, id)
        const summary = getProposalTexts(use.language).deleteTask(task.title)
        return { summary, about: { kind: 'task', id, version: task.version } }
      },
      run: ({ id }, { userId }) =>
        recordDeleted(userId, async () => {
          const payload = await deleteTask(tasks, userId, id)
          return { result: { deleted: id }, summary: `Deleted the task “${payload.before.title}”`, payload }
        }),
    }),
    defineTool(contracts.list_task_lists, {
      async run(_input, { userId }) {
        const found = await taskLists.list(userId, { limit: MAX_LISTS })
        const lists = found.taskLists.map(({ id, name, role }) => ({ id, name, role }))
        return { result: { taskLists: lists, more: found.nextCursor !== null } }
      },
    }),
  ]
}
