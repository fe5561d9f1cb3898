import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Visit } from '../../platform/access/caller.ts'
import { conflict, invalidField, notFound } from '../../platform/errors.ts'
import { isSameJson } from '../../platform/fingerprint.ts'
import { readCursor, requireMatch, writeCursor } from '../../platform/http/etag.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import type { Platform } from '../../platform/platform.ts'
import { randomId } from '../../platform/random.ts'
import type { Activity } from '../auth/activity.ts'
import type { BillingAddress, BillingDetails, Invoice, Payments } from './payments.ts'
import { type AccountRecord, findAccount, lockOrCreateAccount, updateAccount } from './repository.ts'

/** The formats of EU VAT ids after the country code (Directive 2006/112/EC, 215). */
const EU_VAT_FORMATS: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^[A-Z\d]\d{7}[A-Z\d]$/,
  FI: /^\d{8}$/,
  FR: /^[A-Z\d]{2}\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^\d[A-Z\d+*]\d{5}[A-Z]{1,2}$/,
  IT: /^\d{11}$/,
  LT: /^(\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^[A-Z\d+*]{10}\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
  XI: /^(\d{9}|\d{12}|GD\d{3}|HA\d{3})$/,
}

/** Normalizes a VAT id: upper case, without separators. */
const readVatId = (path: string, text: string): string => {
  const vatId = text.replace(/[\s./-]/g, '').toUpperCase()
  const [, country = '', rest = ''] = /^([A-Z]{2})([A-Z\d+*]{2,18})$/.exec(vatId) ?? []
  if (country === '')
    throw invalidField(path, 'must start with a two-letter country code, such as DE123456789')
  const format = EU_VAT_FORMATS[country]
  if (format && !format.test(rest)) throw invalidField(path, `is not a valid VAT id of ${country}`)
  return vatId
}

const NO_DETAILS: BillingDetails = { name: null, email: null, address: null, vatId: null }

/** Sends changed details to the provider. */
export const DESCRIBE_JOB = 'billing.describe-customer'

const hasDetails = (row: Pick<AccountRecord, 'details'>): boolean => row.details !== null

const detailsOf = (row: Pick<AccountRecord, 'details'> | undefined): BillingDetails =>
  row?.details ? (JSON.parse(row.details) as BillingDetails) : NO_DETAILS

export interface BillingDetailsInput {
  name?: string | null
  email?: string | null
  address?: (Pick<BillingAddress, 'line1' | 'country'> & Partial<BillingAddress>) | null
  vatId?: string | null
}

/** ISO 3166. The runtime has no display name for an unknown code. */
const isCountry = (code: string): boolean =>
  new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(code) !== undefined

const readAddress = (input: NonNullable<BillingDetailsInput['address']>): BillingAddress => {
  const { line1, line2 = null, city = null, state = null, postalCode = null, country } = input
  if (!isCountry(country))
    throw invalidField('address.country', 'must be an ISO 3166 country code such as DE')
  return { line1, line2, city, state, postalCode, country }
}

const read = ({ address, vatId, ...plain }: BillingDetailsInput): Partial<BillingDetails> => ({
  ...plain,
  ...(address !== undefined && { address: address && readAddress(address) }),
  ...(vatId !== undefined && { vatId: vatId === null ? null : readVatId('vatId', vatId) }),
})

const view = (userId: number, row: AccountRecord | undefined) => ({
  id: userId,
  version: row?.version ?? 0,
  ...detailsOf(row),
  updatedAt: row?.details ? row.updatedAt : null,
})

export type Details = ReturnType<typeof createDetails>

/** The name, address and VAT id on invoices. */
export const createDetails = ({ db, clock, random, jobs }: Platform, activity: Activity) => ({
  get: async (userId: number) => view(userId, await findAccount(db, userId)),

  async change(userId: number, input: BillingDetailsInput, visit: Visit, ifMatch: string | undefined) {
    const change = read(input)
    return inTransaction(db, async (tx) => {
      const now = clock.now().toISOString()
      const row = await lockOrCreateAccount(tx, userId, { key: randomId(random), now })
      requireMatch(ifMatch, { id: userId, version: row.version })
      const before = detailsOf(row)
      const after = { ...before, ...change }
      const fields = Object.keys(change).filter(
        (name) => !isSameJson(before[name as never], after[name as never]),
      )
      if (fields.length === 0) return view(userId, row)
      // Records the names of the fields, not their values, because the log outlives the data.
      await activity.record(tx, userId, visit, 'billing.details_changed', { fields })
      const version = row.version + 1
      const saved = await updateAccount(tx, userId, {
        details: JSON.stringify(after),
        version,
        updatedAt: now,
      })
      if (saved.customerId !== null) await jobs.enqueue(tx, DESCRIBE_JOB, { userId, version })
      return view(userId, saved)
    })
  },
})

const summaryOf = ({ customerId: _, lines: __, pdfUrl, ...rest }: Invoice) => ({
  ...rest,
  hasPdf: pdfUrl !== null,
})

export type Invoices = ReturnType<typeof createInvoices>

/** Reads invoices from the provider and stores none. Without a provider there are no invoices. */
export const createInvoices = ({ db }: Platform, payments: Payments | null) => {
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
export const createCustomers = ({ db, clock, random }: Platform, payments: Payments) => {
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
