import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { sessionOf, visitOf } from '../../platform/access/visit.ts'
import { conflict } from '../../platform/errors.ts'
import type { Details } from './details.ts'
import type { Plans } from './plans.ts'
import {
  BillingDetails,
  BillingDetailsChange,
  CancelWish,
  CheckoutLink,
  CurrentPlan,
  PlanList,
  PortalLink,
  SubscribeWish,
} from './schema.ts'
import type { Subscribing } from './subscribing.ts'

const tags = ['Settings']
const config = { access: 'session' } as const
/** Asks the payment provider, never inside a transaction: of doubles the second is held off, no answer is kept. */
const asking = { access: 'session', idempotency: 'held', mayAnswer: [409, 502, 504] } as const

export const billingRoutes =
  (deps: {
    plans: Plans
    details: Details
    /** Null without a payment provider. */
    subscribing: Subscribing | null
  }): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { plans, details } = deps
    const subscribing = (): Subscribing => {
      if (deps.subscribing) return deps.subscribing
      throw conflict(
        'This instance is on the self-hosted plan, and nothing is charged: its operator has set up no payments.',
        'not_configured',
      )
    }

    app.get(
      '/plan',
      {
        config,
        schema: {
          operationId: 'getPlan',
          summary: 'The plan you are on',
          description: 'Without a payment provider, the self-hosted plan: everything, for nothing.',
          tags,
          response: { 200: CurrentPlan },
        },
      },
      (request) => plans.current(sessionOf(request).userId),
    )

    app.get(
      '/plans',
      {
        config: { access: 'session', mayAnswer: [502, 504] },
        schema: {
          operationId: 'listPlans',
          summary: 'The plans there are',
          tags,
          response: { 200: PlanList },
        },
      },
      () => plans.list(),
    )

    app.post(
      '/subscribe',
      {
        config: asking,
        schema: {
          operationId: 'subscribe',
          summary: 'Subscribe to a plan',
          description:
            'Answers with where to pay. Asked again, it is the same place while that is open; the plan changes once it is paid.',
          tags,
          body: SubscribeWish,
          response: { 200: CheckoutLink },
        },
      },
      (request) => subscribing().subscribe(sessionOf(request).userId, request.body.plan, visitOf(request)),
    )

    app.post(
      '/refresh',
      {
        config: asking,
        schema: {
          operationId: 'refreshPlan',
          summary: 'Ask the payment provider which plan you are on',
          description: 'Notices say so by themselves; this is for who has just paid and waits.',
          tags,
          response: { 200: CurrentPlan },
        },
      },
      (request) => subscribing().refresh(sessionOf(request).userId),
    )

    app.post(
      '/portal',
      {
        config: asking,
        schema: {
          operationId: 'openBillingPortal',
          summary: 'Where to see and change how you pay',
          tags,
          response: { 200: PortalLink },
        },
      },
      (request) => subscribing().portal(sessionOf(request).userId),
    )

    app.post(
      '/cancel',
      {
        config: asking,
        schema: {
          operationId: 'cancelSubscription',
          summary: 'Cancel the subscription',
          tags,
          body: CancelWish,
          response: { 200: CurrentPlan },
        },
      },
      (request) => {
        const { when = 'period_end' } = request.body
        return subscribing().cancel(sessionOf(request).userId, when, visitOf(request))
      },
    )

    app.get(
      '/details',
      {
        config,
        schema: {
          operationId: 'getBillingDetails',
          summary: 'Whom invoices are made out to',
          tags,
          response: { 200: BillingDetails },
        },
      },
      (request) => details.get(sessionOf(request).userId),
    )

    app.patch(
      '/details',
      {
        config,
        schema: {
          operationId: 'changeBillingDetails',
          summary: 'Change whom invoices are made out to',
          description: 'An address is replaced as a whole; null removes what there is.',
          tags,
          body: BillingDetailsChange,
          response: { 200: BillingDetails },
        },
      },
      (request) =>
        details.change(
          sessionOf(request).userId,
          request.body,
          visitOf(request),
          request.headers['if-match'],
        ),
    )
  }
