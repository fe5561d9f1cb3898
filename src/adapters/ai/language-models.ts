import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import type { ModelMessage as LibraryMessage } from 'ai'
import type {
  AgentEvent,
  AgentRequest,
  LanguageModels,
  ModelAnswer,
  ModelEvent,
  ModelMessage,
  ModelRequest,
  ModelTarget,
  ModelUsage,
  Provider,
  ToolCall,
} from '../../features/models/language-models.ts'
import { AppError } from '../../platform/errors.ts'
import { findUnstorable } from '../../platform/http/responses.ts'
import type { Outbound, OutboundResponse } from '../../platform/outbound/outbound.ts'

const LARGEST_ANSWER = 32 * 1024 * 1024
const BEFORE_RETRY_MS = 200
const BUSY = [429, 503, 529]
const WITHOUT_BODY = [204, 205, 304]

type Sent = Parameters<Outbound['fetch']>[1] & object

interface Client {
  outbound: Pick<Outbound, 'fetch'>
  timeoutMs: number
}

const wait = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })

/**
 * RFC 9110 section 10.2.3: seconds or a date. A date is compared with the Date header of the response, so
 * that clock skew does not matter.
 */
const retryAfterMs = ({ headers }: OutboundResponse): number | undefined => {
  const when = headers.get('retry-after')?.trim() ?? ''
  if (/^\d{1,5}(\.\d+)?$/.test(when)) return Number(when) * 1000
  const waitMs = Date.parse(when) - Date.parse(headers.get('date') ?? '')
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs)
}

const isRefused = (error: unknown): boolean =>
  error instanceof AppError &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  error.cause.code === 'ECONNREFUSED'

const toResponse = async (answer: OutboundResponse): Promise<Response> => {
  const headers = new Headers(answer.headers)
  // The body is already decoded.
  for (const name of ['content-encoding', 'content-length']) headers.delete(name)
  const head = { status: answer.status, headers }
  if (WITHOUT_BODY.includes(answer.status)) {
    answer.discard()
    return new Response(null, head)
  }
  const isStream = headers.get('content-type')?.includes('event-stream')
  return isStream
    ? new Response(ReadableStream.from(answer.stream()) as ReadableStream<Uint8Array>, head)
    : new Response((await answer.bytes()) as Uint8Array<ArrayBuffer>, head)
}

/**
 * `fetch` for the provider libraries, through the guarded client. It retries once if the connection was
 * refused, or if Retry-After fits into the timeout. In both cases the provider has not processed the request.
 */
const guardFetch = ({ outbound, timeoutMs }: Client, { trust }: Pick<ModelTarget, 'trust'>): typeof fetch => {
  const send = async (url: string, request: Sent): Promise<OutboundResponse> => {
    const once = () => outbound.fetch(url, request)
    let first: OutboundResponse
    try {
      first = await once()
    } catch (error) {
      if (!isRefused(error)) throw error
      await wait(BEFORE_RETRY_MS, request.signal)
      return once()
    }
    const pauseMs = BUSY.includes(first.status) ? retryAfterMs(first) : undefined
    if (pauseMs === undefined || pauseMs > timeoutMs / 2) return first
    first.discard()
    await wait(pauseMs, request.signal)
    return once()
  }

  return async (input, init = {}) =>
    toResponse(
      await send(String(input instanceof Request ? input.url : input), {
        method: init.method ?? 'GET',
        headers: new Headers(init.headers),
        ...(typeof init.body === 'string' && { body: init.body }),
        ...(init.signal && { signal: init.signal }),
        trust,
        timeoutMs,
        maxBytes: LARGEST_ANSWER,
        maxRedirects: 0,
      }),
    )
}

/**
 * An error of a provider library. Only these fields are read, because its messages may contain the prompt or
 * the key.
 */
interface LibraryError {
  statusCode?: unknown
  cause?: unknown
  responseHeaders?: Record<string, string>
}

const TITLES: Record<Provider, string> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
  'openai-compatible': 'The OpenAI-compatible server',
}
const titleOf = (provider: Provider): string => TITLES[provider]

const STATUS_MESSAGES: Record<number, string> = {
  400: 'refused the request',
  401: 'refused the key',
  402: 'requires payment',
  403: 'refused the key, or this key may not use the model',
  404: 'did not find the model or the URL',
  413: 'rejected the request as too large',
  422: 'refused the request',
  429: 'limits the request rate, or the account has no credit left',
}

const failed = (message: string, cause?: unknown, retryAfterSeconds?: number): AppError =>
  new AppError('upstream', 'upstream_failed', message, {
    ...(cause !== undefined && { cause }),
    ...(retryAfterSeconds !== undefined && { details: { retryAfterSeconds } }),
  })

