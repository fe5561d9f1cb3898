import type { Db } from '../../database/db.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { readCursor, writeCursor } from '../../platform/http/cursor.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import type { Invoice, Payments } from './payments.ts'
import { findAccount } from './store.ts'

const summaryOf = ({ customerId: _, lines: __, pdfUrl, ...rest }: Invoice) => ({
  ...rest,
  hasPdf: pdfUrl !== null,
})

export type Invoices = ReturnType<typeof createInvoices>

/** Invoices as the provider has them: none is kept here. Who pays nobody has none. */
export const createInvoices = ({ db, payments }: { db: Db; payments: Payments | null }) => {
  const customerOf = async (userId: number): Promise<string | null> =>
    (await findAccount(db, userId))?.customerId ?? null

  /** Of another person it is as if there were none. */
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
        throw conflict('This invoice is a draft: it has a PDF once it is final.')
      const name = (number ?? id).replace(/[^\w-]/g, '')
      return { filename: `invoice-${name}.pdf`, bytes: await payments.pdf(pdfUrl) }
    },
  }
}
