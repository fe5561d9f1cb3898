import type { Generated } from 'kysely'
import type { TableKeys } from './keys.ts'

/** One row: the selected model. */
/** One row per account that selected a model. */
export interface AiSettingsRow {
  userId: number
  model: string
  version: number
  updatedAt: string
}

/** A provider key that was entered at run time. It takes precedence over the environment. */
export interface AiKeyRow {
  userId: number
  provider: string
  /** Sealed; null for a server that requires none. */
  key: string | null
  /** The configured address; null for the default of the configuration. */
  baseUrl: string | null
  /** The address for which the key was entered. The key is never sent to another one. */
  givenFor: string
  hint: string
  /** 0/1. */
  verified: number
  /** The reason why verification failed. */
  reason: string | null
  /** The selected model of the server; null for the model of the configuration. */
  model: string | null
  /** 0/1: a server of this machine that the owner selected. */
  isLocal: Generated<number>
  createdAt: string
  updatedAt: string
}

export interface AiRequestRow {
  id: Generated<number>
  userId: number
  at: string
  /** Date in the time zone of the account: 2026-03-01. */
  day: string
  purpose: string
  engine: string
  model: string
  provider: string
  providerModel: string
  /** The personal access token of the request. */
  tokenId: string | null
  outcome: 'answered' | 'failed' | 'cancelled'
  inputTokens: number
  outputTokens: number
  /** In billionths of a dollar; null if the price is unknown. */
  costNano: number | null
}

/** The usage of an account on one day by model and token; the token is empty if there was none. */
export interface AiDayRow {
  userId: number
  day: string
  model: string
  tokenId: string
  requests: number
  inputTokens: number
  outputTokens: number
  costNano: number
  /** Number of requests whose price is unknown. */
  unpriced: number
}

export interface AiConversationRow {
  id: string
  userId: number
  /** The personal access token that started the conversation; null for a session. */
  tokenId: string | null
  title: string
  /** Search words of the title. */
  words: string
  /** The current answer in progress, and its deadline. */
  turn: string | null
  turnUntil: string | null
  createdAt: string
  updatedAt: string
}

export interface AiMessageRow {
  id: Generated<number>
  conversationId: string
  at: string
  /** JSON: one message of the user or the assistant. */
  content: string
  /** Search words of the text, and the mark of the account. */
  words: string
}

/** SQLite's index of `ai_messages.words`. */
interface AiMessageWordsRow {
  rowid: number
}

/** An assistant action that requires the user's confirmation. */
export interface AiActionRow {
  id: string
  conversationId: string | null
  tokenId: string | null
  /** `session`: a person who was signed in. Null in rows of earlier versions. */
  proposedBy: 'session' | 'other' | null
  /** The account that may confirm the action. */
  userId: number
  source: 'chat' | 'mcp' | 'api'
  tool: string
  /** JSON: the exact input of the action. */
  input: string
  /** The question to the user, and its language. */
  summary: string
  language: 'en' | 'de'
  /** JSON: the affected resource and the version that the assistant read, or null. */
  about: string | null
  status: 'pending' | 'done' | 'failed' | 'rejected' | 'expired'
  /** JSON. */
  result: string | null
  error: string | null
  /** The journal entry, for undo. */
  journalId: number | null
  version: number
  createdAt: string
  expiresAt: string
  decidedAt: string | null
}

export interface AiTables {
  ai_settings: AiSettingsRow
  ai_keys: AiKeyRow
  ai_requests: AiRequestRow
  ai_days: AiDayRow
  ai_conversations: AiConversationRow
  ai_messages: AiMessageRow
  ai_actions: AiActionRow
  ai_message_words: AiMessageWordsRow
}

export const aiKeys: TableKeys<AiTables> = {
  ai_settings: ['userId'],
  ai_keys: ['userId', 'provider'],
  ai_requests: ['id'],
  ai_days: ['userId', 'day', 'model', 'tokenId'],
  ai_conversations: ['id'],
  ai_messages: ['id'],
  ai_actions: ['id'],
  ai_message_words: null,
}

/** Credentials of an account's booking provider. */
export interface BookingSettingsRow {
  userId: number
  provider: 'calcom' | 'calendly'
  /** Null for the provider's default address. */
  baseUrl: string | null
  /** Sealed JSON: the API key and the webhook signing secret. */
  secret: string
  updatedAt: string
}

/** The sync state of an account's bookings, and the instance that runs the sync. */
export interface BookingSyncRow {
  userId: number
  /** The instance that runs a sync, and the end of its lease. */
  owner: string | null
  leaseUntil: string | null
  /** Number of runs. Writes of an earlier run are rejected. */
  epoch: number
  /** The last finished run, successful or not; `outcome` has its report or error. */
  endedEpoch: number
  outcome: string | null
  /** Start of the current or last run. */
  startedAt: string | null
  isFull: number
  /** End of the last run. */
  lastSyncAt: string | null
  lastSyncStatus: 'ok' | 'partial' | 'failed' | null
  lastError: string | null
  /** By the provider's clock: all earlier changes are synced. Null before the first run. */
  watermark: string | null
  /** Time of the last full sync. */
  lastFullAt: string | null
}

