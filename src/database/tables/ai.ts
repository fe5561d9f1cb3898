import type { Generated } from 'kysely'
import type { TableKeys } from './keys.ts'

/** One row: which of the four models answers. */
export interface AiSettingsRow {
  id: number
  model: string
  version: number
  updatedAt: string
}

/** A provider's key that was given at run time; it goes before the environment's. */
export interface AiKeyRow {
  provider: string
  /** Sealed; null for a server that asks for none. */
  key: string | null
  /** What was given; null for the address that the configuration says. */
  baseUrl: string | null
  /** The address that the key was given for: to no other does it go. */
  givenFor: string
  hint: string
  /** 0/1. */
  verified: number
  /** Why it could not be verified. */
  reason: string | null
  createdAt: string
  updatedAt: string
}

export interface AiRequestRow {
  id: Generated<number>
  at: string
  /** In the zone of the instance: 2026-03-01. */
  day: string
  purpose: string
  engine: string
  model: string
  provider: string
  providerModel: string
  /** The personal access token that asked. */
  tokenId: string | null
  outcome: 'answered' | 'failed' | 'cancelled'
  inputTokens: number
  outputTokens: number
  /** In thousand-millionths of a dollar; null when the price is not known. */
  costNano: number | null
}

/** What was used on one day by one model for one token; the token is empty where there was none. */
export interface AiDayRow {
  day: string
  model: string
  tokenId: string
  requests: number
  inputTokens: number
  outputTokens: number
  costNano: number
  /** Of the requests, those whose price is not known. */
  unpriced: number
}

export interface AiConversationRow {
  id: string
  /** The personal access token that it was begun with; null when by a person. */
  tokenId: string | null
  title: string
  /** Who is answering in it, and until when at most. */
  turn: string | null
  turnUntil: string | null
  createdAt: string
  updatedAt: string
}

export interface AiMessageRow {
  id: Generated<number>
  conversationId: string
  at: string
  /** JSON: one turn of the person or the assistant. */
  content: string
}

/** What the assistant may not do by itself, waiting for a person. */
export interface AiActionRow {
  id: string
  conversationId: string | null
  tokenId: string | null
  /** The account that may confirm it; null stands for the first account. */
  userId: number | null
  source: 'chat' | 'mcp' | 'api'
  tool: string
  /** JSON: exactly what will be done. */
  input: string
  /** What the person is asked, and in which language. */
  summary: string
  language: 'en' | 'de'
  /** JSON: the thing it is done to and the version that was seen, or null. */
  about: string | null
  status: 'pending' | 'done' | 'failed' | 'rejected' | 'expired'
  /** JSON. */
  result: string | null
  error: string | null
  /** Its entry in the journal, for taking it back. */
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
}

export const aiKeys: TableKeys<AiTables> = {
  ai_settings: ['id'],
  ai_keys: ['provider'],
  ai_requests: ['id'],
  ai_days: ['day', 'model', 'tokenId'],
  ai_conversations: ['id'],
  ai_messages: ['id'],
  ai_actions: ['id'],
}
