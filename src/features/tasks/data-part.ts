import { sql } from 'kysely'
import Type from 'typebox'
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
  json,
  oneOf,
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
import { dueAfter, isDay, startAfter } from './due.ts'
import type { TaskLists } from './lists.ts'
import { readRecurrence } from './occurrence.ts'
import { isPosition, positionOfId } from './position.ts'
import type { TaskReminders } from './reminders.ts'
import { findNextReminder, insertTask, replaceTags } from './repository.ts'
import { type Status, Task } from './schema.ts'
import { fieldsOf, isOpen, rowOf, tagKeyOf, wordsOf } from './task.ts'
import { MAX_TASKS, TemplateTask } from './templates/schema.ts'
import { readTemplateTasks } from './templates/template-tasks.ts'
import { findRunningTimer, insertTimeEntry } from './time-entry-repository.ts'
import { secondsBetween, type Timers } from './timers.ts'
import { newUid } from './tree.ts'
import { cutLooseParents, findSection } from './tree-repository.ts'
import type { WholeDays } from './whole-days.ts'

interface PartDeps {
  reminders: TaskReminders
  days: WholeDays
  lists: TaskLists
  timers: Pick<Timers, 'leave'>
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

const sections = portable('task_sections', {
  file: 'sections.jsonl',
  isAdded: true,
  columns: {
    id: id('task_sections'),
    userId: own,
    listId: id('task_lists'),
    name: text,
    position: text,
    version: integer,
    createdAt: instant,
    updatedAt: instant,
  },
})

const filters = portable('task_filters', {
  file: 'filters.jsonl',
  isAdded: true,
  columns: {
    id: id('task_filters'),
    userId: own,
    name: text,
    query: text,
    version: integer,
    createdAt: instant,
    updatedAt: instant,
  },
})

const templates = portable('task_templates', {
  file: 'templates.jsonl',
  isAdded: true,
  columns: {
    id: id('task_templates'),
    userId: own,
    name: text,
    tasks: json(Type.Array(TemplateTask, { minItems: 1, maxItems: MAX_TASKS })),
    version: integer,
    createdAt: instant,
    updatedAt: instant,
  },
  complete(row) {
    readTemplateTasks(JSON.parse(row.tasks) as TemplateTask[])
    return row
  },
})

const createTasksTable = ({ lists: taskLists }: Pick<PartDeps, 'lists'>) =>
  portable('tasks', {
    file: 'tasks.jsonl',
    columns: {
      ...entityColumns(Type.Omit(Task, ['nextTaskId']), 'tasks'),
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
      uid: added(text, ''),
      parentId: added(idOrNull('tasks'), null),
      sectionId: added(idOrNull('task_sections'), null),
      position: added(text, ''),
      startAt: added(instantOrNull, null),
      startDay: added(dayOrNull, null),
      percentComplete: added(integer, 0),
      // The ids of persons have no meaning in another instance.
      assigneeId: without(null),
      recurrenceFrom: added(oneOf('due', 'completion'), 'due'),
      extra: added(textOrNull, null),
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
      const dates =
        dueZone === null
          ? {}
          : {
              ...dueAfter({ kind: 'nothing' }, row, dueZone),
              ...startAfter({ kind: 'nothing' }, row, dueZone),
            }
      const fields = { ...fieldsOf(row), ...dates }
      return { ...row, ...rowOf(row.userId, fields, row, row.updatedAt, clock), nextReminderAt }
    },
    async put(tx, row) {
      const isListed = row.listId !== NO_LIST
      if (isListed && !(await taskLists.has(tx, row.userId, row.listId)))
        throw new Error('listId names a list that does not exist')
      const listId = isListed ? row.listId : await taskLists.getInboxId(tx, row.userId)
      const fields = { ...fieldsOf(row), listId }
      const { uid, position, sectionId } = row
      const section = sectionId === null ? undefined : await findSection(tx, row.userId, sectionId)
      await insertTask(tx, {
        ...row,
        listId,
        words: wordsOf(row.userId, fields),
        uid: uid === '' ? newUid() : uid,
        position: isPosition(position) ? position : positionOfId(row.id),
        sectionId: section?.listId === listId ? sectionId : null,
      })
      await replaceTags(tx, row, [...new Set(fields.tags.map(tagKeyOf))])
    },
  })

const blocks = portable('task_blocks', {
  file: 'planned.jsonl',
  columns: { eventId: id('events'), userId: own, taskId: id('tasks'), actionId: id('actions') },
})

const comments = portable('task_comments', {
  file: 'comments.jsonl',
  isAdded: true,
  columns: {
    id: id('task_comments'),
    userId: own,
    taskId: id('tasks'),
    // The ids of persons have no meaning in another instance. The owner of the list has no name here.
    authorId: without(null),
    memberName: textOrNull,
    text,
    version: integer,
    createdAt: instant,
    updatedAt: instant,
  },
  complete: (row) => ({ ...row, authorId: row.memberName === null ? row.userId : null }),
})

const timeEntries = portable('time_entries', {
  file: 'time-entries.jsonl',
  isAdded: true,
  columns: {
    id: id('time_entries'),
    userId: own,
    taskId: id('tasks'),
    personId: without(null),
    memberName: textOrNull,
    startedAt: instant,
    endedAt: instantOrNull,
    seconds: without(null),
    note: text,
    version: integer,
    createdAt: instant,
    updatedAt: instant,
  },
  complete(row) {
    const { userId, memberName, startedAt, endedAt } = row
    if (endedAt !== null && endedAt < startedAt) throw new Error('endedAt is before startedAt')
    const seconds = endedAt === null ? null : secondsBetween(startedAt, endedAt)
    return { ...row, personId: memberName === null ? userId : null, seconds }
  },
  async put(tx, row) {
    const { userId, personId, startedAt, endedAt } = row
    // A person has one timer, which can run on a task of another account. The timers of others stay behind.
    const runs = endedAt === null && personId !== null && !(await findRunningTimer(tx, userId))
    await insertTimeEntry(tx, endedAt !== null || runs ? row : { ...row, endedAt: startedAt, seconds: 0 })
  },
})

export const createTasksPart = (deps: PartDeps): DataPart => ({
  folder: 'tasks',
  tables: [lists, sections, createTasksTable(deps), blocks, comments, timeEntries, filters, templates],
  // Without the shares of the instance, the reminders of shared tasks have no use.
  others: ['task_tags', 'task_alarm', 'task_words', 'task_reminders'],

  async afterImport(tx, { userId }) {
    await cutLooseLinks(tx, userId, { from: 'tasks', column: 'emailId', to: 'emails' })
    await cutLooseLinks(tx, userId, { from: 'tasks', column: 'eventId', to: 'events' })
    await cutLooseParents(tx, userId)
    await deps.days.recalculate(tx, userId, await deps.habitsOf(userId))
    await deps.reminders.arm(tx, await findNextReminder(tx))
  },

  leave: (tx, userId) => deps.timers.leave(tx, userId),

  // Foreign keys delete the rows of the other tables.
  async wipe(tx) {
    for (const table of [
      'tasks',
      'task_alarm',
      'task_sections',
      'task_lists',
      'task_filters',
      'task_templates',
    ] as const)
      await tx.deleteFrom(table).modifyEnd(ALL_ACCOUNTS).execute()
  },
})
