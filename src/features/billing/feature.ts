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
  { db, clock, random, log, changes, jobs, outbound, baseUrl }: Platform,
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
  const payments = secretKey === null ? null : providers.payments(outbound, { ...settings, secretKey })
  const usage = createUsage({ db, clock, zoneOf, sources })
  const budgets = createBudgets({ db, clock, changes, activity, usage })
  const details = createDetails({ db, clock, random, jobs, activity })
  const plans = createPlans({ db, payments, prices })
  const invoices = createInvoices({ db, payments })
  const customers = payments && createCustomers({ db, clock, random, payments })
  const subscriptionSync = payments && createSubscriptionSync({ db, log, clock, random, changes, payments })
  const notices = createPaymentNotices({ db, clock, payments, secret: webhookSecret, subscriptionSync })
  const page = (): string => `${baseUrl()}/settings/billing`
  const checkouts =
    payments &&
    customers &&
    subscriptionSync &&
    createCheckouts({ db, clock, activity, payments, plans, customers, subscriptionSync, page })
  defineBillingJobs(jobs, { usage, budgets, customers, subscriptionSync, payments })
  const routes: FeatureRoutes[] = [
    { prefix: PREFIX, plugin: billingRoutes({ plans, details, checkouts }) },
    { prefix: PREFIX, plugin: billingUsageRoutes({ usage, budgets }) },
    { prefix: `${PREFIX}/invoices`, plugin: invoiceRoutes(invoices) },
    { prefix: '/api/billing', plugin: paymentNoticeRoutes(notices), ownParsers: true },
  ]
  return { part: createBillingPart({ jobs, random }), prune: notices.prune, routes }
}
