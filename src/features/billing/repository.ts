import type { Selectable } from 'kysely'
import { ALL_ACCOUNTS } from '../../database/all-accounts.ts'
import type { Db } from '../../database/db.ts'
import type {
  BillingAccountRow,
  BillingBudgetRow,
  BillingWarningRow,
  StorageDayRow,
} from '../../database/tables/integrations.ts'

export type AccountRecord = Selectable<BillingAccountRow>

export const findAccount = (db: Db, userId: number): Promise<AccountRecord | undefined> =>
  db.selectFrom('billing_accounts').selectAll().where('userId', '=', userId).executeTakeFirst()

/** A signed notice of the provider names the customer only. */
export const findAccountByCustomer = (db: Db, customerId: string): Promise<AccountRecord | undefined> =>
  db
    .selectFrom('billing_accounts')
    .selectAll()
    .where('customerId', '=', customerId)
    .modifyEnd(ALL_ACCOUNTS)
    .executeTakeFirst()

/**
 * Returns the account of a person and locks it until the transaction ends. Creates it with `key` if it does
 * not exist.
 */
export const lockOrCreateAccount = async (
  tx: Db,
  userId: number,
  { key, now }: { key: string; now: string },
): Promise<AccountRecord> =>
  tx
    .insertInto('billing_accounts')
    .values({
      userId,
      key,
      customerId: null,
      details: null,
      sentVersion: 0,
      subscription: null,
      askedTicket: 0,
      heldTicket: 0,
      version: 0,
      createdAt: now,
      updatedAt: now,
      checkoutId: null,
      checkoutPlan: null,
      checkoutAttempt: 0,
      checkoutAt: null,
    })
    // Changes nothing, but locks the row on both engines.
    .onConflict((conflict) => conflict.column('userId').doUpdateSet({ userId }))
    .returningAll()
    .executeTakeFirstOrThrow()

/** Locks the account until the transaction ends. Returns undefined if the person was deleted. */
export const lockAccount = (tx: Db, userId: number): Promise<AccountRecord | undefined> =>
  tx
    .updateTable('billing_accounts')
    .set({ userId })
    .where('userId', '=', userId)
    .returningAll()
    .executeTakeFirst()

export const updateAccount = async (
  tx: Db,
  userId: number,
  change: Partial<Omit<AccountRecord, 'userId'>>,
): Promise<AccountRecord> =>
  tx
    .updateTable('billing_accounts')
    .set(change)
    .where('userId', '=', userId)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Increments the number of requests about the subscription. */
export const takeTicket = (db: Db, userId: number): Promise<AccountRecord | undefined> =>
  db
    .updateTable('billing_accounts')
    .set((eb) => ({ askedTicket: eb('askedTicket', '+', 1) }))
    .where('userId', '=', userId)
    .returningAll()
    .executeTakeFirst()

export const listCustomers = (db: Db): Promise<{ customerId: string | null }[]> =>
  db
    .selectFrom('billing_accounts')
    .select('customerId')
    .where('customerId', 'is not', null)
    .modifyEnd(ALL_ACCOUNTS)
    .execute()

/** Lists people whose subscription may start or change without a notice. */
export const listUnsettled = (db: Db, checkoutSince: string): Promise<{ userId: number }[]> =>
  db
    .selectFrom('billing_accounts')
    .select('userId')
    .where('customerId', 'is not', null)
    .where((eb) =>
      eb.or([
        eb('checkoutAt', '>=', checkoutSince),
        eb.and([
          eb('subscription', 'is not', null),
          eb('subscription', 'not like', '%"status":"canceled"%'),
          eb('subscription', 'not like', '%"status":"incomplete_expired"%'),
        ]),
      ]),
    )
    .modifyEnd(ALL_ACCOUNTS)
    .execute()

