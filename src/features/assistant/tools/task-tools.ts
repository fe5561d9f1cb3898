import Type, { type Static } from 'typebox'
import { etagOf } from '../../../platform/http/etag.ts'
import type { Language } from '../../../platform/language.ts'
import type { NewTask, TaskChange } from '../../tasks/schema.ts'
import type { Task } from '../../tasks/task.ts'
import type { Tasks } from '../../tasks/tasks.ts'
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

/** Picks the old values of the changed fields. */
const pickTask = (task: Task, names: readonly string[]): TaskChange => ({
  ...pickValues(task, names),
  ...(names.includes('dueAt') && pickDue(task)),
})

/** The journal entry of a deleted task. */
export const DeletedTask = Type.Object({
  before: fieldsOf<NewTask>(),
  completedAt: Type.Optional(Type.String()),
})

export const toDeletedTask = (tasks: Tasks, task: Task): Static<typeof DeletedTask> => ({
  before: {
    ...pickTask(
      task,
      // `dueAt` also holds a due day.
      Object.keys(tasks.fields).filter((name) => name !== 'dueDay'),
    ),
    title: task.title,
  },
  ...(task.completedAt !== null && { completedAt: task.completedAt }),
})

export const restoreTask = (
  tasks: Tasks,
  userId: number,
  { before, completedAt }: Static<typeof DeletedTask>,
) => recreate(before, (fields) => tasks.restore(userId, fields, completedAt))

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
    Type.Object({ ...Changed, before: fieldsOf<TaskChange>() }),
    (left, _tx, userId) =>
      unlessChanged('task', left, (etag) => tasks.change(userId, left.id, left.before, etag)),
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
      verbs: ({ id: _, status, ...changes }) => [
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
          const { version, ...result } = await tasks.change(use.userId, id, taskInput, undefined)
          const before = pickTask(found, Object.keys(taskInput))
          const payload = { id, version, found: found.version, before }
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
          const task = await tasks.get(userId, id)
          await tasks.remove(userId, id, etagOf(task))
          const summary = `Deleted the task “${task.title}”`
          return { result: { deleted: id }, summary, payload: toDeletedTask(tasks, task) }
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
