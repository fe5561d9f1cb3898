import type { Clock } from '../../../platform/clock.ts'
import type { Asking, Because, Made, Question } from '../asking.ts'
import type { AnalyzeMail } from '../intelligence/mail-analyzer.ts'
import type { Model } from '../models/models.ts'
import type { SentEvent } from '../server-sent.ts'
import { answerBuiltin } from './builtin.ts'
import type { GenerateWish } from './schema.ts'

export interface Asker {
  tokenId: string | null
  signal: AbortSignal
}

interface Generated extends Made {
  text: string
  truncated: boolean
  because: Because | null
}

export type Generating = ReturnType<typeof createGenerating>

export const createGenerating = (deps: {
  asking: Asking
  analyzeMail: AnalyzeMail
  clock: Clock
  timezone: () => Promise<string>
}) => {
  const { asking, analyzeMail, clock } = deps

  const questionOf = ({ prompt, system, model, maxTokens }: GenerateWish, asker: Asker): Question => ({
    ...{ purpose: 'generate', model, maxTokens, ...asker },
    system: system ?? null,
    messages: [{ role: 'user', text: prompt }],
  })

  const builtin = async (
    question: Question,
    model: Model,
    because: Because,
    prompt: string,
  ): Promise<Generated> => {
    const at = { now: clock.now().getTime(), timezone: await deps.timezone(), analyzeMail }
    const text = await answerBuiltin(prompt, because, at)
    return { text, truncated: false, because, ...(await asking.builtin(question, model)) }
  }

  const all = (answer: Generated): SentEvent[] => [
    { event: 'delta', data: { text: answer.text } },
    { event: 'done', data: answer },
  ]

  return {
    async generate(wish: GenerateWish, asker: Asker): Promise<Generated> {
      const question = questionOf(wish, asker)
      const line = await asking.open(question)
      if (line.engine === 'builtin') return builtin(question, line.model, line.because, wish.prompt)
      try {
        const { text, isCut, made } = await line.answer()
        return { text, truncated: isCut, because: null, ...made }
      } catch (error) {
        if (!asking.fallsBack(error)) throw error
        return builtin(question, line.model, 'provider_failed', wish.prompt)
      }
    },

    /** The built-in engine takes over only while nothing has been said yet. */
    async *stream(wish: GenerateWish, asker: Asker): AsyncGenerator<SentEvent> {
      const question = questionOf(wish, asker)
      const line = await asking.open(question)
      if (line.engine === 'builtin')
        return yield* all(await builtin(question, line.model, line.because, wish.prompt))
      let text = ''
      try {
        for await (const event of line.stream()) {
          if (event.type === 'text') {
            text += event.text
            yield { event: 'delta', data: { text: event.text } }
          } else if (event.type === 'made')
            yield { event: 'done', data: { text, truncated: event.isCut, because: null, ...event.made } }
        }
      } catch (error) {
        if (text.trim() !== '' || !asking.fallsBack(error)) throw error
        yield* all(await builtin(question, line.model, 'provider_failed', wish.prompt))
      }
    },
  }
}
