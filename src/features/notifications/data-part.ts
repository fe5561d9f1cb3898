import { sql } from 'kysely'
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
import type { DataPart } from '../accounts/data/parts.ts'
import { NotificationSettingsChange } from './schema.ts'
import { KINDS, type Kind } from './settings.ts'

const HOUR_MS = 3_600_000

/** Hours ago, kind, title, body and link of the sample notifications. */
const SAMPLE: readonly [number, Kind, string, string, string][] = [
  [
    50,
    'security',
    'The access token “Calendar sync on the NAS” was created',
    'From 127.0.0.1',
    '/settings/security#activity',
  ],
  [27, 'booking_made', 'Booked: Portfolio conversation', 'Friday, 15:00', '/calendar'],
  [20, 'task_due', 'To do: Send the workshop offer to Lindgren', 'Due yesterday', '/tasks'],
  [3, 'mail_urgent', 'Urgent: The offer by noon, please', 'From Lindgren', '/mail'],
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
      .onConflict((there) => there.column('userId').doUpdateSet(change))
      .execute()
  },
})

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
    link: textOrNull,
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
      .onConflict((there) => there.doNothing())
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

  /** The sample account is the only account. */
  async fillSample(tx, { now, mark }) {
    const user = await tx.selectFrom('users').select('id').orderBy('id').limit(1).executeTakeFirst()
    if (!user) return
    for (const [index, [hoursAgo, kind, title, body, link]] of SAMPLE.entries()) {
      const createdAt = new Date(now.getTime() - hoursAgo * HOUR_MS).toISOString()
      const { id } = await tx
        .insertInto('notifications')
        .values({
          userId: user.id,
          key: `sample:${index}`,
          kind,
          title,
          body,
          link,
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

  async removeSample(tx, marked) {
    const ids = (await marked('notification')).map(Number)
    if (ids.length > 0) await tx.deleteFrom('notifications').where('id', 'in', ids).execute()
  },
}