const refusedWith = (provider: Provider, status: number, retryAfter?: string): AppError => {
  const words = STATUS_MESSAGES[status] ?? (status >= 500 ? 'failed' : 'refused the request')
  const seconds = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : undefined
  return failed(`${titleOf(provider)} ${words} (${status}).`, new Error(`HTTP ${status}`), seconds)
}

const unreadable = (provider: Provider): AppError =>
  failed(`${titleOf(provider)} sent a response that could not be parsed.`)

const interrupted = (provider: Provider): AppError =>
  failed(`The response from ${titleOf(provider)} was interrupted.`)

const MOST_CAUSES = 5

const appErrorIn = (error: unknown): AppError | undefined => {
  let place = error
  for (let depth = 0; depth < MOST_CAUSES && place instanceof Error; depth++) {
    if (place instanceof AppError) return place
    place = place.cause
  }
  return undefined
}

/**
 * Converts an error to our own message. It contains the status, but no text of the provider or its library.
 */
const toFailure = (error: unknown, provider: Provider): AppError => {
  const known = appErrorIn(error)
  if (known?.kind === 'upstream' || known?.kind === 'unavailable') return known
  if (known) return failed(known.message, known.cause)
  const { statusCode, responseHeaders } = (error ?? {}) as LibraryError
  if (typeof statusCode === 'number' && statusCode >= 300)
    return refusedWith(provider, statusCode, responseHeaders?.['retry-after'])
  return unreadable(provider)
}

type Fetch = typeof fetch

/**
 * Opens a model in the AI SDK. Each library has some hundred files, so it loads with the first request to its
 * provider. Key and URL are always passed, because the libraries would otherwise read them from the
 * environment. OpenAI is called through Chat Completions, which does not store requests by default.
 */
const openModel = async (
  { provider, model, key, baseUrl }: ModelTarget,
  fetch: Fetch,
): Promise<LanguageModelV4> => {
  const given = { apiKey: key ?? '', baseURL: baseUrl, fetch }
  switch (provider) {
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return createOpenAI(given).chat(model)
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic(given)(model)
    }
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google')
      return createGoogle(given)(model)
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      const { apiKey, ...rest } = given
      const options = { ...rest, name: 'compatible', includeUsage: true, ...(apiKey !== '' && { apiKey }) }
      return createOpenAICompatible(options).chatModel(model)
    }
  }
}

/** Returns the credential in the header that the provider expects. */
const credentialHeaders = ({
  provider,
  key,
}: Pick<ModelTarget, 'provider' | 'key'>): Record<string, string> => {
  if (key === null) return {}
  if (provider === 'anthropic') return { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
  return provider === 'google' ? { 'x-goog-api-key': key } : { authorization: `Bearer ${key}` }
}

/** Upper limit for a stream, even if the provider keeps sending. */
const LONGEST_STREAM_MS = 600_000

/** Fits both the prompt of a provider library and the messages of `streamText`. */
const toPromptMessage = (message: ModelMessage) => {
  switch (message.role) {
    case 'user':
      return { role: 'user' as const, content: [{ type: 'text' as const, text: message.text }] }
    case 'assistant':
      return {
        role: 'assistant' as const,
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
        role: 'tool' as const,
        content: message.results.map(({ id, name, output }) => ({
          type: 'tool-result' as const,
          toolCallId: id,
          toolName: name,
          output: { type: 'text' as const, value: output },
        })),
      }
  }
}

/** `streamText` rejects these keys, and no tool has them. */
const FORBIDDEN_KEYS = /"(?:__proto__|constructor)":/

/** Parses the input of a tool call, to send it back to the model. Invalid input becomes an empty object. */
const parse = (text: string): unknown => {
  try {
    const value = JSON.parse(text)
    const isValid = findUnstorable(value) === undefined && !FORBIDDEN_KEYS.test(JSON.stringify(value))
    return isValid ? value : {}
  } catch {
    return {}
  }
}

type CallOptions = Omit<LanguageModelV4CallOptions, 'abortSignal'>

const toCallOptions = (request: ModelRequest): CallOptions => ({
  prompt: [
    ...(request.system === null ? [] : [{ role: 'system' as const, content: request.system }]),
    ...request.messages.map(toPromptMessage),
  ],
  ...(request.maxTokens !== null && { maxOutputTokens: request.maxTokens }),
  ...(request.shape && {
    responseFormat: {
      type: 'json' as const,
      name: request.shape.name,
      schema: request.shape.schema as never,
    },
  }),
})

const callOf = ({ toolCallId, toolName, input, providerMetadata }: LanguageModelV4ToolCall): ToolCall => ({
  id: toolCallId,
  name: toolName,
  input,
  ...(providerMetadata !== undefined && { token: providerMetadata }),
})

/** Token counts above this limit, or below 0, are ignored as implausible. */
const MOST_TOKENS = 1_000_000_000

const countOf = (count: number | undefined): number | null =>
  Number.isInteger(count) && (count as number) >= 0 && (count as number) <= MOST_TOKENS
    ? (count as number)
    : null

const usageOf = ({ inputTokens, outputTokens }: LanguageModelV4Usage): ModelUsage => ({
  inputTokens: countOf(inputTokens.total),
  outputTokens: countOf(outputTokens.total),
})

/** A missing finish reason means that the connection was interrupted. */
const requireEnd = (provider: Provider, { unified, raw }: LanguageModelV4FinishReason): void => {
  if (unified === 'error') throw unreadable(provider)
  if (raw === undefined || raw === null) throw interrupted(provider)
}

const timedOut = (): AppError =>
  new AppError('upstream', 'upstream_timeout', 'The provider did not finish its response in time.')

/** `streamText` needs these fields in each answer. Usage is recorded per step, from the events of the provider. */
const NO_USAGE: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}

