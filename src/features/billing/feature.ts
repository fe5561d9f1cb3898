import type { FeatureRoutes, Platform } from '../../platform/platform.ts'
import type { Activity } from '../auth/activity.ts'
import { createCheckouts } from './checkout.ts'
import { createBillingPart } from './data-part.ts'
import { createCustomers, createDetails, createInvoices } from './invoices.ts'
import { defineBillingJobs } from './jobs.ts'
import type { OpenPayments, PaymentSettings } from './payments.ts'
import { billingRoutes, billingUsageRoutes, invoiceRoutes, paymentNoticeRoutes } from './routes.ts'
import { createPaymentNotices, createPlans, createSubscriptionSync } from './subscription-status.ts'
import { createBudgets, createUsage, type UsageSources } from './usage.ts'

export interface PaymentProviders {
  payments: OpenPayments
}

const PREFIX = '/api/settings/billing'

export const createBillingFeature = (
  platform: Platform,
  providers: PaymentProviders,
  needs: {
    settings: PaymentSettings
    activity: Activity
    zoneOf: (userId: number) => Promise<string>
    sources: UsageSources
  },
) => {
  const { settings, activity, zoneOf, sources } = needs
  const { secretKey, prices, webhookSecret } = settings
  const payments =
    secretKey === null ? null : providers.payments(platform.outbound, { ...settings, secretKey })
  const usage = createUsage(platform, { zoneOf, sources })
  const budgets = createBudgets(platform, { activity, usage })
  const details = createDetails(platform, activity)
  const plans = createPlans(platform, payments, prices)
  const invoices = createInvoices(platform, payments)
  const customers = payments && createCustomers(platform, payments)
  const subscriptionSync = payments && createSubscriptionSync(platform, payments)
  const notices = createPaymentNotices(platform, { payments, secret: webhookSecret, subscriptionSync })
  const checkouts =
    payments &&
    customers &&
    subscriptionSync &&
    createCheckouts(platform, { activity, payments, plans, customers, subscriptionSync })
  defineBillingJobs(platform.jobs, { usage, budgets, customers, subscriptionSync, payments })
  const routes: FeatureRoutes[] = [
    { prefix: PREFIX, plugin: billingRoutes({ plans, details, checkouts }) },
    { prefix: PREFIX, plugin: billingUsageRoutes({ usage, budgets }) },
    { prefix: `${PREFIX}/invoices`, plugin: invoiceRoutes(invoices) },
    { prefix: '/api/billing', plugin: paymentNoticeRoutes(notices), ownParsers: true },
  ]
  return { part: createBillingPart(platform), prune: notices.prune, routes }
}
