import { sql } from 'kysely'
import type { Db } from './db.ts'
import { prepare } from './prepared.ts'
import { inTransaction } from './transaction.ts'

/*
 * Counters that are expensive to compute. Each change adds a row, so that writers do not wait for each other,
 * and the value is the sum. The rows of a counter are merged from time to time.
 */

const insertAmount = prepare<{ name: string; amount: number }, unknown>((db, values) =>
  db.insertInto('tallies').values({ name: values.name, amount: values.amount }),
)

export const addToTally = async (tx: Db, name: string, amount: number): Promise<void> => {
  if (amount !== 0) await insertAmount(tx, { name, amount })
}

export const readTally = async (db: Db, name: string): Promise<number> => {
  const { total } = await db
    .selectFrom('tallies')
    .select(sql<number>`coalesce(sum(amount), 0)`.as('total'))
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** A tally of each account. */
export const accountTally = (name: string, userId: number): string => `${name}/${userId}`

/** Matches the tallies of all accounts. Digits precede letters in every collation. */
const isAccountTally = (name: string) => sql<boolean>`name >= ${`${name}/0`} and name < ${`${name}/a`}`

/** Returns the sum over all accounts. */
export const readAccountTallies = async (db: Db, name: string): Promise<number> => {
  const { total } = await db
    .selectFrom('tallies')
    .select(sql<number>`coalesce(sum(amount), 0)`.as('total'))
    .where(isAccountTally(name))
    .executeTakeFirstOrThrow()
  return Number(total)
}

export const clearAccountTallies = async (tx: Db, name: string): Promise<void> => {
  await tx.deleteFrom('tallies').where(isAccountTally(name)).execute()
}

/** Merges the rows of each account's counter. */
export const settleAccountTallies = async (db: Db, name: string): Promise<void> => {
  const many = await db
    .selectFrom('tallies')
    .select('name')
    .where(isAccountTally(name))
    .groupBy('name')
    .having(({ fn }) => fn.countAll(), '>', 1)
    .execute()
  for (const tally of many) await settleTally(db, tally.name)
}

export const clearTally = async (tx: Db, name: string): Promise<void> => {
  await tx.deleteFrom('tallies').where('name', '=', name).execute()
}

/** Merges the rows of a counter. Concurrently added rows are not visible, and stay. */
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
