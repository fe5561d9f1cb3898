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
  text,
  textOrNull,
  without,
} from '../../platform/portable/columns.ts'
import { portable } from '../../platform/portable/table.ts'
import type { DataPart } from '../settings/data/parts.ts'
import { KINDS, type Kind } from './kinds.ts'
import { NotificationSettingsChange } from './schema.ts'

const HOUR_MS = 3_600_000

/** Hours ago, what was told, and where it leads. */
const SAMPLE: readonly [number, Kind, string, string, string][] = [
  [
    50,
    'security',
    'The access token “Calendar sync on the NAS” was made',
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
 * A new instance has told of itself already: what comes is added, under numbers of its own. So are the keys: those are made
 * of numbers of the instance that told it, and must not stand for what happens here.
 */
const notifications = portable('notifications', {
  file: 'notifications.jsonl',
  of: ofUser,
  beside: 'added',
  columns: {
    ...{
      id: { read: countedAnew.read },
      userId: own,
      key: without(''),
      kind: oneOf(...KINDS),
      title: text,
      body: text,
    },
    // Actions keep their numbers only in the instance that did them.
    actionId: without(null),
    ...{ link: textOrNull, inConsole: flag, readAt: instantOrNull, clearedAt: instantOrNull },
    ...{ version: integer, createdAt: instant },
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

/** Which mails went out, and what was told how, is about the instance that told it. */
const mails = portable('notification_mails', {
  file: 'mails.jsonl',
  fate: 'told',
  of: ofUser,
  columns: {
    ...{ id: integer, userId: own, messageId: text, attempt: without(null), attempts: integer },
    ...{ state: oneOf('queued', 'sending', 'sent', 'failed', 'uncertain'), error: textOrNull },
    ...{ createdAt: instant, updatedAt: instant },
  },
})

const deliveries = portable('notification_deliveries', {
  file: 'deliveries.jsonl',
  fate: 'told',
  of: ofUser,
  columns: {
    ...{ id: integer, notificationId: integer, userId: own, channel: oneOf('email', 'webhook') },
    ...{ state: oneOf('waiting', 'mailing', 'told', 'failed', 'uncertain'), dueAt: instant },
    ...{ heldBy: textOrNull as Column<'quiet_hours' | 'digest' | null>, mailId: integerOrNull },
    ...{ error: textOrNull, finishedAt: instantOrNull },
  },
})

export const notificationsPart: DataPart = {
  folder: 'notifications',
  tables: [settings, notifications, mails, deliveries],
  others: [],

  /** For the sample's person, who is the only one there is. */
  async fillSample(tx, { now, mark }) {
    const user = await tx.selectFrom('users').select('id').orderBy('id').limit(1).executeTakeFirst()
    if (!user) return
    for (const [index, [hoursAgo, kind, title, body, link]] of SAMPLE.entries()) {
      const createdAt = new Date(now.getTime() - hoursAgo * HOUR_MS).toISOString()
      const { id } = await tx
        .insertInto('notifications')
        .values({
          ...{ userId: user.id, key: `sample:${index}`, kind, title, body, link, inConsole: 1 },
          ...{ readAt: hoursAgo > 24 ? createdAt : null, clearedAt: null, version: 1, createdAt },
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
