import Type from 'typebox'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { FORGET_JOB } from './data-part.ts'
import { type Customers, DESCRIBE_JOB } from './invoices.ts'
import type { Payments } from './payments.ts'
import type { SubscriptionSync } from './subscription-status.ts'
import type { Budgets, Usage } from './usage.ts'

export const defineBillingJobs = (
  jobs: Jobs,
  deps: {
    usage: Usage
    budgets: Budgets
    customers: Customers | null
    subscriptionSync: SubscriptionSync | null
    payments: Payments | null
  },
): void => {
  const { usage, budgets, customers, subscriptionSync, payments } = deps
  jobs.define({
    name: 'billing.watch',
    payload: Type.Object({}),
    retries: 0,
    // Without budgets, a run only reads an empty table and the storage of each account.
    schedule: '*/5 * * * *',
    async run() {
      await usage.measure()
      await budgets.checkAll()
    },
  })
  jobs.define({
    name: 'billing.reconcile',
    payload: Type.Object({}),
    retries: 0,
    schedule: '41 * * * *',
    run: async () => subscriptionSync?.refreshAll(),
  })
  jobs.define({
    name: DESCRIBE_JOB,
    payload: Type.Object({ userId: Type.Integer(), version: Type.Integer() }),
    run: async ({ userId }) => customers?.describe(userId),
  })
  jobs.define({
    name: FORGET_JOB,
    payload: Type.Object({ customerId: Type.String() }),
    // Retries for half a day. A deleted account must not be charged because the provider was unavailable.
    retries: 15,
    run: async ({ customerId }) => payments?.deleteCustomer(customerId),
  })
}
