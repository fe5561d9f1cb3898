import { invalidField } from '../../../platform/errors.ts'
import { startOfDay, toInstant, toWall } from '../../../recurrence/time-zones.ts'
import { type Due, dayText, type Start } from '../due.ts'
import { readRecurrence } from '../occurrence.ts'
import { uniqueTags } from '../task.ts'
import type { TreeTask } from '../tasks.ts'
import { MAX_LEVELS, MAX_TASKS, type TemplateTask, type TemplateTaskInput } from './schema.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/** Characters of the stored JSON. */
const MAX_SIZE = 500_000

type Dates = Pick<TemplateTask, 'dueAfterDays' | 'dueTime' | 'startAfterDays' | 'startTime'>

const BLANK: Omit<TemplateTask, 'title'> = {
  depth: 0,
  notes: '',
  priority: 'normal',
  tags: [],
  estimateMinutes: null,
  recurrence: null,
  recurrenceFrom: 'due',
  dueAfterDays: null,
  dueTime: null,
  startAfterDays: null,
  startTime: null,
  section: null,
}

const toMinutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** Returns the minute at which a date begins, counted from the date of the use. */
const minuteOf = (days: number, time: string | null): number =>
  days * 1440 + (time === null ? 0 : toMinutes(time))

/** Returns what is wrong with the dates, and in which field. */
const findDateFault = (dates: Dates): [keyof Dates, string] | undefined => {
  const { dueAfterDays, dueTime, startAfterDays, startTime } = dates
  if (dueTime !== null && dueAfterDays === null) return ['dueTime', 'needs dueAfterDays']
  if (startTime !== null && startAfterDays === null) return ['startTime', 'needs startAfterDays']
  if (startAfterDays === null || dueAfterDays === null) return undefined
  const end = dueTime === null ? minuteOf(dueAfterDays + 1, null) - 1 : minuteOf(dueAfterDays, dueTime)
  return minuteOf(startAfterDays, startTime) > end ? ['startAfterDays', 'is after the due date'] : undefined
}

/** Checks the tasks of a template and completes their fields. `path` names them in errors. */
export const readTemplateTasks = (
  given: readonly TemplateTaskInput[],
  path: 'tasks' | 'taskId' = 'tasks',
): TemplateTask[] => {
  let deepest = 0
  const tasks = given.map((input, index): TemplateTask => {
    const reject = (field: string, message: string) => invalidField(`tasks.${index}.${field}`, message)
    const task: TemplateTask = {
      ...BLANK,
      ...input,
      title: input.title.trim(),
      tags: uniqueTags(input.tags ?? []),
      section: input.section?.trim() ?? null,
    }
    if (task.depth > deepest) throw reject('depth', 'is more than one level deeper than the task above')
    deepest = task.depth + 1
    if (task.section !== null && task.depth > 0)
      throw reject('section', 'cannot be set for a subtask, which is in the section of its topmost task')
    const fault = findDateFault(task)
    if (fault) throw reject(...fault)
    if (task.recurrence === null) return task
    return { ...task, recurrence: readRecurrence(task.recurrence, `tasks.${index}.recurrence`) }
  })
  if (JSON.stringify(tasks).length > MAX_SIZE)
    throw invalidField(path, `makes a template of more than ${MAX_SIZE / 1000} KB. Shorten the notes`)
  return tasks
}

interface Place {
  timezone: string
  /** The name of the section of the task. */
  section: string | null
}

/** Returns the day of a date, counted from 1 January 1970, and its hour. */
const readDate = (at: string | null, day: string | null, timezone: string) => {
  if (at === null) return undefined
  if (day !== null) return { day: Date.parse(day) / DAY_MS, time: null }
  const wall = toWall(Date.parse(at), timezone)
  return { day: Math.floor(wall / DAY_MS), time: new Date(wall).toISOString().slice(11, 16) }
}

/** Copies a task and its subtasks, except cancelled ones. Days are counted from the earliest date. */
export const toTemplateTasks = (tree: TreeTask, { timezone, section }: Place): TemplateTask[] => {
  const all: { depth: number; task: TreeTask['task'] }[] = []
  const visit = ({ task, subtasks }: TreeTask, depth: number): void => {
    if (task.status === 'cancelled' && depth > 0) return
    if (depth >= MAX_LEVELS) throw invalidField('taskId', `has more than ${MAX_LEVELS} levels of tasks`)
    if (all.length >= MAX_TASKS) throw invalidField('taskId', `has more than ${MAX_TASKS} tasks`)
    all.push({ depth, task })
    for (const subtask of subtasks) visit(subtask, depth + 1)
  }
  visit(tree, 0)
  const dated = all.map(({ depth, task }) => ({
    depth,
    task,
    due: readDate(task.dueAt, task.dueDay, timezone),
    start: readDate(task.startAt, task.startDay, timezone),
  }))
  const first = Math.min(...dated.flatMap(({ due, start }) => [due?.day ?? Infinity, start?.day ?? Infinity]))
  const tasks = dated.map(({ depth, task, due, start }) => ({
    depth,
    title: task.title,
    notes: task.notes,
    priority: task.priority,
    tags: task.tags,
    estimateMinutes: task.estimateMinutes,
    recurrence: task.recurrence,
    recurrenceFrom: task.recurrenceFrom,
    dueAfterDays: due ? due.day - first : null,
    dueTime: due?.time ?? null,
    startAfterDays: start ? start.day - first : null,
    startTime: start?.time ?? null,
    section: depth === 0 ? section : null,
  }))
  return readTemplateTasks(tasks, 'taskId')
}

const toMoment = (
  date: number,
  [afterDays, time]: readonly [number | null, string | null],
  timezone: string,
): { at: string | null; day: string | null } => {
  if (afterDays === null) return { at: null, day: null }
  const wall = (date + afterDays) * DAY_MS
  const day = dayText(wall)
  const at =
    time === null ? startOfDay(day, timezone) : toInstant(wall + toMinutes(time) * MINUTE_MS, timezone)
  return { at: new Date(at).toISOString(), day: time === null ? day : null }
}

/** Returns the dates of a task that is created. `date` counts the days since 1 January 1970. */
export const datesOf = (task: TemplateTask, date: number, timezone: string): Due & Start => {
  const due = toMoment(date, [task.dueAfterDays, task.dueTime], timezone)
  const start = toMoment(date, [task.startAfterDays, task.startTime], timezone)
  return { dueAt: due.at, dueDay: due.day, startAt: start.at, startDay: start.day }
}
