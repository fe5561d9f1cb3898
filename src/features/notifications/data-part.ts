import { sql } from 'kysely'
import type { Db } from '../../database/db.ts'
import { isId, type NumberIdTable } from '../../platform/portable/references.ts'
import {
  type Column,
  countedAnew,
  flag,
  instant,
  instantOrNull,
  integer,
  integerOrNull,
  json,
  oneOf,
  own,
  portable,
  text,
  textOrNull,
  without,
} from '../../platform/portable/table.ts'
import type { DataPart, Sample } from '../accounts/data/parts.ts'
import { NotificationSettingsChange } from './schema.ts'
import { KINDS, type Kind } from './settings.ts'

const HOUR_MS = 3_600_000

interface SampleNotification {
  hoursAgo: number
  kind: Kind
  text: keyof Sample['content']['notifications']
  /** Returns the page of the sample item that the notification is about. */
  findLink(tx: Db, userId: number, content: Sample['content']): Promise<string>
}

const SAMPLE: readonly SampleNotification[] = [
  {
    hoursAgo: 50,
    kind: 'security',
    text: 'security',
    findLink: async () => '/settings/security#activity',
  },
  {
    hoursAgo: 27,
    kind: 'booking_made',
    text: 'booking',
    async findLink(tx, userId, { booking }) {
      const event = await tx
        .selectFrom('events')
        .select('start')
        .where('userId', '=', userId)
        .where('title', '=', booking)
        .executeTakeFirst()
      return event ? `/calendar?date=${event.start.slice(0, 10)}` : '/calendar'
    },
  },
  {
    hoursAgo: 20,
    kind: 'task_due',
    text: 'task',
    async findLink(tx, userId, { overdueTask }) {
      const task = await tx
        .selectFrom('tasks')
        .select('id')
        .where('userId', '=', userId)
        .where('title', '=', overdueTask)
        .executeTakeFirst()
      return task ? `/tasks?task=${task.id}` : '/tasks'
    },
  },
  {
    hoursAgo: 3,
    kind: 'mail_urgent',
    text: 'mail',
    async findLink(tx, userId, { urgentSubject }) {
      const email = await tx
        .selectFrom('emails')
        .select('id')
        .where('userId', '=', userId)
        .where('subject', '=', urgentSubject)
        .executeTakeFirst()
      return email ? `/mail/inbox/${email.id}` : '/mail'
    },
  },
]

const ofUser = (userId: number) => [sql<boolean>`${sql.ref('userId')} = ${userId}`]

const settings = portable('notification_settings', {
  file: 'settings.jsonl',
  of: ofUser,
  beside: 'added',
  columns: { userId: own, chosen: json(NotificationSettingsChange), version: integer, updatedAt: instant },
  async put(tx, row) {
    const { userId: _, ...change } = row
    await tx
      .insertInto('notification_settings')
      .values(row)
      .onConflict((conflict) => conflict.column('userId').doUpdateSet(change))
      .execute()
  },
})

/** Paths in the console that contain an id. */
const ID_PATHS: readonly [RegExp, NumberIdTable][] = [
  [/^(\/mail\/\w+\/)(\d{1,15})$/, 'emails'],
  [/^(\/tasks\?task=)(\d{1,15})$/, 'tasks'],
]

const link: Column<string | null> = {
  ...textOrNull,
  read(given, reading) {
    const path = textOrNull.read(given, reading)
    for (const [pattern, table] of ID_PATHS) {
      const [, start, last] = (path && pattern.exec(path)) || []
      if (start !== undefined && isId(Number(last))) return start + reading.ids.number(table, Number(last))
    }
    return path
  },
}

/**
 * Adds imported notifications to the existing ones, with new ids. They also get new keys. The old keys
 * contain ids of the exporting instance, which could match different things here.
 */
const notifications = portable('notifications', {
  file: 'notifications.jsonl',
  of: ofUser,
  beside: 'added',
  columns: {
    id: { read: countedAnew.read },
    userId: own,
    key: without(''),
    kind: oneOf(...KINDS),
    title: text,
    body: text,
    // Action ids are valid only in the exporting instance.
    actionId: without(null),
    link,
    inConsole: flag,
    readAt: instantOrNull,
    clearedAt: instantOrNull,
    version: integer,
    createdAt: instant,
  },
  complete: (row) => ({ ...row, key: `imported:${row.kind}:${row.createdAt}:${row.title}` }),
  async put(tx, row) {
    await tx
      .insertInto('notifications')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  },
})

/** Mails and deliveries are exported but not imported, because they belong to the instance that sent them. */
const mails = portable('notification_mails', {
  file: 'mails.jsonl',
  isExportOnly: true,
  of: ofUser,
  columns: {
    id: integer,
    userId: own,
    messageId: text,
    attempt: without(null),
    attempts: integer,
    state: oneOf('queued', 'sending', 'sent', 'failed', 'uncertain'),
    error: textOrNull,
    createdAt: instant,
    updatedAt: instant,
  },
})

const deliveries = portable('notification_deliveries', {
  file: 'deliveries.jsonl',
  isExportOnly: true,
  of: ofUser,
  columns: {
    id: integer,
    notificationId: integer,
    userId: own,
    channel: oneOf('email', 'webhook'),
    state: oneOf('waiting', 'mailing', 'told', 'failed', 'uncertain'),
    dueAt: instant,
    heldBy: textOrNull as Column<'quiet_hours' | 'digest' | null>,
    mailId: integerOrNull,
    error: textOrNull,
    finishedAt: instantOrNull,
  },
})

export const notificationsPart: DataPart = {
  folder: 'notifications',
  tables: [settings, notifications, mails, deliveries],
  others: [],

  async fillSample(tx, { userId, now, content, mark }) {
    for (const [index, { hoursAgo, kind, text: name, findLink }] of SAMPLE.entries()) {
      const { title, body } = content.notifications[name]
      const createdAt = new Date(now.getTime() - hoursAgo * HOUR_MS).toISOString()
      const { id } = await tx
        .insertInto('notifications')
        .values({
          userId,
          key: `sample:${index}`,
          kind,
          title,
          body,
          link: await findLink(tx, userId, content),
          inConsole: 1,
          readAt: hoursAgo > 24 ? createdAt : null,
          clearedAt: null,
          version: 1,
          createdAt,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await mark('notification', id)
    }
  },

  async removeSample(tx, { userId, marked }) {
    const ids = (await marked('notification')).map(Number)
    if (ids.length > 0)
      await tx.deleteFrom('notifications').where('userId', '=', userId).where('id', 'in', ids).execute()
  },
}
