import type { ToolResult } from '../tools/contracts.ts'
import { type Counted, DAY_MS, type Handler, type InterpreterContext } from './context.ts'
import { type Item, toItems } from './memory.ts'
import { describeTaskDetails } from './readback.ts'

export type Task = ToolResult<'list_tasks'>['tasks'][number]

const toStems = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\d]{4,}/gu) ?? []).map((word) => word.slice(0, 5))

export const describeTask = (
  { texts, formatWall, formatInstant }: InterpreterContext,
  { title, dueAt, dueDay }: Task,
): string => {
  const due = dueDay ? formatWall(dueDay) : dueAt && formatInstant(dueAt)
  return due ? `${title} (${texts.due} ${due})` : title
}

export const toItem = ({ id, title }: Task): Item => ({ kind: 'task', id, title })

/** The open tasks that are due first. */
export const findOpenTasks = async ({ lookUp }: InterpreterContext): Promise<Task[]> =>
  (await lookUp('list_tasks', { status: 'open', limit: 50 }))?.tasks ?? []

export const findLists = async ({ lookUp }: InterpreterContext) =>
  (await lookUp('list_task_lists', {}))?.taskLists ?? []

/** Finds the task that the conversation is about. */
export const findTask = async (
  { lookUp }: InterpreterContext,
  { id, title }: Item,
): Promise<Task | undefined> => {
  const found = await lookUp('list_tasks', { query: title, limit: 50 })
  return found?.tasks.find((task) => task.id === id)
}

/** Returns the matching task, or a text if none or several match. */
const pickTask = async (
  context: InterpreterContext,
  named: string,
  status: 'open' | 'done' = 'open',
): Promise<Task | string> => {
  const { callReadTool, texts, exchange } = context
  if (exchange.target?.kind === 'task')
    return (await findTask(context, exchange.target)) ?? texts.unknown.task(exchange.target.title)
  let { tasks: fits } = await callReadTool('list_tasks', { query: named, status, limit: 6 })
  if (fits.length === 0) {
    // "watering the plants" matches "water the plants".
    const stems = toStems(named)
    const { tasks: all } = await callReadTool('list_tasks', { status, limit: 50 })
    fits =
      stems.length === 0
        ? []
        : all.filter(({ title }) => stems.every((stem) => toStems(title).includes(stem)))
  }
  const same = fits.filter(({ title }) => title.toLowerCase() === named.toLowerCase())
  return context.pickOnly(same.length === 1 ? same : fits, 'task', {
    none: texts.unknown.task(named),
    describe: (task) => describeTask(context, task),
    toItem,
  })
}

/** Shifts the due date. A due day stays a day unless the shift is not a whole number of days. */
const shiftDueDate = (
  { now, formatWall, formatInstant }: InterpreterContext,
  { dueAt, dueDay }: Task,
  shiftMinutes: number,
): { due: string; said: string } => {
  const shift = shiftMinutes * 60_000
  if (dueDay && shift % DAY_MS === 0) {
    const day = new Date(Date.parse(dueDay) + shift).toISOString().slice(0, 10)
    return { due: day, said: formatWall(day) }
  }
  const from = dueDay ? Math.max(now, Date.parse(dueAt ?? '')) : dueAt ? Date.parse(dueAt) : now
  const at = new Date(from + shift).toISOString()
  return { due: at, said: formatInstant(at) }
}

/** Moves the task with this name to another day. Returns undefined if none or several match. */
export const moveTask = async (
  context: InterpreterContext,
  named: string,
  due: string,
): Promise<string | undefined> => {
  const { callReadTool, callTool, toToolTime, formatOutcome, texts } = context
  const { tasks } = await callReadTool('list_tasks', { query: named, status: 'open', limit: 2 })
  const [one] = tasks
  if (!one || tasks.length > 1) return undefined
  const outcome = await callTool('update_task', { id: one.id, dueAt: toToolTime(due) })
  return formatOutcome(outcome, texts.changed(one.title, describeTaskDetails(context, { due })))
}

export const createTask: Handler<'create_task'> = async (context, input) => {
  const { callTool, toToolTime, instant, formatOutcome, texts } = context
  const { title, due, remindAt, recurrence, priority, tags = [], list, estimateMinutes } = input
  const own = list === undefined ? undefined : (await findLists(context)).find(({ name }) => name === list)
  // A list that does not exist becomes a tag, so that its tasks are found together.
  const all = [...new Set([...tags, ...(list && !own ? [list] : [])])]
  const outcome = await callTool('create_task', {
    listId: own?.id,
    title,
    dueAt: toToolTime(due),
    remindAt: remindAt && instant(remindAt),
    recurrence,
    priority,
    estimateMinutes,
    ...(all.length > 0 && { tags: all }),
  })
  return formatOutcome(outcome, texts.added(title, describeTaskDetails(context, input)))
}

