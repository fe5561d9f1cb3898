import { AppError } from '../../platform/errors.ts'
import type { Model, Models } from './catalog.ts'
import type {
  AgentEvent,
  AgentRequest,
  AiSettings,
  AnswerPart,
  AnswerShape,
  LanguageModels,
  ModelAnswer,
  ModelEvent,
  ModelMessage,
  ModelName,
  ModelRequest,
  ModelUsage,
  Provider,
  ToolCall,
} from './language-models.ts'
import type { FallbackReason } from './schema.ts'
import type { Usage, UsageTracker } from './usage.ts'

export interface Question {
  /** Purpose for the usage statistics: `generate`, `chat`, … */
  purpose: string
  userId: number
  tokenId: string | null
  model?: ModelName | undefined
  system: string | null
  messages: readonly ModelMessage[]
  maxTokens?: number | undefined
  /** Required format of the answer. */
  shape?: AnswerShape
  /** Reason why no model may or need be asked. */
  builtinReason?: 'private' | 'not_needed' | undefined
  signal: AbortSignal
}

/** Describes how an answer was produced. Part of every AI answer. */
export interface AnswerMeta {
  engine: 'llm' | 'builtin'
  model: ModelName
  provider: Provider | 'builtin'
  usage: Usage
  costUsd: number | null
}

/** Also gives the reason if no model answered. */
export type AnswerMetaWithReason = AnswerMeta & { fallbackReason: FallbackReason | null }

/** One answer of a model in the agent loop, before its tool calls are run. */
export interface AgentStep {
  text: string
  calls: readonly ToolCall[]
  made: AnswerMeta
  /** The model does not support tools, so it answered without them. */
  lacksTools: boolean
}

export interface AgentOptions extends Pick<AgentRequest, 'tools' | 'maxSteps' | 'isStreamed' | 'callTool'> {
  onStep(step: AgentStep): void
}

/** The engine that answers: a model or the built-in engine. */
export type ResolvedEngine =
  | { engine: 'builtin'; model: Model; fallbackReason: FallbackReason }
  | {
      engine: 'llm'
      model: Model
      answer(): Promise<ModelAnswer & { made: AnswerMeta }>
      /** The last event is `made`. */
      stream(): AsyncGenerator<RecordedEvent>
      /** Runs the agent loop. Checks the budget before each further step. */
      runAgent(options: AgentOptions): AsyncIterable<AgentEvent>
    }

type RecordedEvent = AnswerPart | { type: 'made'; made: AnswerMeta; isCut: boolean; lacksTools: boolean }

/** A request to a model, with what its usage record needs. */
interface RoutedRequest {
  question: Question
  model: Model
  request: ModelRequest
  /** Length of the prompt, to estimate its tokens. */
  promptCharacters: number
  /** Whether tool calls count as an answer. A call to a tool that was not offered does not. */
  offersTools: boolean
  /** Accepts an empty answer: after tool calls, a model may have nothing to add. */
  allowEmpty: boolean
}

const countCharacters = ({ system, messages }: Question): number =>
  (system?.length ?? 0) +
  messages.reduce((sum, message) => {
    if (message.role === 'tool')
      return sum + message.results.reduce((own, { output }) => own + output.length, 0)
    const calls = message.role === 'assistant' ? message.calls : []
    return sum + message.text.length + calls.reduce((own, { input }) => own + input.length, 0)
  }, 0)

/** Estimates tokens if the provider reports no usage: about four characters per token. */
const estimate = (characters: number): number => Math.ceil(characters / 4)

const toUsage = (given: ModelUsage, promptCharacters: number, answerCharacters: number): Usage => ({
  inputTokens: given.inputTokens ?? estimate(promptCharacters),
  outputTokens: given.outputTokens ?? estimate(answerCharacters),
})

const emptyAnswer = ({ isCut }: { isCut: boolean }): AppError =>
  new AppError(
    'upstream',
    'upstream_failed',
    isCut
      ? 'The model reached its length limit before it wrote any text.'
      : 'The model returned an empty answer.',
  )

const NOTHING: Usage = Object.freeze({ inputTokens: 0, outputTokens: 0 })

interface RouterDeps {
  models: Models
  usage: UsageTracker
  languageModels: LanguageModels
  settings: AiSettings
}

const record = async (
  { usage }: RouterDeps,
  { question: { purpose, userId, tokenId }, model }: RoutedRequest,
  outcome: 'answered' | 'failed' | 'cancelled',
  spent: Usage,
): Promise<AnswerMeta> => {
  const made = { engine: 'llm' as const, model: model.model, provider: model.provider }
  const { providerModel } = model
  const costUsd = await usage.record(
    { ...made, providerModel, purpose, userId, tokenId, outcome, ...spent },
    model.target?.trust,
  )
  return { ...made, usage: spent, costUsd }
}

/** The provider charges for the prompt if the client disconnected, or if the answer had begun. */
const recordFailure = (
  deps: RouterDeps,
  routed: RoutedRequest,
  answerCharacters: number,
): Promise<AnswerMeta> => {
  const isCancelled = routed.question.signal.aborted
  const spent =
    isCancelled || answerCharacters > 0
      ? toUsage({ inputTokens: null, outputTokens: null }, routed.promptCharacters, answerCharacters)
      : NOTHING
  return record(deps, routed, isCancelled ? 'cancelled' : 'failed', spent)
}

