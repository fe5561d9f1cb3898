import Type from 'typebox'
import { Instant, NextCursor, Nullable } from '../../platform/http/shapes.ts'

const Amount = Type.Integer({ examples: [900], description: 'In the smallest unit of the currency' })

const invoice = {
  id: Type.String({ examples: ['in_1Pgc6tB7WZ01zgkWu9fdqL6I'] }),
  number: Nullable(Type.String({ examples: ['7FE1103-0001'], description: 'Null while it is a draft' })),
  status: Type.Enum(['draft', 'open', 'paid', 'uncollectible', 'void'], { type: 'string' }),
  currency: Type.String({ examples: ['eur'] }),
  subtotal: Amount,
  tax: Amount,
  total: Amount,
  amountDue: Amount,
  amountPaid: Amount,
  createdAt: Instant,
  dueAt: Nullable(Instant),
  paidAt: Nullable(Instant),
  periodStart: Nullable(Instant),
  periodEnd: Nullable(Instant),
  hostedUrl: Nullable(Type.String({ description: 'Where it can be seen and paid' })),
  hasPdf: Type.Boolean(),
}

export const InvoiceList = Type.Object({
  invoices: Type.Array(Type.Object(invoice, { title: 'InvoiceSummary' })),
  nextCursor: NextCursor,
})

export const InvoiceShape = Type.Object(
  {
    ...invoice,
    lines: Type.Array(
      Type.Object(
        {
          description: Type.String({ examples: ['1 × Household (at €9.00 / month)'] }),
          amount: Amount,
          quantity: Nullable(Type.Integer({ examples: [1] })),
          periodStart: Nullable(Instant),
          periodEnd: Nullable(Instant),
        },
        { title: 'InvoiceLine' },
      ),
    ),
  },
  { title: 'Invoice' },
)
