import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { Db } from '../../database/db.ts'
import { everyRow } from '../../database/every-row.ts'
import type { DataPart } from '../settings/data/parts.ts'
import { readChoices } from './choices.ts'
import type { Kind } from './kinds.ts'
import { findPerson, type NotificationRecord } from './store.ts'
import { toldOf } from './view.ts'

const HOUR_MS = 3_600_000

async function* jsonArray(view: Db, userId: number): AsyncGenerator<string> {
  const rows = everyRow<NotificationRecord>((after, limit) =>
    view
      .selectFrom('notifications')
      .selectAll()
      .where('userId', '=', userId)
      .where('inConsole', '=', sql.lit(1))
      .where('clearedAt', 'is', null)
      .where('id', '>', after?.id ?? 0)
      .orderBy('id')
      .limit(limit)
      .execute(),
  )
  let before = '[\n'
  for await (const row of rows) {
    yield `${before}  ${JSON.stringify({ ...toldOf(row), readAt: row.readAt })}`
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}

/** Hours ago, what was told, and where it leads. */
const SAMPLE: readonly [number, Kind, string, string, string][] = [
  [
    50,
    'security',
    'The access token “Calendar sync on the NAS” was made',
    'From 127.0.0.1',
    '/settings/security#activity',
  ],
  [27, 'booking_made', 'Booked: Intro call with Mira Novak', 'Thu, 15:00', '/calendar'],
  [20, 'task_due', 'To do: Send the workshop offer to Lindgren', 'Due yesterday at 16:00', '/tasks'],
  [3, 'mail_urgent', 'Urgent: The offer by noon, please', 'From Lindgren', '/mail'],
]

export const notificationsPart: DataPart = {
  async addToExport(zip, view, userId) {
    zip.addReadStream(Readable.from(jsonArray(view, userId)), 'notifications.json')
    const chosen = readChoices((await findPerson(view, userId))?.chosen ?? null)
    zip.addBuffer(Buffer.from(`${JSON.stringify(chosen, null, 2)}\n`), 'account/notification-settings.json')
  },

  async wipe(tx) {
    const tables = ['notification_deliveries', 'notification_mails', 'notifications', 'notification_settings']
    for (const table of tables as 'notifications'[]) await tx.deleteFrom(table).execute()
  },

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
