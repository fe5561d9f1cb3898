import Type from 'typebox'
import { Instant, NextCursor, Nullable } from '../../platform/http/shapes.ts'
import { INTERVALS, STATUSES } from './payments.ts'
import { MEASURES } from './usage.ts'

const strict = { additionalProperties: false } as const

const money = {
  amount: Nullable(
    Type.Integer({
      examples: [900],
      description: 'In the smallest unit of the currency; null if it varies',
    }),
  ),
  currency: Nullable(
    Type.String({ examples: ['eur'], description: 'ISO 4217, in lower case; null if nothing is charged' }),
  ),
  interval: Nullable(Type.Enum([...INTERVALS], { type: 'string' })),
  intervalCount: Type.Integer({ examples: [1], description: 'The number of intervals between charges' }),
}

const PlanId = Type.String({
  examples: ['price_1PgafmB7WZ01zgkW6dKueIc5'],
  description: '`self-hosted`, or the id of a price at the payment provider',
})

const plan = {
  id: PlanId,
  name: Type.String({ examples: ['Household'] }),
  description: Type.String({ examples: ['For everyone at home'] }),
  ...money,
}

const Status = Type.Enum([...STATUSES], { type: 'string' })

const Subscription = Type.Object(
  {
    id: Type.String({ examples: ['sub_1Pgc6rB7WZ01zgkWNy0Cn5nw'] }),
    plan: PlanId,
    status: Status,
    startedAt: Instant,
    periodStart: Nullable(Instant),
    periodEnd: Nullable(Type.String({ format: 'date-time', description: 'The time of the next charge' })),
    trialEndsAt: Nullable(Instant),
    endsAt: Nullable(
      Type.String({ format: 'date-time', description: 'The time at which it will end; null if it renews' }),
    ),
    endedAt: Nullable(Instant),
  },
  { title: 'Subscription' },
)

export const CurrentPlan = Type.Object(
  {
    ...plan,
    status: Status,
    managedBy: Type.Enum(['instance', 'stripe'], { type: 'string' }),
    paymentsEnabled: Type.Boolean({ description: 'True if a payment provider is configured' }),
    canSubscribe: Type.Boolean(),
    canCancel: Type.Boolean(),
    subscription: Nullable(Subscription),
  },
  { title: 'CurrentPlan' },
)

export const PlanList = Type.Object({
  plans: Type.Array(Type.Object(plan, { title: 'Plan' })),
  nextCursor: NextCursor,
})

export const SubscribeInput = Type.Object(
  {
    plan: Type.String({
      minLength: 1,
      maxLength: 200,
      examples: ['price_1PgafmB7WZ01zgkW6dKueIc5'],
      description: 'The id of one of the plans',
    }),
  },
  { ...strict, title: 'SubscribeInput' },
)

const Url = Type.String({
  format: 'uri',
  examples: ['https://checkout.stripe.com/c/pay/cs_test_a1YS1U'],
  description: 'The URL to open in the browser',
})

export const CheckoutLink = Type.Object(
  { url: Url, plan: PlanId, expiresAt: Nullable(Instant) },
  { title: 'CheckoutLink' },
)
export const PortalLink = Type.Object({ url: Url }, { title: 'PortalLink' })

export const CancelInput = Type.Object(
  {
    when: Type.Optional(
      Type.Enum(['period_end', 'now'], {
        type: 'string',
        description: 'At the end of the paid period (default), or immediately',
      }),
    ),
  },
  { ...strict, title: 'CancelInput' },
)

const line = (example: string, longest = 200) =>
  Type.String({ minLength: 1, maxLength: longest, examples: [example] })

const country = Type.String({
  pattern: '^[A-Z]{2}$',
  examples: ['DE'],
  description: 'ISO 3166, two capital letters',
})

const Address = Type.Object(
  {
    line1: line('Hauptstraße 1'),
    line2: Nullable(line('c/o Ruiz')),
    city: Nullable(line('Berlin')),
    state: Nullable(line('BE')),
    postalCode: Nullable(line('10115', 20)),
    country,
  },
  { title: 'BillingAddress' },
)

const { line1, country: _, ...optionalParts } = Address.properties
const AddressInput = Type.Object(
  {
    line1,
    ...Type.Partial(Type.Object(optionalParts)).properties,
    country,
  },
  { ...strict, title: 'BillingAddressInput' },
)

const name = Nullable(line('Ruiz & Daughters'))
const email = Nullable(
  Type.String({
    maxLength: 254,
    pattern: '^[^\\s@<>]+@[^\\s@<>]+$',
    examples: ['books@example.org'],
    description: 'The address for invoices',
  }),
)
const vatId = Nullable(
  Type.String({
    minLength: 4,
    maxLength: 30,
    examples: ['DE123456789'],
    description: 'With its country code',
  }),
)

