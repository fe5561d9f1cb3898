import { AppError } from '../../platform/errors.ts'
import type { Model, Models } from './catalog/catalog.ts'
import type {
  AiSettings,
  AnswerShape,
  LanguageModels,
  ModelAnswer,
  ModelEvent,
  ModelMessage,
  ModelName,
  OfferedTool,
} from './language-models.ts'
import type { Usage, UsageTracker } from './usage/usage.ts'

/** Reasons why the built-in engine answers. */
export const FALLBACK_REASONS = [
  'no_key',
  'spending_limit',
  'provider_failed',
  'private',
  'not_needed',
] as const
export type FallbackReason = (typeof FALLBACK_REASONS)[number]

export interface Question {
  /** Purpose for the usage statistics: `generate`, `chat`, … */
  purpose: string
  tokenId: string | null
  model?: ModelName | undefined
  system: string | null
  messages: readonly ModelMessage[]
  tools?: readonly OfferedTool[]
  maxTokens?: number | undefined
  /** Required format of the answer. */
  shape?: AnswerShape
  /** Accepts an empty answer: after tool calls, a model may have nothing to add. */
  allowEmpty?: boolean
  /** Reason why no model may or need be asked. */
  builtinReason?: 'private' | 'not_needed' | undefined
  signal: AbortSignal
}

/** Describes how an answer was produced. Part of every AI answer. */
export interface AnswerMeta {
  engine: 'llm' | 'builtin'
  model: ModelName
  provider: string
  usage: Usage
  costUsd: number | null
}

/** Also gives the reason if no model answered. */
export type AnswerMetaWithReason = AnswerMeta & { because: FallbackReason | null }

/** The engine that answers: a model or the built-in engine. */
export type ResolvedEngine =
  | { engine: 'builtin'; model: Model; because: FallbackReason }
  | {
      engine: 'llm'
      model: Model
      answer(): Promise<ModelAnswer & { made: AnswerMeta }>
      /** The last event is `made`. */
      stream(): AsyncGenerator<
        Exclude<ModelEvent, { type: 'end' }> | { type: 'made'; made: AnswerMeta; isCut: boolean }
      >
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

const emptyAnswer = ({ isCut }: { isCut: boolean }): AppError =>
  new AppError(
    'upstream',
    'upstream_failed',
    isCut
      ? 'The model reached its length limit before it wrote any text.'
      : 'The model returned an empty answer.',
  )

export type ModelRouter = ReturnType<typeof createModelRouter>

/**
 * Selects the engine for a request, records its usage and handles fallbacks. All model requests pass through
 * here.
 */
export const createModelRouter = (deps: {
  models: Models
  usage: UsageTracker
  languageModels: LanguageModels
  settings: AiSettings
}) => {
  const { models, usage, languageModels, settings } = deps

  const isOverBudget = async (tokenId: string | null): Promise<boolean> => {
    try {
      await usage.requireBudget(tokenId)
      return false
    } catch (error) {
      if (settings.fallback === 'off') throw error
      return true
    }
  }

  const resolve = async (question: Question): Promise<ResolvedEngine> => {
    const model = await models.find(question.model)
    const { target } = model
    if (!target) return { engine: 'builtin', model, because: 'no_key' }
    if (question.builtinReason) return { engine: 'builtin', model, because: question.builtinReason }
    if (await isOverBudget(question.tokenId)) return { engine: 'builtin', model, because: 'spending_limit' }
    const request = {
      target,
      system: question.system,
      messages: question.messages,
      signal: question.signal,
      tools: question.tools ?? [],
      maxTokens: question.maxTokens ?? null,
      shape: question.shape ?? null,
    }
    // A call to a tool that was not offered does not count as an answer.
    const offersTools = request.tools.length > 0
    const spend = async (outcome: 'answered' | 'failed' | 'cancelled', spent: Usage): Promise<AnswerMeta> => {
      const { model: name, provider, providerModel } = model
      const { purpose, tokenId } = question
      const made = { engine: 'llm' as const, model: name, provider }
      const costUsd = await usage.record({ ...made, providerModel, purpose, tokenId, outcome, ...spent })
      return { ...made, usage: spent, costUsd }
    }
    const toUsage = (
      given: { inputTokens: number | null; outputTokens: number | null },
      characters: number,
    ): Usage => ({
      inputTokens: given.inputTokens ?? estimate(countCharacters(question)),
      outputTokens: given.outputTokens ?? estimate(characters),
    })
    const spendFailed = (characters: number): Promise<AnswerMeta> =>
      question.signal.aborted
        ? spend('cancelled', toUsage({ inputTokens: null, outputTokens: null }, characters))
        : spend(
            'failed',
            characters > 0 ? toUsage({ inputTokens: null, outputTokens: null }, characters) : NOTHING,
          )

    async function* stream() {
      let characters = 0
      let isSilent = question.allowEmpty !== true
      let isSettled = false
      try {
        for await (const event of languageModels.stream(request)) {
          if (event.type === 'end') {
            isSettled = true
            const made = await spend(isSilent ? 'failed' : 'answered', toUsage(event.usage, characters))
            if (isSilent) throw emptyAnswer(event)
            yield { type: 'made' as const, made, isCut: event.isCut }
          } else {
            characters += event.type === 'text' ? event.text.length : event.call.input.length
            if (event.type === 'call' ? offersTools : event.text.trim() !== '') isSilent = false
            yield event
          }
        }
      } finally {
        // Also record usage if the client has disconnected.
        if (!isSettled) await spendFailed(characters)
      }
    }

    return {
      engine: 'llm',
      model,
      stream,
      async answer() {
        let answer: ModelAnswer
        try {
          answer = await languageModels.answer(request)
        } catch (error) {
          await spendFailed(0)
          throw error
        }
        const { text, calls } = answer
        const hasCalled = offersTools && calls.length > 0
        const isSilent = !question.allowEmpty && text.trim() === '' && !hasCalled
        // The provider charges for empty answers too.
        const made = await spend(isSilent ? 'failed' : 'answered', toUsage(answer.usage, text.length))
        if (isSilent) throw emptyAnswer(answer)
        return { ...answer, made }
      },
    }
  }

  return {
    resolve,

    /** Tells whether the built-in engine answers after this provider failure. */
    fallsBack: (error: unknown): boolean =>
      settings.fallback === 'builtin' && error instanceof AppError && error.kind === 'upstream',

    /** For analyses that nobody requested. They are not counted as usage. */
    async describeBuiltin(): Promise<AnswerMetaWithReason> {
      const { model } = await models.find(undefined)
      const made = { engine: 'builtin' as const, model, provider: 'builtin' }
      return { ...made, usage: NOTHING, costUsd: 0, because: 'not_needed' }
    },

    /** Records an answer of the built-in engine. */
    async builtin(
      { purpose, tokenId }: Pick<Question, 'purpose' | 'tokenId'>,
      { model }: Model,
    ): Promise<AnswerMeta> {
      const made = { engine: 'builtin' as const, model, provider: 'builtin' }
      await usage.record({ ...made, providerModel: '', purpose, tokenId, outcome: 'answered', ...NOTHING })
      return { ...made, usage: NOTHING, costUsd: 0 }
    },
  }
}

const NOTHING: Usage = Object.freeze({ inputTokens: 0, outputTokens: 0 })
