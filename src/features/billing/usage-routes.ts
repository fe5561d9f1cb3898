import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { sessionOf, visitOf } from '../../platform/access/visit.ts'
import type { Budgets } from './budgets.ts'
import type { Usage } from './usage.ts'
import {
  BillingUsage,
  BillingUsageQuery,
  Budget,
  BudgetList,
  BudgetPath,
  BudgetWish,
} from './usage-schema.ts'

const tags = ['Settings']
const config = { access: 'session' } as const

export const billingUsageRoutes =
  ({ usage, budgets }: { usage: Usage; budgets: Budgets }): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/usage',
      {
        config,
        schema: {
          operationId: 'getBillingUsage',
          summary: 'What this instance uses, day by day',
          description: 'AI requests, their tokens and cost, storage, and messages from mail servers.',
          tags,
          querystring: BillingUsageQuery,
          response: { 200: BillingUsage },
        },
      },
      (request) => usage.read(request.query.days),
    )

    app.get(
      '/budgets',
      {
        config,
        schema: {
          operationId: 'listBudgets',
          summary: 'Your budgets, and how much of them is used',
          tags,
          response: { 200: BudgetList },
        },
      },
      (request) => budgets.list(sessionOf(request).userId),
    )

    app.put(
      '/budgets/:measure',
      {
        config,
        schema: {
          operationId: 'setBudget',
          summary: 'Set a budget for a month',
          description:
            'When it is reached you are told, once a month (`billing.budget_reached`). Nothing is stopped by it.',
          tags,
          params: BudgetPath,
          body: BudgetWish,
          response: { 200: Budget, 201: Budget },
        },
      },
      async (request, reply) => {
        const { measure } = request.params
        const { isNew, budget } = await budgets.save(
          sessionOf(request).userId,
          measure,
          request.body.limit,
          visitOf(request),
        )
        if (isNew) reply.code(201).header('location', `/api/settings/billing/budgets/${measure}`)
        return budget
      },
    )

    app.delete(
      '/budgets/:measure',
      {
        config,
        schema: {
          operationId: 'removeBudget',
          summary: 'Remove a budget',
          tags,
          params: BudgetPath,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        const { userId } = sessionOf(request)
        await budgets.remove(userId, request.params.measure, visitOf(request), request.headers['if-match'])
        reply.code(204)
        return null
      },
    )
  }
