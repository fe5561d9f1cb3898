import type { TableKeys } from './keys.ts'

/** What is known of a person as one who pays, or might. */
export interface BillingAccountRow {
  userId: number
  /** Names the account to the payment provider, and is in the idempotency keys: a retry makes nothing twice. */
  key: string
  customerId: string | null
  /** JSON: name, e-mail, address, VAT id; null before anything was given. */
  details: string | null
  /** The version of the details that the provider was told. */
  toldVersion: number
  /** JSON of the subscription as the provider last told it; null when there was never one. */
  subscription: string | null
  /** Counts the questions about the subscription, and says whose answer holds: that of an earlier one is dropped. */
  askedTicket: number
  heldTicket: number
  /** The checkout that may be open, its plan, and how many there were. */
  checkoutId: string | null
  checkoutPlan: string | null
  checkoutAttempt: number
  checkoutAt: string | null
  version: number
  createdAt: string
  updatedAt: string
}

export interface BillingBudgetRow {
  userId: number
  measure: string
  /** In whole units; dollars in thousand-millionths. */
  amount: number
  updatedAt: string
}

/** That a budget was reached in a period: told once. */
export interface BillingWarningRow {
  userId: number
  measure: string
  /** 2026-03. */
  period: string
  at: string
}

/** A notice of the payment provider that has had its effect. */
export interface BillingEventRow {
  id: string
  type: string
  at: string
}

/** What everything took on the disk on a day, as it was last measured. */
export interface StorageDayRow {
  /** In the zone of the instance: 2026-03-01. */
  day: string
  bytes: number
  measuredAt: string
}

export interface BillingTables {
  billing_accounts: BillingAccountRow
  billing_budgets: BillingBudgetRow
  billing_warnings: BillingWarningRow
  billing_events: BillingEventRow
  storage_days: StorageDayRow
}

export const billingKeys: TableKeys<BillingTables> = {
  billing_accounts: ['userId'],
  billing_budgets: ['userId', 'measure'],
  billing_warnings: ['userId', 'measure', 'period'],
  billing_events: ['id'],
  storage_days: ['day'],
}
