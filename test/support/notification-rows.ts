import type { Db } from '../../src/database/db.ts'

/** Inserts notifications with deliveries and emails in every state, and settings. */
export const fillNotifications = async (
  db: Db,
  userId: number,
  texts: readonly string[],
  at: string,
): Promise<void> => {
  await db
    .insertInto('notification_settings')
    .values({ userId, chosen: JSON.stringify({ digest: { frequency: 'daily' } }), version: 3, updatedAt: at })
    .execute()
  const states = ['queued', 'sending', 'sent', 'failed', 'uncertain'] as const
  const ends = ['waiting', 'mailing', 'told', 'failed', 'uncertain'] as const
  for (const [n, text] of texts.entries()) {
    const { id: mailId } = await db
      .insertInto('notification_mails')
      .values({
        userId,
        messageId: `notice${n}@example.org`,
        state: states[n % 5] ?? 'queued',
        attempt: null,
        attempts: n,
        error: text,
        createdAt: at,
        updatedAt: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id: notificationId } = await db
      .insertInto('notifications')
      .values({
        userId,
        key: `key${n}`,
        kind: 'task_due',
        data: n % 2 ? JSON.stringify({ taskId: 1, title: text, dueAt: null, dueDay: at.slice(0, 10) }) : null,
        title: text,
        body: text,
        link: n % 2 ? null : text,
        inConsole: n % 2,
        readAt: n % 2 ? at : null,
        clearedAt: null,
        version: n,
        createdAt: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('notification_deliveries')
      .values({
        notificationId,
        userId,
        channel: n % 2 ? 'email' : 'webhook',
        state: ends[n % 5] ?? 'told',
        heldBy: n % 2 ? 'digest' : null,
        dueAt: at,
        mailId: n % 2 ? mailId : null,
        error: text,
        finishedAt: n % 2 ? at : null,
      })
      .execute()
  }
}