/**
 * Represents tools that were not offered. `streamText` does not run those, but every call must get our own
 * result, and the person must see it. The provider is never offered this tool.
 */
const UNKNOWN_TOOL = 'unknown_tool'

const toToolCallPart = (
  { id, name, input, token }: ToolCall,
  { tools }: AgentRequest,
): LanguageModelV4StreamPart => {
  const isOffered = tools.some((tool) => tool.name === name)
  return {
    type: 'tool-call',
    toolCallId: id,
    toolName: isOffered ? name : UNKNOWN_TOOL,
    input: JSON.stringify(isOffered ? parse(input) : { name, input: parse(input) }),
    ...(token !== undefined && { providerMetadata: token as never }),
  }
}

/**
 * Converts one answer for `streamText`: its text, then its tool calls. Other parts are dropped. A file, for
 * example, would be downloaded without the guarded client.
 */
async function* toStreamParts(
  events: ReturnType<AgentRequest['observeStep']>,
  request: AgentRequest,
  calls: ToolCall[],
): AsyncGenerator<LanguageModelV4StreamPart> {
  const id = 'text'
  let hasText = false
  yield { type: 'stream-start', warnings: [] }
  for await (const event of events) {
    if (event.type === 'call') {
      calls.push(event.call)
      continue
    }
    if (!hasText) yield { type: 'text-start', id }
    hasText = true
    yield { type: 'text-delta', id, delta: event.text }
  }
  if (hasText) yield { type: 'text-end', id }
  for (const call of calls) yield toToolCallPart(call, request)
  const unified = calls.length > 0 ? 'tool-calls' : 'stop'
  yield { type: 'finish', usage: NO_USAGE, finishReason: { unified, raw: undefined } }
}