export const completeTask: Handler<'complete_task'> = async (context, { task }) => {
  const { callTool, formatOutcome, texts } = context
  const one = await pickTask(context, task)
  if (typeof one === 'string') return one
  return formatOutcome(await callTool('update_task', { id: one.id, status: 'done' }), texts.isDone(one.title))
}

/** Asks which task to change and offers the next open ones. */
export const offerTasks = async (
  context: InterpreterContext,
  tool: 'delete_task' | 'complete_task',
): Promise<string> => {
  const { callReadTool, askWhich, texts, exchange } = context
  const { tasks } = await callReadTool('list_tasks', { status: 'open', limit: 5 })
  if (tasks.length === 0) return texts.nothing.tasks
  const options = tasks.map((task) => ({
    label: describeTask(context, task),
    intent: { tool, arguments: { task: task.title }, confidence: 0.9, evidence: [] },
    target: toItem(task),
  }))
  return askWhich((list) => `${texts.missing('which task')}\n${list}`, options, exchange.written)
}

export const deleteTask: Handler<'delete_task'> = async (context, { task }) => {
  const { callTool, formatOutcome, texts } = context
  const one = await pickTask(context, task)
  return typeof one === 'string'
    ? one
    : formatOutcome(await callTool('delete_task', { id: one.id }), texts.deleted)
}

export const updateTask: Handler<'update_task'> = async (context, input) => {
  const { callTool, toToolTime, instant, formatOutcome, texts } = context
  const { task, title, due, remindAt, recurrence, priority, tag, shiftMinutes, status } = input
  const one = await pickTask(context, task, status === 'todo' ? 'done' : 'open')
  if (typeof one === 'string') return one
  const { id } = one
  if (status) {
    const outcome = await callTool('update_task', { id, status })
    return formatOutcome(
      outcome,
      status === 'todo' ? texts.reopened(one.title) : texts.changed(one.title, ''),
    )
  }
  const later = shiftMinutes === undefined ? undefined : shiftDueDate(context, one, shiftMinutes)
  const outcome = await callTool('update_task', {
    id,
    title,
    dueAt: later?.due ?? toToolTime(due),
    remindAt: remindAt && instant(remindAt),
    recurrence,
    priority,
    tags: tag ? [...new Set([...one.tags, tag])] : undefined,
  })
  const details = describeTaskDetails(context, { due, remindAt, recurrence, priority, list: tag })
  const said = [later && texts.details.due(later.said), details].filter(Boolean).join(', ')
  return formatOutcome(outcome, texts.changed(title ?? one.title, said))
}

export const listTasks: Handler<'list_tasks'> = async (
  context,
  { query, list, tag, priority, state, from, to },
) => {
  const { callReadTool, toToolTime, instant, now, formatList, texts } = context
  const status = state === 'done' || state === 'overdue' ? state : 'open'
  const dueBefore = status === 'open' ? toToolTime(to) : undefined
  const { tasks, more } = await callReadTool('list_tasks', {
    query,
    tag: tag ?? list,
    priority,
    status,
    dueBefore,
    limit: 50,
  })
  // Overdue open tasks belong to today, not to later days.
  const first = from && Date.parse(instant(from)) > now ? instant(from) : undefined
  const isAsked = ({ dueAt, completedAt }: Task): boolean => {
    if (state === 'done') return !from || (completedAt !== null && completedAt >= instant(from))
    return first === undefined || (dueAt !== null && dueAt >= first)
  }
  const matching = tasks.filter(isAsked)
  context.exchange.listedItems = toItems('task', matching)
  return formatList(
    matching.map((task) => describeTask(context, task)),
    texts.nothing.tasks,
    more,
  )
}

/** Finds the open tasks that are due in a period. A token without access to tasks finds none. */
export const findDueTasks = async (context: InterpreterContext, start: string, end: string) => {
  const outcome = await context.callTool('list_tasks', { status: 'open', dueBefore: end, limit: 50 })
  const tasks = outcome.status === 'done' ? outcome.result.tasks : []
  const due = tasks.filter(({ dueAt }) => dueAt !== null && dueAt >= start)
  return { items: toItems('task', due), lines: due.map((task) => describeTask(context, task)) }
}

/** Counts matching tasks up to the search limit. */
export const countTasks = async (
  { callReadTool, instant, now }: InterpreterContext,
  state: 'open' | 'done' | 'overdue',
  range: { from?: string; to?: string },
): Promise<Counted> => {
  const { tasks, more } = await callReadTool('list_tasks', { status: state, limit: 50 })
  const from = range.from ? instant(range.from) : ''
  const until = range.to ? instant(range.to) : new Date(now + 365 * DAY_MS).toISOString()
  const counted = tasks.filter(({ dueAt, completedAt }) => {
    const at = state === 'done' ? completedAt : dueAt
    return range.from === undefined && range.to === undefined ? true : at !== null && at >= from && at < until
  })
  return { count: counted.length, more }
}
