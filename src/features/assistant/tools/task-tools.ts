import Type from 'typebox'
import { type Caller, userIdOf } from '../../../platform/access/caller.ts'
import { etagOf } from '../../../platform/http/etag.ts'
import type { TaskLists } from '../../tasks/lists.ts'
import type { NewTask, TaskChange } from '../../tasks/schema.ts'
import type { Task } from '../../tasks/task.ts'
import type { Tasks } from '../../tasks/tasks.ts'
import { near, says } from './commands.ts'
import type { ToolContracts } from './contracts.ts'
import type { Journal } from './journal.ts'
import {
  Changed,
  ChangedItem,
  defineTool,
  Fields,
  formatStart,
  getProposalTexts,
  type Privacy,
  pickValues,
  recreate,
  type Tool,
  type ToolUse,
  unlessChanged,
} from './tool.ts'

const TASK = 'tasks?|to-?dos?|reminders?|(?:\\p{L}+ )?lists?|aufgaben?|erinnerung|(?:\\p{L}*)liste|zettel'
const CREATE_VERBS = says({
  words: [
    'add',
    'create',
    'save',
    'remember',
    'new (?:task|to-?do|reminder)',
    'neue (?:aufgabe|erinnerung)',
    'note(?! (?:from|by|about))',
    'remind(?! (?:me|us) (?:what|who|when|how))',
    near('make|put|turn|set|write', TASK),
  ],
  stems: [
    'füg',
    'erstell',
    'leg',
    'notier',
    'merk',
    'erinner',
    near('mach|schreib|setz|trag|nimm|nehm', TASK),
  ],
})
const CHANGE_VERBS = says({
  words: [
    'change',
    'update',
    'move',
    'set',
    'rename',
    'reschedule',
    'postpone',
    'push',
    'make',
    'give',
    'add',
    'edit',
    near('mark', 'as'),
  ],
  stems: [
    'änder',
    'verschieb',
    'setz',
    'benenn',
    'stell',
    'mach',
    'markier',
    'verleg',
    'plan',
    'füg',
    'gib|geb',
  ],
})
const STATUS_VERBS = {
  done: says({
    words: [
      'complete',
      'finish',
      'close',
      near('check|tick|cross', 'off'),
      near('mark|set', 'done|completed?|finished'),
    ],
    stems: ['erledig', 'schließ', 'hak', near('markier|setz', 'erledigt|fertig|abgeschlossen')],
  }),
  cancelled: says({ words: ['cancel', 'drop', 'delete', 'remove'], stems: ['streich', 'stornier', 'lösch'] }),
  doing: says({
    words: ['start', near('mark|set', 'started|doing|in progress')],
    stems: ['beginn', 'start'],
  }),
  todo: says({ words: ['reopen', 'restart', near('mark|set', 'open|undone|to-?do')], stems: ['öffn'] }),
}
const PRIORITY =
  /(?<!\p{L})(?:priorit\p{L}*|urgent|important|high|low|normal|top|dringend|wichtig|hoch|niedrig)/iu
const namePriority = ({ priority }: { priority?: unknown }): RegExp[] =>
  priority === undefined ? [] : [PRIORITY]
const MAX_LISTS = 100

/** Picks the old values of the changed fields. A due day is restored as a day, in any timezone. */
const pickTask = (task: Task, names: readonly string[]): Record<string, unknown> => {
  const picked = pickValues(task, names)
  if (!('dueAt' in picked)) return picked
  return { ...picked, ...(task.dueDay === null ? { dueDay: null } : { dueAt: task.dueDay }) }
}

