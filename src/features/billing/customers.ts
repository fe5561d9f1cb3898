import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Random, randomId } from '../../platform/random.ts'
import { detailsOf, isGiven } from './details.ts'
import type { Payments } from './payments.ts'
import { type AccountRecord, findAccount, holdAccount, updateAccount } from './store.ts'

export type Customers = ReturnType<typeof createCustomers>

/** A person, as the payment provider knows them. */
export const createCustomers = (deps: { db: Db; clock: Clock; random: Random; payments: Payments }) => {
  const { db, clock, random, payments } = deps
  const hold = (tx: Db, userId: number): Promise<AccountRecord> =>
    holdAccount(tx, userId, { key: randomId(random), now: clock.now().toISOString() })

  /** Tells the provider the details, unless it has them. */
  const describe = async (row: AccountRecord): Promise<void> => {
    const { userId, customerId, version } = row
    if (customerId === null || row.toldVersion >= version || !isGiven(row)) return
    await payments.describeCustomer(customerId, detailsOf(row))
    await inTransaction(db, async (tx) => {
      const current = await hold(tx, userId)
      if (current.customerId === customerId && current.toldVersion < version)
        await updateAccount(tx, userId, { toldVersion: version })
    })
  }

  return {
    hold,

    /** The customer that a person is; made the first time, once, however often and from wherever it is tried. */
    async require(userId: number): Promise<AccountRecord & { customerId: string }> {
      const row = await inTransaction(db, (tx) => hold(tx, userId))
      // What it is made with must not change between tries: the provider would take it for another request.
      const made = row.customerId ?? (await payments.createCustomer(row.key, `customer-${row.key}`))
      const saved = await inTransaction(db, async (tx) => {
        const current = await hold(tx, userId)
        const isFree = current.customerId === null && current.key === row.key
        return isFree ? updateAccount(tx, userId, { customerId: made }) : current
      })
      await describe(saved)
      return { ...saved, customerId: saved.customerId ?? made }
    },

    /** For the job that follows a change of the details. */
    async describe(userId: number): Promise<void> {
      const row = await findAccount(db, userId)
      if (row) await describe(row)
    },
  }
}
