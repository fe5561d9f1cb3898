import Type from 'typebox'
import { isId, type NumberIdTable, type References } from '../../platform/portable/references.ts'
import {
  added,
  type Column,
  countedAnew,
  flag,
  instant,
  instantOrNull,
  integer,
  integerOrNull,
  json,
  jsonOrNull,
  oneOf,
  own,
  portable,
  text,
  textOrNull,
  without,
} from '../../platform/portable/table.ts'
import type { DataPart } from '../accounts/data/parts.ts'
import { KINDS } from './kinds.ts'
import { NotificationSettingsChange } from './schema.ts'

const settings = portable('notification_settings', {
  file: 'settings.jsonl',
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

const CONVERSATION_PATH = /^(\/assistant\?conversation=)([\w-]{1,100})$/

/** The ids in the data of a notification, and in those that it combines. */
const REFERENCES: References = {
  taskId: 'tasks',
  emailId: 'emails',
  conversationId: 'ai_conversations',
  'first.*.taskId': 'tasks',
  'first.*.emailId': 'emails',
}

const link: Column<string | null> = {
  ...textOrNull,
  read(given, reading) {
    const path = textOrNull.read(given, reading)
    for (const [pattern, table] of ID_PATHS) {
      const [, start, last] = (path && pattern.exec(path)) || []
      if (start !== undefined && isId(Number(last))) return start + reading.ids.number(table, Number(last))
    }
    const [, start, conversation] = (path && CONVERSATION_PATH.exec(path)) || []
    return start !== undefined && conversation !== undefined
      ? start + reading.ids.text('ai_conversations', conversation)
      : path
  },
}

/**
 * Adds imported notifications to the existing ones, with new ids. They also get new keys. The old keys
 * contain ids of the exporting instance, which could match different things here.
 */
const notifications = portable('notifications', {
  file: 'notifications.jsonl',
  beside: 'added',
  columns: {
    id: { read: countedAnew.read },
    userId: own,
    key: without(''),
    kind: oneOf(...KINDS),
    data: added(jsonOrNull(Type.Record(Type.String(), Type.Unknown()), REFERENCES), null),
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
}
