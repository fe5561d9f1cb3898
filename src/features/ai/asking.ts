import { AppError } from '../../platform/errors.ts'
import type {
  AnswerShape,
  LanguageModels,
  ModelAnswer,
  ModelEvent,
  ModelMessage,
  OfferedTool,
} from './language-models.ts'
import type { Model, Models } from './models/models.ts'
import type { AiSettings, ModelName } from './providers.ts'
import type { Usage, UsageBook } from './usage/usage.ts'

/** Why the built-in engine answers. */
export const BECAUSE = ['no_key', 'spending_limit', 'provider_failed', 'private', 'not_needed'] as const
export type Because = (typeof BECAUSE)[number]

export interface Question {
  /** What it is for: `generate`, `chat`, … */
  purpose: string
  tokenId: string | null
  model?: ModelName | undefined
  system: string | null
  messages: readonly ModelMessage[]
  tools?: readonly OfferedTool[]
  maxTokens?: number | undefined
  /** The one form that an answer may have. */
  shape?: AnswerShape
  /** Whether silence is an answer: after its tools were called a model need not say anything more. */
  maySayNothing?: boolean
  /** Why no model may be asked, or need be. */
  stays?: 'private' | 'not_needed' | undefined
  signal: AbortSignal
}

/** What made an answer. Every AI answer says it. */
export interface Made {
  engine: 'llm' | 'builtin'
  model: ModelName
  provider: string
  usage: Usage
  costUsd: number | null
}

/** What made an answer, and why it was not a model. */
export type MadeBy = Made & { because: Because | null }

/** Someone who answers: a model, or nobody but the built-in engine. */
export type Line =
  | { engine: 'builtin'; model: Model; because: Because }
  | {
      engine: 'llm'
      model: Model
      answer(): Promise<ModelAnswer & { made: Made }>
      /** Ends with what made it. */
      stream(): AsyncGenerator<
        Exclude<ModelEvent, { type: 'end' }> | { type: 'made'; made: Made; isCut: boolean }
      >
    }

const lettersOf = ({ system, messages }: Question): number =>
  (system?.length ?? 0) +
  messages.reduce((sum, message) => {
    if (message.role === 'tool')
      return sum + message.results.reduce((own, { output }) => own + output.length, 0)
    const calls = message.role === 'assistant' ? message.calls : []
    return sum + message.text.length + calls.reduce((own, { input }) => own + input.length, 0)
  }, 0)

/** Where a provider does not say, as when it is cut off: four letters to a token. */
const estimate = (letters: number): number => Math.ceil(letters / 4)

const saidNothing = ({ isCut }: { isCut: boolean }): AppError =>
  new AppError(
    'upstream',
    'upstream_failed',
    isCut ? 'The model was cut off before it said anything.' : 'The model answered without saying anything.',
  )

export type Asking = ReturnType<typeof createAsking>

/** The one way to a language model: who answers, what it cost, and what happens when nobody does. */
export const createAsking = (deps: {
  models: Models
  usage: UsageBook
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

  const open = async (question: Question): Promise<Line> => {
    const model = await models.find(question.model)
    const { target } = model
    if (!target) return { engine: 'builtin', model, because: 'no_key' }
    if (question.stays) return { engine: 'builtin', model, because: question.stays }
    if (await isOverBudget(question.tokenId)) return { engine: 'builtin', model, because: 'spending_limit' }
    const request = {
      ...{ target, system: question.system, messages: question.messages, signal: question.signal },
      ...{ tools: question.tools ?? [], maxTokens: question.maxTokens ?? null },
      shape: question.shape ?? null,
    }
    // Whoever calls a tool that nobody offered has said nothing.
    const offersTools = request.tools.length > 0
    const spend = async (outcome: 'answered' | 'failed' | 'cancelled', spent: Usage): Promise<Made> => {
      const { model: name, provider, providerModel } = model
      const { purpose, tokenId } = question
      const made = { engine: 'llm' as const, model: name, provider }
      const costUsd = await usage.record({ ...made, providerModel, purpose, tokenId, outcome, ...spent })
      return { ...made, usage: spent, costUsd }
    }
    const told = (
      given: { inputTokens: number | null; outputTokens: number | null },
      letters: number,
    ): Usage => ({
      inputTokens: given.inputTokens ?? estimate(lettersOf(question)),
      outputTokens: given.outputTokens ?? estimate(letters),
    })
    const spendFailed = (letters: number): Promise<Made> =>
      question.signal.aborted
        ? spend('cancelled', told({ inputTokens: null, outputTokens: null }, letters))
        : spend('failed', letters > 0 ? told({ inputTokens: null, outputTokens: null }, letters) : NOTHING)

    async function* stream() {
      let letters = 0
      let isSilent = question.maySayNothing !== true
      let isSettled = false
      try {
        for await (const event of languageModels.stream(request)) {
          if (event.type === 'end') {
            isSettled = true
            const made = await spend(isSilent ? 'failed' : 'answered', told(event.usage, letters))
            if (isSilent) throw saidNothing(event)
            yield { type: 'made' as const, made, isCut: event.isCut }
          } else {
            letters += event.type === 'text' ? event.text.length : event.call.input.length
            if (event.type === 'call' ? offersTools : event.text.trim() !== '') isSilent = false
            yield event
          }
        }
      } finally {
        // Also when whoever listened has gone.
        if (!isSettled) await spendFailed(letters)
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
        const isSilent = !question.maySayNothing && text.trim() === '' && !hasCalled
        // It is paid for all the same.
        const made = await spend(isSilent ? 'failed' : 'answered', told(answer.usage, text.length))
        if (isSilent) throw saidNothing(answer)
        return { ...answer, made }
      },
    }
  }

  return {
    open,

    /** Whether the built-in engine answers in the place of a provider that failed so. */
    fallsBack: (error: unknown): boolean =>
      settings.fallback === 'builtin' && error instanceof AppError && error.kind === 'upstream',

    /** For what the built-in engine does by itself: nobody asked, so it is not noted. */
    async unasked(): Promise<MadeBy> {
      const { model } = await models.find(undefined)
      const made = { engine: 'builtin' as const, model, provider: 'builtin' }
      return { ...made, usage: NOTHING, costUsd: 0, because: 'not_needed' }
    },

    /** Notes an answer of the built-in engine. */
    async builtin(
      { purpose, tokenId }: Pick<Question, 'purpose' | 'tokenId'>,
      { model }: Model,
    ): Promise<Made> {
      const made = { engine: 'builtin' as const, model, provider: 'builtin' }
      await usage.record({ ...made, providerModel: '', purpose, tokenId, outcome: 'answered', ...NOTHING })
      return { ...made, usage: NOTHING, costUsd: 0 }
    },
  }
}

const NOTHING: Usage = Object.freeze({ inputTokens: 0, outputTokens: 0 })
