import type { Kysely } from 'kysely'

const RENAMED = [
  { table: 'billing_accounts', from: 'toldVersion', to: 'sentVersion' },
  { table: 'bookings', from: 'told', to: 'snapshot' },
  { table: 'mail_pushes', from: 'wish', to: 'payload' },
  { table: 'unsubscriptions', from: 'toldTo', to: 'recipient' },
] as const

/** Gives columns names that say what they hold. */
export const columnNames = async (db: Kysely<unknown>): Promise<void> => {
  for (const { table, from, to } of RENAMED)
    await db.schema.alterTable(table).renameColumn(from, to).execute()
}