export const createTaskTools = (deps: {
  contracts: ToolContracts
  tasks: Tasks
  taskLists: Pick<TaskLists, 'list'>
  journal: Journal
  privacy: Privacy
  zoneOf: (userId: number) => Promise<string>
}): Tool[] => {
  const { contracts, tasks, taskLists, journal, privacy, zoneOf } = deps
  /** `dueAt` also holds a due day. */
  const recreatedFields = Object.keys(tasks.fields).filter((name) => name !== 'dueDay')

  /** Throws if the task is private and the result would go to a model. */
  const get = async (id: number, use: ToolUse) => {
    const task = await tasks.get(userIdOf(use.caller), id)
    await privacy.requireOpen('task', task, use)
    return task
  }
  /** Names the list that a call chooses. Others may see that list. */
  const nameList = async (caller: Caller, listId: number | undefined): Promise<{ listName?: string }> => {
    if (listId === undefined) return {}
    const { taskLists: lists } = await taskLists.list(userIdOf(caller), { limit: MAX_LISTS })
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
    Type.Object({ ...Changed, before: Fields }),
    (left, _tx, userId) =>
      unlessChanged('task', left, (etag) => tasks.change(userId, left.id, left.before as TaskChange, etag)),
  )
  const Deleted = Type.Object({ before: Fields, completedAt: Type.Optional(Type.String()) })
  const recordDeleted = journal.define(
    'task',
    'assistant.task_deleted',
    Deleted,
    ({ before, completedAt }, _tx, userId) =>
      recreate(before, (fields) => tasks.restore(userId, fields as NewTask, completedAt)),
  )

  return [
    defineTool(contracts.list_tasks, {
      async run({ query, limit = 20, ...filters }, { caller, sendsToModel }) {
        const taskInput = { ...filters, limit, ...(query !== undefined && { q: query }) }
        const found = await tasks.list(userIdOf(caller), taskInput as never)
        const hidden = await privacy.tasks(userIdOf(caller), found.tasks)
        const visible = sendsToModel ? found.tasks.filter(({ id }) => !hidden.has(id)) : found.tasks
        return {
          result: { tasks: visible, more: found.nextCursor !== null && (!sendsToModel || hidden.size === 0) },
          emails: visible.flatMap(fromOf),
          isPrivate: !sendsToModel && hidden.size > 0,
        }
      },
    }),
    defineTool(contracts.create_task, {
      verbs: () => [CREATE_VERBS],
      mentions: namePriority,
      async propose({ title, dueAt, listId }, { caller, language }) {
        const timezone = await zoneOf(userIdOf(caller))
        const isDay = dueAt?.length === 10
        const due = dueAt
          ? formatStart({ start: dueAt, allDay: isDay, timezone: 'UTC' }, timezone, language)
          : ''
        return {
          summary: getProposalTexts(language).createTask(title, due),
          about: null,
          target: null,
          ...(await nameList(caller, listId)),
        }
      },
      run: (taskInput, { caller }) =>
        recordCreated(userIdOf(caller), async () => {
          const { version, ...result } = await tasks.create(userIdOf(caller), taskInput)
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
        await tasks.requireEditor(userIdOf(use.caller), id)
        const texts = getProposalTexts(use.language)
        return {
          summary: status === 'done' ? texts.completeTask(task.title) : texts.changeTask(task.title),
          about: { kind: 'task', id, version: task.version },
          target: { kind: 'task', id, titles: [task.title], people: [] },
          ...(await nameList(use.caller, listId)),
        }
      },
      run: ({ id, ...taskInput }, use) =>
        recordChanged(userIdOf(use.caller), async () => {
          const found = await get(id, use)
          const { version, ...result } = await tasks.change(userIdOf(use.caller), id, taskInput, undefined)
          const before = pickTask(found, Object.keys(taskInput))
          const payload = { id, version, found: found.version, before }
          const verb = taskInput.status === 'done' ? 'Completed' : 'Changed'
          return { result, summary: `${verb} the task “${result.title}”`, payload }
        }),
    }),
    defineTool(contracts.delete_task, {
      async propose({ id }, use) {
        const task = await get(id, use)
        await tasks.requireEditor(userIdOf(use.caller), id)
        const summary = getProposalTexts(use.language).deleteTask(task.title)
        return { summary, about: { kind: 'task', id, version: task.version } }
      },
      run: ({ id }, { caller }) =>
        recordDeleted(userIdOf(caller), async () => {
          const userId = userIdOf(caller)
          const task = await tasks.get(userId, id)
          await tasks.remove(userId, id, etagOf(task))
          const summary = `Deleted the task “${task.title}”`
          const { completedAt } = task
          const payload = {
            before: pickTask(task, recreatedFields),
            ...(completedAt !== null && { completedAt }),
          }
          return { result: { deleted: id }, summary, payload }
        }),
    }),
    defineTool(contracts.list_task_lists, {
      async run(_input, { caller }) {
        const found = await taskLists.list(userIdOf(caller), { limit: MAX_LISTS })
        const lists = found.taskLists.map(({ id, name, role }) => ({ id, name, role }))
        return { result: { taskLists: lists, more: found.nextCursor !== null } }
      },
    }),
  ]
}
