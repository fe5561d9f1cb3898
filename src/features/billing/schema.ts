import Type from 'typebox'
import { Instant, NextCursor, Nullable } from '../../platform/http/shapes.ts'
import { INTERVALS, STATUSES } from './payments.ts'

const strict = { additionalProperties: false } as const

const money = {
  amount: Nullable(
    Type.Integer({
      examples: [900],
      description: 'In the smallest unit of the currency; null where it varies',
    }),
  ),
  currency: Nullable(
    Type.String({ examples: ['eur'], description: 'ISO 4217, in lower case; null where nothing is charged' }),
  ),
  interval: Nullable(Type.Enum([...INTERVALS], { type: 'string' })),
  intervalCount: Type.Integer({ examples: [1], description: 'Charged every so many intervals' }),
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
    periodEnd: Nullable(Type.String({ format: 'date-time', description: 'When it is next charged' })),
    trialEndsAt: Nullable(Instant),
    endsAt: Nullable(
      Type.String({ format: 'date-time', description: 'When it will end; null while it goes on' }),
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
    paymentsEnabled: Type.Boolean({ description: 'Whether there are plans that can be subscribed to' }),
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

export const SubscribeWish = Type.Object(
  {
    plan: Type.String({
      minLength: 1,
      maxLength: 200,
      examples: ['price_1PgafmB7WZ01zgkW6dKueIc5'],
      description: 'The id of one of the plans',
    }),
  },
  { ...strict, title: 'SubscribeWish' },
)

const Url = Type.String({
  format: 'uri',
  examples: ['https://checkout.stripe.com/c/pay/cs_test_a1YS1U'],
  description: 'Where to send the person',
})

export const CheckoutLink = Type.Object(
  { url: Url, plan: PlanId, expiresAt: Nullable(Instant) },
  { title: 'CheckoutLink' },
)
export const PortalLink = Type.Object({ url: Url }, { title: 'PortalLink' })

export const CancelWish = Type.Object(
  {
    when: Type.Optional(
      Type.Enum(['period_end', 'now'], {
        type: 'string',
        description: 'At the end of what is paid for (unless told), or at once',
      }),
    ),
  },
  { ...strict, title: 'CancelWish' },
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

const AddressWish = Type.Object(
  {
    line1: line('Hauptstraße 1'),
    line2: Type.Optional(Nullable(line('c/o Ruiz'))),
    city: Type.Optional(Nullable(line('Berlin'))),
    state: Type.Optional(Nullable(line('BE'))),
    postalCode: Type.Optional(Nullable(line('10115', 20))),
    country,
  },
  { ...strict, title: 'BillingAddressWish' },
)

const name = Nullable(line('Ruiz & Daughters'))
const email = Nullable(
  Type.String({
    maxLength: 254,
    pattern: '^[^\\s@<>]+@[^\\s@<>]+$',
    examples: ['books@example.org'],
    description: 'Where invoices go',
  }),
)
const vatId = Nullable(
  Type.String({ minLength: 4, maxLength: 30, examples: ['DE123456789'], description: 'With its country' }),
)

export const BillingDetails = Type.Object(
  { name, email, address: Nullable(Address), vatId, updatedAt: Nullable(Instant) },
  { title: 'BillingDetails' },
)
export const BillingDetailsChange = Type.Object(
  {
    name: Type.Optional(name),
    email: Type.Optional(email),
    address: Type.Optional(Nullable(AddressWish)),
    vatId: Type.Optional(vatId),
  },
  { ...strict, title: 'BillingDetailsChange' },
)

export const PaymentNoticeResult = Type.Object(
  {
    received: Type.Literal(true),
    result: Type.Enum(['applied', 'unchanged', 'duplicate', 'ignored'], { type: 'string' }),
  },
  { title: 'PaymentNoticeResult' },
)
