import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import {
  id,
  idOrNull,
  instant,
  instantOrNull,
  integer,
  integerOrNull,
  json,
  oneOf,
  text,
  textOrNull,
  without,
} from '../../platform/portable/columns.ts'
import { portable } from '../../platform/portable/table.ts'
import type { DataPart, Sample } from '../settings/data/parts.ts'
import { BLANK, fieldsOf, type TaskFields, tagKeyOf } from './fields.ts'
import { readRecurrence } from './occurrence.ts'
import { isOpen } from './place.ts'
import type { TaskReminders } from './reminders.ts'
import { PRIORITIES, STATUSES, type Status } from './schema.ts'
import { findNextReminder, insertTask, replaceTags } from './store.ts'
import { rowOf } from './task-row.ts'

const DAY_MS = 86_400_000

/** Days from now and the hour it is due, or how many days ago it was closed. */
type SampleTask = Partial<TaskFields> & { due?: readonly [number, number]; closedDaysAgo?: number }

const SAMPLE_TASKS: readonly SampleTask[] = [
  {
    title: 'Send the workshop offer to Lindgren',
    due: [-1, 16],
    priority: 'high',
    tags: ['work'],
    estimateMinutes: 60,
  },
  {
    title: 'Prepare the quarterly review',
    due: [1, 12],
    priority: 'urgent',
    status: 'doing',
    tags: ['work'],
    estimateMinutes: 150,
  },
  { title: 'Water the plants', due: [0, 18], recurrence: 'FREQ=WEEKLY', tags: ['home'], estimateMinutes: 15 },
  {
    title: 'Pay the rent',
    due: [4, 9],
    recurrence: 'FREQ=MONTHLY',
    priority: 'high',
    tags: ['home', 'money'],
  },
  {
    title: 'Book the train to Vienna',
    due: [3, 17],
    notes: 'A window seat, and not before eight.',
    tags: ['travel'],
  },
  { title: 'Read the chapter on recovery drills', priority: 'low', tags: ['reading'], estimateMinutes: 90 },
  { title: 'Call the dentist', tags: ['health'], estimateMinutes: 10 },
  { title: 'File the travel receipts', status: 'done', closedDaysAgo: 1, tags: ['money'] },
  { title: 'Answer the survey of the co-op', status: 'done', closedDaysAgo: 3 },
  { title: 'Renew the domain', status: 'done', closedDaysAgo: 6, priority: 'high', tags: ['work'] },
  { title: 'Sort the old photos', status: 'cancelled', closedDaysAgo: 5, priority: 'low' },
]

const fillSample = async (tx: Db, { now, mark }: Sample): Promise<void> => {
  const at = (days: number, hour: number): string => {
    const day = new Date(now.getTime() + days * DAY_MS)
    day.setUTCHours(hour, 0, 0, 0)
    return day.toISOString()
  }
  for (const { due, closedDaysAgo, ...given } of SAMPLE_TASKS) {
    const fields: TaskFields = { ...BLANK, ...given, dueAt: due ? at(...due) : null }
    const changedAt = closedDaysAgo === undefined ? now.toISOString() : at(-closedDaysAgo, 15)
    const row = { ...rowOf(fields, undefined, changedAt), remindedFor: null, successorId: null }
    const task = await insertTask(tx, { ...row, version: 1 })
    await replaceTags(tx, task, fields.tags.map(tagKeyOf))
    await mark('task', task.id)
  }
}

const tasks = portable('tasks', {
  file: 'tasks.jsonl',
  columns: {
    ...{ id, title: text, notes: text, status: oneOf(...STATUSES) },
    ...{ priority: oneOf(...PRIORITIES), dueAt: instantOrNull, remindAt: instantOrNull },
    ...{ estimateMinutes: integerOrNull, tags: json(Type.Array(Type.String())), recurrence: textOrNull },
    ...{ emailId: idOrNull, eventId: idOrNull, completedAt: instantOrNull, closedAt: instantOrNull },
    ...{
      createdAt: instant,
      updatedAt: instant,
      version: integer,
      place: without(0),
      duePlace: without(null),
    },
    ...{ shown: without(''), words: without(''), nextReminderAt: instantOrNull, remindedFor: instantOrNull },
    ...{ dueWall: textOrNull, successorId: idOrNull },
  },
  complete(row) {
    if (!isOpen(row.status as Status) && row.closedAt === null) throw new Error('closedAt is missing')
    if (row.recurrence !== null) readRecurrence(row.recurrence)
    return { ...row, ...rowOf(fieldsOf(row), row, row.updatedAt) }
  },
  async put(tx, row) {
    await insertTask(tx, row)
    await replaceTags(tx, row, [...new Set(fieldsOf(row).tags.map(tagKeyOf))])
  },
})

const blocks = portable('task_blocks', {
  file: 'planned.jsonl',
  columns: { eventId: id, taskId: id, actionId: id },
})

export const createTasksPart = ({ reminders }: { reminders: TaskReminders }): DataPart => ({
  folder: 'tasks',
  tables: [tasks, blocks],
  others: ['task_tags', 'task_alarm', 'task_words'],

  async afterImport(tx) {
    await reminders.arm(tx, await findNextReminder(tx))
  },

  // The rest hangs on the tasks.
  async wipe(tx) {
    for (const table of ['tasks', 'task_alarm'] as const) await tx.deleteFrom(table).execute()
  },

  fillSample,

  async removeSample(tx, marked) {
    const ids = (await marked('task')).map(Number)
    if (ids.length > 0) await tx.deleteFrom('tasks').where('id', 'in', ids).execute()
  },
})