/** A booking of the provider. */
export interface BookingRow {
  userId: number
  uid: string
  provider: 'calcom' | 'calendly'
  /** The event of the booking. A rescheduled booking has its event under both uids. */
  eventId: number | null
  /** The event version that the sync wrote. While it matches, nobody else has changed the event. */
  eventVersion: number
  /** The booking that replaced this one. */
  replacedBy: string | null
  /** Hash of the provider's data. */
  digest: string
  /** JSON of the parsed data. */
  snapshot: string
  /** Time of the last change, according to the provider's list and to its webhooks. */
  changedAt: string | null
  noticedAt: string | null
}

/** A booking that could not be parsed or stored. */
export interface UnreadableBookingRow {
  id: Generated<number>
  userId: number
  /** The id of the booking, or a hash of the data if there is none. */
  name: string
  bookingId: string | null
  reason: string
  /** Received JSON, possibly truncated; null if there are too many. */
  body: string | null
  /** Full size in bytes. */
  size: number
  /** The application version that failed to parse it. Another version tries again. */
  readerVersion: string
  failedAt: string
}

export interface BookingsTables {
  booking_settings: BookingSettingsRow
  booking_sync: BookingSyncRow
  bookings: BookingRow
  unreadable_bookings: UnreadableBookingRow
}

export const bookingsKeys: TableKeys<BookingsTables> = {
  booking_settings: ['userId'],
  booking_sync: ['userId'],
  bookings: ['userId', 'uid'],
  unreadable_bookings: ['id'],
}

export interface WebhookRow {
  id: string
  userId: number
  name: string
  url: string
  /** JSON: change types, or `*`. */
  events: string
  enabled: number
  /** The reason if the system disabled the webhook, and not the user. */
  disabledReason: string | null
  /** Sealed. */
  secret: string
  /** The previous secret, which also signs until it expires. Sealed. */
  previousSecret: string | null
  previousSecretUntil: string | null
  /** Number of failures since the last success. */
  failures: number
  failingSince: string | null
  pausedUntil: string | null
  /** The exclusive sender, and the end of its lease. */
  leaseOwner: string | null
  leaseUntil: string | null
  version: number
  createdAt: string
  updatedAt: string
}

export interface WebhookDeliveryRow {
  /** Also the order of the deliveries. */
  id: Generated<number>
  /** The `webhook-id`, equal for all attempts. */
  messageId: string
  webhookId: string
  type: string
  /** The exact bytes that are sent. */
  body: string
  state: 'waiting' | 'delivered' | 'failed'
  attempts: number
  /** Null unless the delivery is waiting. */
  nextAttemptAt: string | null
  createdAt: string
  finishedAt: string | null
}

export interface WebhookAttemptRow {
  id: Generated<number>
  deliveryId: number
  at: string
  durationMs: number
  /** Null without a response. */
  status: number | null
  error: string | null
  /** The start of the response body. */
  response: string | null
}

export interface WebhooksTables {
  webhooks: WebhookRow
  webhook_deliveries: WebhookDeliveryRow
  webhook_attempts: WebhookAttemptRow
}

export const webhooksKeys: TableKeys<WebhooksTables> = {
  webhooks: ['id'],
  webhook_deliveries: ['id'],
  webhook_attempts: ['id'],
}

/** The billing data of an account, also before it pays. */
export interface BillingAccountRow {
  userId: number
  /**
   * Identifies the account to the payment provider. It is part of the idempotency keys, so that a retry
   * creates nothing twice.
   */
  key: string
  customerId: string | null
  /** JSON: name, email, address, VAT id; null before anything was entered. */
  details: string | null
  /** The version of the details that the provider has. */
  sentVersion: number
  /** JSON of the subscription as last received from the provider; null if there was never one. */
  subscription: string | null
  /** Number of requests for the subscription. A response to an earlier request than the latest is ignored. */
  askedTicket: number
  heldTicket: number
  /** The checkout that may be open, its plan, and the number of checkouts. */
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
  /** In whole units; money in billionths of a dollar. */
  amount: number
  updatedAt: string
}

/** A sent warning that a budget was reached in a period. It is sent once. */
export interface BillingWarningRow {
  userId: number
  measure: string
  /** 2026-03. */
  period: string
  at: string
}

/** A processed webhook event of the payment provider. */
export interface BillingEventRow {
  id: string
  type: string
  at: string
}

/** The storage that an account used on a day, as last measured. */
export interface StorageDayRow {
  userId: number
  /** Date in the time zone of the account: 2026-03-01. */
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
  storage_days: ['userId', 'day'],
}