export const hasEvent = async (db: Db, id: string): Promise<boolean> =>
  (await db.selectFrom('billing_events').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

export const recordEvent = async (tx: Db, event: { id: string; type: string; at: string }): Promise<void> => {
  await tx
    .insertInto('billing_events')
    .values(event)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

export const deleteEventsBefore = async (db: Db, at: string): Promise<void> => {
  await db.deleteFrom('billing_events').where('at', '<', at).execute()
}

type StorageDay = Selectable<StorageDayRow>

export const saveStorageDay = async (db: Db, row: StorageDay): Promise<void> => {
  const { bytes, measuredAt } = row
  await db
    .insertInto('storage_days')
    .values(row)
    .onConflict((conflict) => conflict.columns(['userId', 'day']).doUpdateSet({ bytes, measuredAt }))
    .execute()
}

export const findStorageDay = (db: Db, userId: number, day: string): Promise<StorageDay | undefined> =>
  db
    .selectFrom('storage_days')
    .selectAll()
    .where('userId', '=', userId)
    .where('day', '=', day)
    .executeTakeFirst()

/** Returns the last measurement before a day. */
export const findStorageBefore = (db: Db, userId: number, day: string): Promise<StorageDay | undefined> =>
  db
    .selectFrom('storage_days')
    .selectAll()
    .where('userId', '=', userId)
    .where('day', '<', day)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst()

export const listStorageDays = (db: Db, userId: number, from: string, to: string): Promise<StorageDay[]> =>
  db
    .selectFrom('storage_days')
    .selectAll()
    .where('userId', '=', userId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .execute()

type BudgetRecord = Selectable<BillingBudgetRow>

/** Budgets with the time at which they were reached in a period. */
const budgets = (db: Db, period: string) =>
  db
    .selectFrom('billing_budgets as budget')
    .leftJoin('billing_warnings as warning', (join) =>
      join
        .onRef('warning.userId', '=', 'budget.userId')
        .onRef('warning.measure', '=', 'budget.measure')
        .on('warning.period', '=', period),
    )
    .select([
      'budget.userId',
      'budget.measure',
      'budget.amount',
      'budget.updatedAt',
      'warning.at as reachedAt',
    ])

export const listBudgets = (db: Db, userId: number, period: string) =>
  budgets(db, period).where('budget.userId', '=', userId).orderBy('budget.measure').execute()

/** Lists the accounts with budgets. */
export const listBudgeted = async (db: Db): Promise<number[]> => {
  const rows = await db
    .selectFrom('billing_budgets')
    .select('userId')
    .distinct()
    .modifyEnd(ALL_ACCOUNTS)
    .execute()
  return rows.map(({ userId }) => userId)
}

/** Lists the budgets of an account that have not been reached in this period. */
export const listUnreached = (db: Db, userId: number, period: string) =>
  budgets(db, period).where('budget.userId', '=', userId).where('warning.at', 'is', null).execute()

export const listUserIds = async (db: Db): Promise<number[]> => {
  const rows = await db.selectFrom('users').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

export const findBudget = (db: Db, userId: number, measure: string): Promise<BudgetRecord | undefined> =>
  db
    .selectFrom('billing_budgets')
    .selectAll()
    .where('userId', '=', userId)
    .where('measure', '=', measure)
    .executeTakeFirst()

export const saveBudget = async (tx: Db, row: BudgetRecord): Promise<void> => {
  const { amount, updatedAt } = row
  await tx
    .insertInto('billing_budgets')
    .values(row)
    .onConflict((conflict) => conflict.columns(['userId', 'measure']).doUpdateSet({ amount, updatedAt }))
    .execute()
}

export const deleteBudget = async (tx: Db, userId: number, measure: string): Promise<boolean> => {
  const { numDeletedRows } = await tx
    .deleteFrom('billing_budgets')
    .where('userId', '=', userId)
    .where('measure', '=', measure)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Returns false if the warning exists, because its notification was then already created. */
export const insertWarning = async (tx: Db, row: Selectable<BillingWarningRow>): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('billing_warnings')
    .values(row)
    .onConflict((conflict) => conflict.columns(['userId', 'measure', 'period']).doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

export const deleteWarnings = async (tx: Db, userId: number, measure: string): Promise<void> => {
  await tx
    .deleteFrom('billing_warnings')
    .where('userId', '=', userId)
    .where('measure', '=', measure)
    .execute()
}
