import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { anyone, session } from '../../platform/access/route-access.ts'
import { conflict, invalid } from '../../platform/errors.ts'
import { IdPath, Page } from '../../platform/http/shapes.ts'
import { compileExceptBody } from '../../platform/http/validation.ts'
import type { Checkouts } from './checkout.ts'
import type { Details, Invoices } from './invoices.ts'
import {
  BillingDetails,
  BillingDetailsChange,
  BillingUsage,
  BillingUsageQuery,
  Budget,
  BudgetInput,
  BudgetList,
  BudgetPath,
  CancelInput,
  CheckoutLink,
  CurrentPlan,
  InvoiceList,
  InvoiceShape,
  PaymentWebhookResult,
  PlanList,
  PortalLink,
  SubscribeInput,
} from './schema.ts'
import type { PaymentNotices, Plans } from './subscription-status.ts'
import type { Budgets, Usage } from './usage.ts'

/**
 * Routes that call the payment provider, outside of a transaction. The idempotency key holds off duplicates,
 * and no response is stored.
 */
const providerConfig = { ...session, idempotency: 'held', mayAnswer: [409, 502, 504] } as const

export const billingRoutes =
  (deps: { plans: Plans; details: Details; checkouts: Checkouts | null }): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { plans, details } = deps
    const checkouts = (): Checkouts => {
      if (deps.checkouts) return deps.checkouts
      throw conflict(
        'This instance uses the self-hosted plan, which is free. Its operator has not configured payments.',
        'not_configured',
      )
    }

    app.get(
      '/plan',
      {
        config: session,
        schema: {
          operationId: 'getPlan',
          summary: 'Get your plan',
          description:
            'Without a payment provider this is the self-hosted plan, which is free and includes everything.',
          response: { 200: CurrentPlan },
        },
      },
      ({ user }) => plans.current(user),
    )

    app.get(
      '/plans',
      {
        config: { ...session, mayAnswer: [502, 504] },
        schema: {
          operationId: 'listPlans',
          summary: 'List plans',
          response: { 200: PlanList },
        },
      },
      () => plans.list(),
    )

    app.post(
      '/subscribe',
      {
        config: providerConfig,
        schema: {
          operationId: 'subscribe',
          summary: 'Subscribe to a plan',
          description:
            'Returns the URL of a checkout. Further requests return the same checkout while it is open. The plan changes after the payment.',
          body: SubscribeInput,
          response: { 200: CheckoutLink },
        },
      },
      ({ user, body, visit }) => checkouts().subscribe(user, body.plan, visit),
    )

    app.post(
      '/refresh',
      {
        config: providerConfig,
        schema: {
          operationId: 'refreshPlan',
          summary: 'Refresh your plan from the payment provider',
          description:
            'Webhooks of the provider update the plan automatically. Use this after a payment, to avoid waiting for the webhook.',
          response: { 200: CurrentPlan },
        },
      },
      ({ user }) => checkouts().refresh(user),
    )

    app.post(
      '/portal',
      {
        config: providerConfig,
        schema: {
          operationId: 'openBillingPortal',
          summary: 'Open the billing portal of the payment provider',
          response: { 200: PortalLink },
        },
      },
      ({ user }) => checkouts().portal(user),
    )

    app.post(
      '/cancel',
      {
        config: providerConfig,
        schema: {
          operationId: 'cancelSubscription',
          summary: 'Cancel the subscription',
          body: CancelInput,
          response: { 200: CurrentPlan },
        },
      },
      ({ user, body, visit }) => checkouts().cancel(user, body.when ?? 'period_end', visit),
    )

    app.get(
      '/details',
      {
        config: session,
        schema: {
          operationId: 'getBillingDetails',
          summary: 'Get billing details',
          response: { 200: BillingDetails },
        },
      },
      ({ user }) => details.get(user),
    )

    app.patch(
      '/details',
      {
        config: session,
        schema: {
          operationId: 'updateBillingDetails',
          summary: 'Change billing details',
          description: 'An address is replaced as a whole. Null removes a value.',
          body: BillingDetailsChange,
          response: { 200: BillingDetails },
        },
      },
      ({ user, body, visit, ifMatch }) => details.change(user, body, visit, ifMatch),
    )
  }

