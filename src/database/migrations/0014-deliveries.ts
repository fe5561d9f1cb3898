import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'

/** Adds the delivery time to emails, next to the delivery state, and to the serialized list JSON. */
export const deliveries = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('emails').addColumn('deliveryAt', 'text').execute()
  const mail = db as Kysely<Tables>
  const sent = await mail
    .selectFrom('emails')
    .leftJoin('outbox', 'outbox.emailId', 'emails.id')
    // @ts-expect-error Released migrations keep their code; 0037 drops this column.
    .select(['emails.id', 'emails.shown', 'outbox.sendAt'])
    .where('emails.deliveryStatus', 'is not', null)
    .execute()
  for (const { id, shown, sendAt } of sent) {
    const known = JSON.parse(`{${shown}}`) as { delivery: object }
    const written = JSON.stringify({ ...known, delivery: { ...known.delivery, sendAt } })
    await mail
      .updateTable('emails')
      // @ts-expect-error Released migrations keep their code; 0037 drops this column.
      .set({ deliveryAt: sendAt, shown: written.slice(1, -1) })
      .where('id', '=', id)
      .execute()
  }
}
