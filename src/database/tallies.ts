import { sql } from 'kysely'
import type { Db } from './db.ts'
import { inTransaction } from './transaction.ts'

/*
 * Numbers that would take long to count: each change adds a row, so that writers do not wait for each other, and the
 * number is the sum. At times the rows of a name are made one.
 */

export const addToTally = async (tx: Db, name: string, amount: number): Promise<void> => {
  if (amount !== 0) await tx.insertInto('tallies').values({ name, amount }).execute()
}

export const readTally = async (db: Db, name: string): Promise<number> => {
  const { total } = await db
    .selectFrom('tallies')
    .select(sql<number>`coalesce(sum(amount), 0)`.as('total'))
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return Number(total)
}

export const clearTally = async (tx: Db, name: string): Promise<void> => {
  await tx.deleteFrom('tallies').where('name', '=', name).execute()
}

/** Makes its rows one. Those that others add meanwhile are not seen, and stay. */
export const settleTally = async (db: Db, name: string): Promise<void> => {
  await inTransaction(db, async (tx) => {
    const rows = await tx.deleteFrom('tallies').where('name', '=', name).returning('amount').execute()
    await addToTally(
      tx,
      name,
      rows.reduce((sum, { amount }) => sum + amount, 0),
    )
  })
}
