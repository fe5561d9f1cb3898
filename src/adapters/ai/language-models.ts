import type {
  LanguageModelV4,
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
import { findUnstorable } from '../../platform/http/responses.ts'
import { AnswerFilter } from './answer-filter.ts'
import { normalizeResponse } from './compatible-responses.ts'
import {
  type Abilities,
  AbilityMemory,
  adaptOptions,
  type CallOptions,
  type JsonFormat,
  withoutRefused,
} from './model-abilities.ts'
import {
  type FailedRequest,
  interrupted,
  readRefusal,
  refusedWith,
  timedOut,
  toFailure,
  unreadable,
} from './provider-errors.ts'
import { guardFetch, type ProviderClient } from './provider-fetch.ts'
import { isCopied } from './text-calls.ts'

interface Client extends ProviderClient {
  abilities: AbilityMemory
  /** Returns an id for a tool call that has none. */
  newCallId(): string
}

type Fetch = typeof fetch

/**
 * Opens a model in the AI SDK. Each library has some hundred files, so it loads with the first request to its
 * provider. Key and URL are always passed, because the libraries would otherwise read them from the
 * environment. OpenAI is called through Chat Completions, which does not store requests by default.
 */
const openModel = async (
  client: Client,
  target: ModelTarget,
  jsonFormat: JsonFormat,
): Promise<LanguageModelV4> => {
  const { provider, model, key, baseUrl } = target
  const fetch = guardFetch(client, target)
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
      const options = {
        name: 'compatible',
        baseURL: baseUrl,
        includeUsage: true,
        supportsStructuredOutputs: jsonFormat === 'json_schema',
        fetch: async (...request: Parameters<Fetch>) =>
          normalizeResponse(await fetch(...request), client.newCallId),
        ...(key !== null && { apiKey: key }),
      }
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
const MAX_STREAM_MS = 600_000

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
const MAX_TOKENS = 1_000_000_000

const countOf = (count: number | undefined): number | null =>
  Number.isInteger(count) && (count as number) >= 0 && (count as number) <= MAX_TOKENS
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

interface Asked extends Pick<ModelRequest, 'target' | 'signal'> {
  /** The tools of the whole loop. A model may call them in a step that does not offer them. */
  tools?: readonly string[]
}

const describeRequest = ({ target }: Asked, { prompt }: CallOptions): FailedRequest => ({
  provider: target.provider,
  key: target.key,
  prompt: JSON.stringify(prompt),
})

/** An abort by the caller is not a failure of the provider. */
const explain = (
  error: unknown,
  asked: Pick<Asked, 'signal'>,
  request: FailedRequest,
  signal: AbortSignal,
): unknown => {
  if (asked.signal.aborted) return asked.signal.reason
  return signal.aborted ? signal.reason : toFailure(error, request)
}

/** A request as it was finally sent, with the response. */
interface Attempt<T> {
  response: T
  abilities: Abilities
}

/**
 * Sends a request. If an OpenAI-compatible server refuses tools or a JSON format, the request is sent again
 * without them. The next request starts with that.
 */
const sendAdapted = async <T>(
  client: Client,
  { target }: Asked,
  options: CallOptions,
  send: (model: LanguageModelV4, adapted: CallOptions) => PromiseLike<T>,
): Promise<Attempt<T>> => {
  const isCompatible = target.provider === 'openai-compatible'
  const asked = { hasTools: options.tools !== undefined, hasFormat: options.responseFormat !== undefined }
  const known = client.abilities.get(target)
  let abilities = known
  for (;;) {
    const model = await openModel(client, target, abilities.jsonFormat)
    try {
      const response = await send(model, adaptOptions(options, abilities))
      if (abilities !== known) client.abilities.set(target, abilities)
      return { response, abilities }
    } catch (error) {
      const refusal = isCompatible ? readRefusal(error) : undefined
      const next = refusal && withoutRefused(abilities, asked, refusal)
      if (!next) throw error
      abilities = next
    }
  }
}

/** Only OpenAI-compatible servers leave reasoning and tool calls in the text. */
const createFilter = (
  { target, tools = [] }: Asked,
  { hasTools, unopenedReasoning, hasNativeCalls }: Abilities,
): AnswerFilter | undefined =>
  target.provider === 'openai-compatible'
    ? new AnswerFilter({ tools: hasTools && !hasNativeCalls ? tools : [], unopened: unopenedReasoning })
    : undefined

/** Collects the texts of a prompt that the model has read, without our own instructions. */
const listReadTexts = ({ prompt }: CallOptions): string[] =>
  prompt.flatMap((message) => {
    if (message.role === 'system') return []
    return message.content.flatMap((part) => {
      if (part.type === 'text') return part.text
      return part.type === 'tool-result' ? JSON.stringify(part.output) : []
    })
  })

interface AnswerEnd {
  isCut: boolean
  hasText: boolean
  hasNativeCall: boolean
}

/** Ends the filter, remembers what the answer showed about the model, and returns the rest of the answer. */
const endFilter = (
  client: Client,
  { target }: Asked,
  filter: AnswerFilter | undefined,
  options: CallOptions,
  { hasText, hasNativeCall, isCut }: AnswerEnd,
): { text: string; calls: ToolCall[] } => {
  if (!filter) return { text: '', calls: [] }
  const { text, calls, written, hasUnopenedReasoning } = filter.end({ isCut })
  const abilities = client.abilities.get(target)
  const isKnown = hasUnopenedReasoning || abilities.unopenedReasoning !== 'unknown'
  const unopenedReasoning = hasUnopenedReasoning ? 'always' : isKnown ? abilities.unopenedReasoning : 'never'
  const mayLearn = hasUnopenedReasoning || hasText || text !== ''
  const hasNativeCalls = abilities.hasNativeCalls || hasNativeCall
  if (
    (mayLearn && unopenedReasoning !== abilities.unopenedReasoning) ||
    hasNativeCalls !== abilities.hasNativeCalls
  )
    client.abilities.set(target, {
      ...abilities,
      hasNativeCalls,
      ...(mayLearn && { unopenedReasoning }),
    })
  const isQuotation = hasNativeCalls || isCopied({ calls, written }, listReadTexts(options))
  if (calls.length === 0 || isQuotation) return { text: text + written, calls: [] }
  return { text, calls: calls.map((call) => ({ id: client.newCallId(), ...call })) }
}

const lacksTools = (options: CallOptions, { hasTools }: Abilities) =>
  options.tools && !hasTools ? { lacksTools: true as const } : {}

/**
 * Plain and structured answers, and each step of the agent loop, call the provider library directly.
 * `generateText` would reject JSON in code fences, which we accept, and would load the `ai` package for
 * one request.
 */
const askWhole = async (
  client: Client,
  asked: Asked,
  options: CallOptions,
): Promise<ModelAnswer & { lacksTools?: true }> => {
  const { signal, end } = withTimeout(asked.signal, client.timeoutMs)
  try {
    const { response, abilities } = await sendAdapted(client, asked, options, (model, adapted) =>
      model.doGenerate({ ...adapted, abortSignal: signal }),
    )
    const { content, usage, finishReason } = response
    requireEnd(asked.target.provider, finishReason)
    const isCut = finishReason.unified === 'length'
    const said = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
    const filter = createFilter(asked, abilities)
    const passed = filter ? filter.push(said) : said
    const native = content.filter((part) => part.type === 'tool-call').map(callOf)
    const rest = endFilter(client, asked, filter, options, {
      isCut,
      hasText: passed !== '',
      hasNativeCall: native.length > 0,
    })
    return {
      text: passed + rest.text,
      calls: [...native, ...rest.calls],
      usage: usageOf(usage),
      isCut,
      ...lacksTools(options, abilities),
    }
  } catch (error) {
    throw explain(error, asked, describeRequest(asked, options), signal)
  } finally {
    end()
  }
}

async function* askStreamed(client: Client, asked: Asked, options: CallOptions): AsyncGenerator<ModelEvent> {
  const { provider } = asked.target
  const { signal, end } = withTimeout(asked.signal, MAX_STREAM_MS)
  try {
    const { response, abilities } = await sendAdapted(client, asked, options, (model, adapted) =>
      model.doStream({ ...adapted, abortSignal: signal }),
    )
    const filter = createFilter(asked, abilities)
    let hasText = false
    let hasNativeCall = false
    let ending: Extract<ModelEvent, { type: 'end' }> | undefined
    for await (const part of response.stream) {
      if (part.type === 'text-delta') {
        const text = filter ? filter.push(part.delta) : part.delta
        if (text !== '') yield { type: 'text', text }
        hasText ||= text !== ''
      } else if (part.type === 'tool-call') {
        hasNativeCall = true
        yield { type: 'call', call: callOf(part) }
      } else if (part.type === 'error') throw part.error
      else if (part.type === 'finish') {
        requireEnd(provider, part.finishReason)
        ending = { type: 'end', usage: usageOf(part.usage), isCut: part.finishReason.unified === 'length' }
      }
    }
    if (!ending) throw interrupted(provider)
    const { isCut } = ending
    const { text, calls } = endFilter(client, asked, filter, options, { isCut, hasText, hasNativeCall })
    if (text !== '') yield { type: 'text', text }
    for (const call of calls) yield { type: 'call', call }
    yield { ...ending, ...lacksTools(options, abilities) }
  } catch (error) {
    throw explain(error, asked, describeRequest(asked, options), signal)
  } finally {
    end()
  }
}

async function* askWholeAsEvents(
  client: Client,
  asked: Asked,
  options: CallOptions,
): AsyncGenerator<ModelEvent> {
  const { text, calls, ...end } = await askWhole(client, asked, options)
  if (text !== '') yield { type: 'text', text }
  for (const call of calls) yield { type: 'call', call }
  yield { type: 'end', ...end }
}

/** `streamText` runs the loop. Each step is one request to the provider, which the caller observes. */
async function* runAgent(client: Client, request: AgentRequest): AsyncGenerator<AgentEvent> {
  const { isStepCount, jsonSchema, streamText, tool } = await import('ai')
  const stop = new AbortController()
  const signal = AbortSignal.any([request.signal, stop.signal])
  const asked = { target: request.target, signal, tools: request.tools.map(({ name }) => name) }
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
    const failed = { provider: request.target.provider, key: request.target.key, prompt: '' }
    throw failure && !request.signal.aborted ? failure.error : explain(error, request, failed, signal)
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
  let calls = 0
  const abilities = new AbilityMemory()
  const client = { outbound, timeoutMs, abilities, newCallId: () => `call_${++calls}` }

  return {
    answer: (request) => askWhole(client, request, toCallOptions(request)),

    stream: (request) => askStreamed(client, request, toCallOptions(request)),

    runAgent: (request) => runAgent(client, request),

    async verify(target, signal) {
      abilities.forget(target)
      const fetch = guardFetch(client, target)
      const request = { provider: target.provider, key: target.key, prompt: '' }
      let response: Response
      let body: string
      try {
        response = await fetch(`${target.baseUrl}/models`, { headers: credentialHeaders(target), signal })
        body = await response.text()
      } catch (error) {
        throw signal.aborted ? signal.reason : toFailure(error, request)
      }
      if (!response.ok) throw refusedWith(request, response.status, body)
    },
  }
}
