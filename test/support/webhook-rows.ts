import type { Db } from '../../src/database/db.ts'

/** Inserts webhooks with deliveries and attempts in every state. */
export const fillWebhooks = async (
  db: Db,
  userId: number,
  texts: readonly string[],
  at: string,
): Promise<void> => {
  for (const [n, text] of texts.entries()) {
    const id = `hook${n}`
    await db
      .insertInto('webhooks')
      .values({
        id,
        userId,
        name: text,
        url: 'https://example.org/hook',
        events: JSON.stringify(['*']),
        enabled: n % 2,
        disabledReason: n % 2 ? null : text,
        secret: text,
        previousSecret: text,
        previousSecretUntil: at,
        failures: n,
        failingSince: at,
        pausedUntil: null,
        leaseOwner: null,
        leaseUntil: null,
        version: 1,
        createdAt: at,
        updatedAt: at,
      })
      .execute()
    const { id: deliveryId } = await db
      .insertInto('webhook_deliveries')
      .values({
        messageId: `msg_${n}`,
        webhookId: id,
        type: 'task.created',
        body: JSON.stringify({ text }),
        state: 'waiting',
        attempts: n,
        nextAttemptAt: at,
        createdAt: at,
        finishedAt: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('webhook_attempts')
      .values({ deliveryId, at, durationMs: n, status: n % 2 ? null : 500, error: text, response: text })
      .execute()
  }
}
