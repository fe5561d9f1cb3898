import type { Db } from '../../database/db.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { DataPart } from '../settings/data/parts.ts'
import { saveBudget } from './budget-store.ts'
import { detailsOf } from './details.ts'
import { fromWhole, type Measure } from './measures.ts'
import { standingOf } from './standing.ts'
import { findAccount, listCustomers } from './store.ts'

/** Has the payment provider delete a customer, which ends what they pay for. */
export const FORGET_JOB = 'billing.forget-customer'

/** Half a dollar. */
const SAMPLE_BUDGET = 500_000_000

const json = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)

const readBudgets = async (view: Db, userId: number) => {
  const rows = await view
    .selectFrom('billing_budgets')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('measure')
    .execute()
  return rows.map(({ measure, amount, updatedAt }) => ({
    ...{ measure, limit: fromWhole(measure as Measure, amount), updatedAt },
  }))
}

/**
 * Billing in what is done with all data at once. Whoever goes is deleted at the payment provider too, which ends the
 * subscription at once; invoices stay there, for the law wants them kept.
 */
export const createBillingPart = ({ jobs }: { jobs: Pick<Jobs, 'enqueue'> }): DataPart => {
  const forget = async (tx: Db, customerId: string | null): Promise<void> => {
    if (customerId !== null) await jobs.enqueue(tx, FORGET_JOB, { customerId })
  }
  return {
    async addToExport(zip, view, userId) {
      const account = await findAccount(view, userId)
      zip.addBuffer(json(detailsOf(account)), 'billing/details.json')
      zip.addBuffer(json(standingOf(account)), 'billing/subscription.json')
      zip.addBuffer(json(await readBudgets(view, userId)), 'billing/budgets.json')
      const days = await view.selectFrom('storage_days').selectAll().orderBy('day').execute()
      zip.addBuffer(json(days), 'billing/storage-days.json')
    },
    async leave(tx, userId) {
      await forget(tx, (await findAccount(tx, userId))?.customerId ?? null)
    },
    async wipe(tx) {
      for (const { customerId } of await listCustomers(tx)) await forget(tx, customerId)
      for (const table of [
        'billing_accounts',
        'billing_budgets',
        'billing_warnings',
        'billing_events',
        'storage_days',
      ] as const)
        await tx.deleteFrom(table).execute()
    },
    /** A budget that is halfway used. What is used is for the rooms to make up that use it. */
    async fillSample(tx, { now }) {
      const owner = await tx.selectFrom('users').select('id').where('role', '=', 'owner').executeTakeFirst()
      if (!owner) return
      const updatedAt = now.toISOString()
      await saveBudget(tx, { userId: owner.id, measure: 'aiCostUsd', amount: SAMPLE_BUDGET, updatedAt })
    },
    // It hangs on the sample's person, and goes with them.
    async removeSample() {},
  }
}