const invoiceConfig = { ...session, mayAnswer: [502, 504] } as const

export const invoiceRoutes =
  (invoices: Invoices): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/',
      {
        config: invoiceConfig,
        schema: {
          operationId: 'listInvoices',
          summary: 'List your invoices, newest first',
          description: 'The self-hosted plan has no invoices.',
          querystring: Page,
          response: { 200: InvoiceList },
        },
      },
      ({ user, query }) => invoices.list(user, query),
    )

    app.get(
      '/:id',
      {
        config: invoiceConfig,
        schema: {
          operationId: 'getInvoice',
          summary: 'Get an invoice with its lines',
          params: IdPath,
          response: { 200: InvoiceShape },
        },
      },
      ({ user, params }) => invoices.get(user, params.id),
    )

    app.get(
      '/:id/pdf',
      {
        config: { ...invoiceConfig, mayAnswer: [409, 502, 504] },
        schema: {
          operationId: 'getInvoicePdf',
          summary: 'Get an invoice as a PDF',
          params: IdPath,
          response: {
            200: {
              description: 'The invoice',
              content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } },
            },
          },
        },
      },
      async ({ user, params }, reply) => {
        const { filename, bytes } = await invoices.pdf(user, params.id)
        return reply
          .type('application/pdf')
          .header('content-disposition', `attachment; filename="${filename}"`)
          .send(Readable.from(bytes, { objectMode: false }) as never)
      },
    )
  }

export const billingUsageRoutes =
  ({ usage, budgets }: { usage: Usage; budgets: Budgets }): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/usage',
      {
        config: session,
        schema: {
          operationId: 'getBillingUsage',
          summary: 'Get the usage of this instance per day',
          description: 'AI requests, their tokens and cost, storage, and messages from mail servers.',
          querystring: BillingUsageQuery,
          response: { 200: BillingUsage },
        },
      },
      ({ user, query }) => usage.read(user, query.days),
    )

    app.get(
      '/budgets',
      {
        config: session,
        schema: {
          operationId: 'listBudgets',
          summary: 'List your budgets and their usage',
          response: { 200: BudgetList },
        },
      },
      ({ user }) => budgets.list(user),
    )

    app.put(
      '/budgets/:measure',
      {
        config: session,
        schema: {
          operationId: 'setBudget',
          summary: 'Set a monthly budget',
          description:
            'Sends a notification when the budget is reached, once a month (`billing.budget_reached`). A budget does not limit usage.',
          params: BudgetPath,
          body: BudgetInput,
          response: { 200: Budget, 201: Budget },
        },
      },
      async ({ user, params, body, visit }, reply) => {
        const { measure } = params
        const { isNew, budget } = await budgets.save(user, measure, body.limit, visit)
        if (isNew) reply.code(201).header('location', `/api/settings/billing/budgets/${measure}`)
        return budget
      },
    )

    app.delete(
      '/budgets/:measure',
      {
        config: session,
        schema: {
          operationId: 'deleteBudget',
          summary: 'Remove a budget',
          params: BudgetPath,
          response: { 204: Type.Null() },
        },
      },
      ({ user, params, visit, ifMatch }) => budgets.remove(user, params.measure, visit, ifMatch),
    )
  }

export const paymentNoticeRoutes =
  (notices: PaymentNotices): FastifyPluginAsyncTypebox =>
  async (app) => {
    // The signature covers the raw bytes, so the body must not be parsed.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    app.post(
      '/webhook',
      {
        config: { ...anyone, mayAnswer: [409, 502, 504] },
        schema: {
          operationId: 'receivePaymentWebhook',
          summary: 'Receive a webhook of the payment provider',
          description:
            'Requires a valid signature (`Stripe-Signature`); otherwise the response is 401. Late, repeated and reordered events are harmless, because every event only triggers a refresh from Stripe.',
          body: Type.Object({}, { description: 'A Stripe event' }),
          response: { 200: PaymentWebhookResult },
        },
        validatorCompiler: compileExceptBody,
      },
      ({ body: given, headers }) => {
        const body = given as unknown
        if (!Buffer.isBuffer(body) || body.length === 0) throw invalid('The body is empty.')
        const signature = headers['stripe-signature']
        return notices.receive({ body, signature: typeof signature === 'string' ? signature : '' })
      },
    )
  }
