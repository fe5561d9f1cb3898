import Type from 'typebox'
import { ALL_ACCOUNTS } from '../../database/all-accounts.ts'
import type { Db } from '../../database/db.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import {
  instant,
  instead,
  integer,
  jsonOrNull,
  oneOf,
  own,
  portable,
  text,
  textOrNull,
  without,
} from '../../platform/portable/table.ts'
import { type Random, randomId } from '../../platform/random.ts'
import type { DataPart } from '../accounts/data/parts.ts'
import { findAccount, listCustomers, lockOrCreateAccount, updateAccount } from './repository.ts'
import { MEASURES } from './usage.ts'

/** Deletes a customer at the payment provider, which ends their subscriptions. */
export const FORGET_JOB = 'billing.forget-customer'

const Maybe = Type.Union([Type.String(), Type.Null()])
const Details = Type.Object({
  name: Maybe,
  email: Maybe,
  vatId: Maybe,
  address: Type.Union([
    Type.Null(),
    Type.Object({
      line1: Type.String(),
      line2: Maybe,
      city: Maybe,
      state: Maybe,
      postalCode: Maybe,
      country: Type.String(),
    }),
  ]),
})

/** Imports the billing details only. The customer and the subscription belong to the exporting instance. */
const createAccountsTable = (random: Random) =>
  portable('billing_accounts', {
    file: 'accounts.jsonl',
    beside: 'added',
    columns: {
      userId: own,
      key: without(''),
      customerId: instead(textOrNull, null),
      details: jsonOrNull(Details),
      sentVersion: without(0),
      subscription: instead(jsonOrNull(Type.Object({})), null),
      askedTicket: without(0),
      heldTicket: without(0),
      checkoutId: without(null),
      checkoutPlan: without(null),
      checkoutAttempt: without(0),
      checkoutAt: without(null),
      version: integer,
      createdAt: instant,
      updatedAt: instant,
    },
    async put(tx, { details, version, createdAt, updatedAt }, { userId }) {
      await lockOrCreateAccount(tx, userId, { key: randomId(random), now: createdAt })
      await updateAccount(tx, userId, { details, version, updatedAt })
    },
  })

const budgets = portable('billing_budgets', {
  file: 'budgets.jsonl',
  columns: { userId: own, measure: oneOf(...MEASURES), amount: integer, updatedAt: instant },
})

const warnings = portable('billing_warnings', {
  file: 'warnings.jsonl',
  columns: { userId: own, measure: oneOf(...MEASURES), period: text, at: instant },
})

/** The importing instance may already have measured today. */
const storageDays = portable('storage_days', {
  file: 'storage-days.jsonl',
  beside: 'added',
  columns: { userId: own, day: text, bytes: integer, measuredAt: instant },
  async put(tx, row) {
    const { bytes, measuredAt } = row
    await tx
      .insertInto('storage_days')
      .values(row)
      .onConflict((conflict) => conflict.columns(['userId', 'day']).doUpdateSet({ bytes, measuredAt }))
      .execute()
  },
})

/**
 * Billing data for export, import and deletion. Deleting an account also deletes the customer at the
 * provider, which ends the subscription. Invoices stay at the provider, because the law requires them to be
 * kept.
 */
export const createBillingPart = ({
  jobs,
  random,
}: {
  jobs: Pick<Jobs, 'enqueue'>
  random: Random
}): DataPart => {
  const forget = async (tx: Db, customerId: string | null): Promise<void> => {
    if (customerId !== null) await jobs.enqueue(tx, FORGET_JOB, { customerId })
  }
  return {
    folder: 'billing',
    tables: [createAccountsTable(random), budgets, warnings, storageDays],
    others: ['billing_events'],

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
        await tx.deleteFrom(table).modifyEnd(ALL_ACCOUNTS).execute()
    },
  }
}
