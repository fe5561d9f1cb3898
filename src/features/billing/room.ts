import type { Door, Platform } from '../../platform/platform.ts'
import type { Activity } from '../auth/activity.ts'
import { createBudgets } from './budgets.ts'
import { createCustomers } from './customers.ts'
import { createBillingPart } from './data-part.ts'
import { createDetails } from './details.ts'
import { invoiceRoutes } from './invoice-routes.ts'
import { createInvoices } from './invoices.ts'
import { defineBillingJobs } from './jobs.ts'
import { paymentNoticeRoutes } from './notice-routes.ts'
import { createPaymentNotices } from './notices.ts'
import type { OpenPayments, PaymentSettings } from './payments.ts'
import { createPlans } from './plans.ts'
import { billingRoutes } from './routes.ts'
import { createStandings } from './standing.ts'
import { createSubscribing } from './subscribing.ts'
import { createUsage, type UsageSources } from './usage.ts'
import { billingUsageRoutes } from './usage-routes.ts'

/** How a payment provider is reached. */
export interface PaymentProviders {
  payments: OpenPayments
}

const PREFIX = '/api/settings/billing'

export const createBillingRoom = (
  { database, db, clock, random, log, changes, jobs, outbound, baseUrl }: Platform,
  providers: PaymentProviders,
  needs: {
    settings: PaymentSettings
    activity: Activity
    timezone: () => Promise<string>
    sources: UsageSources
  },
) => {
  const { settings, activity, timezone, sources } = needs
  const { secretKey, prices, webhookSecret } = settings
  const payments = secretKey === null ? null : providers.payments(outbound, { ...settings, secretKey })
  const usage = createUsage({ database, clock, timezone, sources })
  const budgets = createBudgets({ db, clock, changes, activity, usage })
  const details = createDetails({ db, clock, random, jobs, activity })
  const plans = createPlans({ db, payments, prices })
  const invoices = createInvoices({ db, payments })
  const customers = payments && createCustomers({ db, clock, random, payments })
  const standings = payments && createStandings({ db, log, clock, random, changes, payments })
  const notices = createPaymentNotices({ db, clock, payments, secret: webhookSecret, standings })
  const page = (): string => `${baseUrl()}/settings/billing`
  const subscribing =
    payments &&
    customers &&
    standings &&
    createSubscribing({ db, clock, activity, payments, plans, customers, standings, page })
  defineBillingJobs(jobs, { usage, budgets, customers, standings, payments })
  const doors: Door[] = [
    { prefix: PREFIX, routes: billingRoutes({ plans, details, subscribing }) },
    { prefix: PREFIX, routes: billingUsageRoutes({ usage, budgets }) },
    { prefix: `${PREFIX}/invoices`, routes: invoiceRoutes(invoices) },
    { prefix: '/api/billing', routes: paymentNoticeRoutes(notices) },
  ]
  return { part: createBillingPart({ jobs, random }), prune: notices.prune, doors }
}
