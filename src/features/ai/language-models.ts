import type { Trust } from '../../platform/outbound/outbound.ts'
import type { Provider } from './providers.ts'

/** A model at a provider, and what it takes to speak to it. */
export interface ModelTarget {
  provider: Provider
  model: string
  key: string | null
  baseUrl: string
  /** Who named the address: the operator, or a person in a setting. */
  trust: Trust
}

export interface ToolCall {
  id: string
  name: string
  /** JSON as the model wrote it; it may be wrong. */
  input: string
  /** What the provider wants to see again with the call's result. */
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

/** JSON of one form. Not every provider holds its model to it: what comes is checked. */
export interface AnswerShape {
  name: string
  /** JSON Schema. */
  schema: object
}

export interface ModelRequest {
  target: ModelTarget
  system: string | null
  messages: readonly ModelMessage[]
  tools: readonly OfferedTool[]
  maxTokens: number | null
  shape: AnswerShape | null
  signal: AbortSignal
}

/** Null where the provider did not say. */
export interface ModelUsage {
  inputTokens: number | null
  outputTokens: number | null
}

export interface ModelAnswer {
  text: string
  calls: readonly ToolCall[]
  usage: ModelUsage
  /** Whether it was cut because it grew too long. */
  isCut: boolean
}

export type ModelEvent =
  | { type: 'text'; text: string }
  | { type: 'call'; call: ToolCall }
  | { type: 'end'; usage: ModelUsage; isCut: boolean }

/**
 * The providers of language models. Every failure is an `upstream` AppError that holds nothing of what was asked, nothing of
 * the key, and no word of the provider's: those may repeat either.
 */
export interface LanguageModels {
  answer(request: ModelRequest): Promise<ModelAnswer>
  /** Ends with `end`, or throws: an answer that breaks off is none. */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>
  /** Asks the provider something that costs nothing. Throws when the key or the address is not good. */
  verify(target: Omit<ModelTarget, 'model'>, signal: AbortSignal): Promise<void>
}
