import type { Selectable } from 'kysely'
import type { Db } from '../../database/db.ts'
import type { BillingBudgetRow, BillingWarningRow } from '../../database/tables/billing.ts'

type BudgetRecord = Selectable<BillingBudgetRow>

/** Each with when it was reached in a period, if it was. */
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

/** Of everyone, those that have not been reached in this period. */
export const listUnreached = (db: Db, period: string) =>
  budgets(db, period).where('warning.at', 'is', null).execute()

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
    .onConflict((there) => there.columns(['userId', 'measure']).doUpdateSet({ amount, updatedAt }))
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

/** False when it was there already: then someone has told of it. */
export const insertWarning = async (tx: Db, row: Selectable<BillingWarningRow>): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('billing_warnings')
    .values(row)
    .onConflict((there) => there.columns(['userId', 'measure', 'period']).doNothing())
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
