import { sql } from 'kysely'
import { ALL_ACCOUNTS } from '../../database/all-accounts.ts'
import { cutLooseLinks } from '../../database/schema-info.ts'
import {
  added,
  type Column,
  color,
  entityColumns,
  flag,
  id,
  idOrNull,
  instant,
  instantOrNull,
  integer,
  orNull,
  own,
  portable,
  text,
  textOrNull,
  without,
  zone,
} from '../../platform/portable/table.ts'
import type { DataPart } from '../accounts/data/parts.ts'
import type { PreferenceRules } from '../accounts/profile/preferences.ts'
import { dueAfter, isDay } from './due.ts'
import type { TaskLists } from './lists.ts'
import { readRecurrence } from './occurrence.ts'
import type { TaskReminders } from './reminders.ts'
import { findNextReminder, insertTask, replaceTags } from './repository.ts'
import { type Status, Task } from './schema.ts'
import { fieldsOf, isOpen, rowOf, tagKeyOf, wordsOf } from './task.ts'
import type { WholeDays } from './whole-days.ts'

interface PartDeps {
  reminders: TaskReminders
  days: WholeDays
  lists: TaskLists
  habitsOf: PreferenceRules['get']
}

const dayOrNull: Column<string | null> = {
  write: (value) => value,
  read: (given) => {
    if (given === null || (typeof given === 'string' && isDay(given))) return given
    throw new Error('must be a day such as 2026-03-01')
  },
}
const lists = portable('task_lists', {
  file: 'lists.jsonl',
  isAdded: true,
  given: sql<boolean>`${sql.ref('isInbox')} = 1`,
  columns: {
    id: id('task_lists'),
    userId: own,
    name: text,
    color,
    isInbox: flag,
    visible: flag,
    version: integer,
    createdAt: instant,
    updatedAt: instant,
  },
})

/** Older exports have no lists. Their tasks go to the Inbox. */
const NO_LIST = 0

const createTasksTable = ({ lists: taskLists }: Pick<PartDeps, 'lists'>) =>
  portable('tasks', {
    file: 'tasks.jsonl',
    columns: {
      ...entityColumns(Task, 'tasks'),
      id: id('tasks'),
      userId: own,
      dueDay: added(dayOrNull, null),
      emailId: idOrNull('emails'),
      eventId: idOrNull('events'),
      listId: added(id('task_lists'), NO_LIST),
      closedAt: instantOrNull,
      version: integer,
      place: without(0),
      duePlace: without(null),
      words: without(''),
      nextReminderAt: instantOrNull,
      remindedFor: instantOrNull,
      dueWall: textOrNull,
      successorId: idOrNull('tasks'),
      lateAt: without(null),
      dueZone: added(orNull(zone), null),
      sourceKey: added(textOrNull, null),
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
      return { ...row, ...rowOf(row.userId, fields, row, row.updatedAt, clock), nextReminderAt }
    },
    async put(tx, row) {
      const isListed = row.listId !== NO_LIST
      if (isListed && !(await taskLists.has(tx, row.userId, row.listId)))
        throw new Error('listId names a list that does not exist')
      const listId = isListed ? row.listId : await taskLists.getInboxId(tx, row.userId)
      const fields = { ...fieldsOf(row), listId }
      await insertTask(tx, { ...row, listId, words: wordsOf(row.userId, fields) })
      await replaceTags(tx, row, [...new Set(fields.tags.map(tagKeyOf))])
    },
  })

const blocks = portable('task_blocks', {
  file: 'planned.jsonl',
  columns: { eventId: id('events'), userId: own, taskId: id('tasks'), actionId: id('actions') },
})

export const createTasksPart = (deps: PartDeps): DataPart => ({
  folder: 'tasks',
  tables: [lists, createTasksTable(deps), blocks],
  // Without the shares of the instance, the reminders of shared tasks have no use.
  others: ['task_tags', 'task_alarm', 'task_words', 'task_reminders'],

  async afterImport(tx, { userId }) {
    await cutLooseLinks(tx, userId, { from: 'tasks', column: 'emailId', to: 'emails' })
    await cutLooseLinks(tx, userId, { from: 'tasks', column: 'eventId', to: 'events' })
    await deps.days.recalculate(tx, userId, await deps.habitsOf(userId))
    await deps.reminders.arm(tx, await findNextReminder(tx))
  },

  // Foreign keys delete the rows of the other tables.
  async wipe(tx) {
    for (const table of ['tasks', 'task_alarm', 'task_lists'] as const)
      await tx.deleteFrom(table).modifyEnd(ALL_ACCOUNTS).execute()
  },
})