export const BillingDetails = Type.Object(
  { name, email, address: Nullable(Address), vatId, updatedAt: Nullable(Instant) },
  { title: 'BillingDetails' },
)
export const BillingDetailsChange = Type.Partial(
  Type.Object({ name, email, address: Nullable(AddressInput), vatId }),
  { ...strict, title: 'BillingDetailsChange' },
)

export const PaymentWebhookResult = Type.Object(
  {
    received: Type.Literal(true),
    result: Type.Enum(['applied', 'unchanged', 'duplicate', 'ignored'], { type: 'string' }),
  },
  { title: 'PaymentWebhookResult' },
)

const Amount = Type.Integer({ examples: [900], description: 'In the smallest unit of the currency' })

const invoice = {
  id: Type.String({ examples: ['in_1Pgc6tB7WZ01zgkWu9fdqL6I'] }),
  number: Nullable(Type.String({ examples: ['7FE1103-0001'], description: 'Null for a draft' })),
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
  hostedUrl: Nullable(Type.String({ description: 'The page with the invoice and its payment' })),
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

const Day = Type.String({ format: 'date', examples: ['2026-03-01'] })
const Period = Type.String({ pattern: '^\\d{4}-\\d{2}$', examples: ['2026-03'], description: 'The month' })
export const MeasureName = Type.Enum([...MEASURES], { type: 'string' })
export const Unit = Type.Enum(['requests', 'tokens', 'usd', 'bytes', 'messages'], { type: 'string' })

const amounts = {
  aiRequests: Type.Integer({ examples: [12] }),
  aiInputTokens: Type.Integer({ examples: [8200] }),
  aiOutputTokens: Type.Integer({ examples: [2100] }),
  aiTokens: Type.Integer({ examples: [10_300] }),
  aiCostUsd: Type.Number({ examples: [0.0561] }),
  aiUnpriced: Type.Integer({ examples: [0], description: 'The number of requests with an unknown price' }),
  storageBytes: Type.Integer({
    examples: [73_400_320],
    description: 'Disk usage at the end of the period; for today, the last measurement',
  }),
  messagesSynced: Type.Integer({ examples: [41], description: 'Messages fetched from mail servers' }),
}

export const BillingUsageQuery = Type.Object(
  {
    days: Type.Integer({
      minimum: 1,
      maximum: 366,
      default: 30,
      description: 'The number of days, including today',
    }),
  },
  strict,
)

export const BillingUsage = Type.Object(
  {
    timezone: Type.String({ examples: ['Europe/Berlin'], description: 'The time zone of the days' }),
    from: Day,
    to: Day,
    totals: Type.Object(amounts, { title: 'UsageAmounts', description: 'The totals of all days' }),
    month: Type.Object(
      { period: Period, from: Day, ...amounts },
      { title: 'UsageMonth', description: 'The current month so far, which budgets use' },
    ),
    days: Type.Array(Type.Object({ day: Day, ...amounts }, { title: 'UsageDay' }), {
      description: 'All days, oldest first',
    }),
    series: Type.Array(
      Type.Object(
        { measure: MeasureName, unit: Unit, values: Type.Array(Type.Number()) },
        { title: 'UsageSeries' },
      ),
      { description: 'The same data for charts: one value per day, in the order of `days`' },
    ),
    storageMeasuredAt: Instant,
  },
  { title: 'BillingUsage' },
)

export const Budget = Type.Object(
  {
    measure: MeasureName,
    unit: Unit,
    limit: Type.Number({ examples: [20] }),
    used: Type.Number({
      examples: [3.5],
      description: 'The current month so far; for storage, the current value',
    }),
    reachedAt: Nullable(
      Type.String({
        format: 'date-time',
        description: 'The time at which it was reached this month; null if it was not',
      }),
    ),
    updatedAt: Instant,
  },
  { title: 'Budget' },
)
export const BudgetList = Type.Object({
  period: Period,
  budgets: Type.Array(Budget),
  nextCursor: NextCursor,
})
export const BudgetPath = Type.Object({ measure: MeasureName }, strict)
export const BudgetInput = Type.Object(
  {
    limit: Type.Number({
      minimum: 0,
      maximum: 1_000_000_000_000_000,
      examples: [20],
      description: 'The limit per month. Only amounts in dollars may have decimals',
    }),
  },
  { ...strict, title: 'BudgetInput' },
)
