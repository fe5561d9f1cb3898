import type { Trust } from '../../platform/outbound/outbound.ts'

export const PROVIDERS = ['openai', 'anthropic', 'google', 'openai-compatible'] as const
export type Provider = (typeof PROVIDERS)[number]

export const MODEL_NAMES = ['model_a', 'model_b', 'model_c', 'model_d'] as const
export type ModelName = (typeof MODEL_NAMES)[number]

/** AI settings from the configuration. */
export interface AiSettings {
  models: Readonly<Record<ModelName, { provider: Provider; model: string }>>
  providers: Readonly<Record<Provider, { key: string | null; baseUrl: string | null }>>
  /** The accounts that the keys of the environment serve. */
  keysFor: 'all' | 'owner'
  timeoutMs: number
  fallback: 'builtin' | 'off'
  dailyLimitUsd: number | null
  tokenDailyLimitUsd: number | null
  prices: readonly Price[]
}

/** US dollars per million tokens. */
export interface Price {
  model: string
  input: number
  output: number
}

const API_BASE_URLS: Readonly<Record<Provider, { url: string | null; path: string }>> = {
  openai: { url: 'https://api.openai.com/v1', path: '/v1' },
  anthropic: { url: 'https://api.anthropic.com/v1', path: '/v1' },
  google: { url: 'https://generativelanguage.googleapis.com/v1beta', path: '/v1beta' },
  'openai-compatible': { url: null, path: '/v1' },
}

/** Adds the default API path to an address without a path. */
const withPath = (provider: Provider, given: string): string => {
  const url = new URL(given)
  const path = url.pathname.replace(/\/+$/, '')
  return `${url.origin}${path === '' ? API_BASE_URLS[provider].path : path}`
}

/** Returns the base URL of a provider; null if it has none. */
export const addressOf = (provider: Provider, given: string | null): string | null => {
  const url = given ?? API_BASE_URLS[provider].url
  return url === null ? null : withPath(provider, url)
}

/** A model at a provider, with its connection data. */
export interface ModelTarget {
  provider: Provider
  model: string
  key: string | null
  baseUrl: string
  /** Trust level of the base URL: set by the operator, or by a person in the settings. */
  trust: Trust
}

export interface ToolCall {
  id: string
  name: string
  /** JSON as written by the model; may be invalid. */
  input: string
  /** Opaque data that the provider expects back with the result of the call. */
  token?: unknown
}

export type ModelMessage =
  | { role: 'user'; text: string }
  | { role: 'assistant'; text: string; calls: readonly ToolCall[] }
  | { role: 'tool'; results: readonly { id: string; name: string; output: string }[] }

export interface OfferedTool {
  name: string
  description: string
  /** JSON Schema. */
  input: object
}

/** Expected JSON format. Not every provider enforces it, so answers must be checked. */
export interface AnswerShape {
  name: string
  /** JSON Schema. */
  schema: object
}

export interface ModelRequest {
  target: ModelTarget
  system: string | null
  messages: readonly ModelMessage[]
  maxTokens: number | null
  shape: AnswerShape | null
  signal: AbortSignal
}

/** Null if the provider did not report it. */
export interface ModelUsage {
  inputTokens: number | null
  outputTokens: number | null
}

export interface ModelAnswer {
  text: string
  calls: readonly ToolCall[]
  usage: ModelUsage
  /** The answer reached the length limit. */
  isCut: boolean
}

export type AnswerPart = { type: 'text'; text: string } | { type: 'call'; call: ToolCall }

/** `lacksTools`: the model does not support tools, so it answered without them. */
export type ModelEvent = AnswerPart | { type: 'end'; usage: ModelUsage; isCut: boolean; lacksTools?: true }

/** A request in which the model calls tools and gets their results, until it answers or `maxSteps` is reached. */
export interface AgentRequest extends Omit<ModelRequest, 'maxTokens' | 'shape'> {
  tools: readonly OfferedTool[]
  maxSteps: number
  /** Whether the provider streams its answers. */
  isStreamed: boolean
  /**
   * Receives the events of each step and passes on its parts. The provider is asked with the first event, and
   * the tools run after the last one.
   */
  observeStep(events: AsyncIterable<ModelEvent>): AsyncIterable<AnswerPart>
  /** Runs a tool and returns the result for the model. Called once per tool call, in order. An error ends the loop. */
  callTool(call: ToolCall): Promise<string>
}

/** `result`: a tool call was run. */
export type AgentEvent = { type: 'text'; text: string } | { type: 'result' }

/**
 * Client for language model providers. Every failure is an `upstream` AppError.
 * Errors contain no prompt and no key. They contain the message of an OpenAI-compatible server, but no text of
 * the other providers, because it may repeat the prompt or the key.
 */
export interface LanguageModels {
  answer(request: ModelRequest): Promise<ModelAnswer>
  /** The last event is `end`. Throws if the answer breaks off. */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>
  /** Runs the agent loop. Errors of `observeStep` and `callTool` are thrown unchanged. */
  runAgent(request: AgentRequest): AsyncIterable<AgentEvent>
  /** Sends a free request to the provider. Throws if the key or the address is invalid. */
  verify(target: Omit<ModelTarget, 'model'>, signal: AbortSignal): Promise<void>
}
