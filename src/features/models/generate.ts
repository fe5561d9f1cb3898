import { conflict } from '../../platform/errors.ts'
import type { Model } from './catalog.ts'
import type { Asker } from './consultation.ts'
import type { AnswerMeta, ModelRouter, Question } from './model-router.ts'
import type { FallbackReason, GenerateInput } from './schema.ts'
import type { SentEvent } from './server-sent.ts'

const FALLBACK_TEXTS: Record<FallbackReason, string> = {
  no_key: 'No language model is configured',
  spending_limit: 'The spending limit for language models is reached for today',
  provider_failed: 'The language model did not respond',
  private: 'This is private and is not sent to a language model',
  not_needed: 'No language model was needed',
}

/** A token has about four characters. */
const CHARACTERS_PER_TOKEN = 4

const LIMITS =
  'Without a model, only plain letters are written: thanks, decline, accept, ask, remind, move a meeting, apology; in English and German. Add a key in the settings.'

/** Loads the engine with the first letter, so that the server starts faster. */
const loadLetters = () => import('../../nlu/drafts/letter.ts')

interface Generated extends AnswerMeta {
  text: string
  truncated: boolean
  fallbackReason: FallbackReason | null
}

export type TextGenerator = ReturnType<typeof createTextGenerator>

export const createTextGenerator = ({ modelRouter }: { modelRouter: ModelRouter }) => {
  const questionOf = ({ prompt, system, model, maxTokens }: GenerateInput, asker: Asker): Question => ({
    purpose: 'generate',
    ...asker,
    model,
    maxTokens,
    system: system ?? null,
    messages: [{ role: 'user', text: prompt }],
  })

  /** Writes a plain letter, or throws: `failure` if a model failed, else 409. */
  const builtin = async (
    { prompt, system, maxTokens }: GenerateInput,
    question: Question,
    { model, fallbackReason }: { model: Model; fallbackReason: FallbackReason },
    failure?: unknown,
  ): Promise<Generated> => {
    const { writeLetter } = await loadLetters()
    const letter = writeLetter(prompt, system)
    if (!letter) throw failure ?? conflict(`${FALLBACK_TEXTS[fallbackReason]}. ${LIMITS}`, 'not_configured')
    const most = (maxTokens ?? Number.MAX_SAFE_INTEGER) * CHARACTERS_PER_TOKEN
    return {
      text: letter.text.slice(0, most),
      truncated: letter.text.length > most,
      fallbackReason,
      ...(await modelRouter.builtin(question, model)),
    }
  }

  const all = (answer: Generated): SentEvent[] => [
    { event: 'delta', data: { text: answer.text } },
    { event: 'done', data: answer },
  ]

  return {
    async generate(input: GenerateInput, asker: Asker): Promise<Generated> {
      const question = questionOf(input, asker)
      const resolved = await modelRouter.resolve(question)
      if (resolved.engine === 'builtin') return builtin(input, question, resolved)
      try {
        const { text, isCut, made } = await resolved.answer()
        return { text, truncated: isCut, fallbackReason: null, ...made }
      } catch (error) {
        const fallbackReason = modelRouter.fallbackReason(error)
        if (fallbackReason === null) throw error
        return builtin(input, question, { model: resolved.model, fallbackReason }, error)
      }
    },

    /** Falls back to the built-in engine only if no text has been sent yet. */
    async *stream(input: GenerateInput, asker: Asker): AsyncGenerator<SentEvent> {
      const question = questionOf(input, asker)
      const resolved = await modelRouter.resolve(question)
      if (resolved.engine === 'builtin') return yield* all(await builtin(input, question, resolved))
      let text = ''
      try {
        for await (const event of resolved.stream()) {
          if (event.type === 'text') {
            text += event.text
            yield { event: 'delta', data: { text: event.text } }
          } else if (event.type === 'made')
            yield {
              event: 'done',
              data: { text, truncated: event.isCut, fallbackReason: null, ...event.made },
            }
        }
      } catch (error) {
        const fallbackReason = modelRouter.fallbackReason(error)
        if (text.trim() !== '' || fallbackReason === null) throw error
        yield* all(await builtin(input, question, { model: resolved.model, fallbackReason }, error))
      }
    },
  }
}
