import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4Prompt,
  LanguageModelV4ToolCall,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import type {
  LanguageModels,
  ModelEvent,
  ModelMessage,
  ModelRequest,
  ModelUsage,
  ToolCall,
} from '../../features/ai/language-models.ts'
import type { Provider } from '../../features/ai/providers.ts'
import { AppError } from '../../platform/errors.ts'
import { findUnkeepable } from '../../platform/http/text.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { brokenOff, refusedWith, toFailure, unreadable } from './failures.ts'
import { createGuardedFetch } from './guarded-fetch.ts'
import { credentialHeaders, openModel } from './providers.ts'

/** However busily a provider writes, an answer ends. */
const LONGEST_STREAM_MS = 600_000

const partsOf = (message: ModelMessage): LanguageModelV4Prompt[number] => {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: [{ type: 'text', text: message.text }] }
    case 'assistant':
      return {
        role: 'assistant',
        content: [
          ...(message.text === '' ? [] : [{ type: 'text', text: message.text } as const]),
          ...message.calls.map(({ id, name, input, token }) => ({
            type: 'tool-call' as const,
            toolCallId: id,
            toolName: name,
            input: parse(input),
            ...(token !== undefined && { providerOptions: token as never }),
          })),
        ],
      }
    case 'tool':
      return {
        role: 'tool',
        content: message.results.map(({ id, name, output }) => ({
          type: 'tool-result' as const,
          toolCallId: id,
          toolName: name,
          output: { type: 'text' as const, value: output },
        })),
      }
  }
}

/** What a model wrote as a call's input goes back to it; where no request could have it in it, as nothing. */
const parse = (text: string): unknown => {
  try {
    const value = JSON.parse(text)
    return findUnkeepable(value) === undefined ? value : {}
  } catch {
    return {}
  }
}

const optionsOf = (request: ModelRequest, signal: AbortSignal): LanguageModelV4CallOptions => ({
  prompt: [
    ...(request.system === null ? [] : [{ role: 'system' as const, content: request.system }]),
    ...request.messages.map(partsOf),
  ],
  ...(request.maxTokens !== null && { maxOutputTokens: request.maxTokens }),
  ...(request.tools.length > 0 && {
    tools: request.tools.map(({ name, description, input }) => ({
      type: 'function' as const,
      ...{ name, description, inputSchema: input as never },
    })),
  }),
  ...(request.shape && {
    responseFormat: {
      type: 'json' as const,
      ...{ name: request.shape.name, schema: request.shape.schema as never },
    },
  }),
  abortSignal: signal,
})

const callOf = ({ toolCallId, toolName, input, providerMetadata }: LanguageModelV4ToolCall): ToolCall => ({
  ...{ id: toolCallId, name: toolName, input },
  ...(providerMetadata !== undefined && { token: providerMetadata }),
})

/** More than anyone can say at once: a server that counts so, or below nothing, does not count. */
const MOST_TOKENS = 1_000_000_000

const countOf = (told: number | undefined): number | null =>
  Number.isInteger(told) && (told as number) >= 0 && (told as number) <= MOST_TOKENS ? (told as number) : null

const usageOf = ({ inputTokens, outputTokens }: LanguageModelV4Usage): ModelUsage => ({
  inputTokens: countOf(inputTokens.total),
  outputTokens: countOf(outputTokens.total),
})

/** Where no reason for the end was given, there was no end: the connection was. */
const requireEnd = (provider: Provider, { unified, raw }: LanguageModelV4FinishReason): void => {
  if (unified === 'error') throw unreadable(provider)
  if (raw === undefined || raw === null) throw brokenOff(provider)
}

const timedOut = (): AppError =>
  new AppError('upstream', 'upstream_timeout', 'The provider did not finish its answer in time.')

export const createLanguageModels = (
  outbound: Pick<Outbound, 'fetch'>,
  { timeoutMs }: { timeoutMs: number },
): LanguageModels => {
  const open = ({ target }: ModelRequest) =>
    openModel(target, createGuardedFetch(outbound, { trust: target.trust, timeoutMs }))

  /** The caller's wish to stop, and the end of our patience. */
  const limited = (asked: AbortSignal, ms: number) => {
    const controller = new AbortController()
    const stop = (): void => controller.abort(asked.reason)
    const timer = setTimeout(() => controller.abort(timedOut()), ms)
    asked.addEventListener('abort', stop, { once: true })
    if (asked.aborted) stop()
    const end = (): void => {
      clearTimeout(timer)
      asked.removeEventListener('abort', stop)
    }
    return { signal: controller.signal, end }
  }

  /** The caller's own end is no failure of the provider's. */
  const explain = (error: unknown, request: ModelRequest, signal: AbortSignal): unknown => {
    if (request.signal.aborted) return request.signal.reason
    return signal.aborted ? signal.reason : toFailure(error, request.target.provider)
  }

  async function* stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
    const { provider } = request.target
    const model = open(request)
    const { signal, end } = limited(request.signal, LONGEST_STREAM_MS)
    try {
      const { stream: parts } = await model.doStream(optionsOf(request, signal))
      let ending: ModelEvent | undefined
      for await (const part of parts) {
        if (part.type === 'text-delta' && part.delta !== '') yield { type: 'text', text: part.delta }
        else if (part.type === 'tool-call') yield { type: 'call', call: callOf(part) }
        else if (part.type === 'error') throw part.error
        else if (part.type === 'finish') {
          requireEnd(provider, part.finishReason)
          ending = { type: 'end', usage: usageOf(part.usage), isCut: part.finishReason.unified === 'length' }
        }
      }
      if (!ending) throw brokenOff(provider)
      yield ending
    } catch (error) {
      throw explain(error, request, signal)
    } finally {
      end()
    }
  }

  return {
    async answer(request) {
      const model = open(request)
      const { signal, end } = limited(request.signal, timeoutMs)
      try {
        const { content, usage, finishReason } = await model.doGenerate(optionsOf(request, signal))
        requireEnd(request.target.provider, finishReason)
        return {
          text: content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
          calls: content.filter((part) => part.type === 'tool-call').map(callOf),
          usage: usageOf(usage),
          isCut: finishReason.unified === 'length',
        }
      } catch (error) {
        throw explain(error, request, signal)
      } finally {
        end()
      }
    },

    stream,

    async verify(target, signal) {
      const fetch = createGuardedFetch(outbound, { trust: target.trust, timeoutMs })
      let response: Response
      try {
        response = await fetch(`${target.baseUrl}/models`, { headers: credentialHeaders(target), signal })
        await response.arrayBuffer()
      } catch (error) {
        throw signal.aborted ? signal.reason : toFailure(error, target.provider)
      }
      if (!response.ok) throw refusedWith(target.provider, response.status)
    },
  }
}
