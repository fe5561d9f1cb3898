import { formatNumber, plural } from '../format.ts'

export const title = 'Billing'
export const about = 'Plan, usage, budgets and invoices'

export const measures = {
  aiCostUsd: 'AI cost',
  aiRequests: 'AI requests',
  aiTokens: 'AI tokens',
  messagesSynced: 'Emails synced',
  storageBytes: 'Storage',
}

export const plan = 'Plan'
export const selfHosted = 'Self-hosted'
export const selfHostedAbout = 'All features included'
export const free = 'Free'
export const usageBased = 'Usage-based'
/** Price with the interval between charges. */
export const prices = {
  day: ({ amount, count }: { amount: string; count: number }) =>
    plural(count, { one: `${amount} per day`, other: `${amount} every ${formatNumber(count)} days` }),
  week: ({ amount, count }: { amount: string; count: number }) =>
    plural(count, { one: `${amount} per week`, other: `${amount} every ${formatNumber(count)} weeks` }),
  month: ({ amount, count }: { amount: string; count: number }) =>
    plural(count, { one: `${amount} per month`, other: `${amount} every ${formatNumber(count)} months` }),
  year: ({ amount, count }: { amount: string; count: number }) =>
    plural(count, { one: `${amount} per year`, other: `${amount} every ${formatNumber(count)} years` }),
}
export const planStatuses = {
  active: 'Active',
  trialing: 'Trial',
  past_due: 'Payment overdue',
  unpaid: 'Unpaid',
  paused: 'Paused',
  incomplete: 'Payment incomplete',
  incomplete_expired: 'Payment expired',
  canceled: 'Cancelled',
}
export const endsOn = (date: string) => `Ends on ${date}`
export const renewsOn = (date: string) => `Renews on ${date}`
export const subscribe = 'Subscribe'
export const subscribeTo = ({ name, price }: { name: string; price: string }) =>
  `Subscribe to ${name}, ${price}`
export const thanksForPlan = (name: string) => `Thank you. You are now on ${name}.`
export const thanksForPayment = 'Thank you. Your plan changes when the payment is confirmed.'
export const paymentMethod = 'Payment method'
export const cancelSubscription = 'Cancel subscription'
export const cancelSubscriptionTitle = 'Cancel the subscription?'
export const cancelSubscriptionAbout = 'It ends after the paid period. You keep your data.'
export const subscriptionCancelled = 'Subscription cancelled'

export const usageInDays = (days: number) => `Usage in the last ${formatNumber(days)} days`
export const measure = 'Measure'
export const usageSummary = ({
  measure: name,
  first,
  last,
  most,
}: {
  measure: string
  first: string
  last: string
  most: string
}) => `${name} from ${first} to ${last}: at most ${most} per day`
export const noUsage = 'No usage in this period'
export const mostPerDay = (amount: string) => `At most ${amount} per day`
export const showTable = 'Show as table'
export const usageTable = (name: string) => `${name} per day`
export const day = 'Day'
export const daysStartIn = (city: string) => `Days start at midnight (time zone: ${city}).`
export const unpricedRequests = (count: number) =>
  plural(count, {
    one: 'The cost excludes 1 AI request of unknown price.',
    other: `The cost excludes ${formatNumber(count)} AI requests of unknown price.`,
  })

export const budgets = 'Budgets'
export const budgetsAbout = 'A notification when a month exceeds the limit. Nothing is blocked.'
export const setBudget = 'Set budget'
export const newBudget = 'New budget'
export const noBudgets = 'No budgets'
export const noBudgetsAbout = 'Set one to be notified of high usage.'
export const budgetSaved = 'Budget saved'
export const budgetDeleted = 'Budget deleted'
export const deleteBudget = (measureName: string) => `Delete budget for ${measureName}`
export const reached = 'Reached'
export const usedOfLimit = ({ used, limit }: { used: string; limit: string }) => `${used} of ${limit}`
export const budgetProgress = (measureName: string) => `${measureName} used`
export const budgetLimits = {
  aiCostUsd: 'US dollars per month',
  aiRequests: 'Requests per month',
  aiTokens: 'Tokens per month',
  messagesSynced: 'Emails per month',
  storageBytes: 'Gigabytes',
}

export const invoices = 'Invoices'
export const noInvoices = 'No invoices'
export const noInvoicesAbout = 'The self-hosted plan is free.'
export const invoiceStatuses = {
  draft: 'Draft',
  open: 'Unpaid',
  paid: 'Paid',
  uncollectible: 'Uncollectible',
  void: 'Void',
}
export const invoiceWithoutNumber = 'No number yet'
export const pay = 'Pay'
export const downloadInvoice = (name: string) => `Download invoice ${name}`

export const billingDetails = 'Billing details'
export const billingDetailsAbout = 'Shown on your invoices'
export const billingDetailsSaved = 'Billing details saved'
export const billingDetailsChanged = 'The billing details were changed elsewhere.'
export const nameOrCompany = 'Name or company'
export const invoiceEmail = 'Email for invoices'
export const addressLines = {
  line1: 'Address',
  line2: 'Address line 2',
  postalCode: 'Postal code',
  city: 'City',
  state: 'State or region',
}
export const country = 'Country'
export const countryHint = 'Two-letter code, for example DE'
export const vatId = 'VAT ID'
export const vatIdHint = 'With country code, for example DE123456789'
