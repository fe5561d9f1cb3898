import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import { cutLooseLinks } from '../../database/schema-info.ts'
import { toInstant, toWall } from '../../nlu/time-zones.ts'
import {
  added,
  type Column,
  id,
  idOrNull,
  instant,
  instantOrNull,
  integer,
  integerOrNull,
  json,
  oneOf,
  portable,
  text,
  textOrNull,
  without,
  zone,
} from '../../platform/portable/table.ts'
import type { DataPart, Sample } from '../accounts/data/parts.ts'
import type { PreferenceRules } from '../accounts/profile/preferences.ts'
import { dayText, dueAfter, isDay } from './due.ts'
import { readRecurrence } from './occurrence.ts'
import type { TaskReminders } from './reminders.ts'
import { findNextReminder, insertTask, replaceTags } from './repository.ts'
import { PRIORITIES, STATUSES, type Status } from './schema.ts'
import { BLANK, fieldsOf, isOpen, rowOf, type TaskFields, tagKeyOf } from './task.ts'
import type { WholeDays } from './whole-days.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/** `due` holds the days from now and an optional hour. `closedDaysAgo` is set on closed tasks. */
type SampleTask = Partial<TaskFields> & { due?: readonly [number, number?]; closedDaysAgo?: number }

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
    due: [4],
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

type Habits = PreferenceRules['ofInstance']

const fillSample = async (tx: Db, { now, mark }: Sample, habits: Habits): Promise<void> => {
  const clock = await habits()
  const today = Math.floor(toWall(now.getTime(), clock.timezone) / DAY_MS)
  const at = (days: number, hour: number): string =>
    new Date(toInstant((today + days) * DAY_MS + hour * HOUR_MS, clock.timezone)).toISOString()
  for (const { due, closedDaysAgo, ...given } of SAMPLE_TASKS) {
    const [days, hour] = due ?? []
    const when =
      days === undefined
        ? { dueAt: null, dueDay: null }
        : hour === undefined
          ? dueAfter({ kind: 'day', day: dayText((today + days) * DAY_MS) }, undefined, clock.timezone)
          : { dueAt: at(days, hour), dueDay: null }
    const fields: TaskFields = { ...BLANK, ...given, ...when }
    const changedAt = closedDaysAgo === undefined ? now.toISOString() : at(-closedDaysAgo, 15)
    const row = { ...rowOf(fields, undefined, changedAt, clock), remindedFor: null, successorId: null }
    const task = await insertTask(tx, { ...row, version: 1 })
    await replaceTags(tx, task, fields.tags.map(tagKeyOf))
    await mark('task', task.id)
  }
}

const dayOrNull: Column<string | null> = {
  write: (value) => value,
  read: (given) => {
    if (given === null || (typeof given === 'string' && isDay(given))) return given
    throw new Error('must be a day such as 2026-03-01')
  },
}
const zoneOrNull: Column<string | null> = {
  write: (value) => value,
  read: (given, reading) => (given === null ? null : zone.read(given, reading)),
}

const tasks = portable('tasks', {
  file: 'tasks.jsonl',
  columns: {
    id,
    title: text,
    notes: text,
    status: oneOf(...STATUSES),
    priority: oneOf(...PRIORITIES),
    dueAt: instantOrNull,
    remindAt: instantOrNull,
    estimateMinutes: integerOrNull,
    tags: json(Type.Array(Type.String())),
    recurrence: textOrNull,
    emailId: idOrNull,
    eventId: idOrNull,
    completedAt: instantOrNull,
    closedAt: instantOrNull,
    createdAt: instant,
    updatedAt: instant,
    version: integer,
    place: without(0),
    duePlace: without(null),
    words: without(''),
    nextReminderAt: instantOrNull,
    remindedFor: instantOrNull,
    dueWall: textOrNull,
    successorId: idOrNull,
    lateAt: without(null),
    dueDay: added(dayOrNull, null),
    dueZone: added(zoneOrNull, null),
  },
  complete(row) {
    if (!isOpen(row.status as Status) && row.closedAt === null) throw new Error('closedAt is missing')
    if (row.recurrence !== null) readRecurrence(row.recurrence)
    const { dueDay, dueZone, nextReminderAt } = row
    if (dueDay !== null && row.dueAt === null) throw new Error('dueAt is missing')
    if (dueDay !== null && dueZone === null && isOpen(row.status as Status))
      throw new Error('dueZone is missing')
    // Use the zone stored with the task. `afterImport` recalculates the task in this instance's zone.
    const clock = { timezone: dueZone ?? 'UTC', workingHours: [] }
    const due = dueZone === null ? {} : dueAfter({ kind: 'nothing' }, row, dueZone)
    const fields = { ...fieldsOf(row), ...due }
    return { ...row, ...rowOf(fields, row, row.updatedAt, clock), nextReminderAt }
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

export const createTasksPart = (deps: {
  reminders: TaskReminders
  days: WholeDays
  habits: Habits
}): DataPart => ({
  folder: 'tasks',
  tables: [tasks, blocks],
  others: ['task_tags', 'task_alarm', 'task_words'],

  async afterImport(tx) {
    await cutLooseLinks(tx, { from: 'tasks', column: 'emailId', to: 'emails' })
    await cutLooseLinks(tx, { from: 'tasks', column: 'eventId', to: 'events' })
    await deps.days.settle(tx)
    await deps.reminders.arm(tx, await findNextReminder(tx))
  },

  // Foreign keys delete the rows of the other tables.
  async wipe(tx) {
    for (const table of ['tasks', 'task_alarm'] as const) await tx.deleteFrom(table).execute()
  },

  fillSample: (tx, sample) => fillSample(tx, sample, deps.habits),

  async removeSample(tx, marked) {
    const ids = (await marked('task')).map(Number)
    if (ids.length > 0) await tx.deleteFrom('tasks').where('id', 'in', ids).execute()
  },
})