/** Combines the caller's abort signal with a timeout. */
const withTimeout = (asked: AbortSignal, ms: number) => {
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

type Asked = Pick<ModelRequest, 'target' | 'signal'>

/** An abort by the caller is not a failure of the provider. */
const explain = (error: unknown, { target, signal: asked }: Asked, signal: AbortSignal): unknown => {
  if (asked.aborted) return asked.reason
  return signal.aborted ? signal.reason : toFailure(error, target.provider)
}

/**
 * Plain and structured answers, and each step of the agent loop, call the provider library directly.
 * `generateText` would reject JSON in code fences, which we accept, and would load the `ai` package for
 * one request.
 */
const askWhole = async (client: Client, asked: Asked, options: CallOptions): Promise<ModelAnswer> => {
  const model = await openModel(asked.target, guardFetch(client, asked.target))
  const { signal, end } = withTimeout(asked.signal, client.timeoutMs)
  try {
    const { content, usage, finishReason } = await model.doGenerate({ ...options, abortSignal: signal })
    requireEnd(asked.target.provider, finishReason)
    return {
      text: content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
      calls: content.filter((part) => part.type === 'tool-call').map(callOf),
      usage: usageOf(usage),
      isCut: finishReason.unified === 'length',
    }
  } catch (error) {
    throw explain(error, asked, signal)
  } finally {
    end()
  }
}

async function* askStreamed(client: Client, asked: Asked, options: CallOptions): AsyncGenerator<ModelEvent> {
  const { provider } = asked.target
  const model = await openModel(asked.target, guardFetch(client, asked.target))
  const { signal, end } = withTimeout(asked.signal, LONGEST_STREAM_MS)
  try {
    const { stream: parts } = await model.doStream({ ...options, abortSignal: signal })
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
    if (!ending) throw interrupted(provider)
    yield ending
  } catch (error) {
    throw explain(error, asked, signal)
  } finally {
    end()
  }
}

async function* askWholeAsEvents(
  client: Client,
  asked: Asked,
  options: CallOptions,
): AsyncGenerator<ModelEvent> {
  const { text, calls, usage, isCut } = await askWhole(client, asked, options)
  if (text !== '') yield { type: 'text', text }
  for (const call of calls) yield { type: 'call', call }
  yield { type: 'end', usage, isCut }
}

/** `streamText` runs the loop. Each step is one request to the provider, which the caller observes. */
async function* runAgent(client: Client, request: AgentRequest): AsyncGenerator<AgentEvent> {
  const { isStepCount, jsonSchema, streamText, tool } = await import('ai')
  const stop = new AbortController()
  const signal = AbortSignal.any([request.signal, stop.signal])
  const asked = { target: request.target, signal }
  /** The first error of a step or a tool. `streamText` would tell a tool's error to the model. */
  let failure: { error: unknown } | undefined
  let calls: ToolCall[] = []
  let running: Promise<unknown> | undefined
  let steps = 0

  /** Sends only these options, without the tool choice and the headers that `streamText` adds. */
  async function* runStep({ prompt, tools = [] }: CallOptions): AsyncGenerator<LanguageModelV4StreamPart> {
    steps += 1
    calls = []
    // Offer no tools in the last step, so that the model has to write its answer.
    const offered = steps < request.maxSteps ? tools.filter(({ name }) => name !== UNKNOWN_TOOL) : []
    const options = { prompt, ...(offered.length > 0 && { tools: offered }) }
    const ask = request.isStreamed ? askStreamed : askWholeAsEvents
    try {
      yield* toStreamParts(request.observeStep(ask(client, asked, options)), request, calls)
    } catch (error) {
      failure ??= { error }
      yield { type: 'error', error }
    }
  }

  /** Runs the next call of the step. `streamText` starts one call after the other, in their order. */
  const execute = async (): Promise<string> => {
    try {
      signal.throwIfAborted()
      if (failure) throw failure.error
      const result = request.callTool(calls.shift() as ToolCall)
      running = result
      return await result
    } catch (error) {
      failure ??= { error }
      throw error
    }
  }

  const { stream } = streamText({
    model: {
      specificationVersion: 'v4',
      provider: request.target.provider,
      modelId: request.target.model,
      supportedUrls: {},
      doGenerate: () => Promise.reject(new Error('The agent loop only streams.')),
      doStream: async (options) => ({ stream: ReadableStream.from(runStep(options)) }),
    },
    ...(request.system !== null && { instructions: request.system }),
    messages: request.messages.map(toPromptMessage) as LibraryMessage[],
    tools: Object.fromEntries(
      [...request.tools, { name: UNKNOWN_TOOL, description: '', input: {} }].map((offered) => [
        offered.name,
        tool({
          description: offered.description,
          inputSchema: jsonSchema(offered.input as never),
          execute,
        }),
      ]),
    ),
    toolCallConcurrency: 1,
    stopWhen: [isStepCount(request.maxSteps), () => failure !== undefined],
    abortSignal: signal,
    maxRetries: 0,
    telemetry: { isEnabled: false },
    // The default writes to the console.
    onError: () => undefined,
  })
  try {
    for await (const part of stream) {
      if (part.type === 'text-delta') yield { type: 'text', text: part.text }
      else if (part.type === 'tool-result') yield { type: 'result' }
      else if (part.type === 'error' || part.type === 'tool-error') throw part.error
    }
    signal.throwIfAborted()
  } catch (error) {
    throw failure && !request.signal.aborted ? failure.error : explain(error, request, signal)
  } finally {
    stop.abort()
    // A tool that has started runs to its end, so that its outcome is recorded.
    await running?.catch(() => undefined)
  }
}

export const createLanguageModels = (
  outbound: Client['outbound'],
  { timeoutMs }: { timeoutMs: number },
): LanguageModels => {
  const client = { outbound, timeoutMs }

  return {
    answer: (request) => askWhole(client, request, toCallOptions(request)),

    stream: (request) => askStreamed(client, request, toCallOptions(request)),

    runAgent: (request) => runAgent(client, request),

    async verify(target, signal) {
      const fetch = guardFetch(client, target)
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
