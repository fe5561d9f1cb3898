import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Visit } from '../../platform/access/caller.ts'
import type { Changes } from '../../platform/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import { invalidField, notFound } from '../../platform/errors.ts'
import { requireUntagged } from '../../platform/http/etag.ts'
import type { Activity } from '../auth/activity.ts'
import {
  deleteBudget,
  deleteWarnings,
  findBudget,
  insertWarning,
  listBudgets,
  listUnreached,
  saveBudget,
} from './repository.ts'
import { fromWhole, type Measure, toWhole, UNITS, type Usage } from './usage.ts'

/** Larger amounts in billionths of a dollar would exceed the safe integers. */
const MAX_DOLLARS = 1_000_000

const checkLimit = (measure: Measure, limit: number): void => {
  if (measure === 'aiCostUsd' ? limit > MAX_DOLLARS : !Number.isSafeInteger(limit))
    throw invalidField(
      'limit',
      measure === 'aiCostUsd' ? `must be ${MAX_DOLLARS} or less` : 'must be a whole number',
    )
}

export type Budgets = ReturnType<typeof createBudgets>

/** Monthly limits per measure. Reaching one notifies the person but does not limit usage. */
export const createBudgets = (deps: {
  db: Db
  clock: Clock
  changes: Changes
  activity: Activity
  usage: Usage
}) => {
  const { db, clock, changes, activity, usage } = deps

  /** Notifies of budgets that were reached, once per month and budget, regardless of how often it runs. */
  const check = async (): Promise<void> => {
    const waiting = await listUnreached(db, await usage.period())
    if (waiting.length === 0) return
    const { period, amounts } = await usage.readThisMonth()
    for (const budget of waiting) {
      const { userId } = budget
      const measure = budget.measure as Measure
      const used = amounts[measure]
      if (used === 0 || toWhole(measure, used) < budget.amount) continue
      const at = clock.now().toISOString()
      await inTransaction(db, async (tx) => {
        // The budget may have been changed or removed since it was read.
        if ((await findBudget(tx, userId, measure))?.amount !== budget.amount) return
        if (!(await insertWarning(tx, { userId, measure, period, at }))) return
        const limit = fromWhole(measure, budget.amount)
        const data = { userId, measure, unit: UNITS[measure], period, limit, used }
        await changes.record(tx, { type: 'billing.budget_reached', subject: String(userId), data })
      })
    }
  }

  const list = async (userId: number) => {
    const { period, amounts } = await usage.readThisMonth()
    const rows = await listBudgets(db, userId, period)
    return {
      period,
      budgets: rows.map(({ measure: name, amount, reachedAt, updatedAt }) => {
        const measure = name as Measure
        const used = amounts[measure]
        return {
          measure,
          unit: UNITS[measure],
          limit: fromWhole(measure, amount),
          used,
          reachedAt,
          updatedAt,
        }
      }),
    }
  }

  return {
    check,
    list: async (userId: number) => ({ ...(await list(userId)), nextCursor: null }),

    async save(userId: number, measure: Measure, limit: number, visit: Visit) {
      checkLimit(measure, limit)
      const amount = toWhole(measure, limit)
      const { amounts } = await usage.readThisMonth()
      const isNew = await inTransaction(db, async (tx) => {
        const before = await findBudget(tx, userId, measure)
        if (before?.amount === amount) return false
        await saveBudget(tx, { userId, measure, amount, updatedAt: clock.now().toISOString() })
        // A raised budget can be reached again this month. A lowered one does not notify a second time.
        if (toWhole(measure, amounts[measure]) < amount) await deleteWarnings(tx, userId, measure)
        await activity.record(tx, userId, visit, 'billing.budget_changed', { measure, limit })
        return before === undefined
      })
      await check()
      const { budgets } = await list(userId)
      const budget = budgets.find((one) => one.measure === measure)
      if (!budget) throw notFound('budget')
      return { isNew, budget }
    },

    remove: (userId: number, measure: Measure, visit: Visit, ifMatch?: string): Promise<void> =>
      inTransaction(db, async (tx) => {
        if (!(await deleteBudget(tx, userId, measure))) throw notFound('budget')
        requireUntagged(ifMatch)
        await deleteWarnings(tx, userId, measure)
        await activity.record(tx, userId, visit, 'billing.budget_changed', { measure, limit: null })
      }),
  }
}
