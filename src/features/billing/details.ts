import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Visit } from '../../platform/access/visit.ts'
import type { Clock } from '../../platform/clock.ts'
import { invalidField } from '../../platform/errors.ts'
import { requireMatch } from '../../platform/http/etag.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { type Random, randomId } from '../../platform/random.ts'
import type { Activity } from '../auth/activity.ts'
import type { BillingAddress, BillingDetails } from './payments.ts'
import { type AccountRecord, findAccount, holdAccount, updateAccount } from './store.ts'
import { readVatId } from './vat-id.ts'

const NOTHING: BillingDetails = { name: null, email: null, address: null, vatId: null }

/** Tells the provider of changed details. */
export const DESCRIBE_JOB = 'billing.describe-customer'

export const isGiven = (row: Pick<AccountRecord, 'details'>): boolean => row.details !== null

export const detailsOf = (row: Pick<AccountRecord, 'details'> | undefined): BillingDetails =>
  row?.details ? (JSON.parse(row.details) as BillingDetails) : NOTHING

export interface DetailsWish {
  name?: string | null
  email?: string | null
  address?: (Pick<BillingAddress, 'line1' | 'country'> & Partial<BillingAddress>) | null
  vatId?: string | null
}

/** ISO 3166; what the runtime has no name for is none. */
const isCountry = (code: string): boolean =>
  new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(code) !== undefined

const readAddress = (wish: NonNullable<DetailsWish['address']>): BillingAddress => {
  const { line1, line2 = null, city = null, state = null, postalCode = null, country } = wish
  if (!isCountry(country)) throw invalidField('address.country', 'must be a country such as DE')
  return { line1, line2, city, state, postalCode, country }
}

const read = ({ address, vatId, ...plain }: DetailsWish): Partial<BillingDetails> => ({
  ...plain,
  ...(address !== undefined && { address: address && readAddress(address) }),
  ...(vatId !== undefined && { vatId: vatId === null ? null : readVatId('vatId', vatId) }),
})

const view = (userId: number, row: AccountRecord | undefined) => ({
  ...{ id: userId, version: row?.version ?? 0 },
  ...detailsOf(row),
  updatedAt: row?.details ? row.updatedAt : null,
})

export type Details = ReturnType<typeof createDetails>

/** Whom invoices are made out to. */
export const createDetails = (deps: {
  db: Db
  clock: Clock
  random: Random
  jobs: Pick<Jobs, 'enqueue'>
  activity: Activity
}) => {
  const { db, clock, random, jobs, activity } = deps
  return {
    get: async (userId: number) => view(userId, await findAccount(db, userId)),

    async change(userId: number, wish: DetailsWish, visit: Visit, ifMatch: string | undefined) {
      const change = read(wish)
      return inTransaction(db, async (tx) => {
        const now = clock.now().toISOString()
        const row = await holdAccount(tx, userId, { key: randomId(random), now })
        requireMatch(ifMatch, { id: userId, version: row.version })
        const before = detailsOf(row)
        const after = { ...before, ...change }
        const fields = Object.keys(change).filter(
          (name) => JSON.stringify(before[name as never]) !== JSON.stringify(after[name as never]),
        )
        if (fields.length === 0) return view(userId, row)
        // Which fields, and not what they say: the log outlives what it tells of.
        await activity.record(tx, userId, visit, 'billing.details_changed', { fields })
        const version = row.version + 1
        const saved = await updateAccount(tx, userId, {
          ...{ details: JSON.stringify(after), version, updatedAt: now },
        })
        if (saved.customerId !== null) await jobs.enqueue(tx, DESCRIBE_JOB, { userId, version })
        return view(userId, saved)
      })
    },
  }
}
