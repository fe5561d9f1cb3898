import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Clock } from '../../platform/clock.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { readCursor, writeCursor } from '../../platform/http/etag.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import { type Random, randomId } from '../../platform/random.ts'
import { detailsOf, hasDetails } from './details.ts'
import type { Invoice, Payments } from './payments.ts'
import { type AccountRecord, findAccount, lockOrCreateAccount, updateAccount } from './repository.ts'

const summaryOf = ({ customerId: _, lines: __, pdfUrl, ...rest }: Invoice) => ({
  ...rest,
  hasPdf: pdfUrl !== null,
})

export type Invoices = ReturnType<typeof createInvoices>

/** Reads invoices from the provider and stores none. Without a provider there are no invoices. */
export const createInvoices = ({ db, payments }: { db: Db; payments: Payments | null }) => {
  const customerOf = async (userId: number): Promise<string | null> =>
    (await findAccount(db, userId))?.customerId ?? null

  /** Reports another person's invoice as not found. */
  const get = async (userId: number, id: string): Promise<Invoice> => {
    const customerId = await customerOf(userId)
    const invoice = payments && customerId !== null ? await payments.findInvoice(id) : undefined
    if (!invoice || invoice.customerId !== customerId) throw notFound('invoice')
    return invoice
  }

  return {
    async list(userId: number, { limit, cursor }: PageRequest) {
      const [after] = readCursor(cursor, 'text') ?? []
      const customerId = await customerOf(userId)
      if (!payments || customerId === null) return { invoices: [], nextCursor: null }
      const { invoices, hasMore } = await payments.invoices(customerId, {
        limit: Math.min(limit, 100),
        after,
      })
      const last = invoices.at(-1)
      return {
        invoices: invoices.map(summaryOf),
        nextCursor: hasMore && last ? writeCursor([last.id]) : null,
      }
    },

    async get(userId: number, id: string) {
      const invoice = await get(userId, id)
      return { ...summaryOf(invoice), lines: invoice.lines }
    },

    async pdf(userId: number, id: string) {
      const { pdfUrl, number } = await get(userId, id)
      if (!payments || pdfUrl === null)
        throw conflict('This invoice is a draft. Its PDF is available after it is finalized.')
      const name = (number ?? id).replace(/[^\w-]/g, '')
      return { filename: `invoice-${name}.pdf`, bytes: await payments.pdf(pdfUrl) }
    },
  }
}

export type Customers = ReturnType<typeof createCustomers>

/** The customers at the payment provider. */
export const createCustomers = (deps: { db: Db; clock: Clock; random: Random; payments: Payments }) => {
  const { db, clock, random, payments } = deps
  const lockOrCreate = (tx: Db, userId: number): Promise<AccountRecord> =>
    lockOrCreateAccount(tx, userId, { key: randomId(random), now: clock.now().toISOString() })

  /** Sends the billing details to the provider, unless it already has this version. */
  const describe = async (row: AccountRecord): Promise<void> => {
    const { userId, customerId, version } = row
    if (customerId === null || row.sentVersion >= version || !hasDetails(row)) return
    await payments.describeCustomer(customerId, detailsOf(row))
    await inTransaction(db, async (tx) => {
      const current = await lockOrCreate(tx, userId)
      if (current.customerId === customerId && current.sentVersion < version)
        await updateAccount(tx, userId, { sentVersion: version })
    })
  }

  return {
    lockOrCreate,

    /** Returns the customer of a person. Concurrent first calls create only one customer. */
    async require(userId: number): Promise<AccountRecord & { customerId: string }> {
      const row = await inTransaction(db, (tx) => lockOrCreate(tx, userId))
      // The parameters must be the same for every retry. Otherwise the provider rejects the idempotency key.
      const created = row.customerId ?? (await payments.createCustomer(row.key, `customer-${row.key}`))
      const saved = await inTransaction(db, async (tx) => {
        const current = await lockOrCreate(tx, userId)
        const isFree = current.customerId === null && current.key === row.key
        return isFree ? updateAccount(tx, userId, { customerId: created }) : current
      })
      await describe(saved)
      return { ...saved, customerId: saved.customerId ?? created }
    },

    /** Runs in the job that follows a change of the details. */
    async describe(userId: number): Promise<void> {
      const row = await findAccount(db, userId)
      if (row) await describe(row)
    },
  }
}