/** Passes on the events of one answer and records its usage, also if the client has disconnected. */
async function* recordEvents(
  deps: RouterDeps,
  routed: RoutedRequest,
  events: AsyncIterable<ModelEvent>,
): AsyncGenerator<RecordedEvent> {
  let characters = 0
  let isSilent = !routed.allowEmpty
  let isRecorded = false
  try {
    for await (const event of events) {
      if (event.type === 'end') {
        isRecorded = true
        // The provider charges for empty answers too.
        const spent = toUsage(event.usage, routed.promptCharacters, characters)
        const made = await record(deps, routed, isSilent ? 'failed' : 'answered', spent)
        if (isSilent) throw emptyAnswer(event)
        yield { type: 'made', made, isCut: event.isCut, lacksTools: event.lacksTools === true }
      } else {
        characters += event.type === 'text' ? event.text.length : event.call.input.length
        if (event.type === 'call' ? routed.offersTools : event.text.trim() !== '') isSilent = false
        yield event
      }
    }
  } finally {
    if (!isRecorded) await recordFailure(deps, routed, characters)
  }
}

const answer = async (
  deps: RouterDeps,
  routed: RoutedRequest,
): Promise<ModelAnswer & { made: AnswerMeta }> => {
  let answered: ModelAnswer
  try {
    answered = await deps.languageModels.answer(routed.request)
  } catch (error) {
    await recordFailure(deps, routed, 0)
    throw error
  }
  const isSilent = answered.text.trim() === ''
  const spent = toUsage(answered.usage, routed.promptCharacters, answered.text.length)
  const made = await record(deps, routed, isSilent ? 'failed' : 'answered', spent)
  if (isSilent) throw emptyAnswer(answered)
  return { ...answered, made }
}

const runAgent = (
  deps: RouterDeps,
  routed: RoutedRequest,
  options: AgentOptions,
): AsyncIterable<AgentEvent> => {
  const { onStep, callTool, ...agent } = options
  const { target, system, messages, signal } = routed.request
  let steps = 0
  let { promptCharacters } = routed

  async function* observeStep(events: AsyncIterable<ModelEvent>): AsyncGenerator<AnswerPart> {
    steps += 1
    if (steps > 1) await deps.usage.requireBudget(routed.question)
    const current = {
      ...routed,
      promptCharacters,
      offersTools: agent.tools.length > 0,
      allowEmpty: steps > 1,
    }
    const calls: ToolCall[] = []
    let text = ''
    for await (const event of recordEvents(deps, current, events)) {
      if (event.type === 'made') {
        promptCharacters += text.length + calls.reduce((sum, { input }) => sum + input.length, 0)
        onStep({ text, calls, made: event.made, lacksTools: event.lacksTools })
        continue
      }
      if (event.type === 'text') text += event.text
      else calls.push(event.call)
      yield event
    }
  }

  return deps.languageModels.runAgent({
    ...agent,
    target,
    system,
    messages,
    signal,
    observeStep,
    async callTool(call) {
      const result = await callTool(call)
      promptCharacters += result.length
      return result
    },
  })
}

export type ModelRouter = ReturnType<typeof createModelRouter>

/**
 * Selects the engine for a request, records its usage and handles fallbacks. All model requests pass through
 * here.
 */
export const createModelRouter = (deps: RouterDeps) => {
  const { models, usage, languageModels, settings } = deps

  /** Returns why the built-in engine answers after this error; null if the error must be reported. */
  const fallbackReason = (error: unknown): 'spending_limit' | 'provider_failed' | null => {
    if (settings.fallback === 'off' || !(error instanceof AppError)) return null
    if (error.code === 'spending_limit') return 'spending_limit'
    return error.kind === 'upstream' ? 'provider_failed' : null
  }

  const checkBudget = async (question: Question): Promise<FallbackReason | null> => {
    try {
      await usage.requireBudget(question)
      return null
    } catch (error) {
      const reason = fallbackReason(error)
      if (reason === null) throw error
      return reason
    }
  }

  const resolve = async (question: Question): Promise<ResolvedEngine> => {
    const model = await models.find(question.userId, question.model)
    const { target } = model
    if (!target) return { engine: 'builtin', model, fallbackReason: 'no_key' }
    if (question.builtinReason) return { engine: 'builtin', model, fallbackReason: question.builtinReason }
    const budgetReason = await checkBudget(question)
    if (budgetReason !== null) return { engine: 'builtin', model, fallbackReason: budgetReason }
    const routed: RoutedRequest = {
      question,
      model,
      request: {
        target,
        system: question.system,
        messages: question.messages,
        signal: question.signal,
        maxTokens: question.maxTokens ?? null,
        shape: question.shape ?? null,
      },
      promptCharacters: countCharacters(question),
      offersTools: false,
      allowEmpty: false,
    }
    return {
      engine: 'llm',
      model,
      answer: () => answer(deps, routed),
      stream: () => recordEvents(deps, routed, languageModels.stream(routed.request)),
      runAgent: (options) => runAgent(deps, routed, options),
    }
  }

  return {
    resolve,
    fallbackReason,

    /** For analyses that nobody requested. They are not counted as usage. */
    async describeBuiltin(userId: number): Promise<AnswerMetaWithReason> {
      const { model } = await models.find(userId)
      const made = { engine: 'builtin' as const, model, provider: 'builtin' as const }
      return { ...made, usage: NOTHING, costUsd: 0, fallbackReason: 'not_needed' }
    },

    /** Records an answer of the built-in engine. */
    async builtin(
      { purpose, userId, tokenId }: Pick<Question, 'purpose' | 'userId' | 'tokenId'>,
      { model }: Model,
    ): Promise<AnswerMeta> {
      const made = { engine: 'builtin' as const, model, provider: 'builtin' as const }
      await usage.record({
        ...made,
        providerModel: '',
        purpose,
        userId,
        tokenId,
        outcome: 'answered',
        ...NOTHING,
      })
      return { ...made, usage: NOTHING, costUsd: 0 }
    },
  }
}
