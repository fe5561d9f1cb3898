import type { MailAnalysis } from '../../nlu/mail/analysis.ts'
import type { Clock } from '../../platform/clock.ts'
import type { AnalyzeMail } from '../mail-analysis/analysis-service.ts'
import type { Model } from './catalog.ts'
import type { AnswerMeta, FallbackReason, ModelRouter, Question } from './model-router.ts'
import type { GenerateInput } from './schema.ts'
import type { SentEvent } from './server-sent.ts'

const FALLBACK_TEXTS: Record<FallbackReason, string> = {
  no_key: 'No language model is configured',
  spending_limit: 'The spending limit for language models is reached for today',
  provider_failed: 'The language model did not respond',
  private: 'This is private and is not sent to a language model',
  not_needed: 'No language model was needed',
}

/** Maps keywords of the instruction to parts of the analysis. */
const ANALYSIS_PARTS: readonly {
  pattern: RegExp
  say: (analysis: MailAnalysis, at: (ms: number) => string) => string[]
}[] = [
  {
    pattern:
      /\b(?:summari[sz]e|summary|sum up|tl;?dr|in short|key points|zusammenfass\w*|fasse?\b.*zusammen)/i,
    say: ({ summary }) => (summary === '' ? [] : [summary]),
  },
  {
    pattern: /\b(?:action items?|to-?dos?|tasks?|next steps|what (?:must|should|do) i|aufgaben)\b/i,
    say: ({ actionItems }, at) =>
      actionItems.map(
        ({ text, owner, dueAt }) =>
          `- ${owner === 'them' ? '(they) ' : ''}${text}${dueAt === null ? '' : ` (due ${at(dueAt)})`}`,
      ),
  },
  {
    pattern: /\b(?:questions?|asked?|fragen?)\b/i,
    say: ({ questions }) => questions.map(({ text }) => `- ${text}`),
  },
  {
    pattern: /\b(?:meetings?|appointments?|dates?|when|schedule|termine?|wann)\b/i,
    say: ({ meetings }, at) => meetings.map(({ title, start }) => `- ${title}: ${at(start)}`),
  },
  {
    pattern: /\b(?:urgen\w+|important|priority|dringend\w*|wichtig\w*)\b/i,
    say: ({ urgency }) => [
      `Urgency: ${urgency.level}${urgency.reasons[0] ? ` (${urgency.reasons[0].reason})` : ''}.`,
    ],
  },
  {
    pattern: /\b(?:sentiment|mood|tone|stimmung)\b/i,
    say: ({ sentiment, category }) => [`The tone is ${sentiment}; it reads like ${category}.`],
  },
]

const MIN_TEXT_LENGTH = 80

/** Splits a prompt into its instruction and the text after a colon, a line break or a blank line. */
const split = (prompt: string): { instruction: string; text: string } => {
  const [, before, after] = /^([^\n]{0,300}?)(?::\s*\n|\n\s*\n|:\s+|\n)([\s\S]+)$/.exec(prompt.trim()) ?? []
  return before !== undefined && after !== undefined && after.trim().length > before.length / 2
    ? { instruction: before, text: after.trim() }
    : { instruction: prompt, text: prompt.trim() }
}

/** Answers a prompt without a model, and explains why no model answered. */
const answerBuiltin = async (
  prompt: string,
  because: FallbackReason,
  { now, timezone, analyzeMail }: { now: number; timezone: string; analyzeMail: AnalyzeMail },
): Promise<string> => {
  const { instruction, text } = split(prompt)
  const at = (ms: number): string =>
    new Intl.DateTimeFormat('en-GB', { timeZone: timezone, dateStyle: 'full', timeStyle: 'short' }).format(ms)
  const intro = `${FALLBACK_TEXTS[because]}, so the built-in assistant answered`
  if (text.length < MIN_TEXT_LENGTH)
    return `${intro}. It cannot write new text. Send it a text to summarize or to search for tasks, questions, dates or urgency, or ask the assistant (/api/ai/chat) about your mail, tasks and calendar.`
  const analysis = await analyzeMail({ text }, { date: now, timezone })
  const requested = ANALYSIS_PARTS.filter(({ pattern }) => pattern.test(instruction))
  const parts = (requested.length > 0 && text !== prompt.trim() ? requested : ANALYSIS_PARTS.slice(0, 2))
    .map(({ say }) => say(analysis, at).join('\n'))
    .filter((part) => part !== '')
  return parts.length > 0
    ? `${intro}.\n\n${parts.join('\n\n')}`
    : `${intro}. It found no matching information in the text.`
}

export interface Asker {
  userId: number
  tokenId: string | null
  signal: AbortSignal
}

interface Generated extends AnswerMeta {
  text: string
  truncated: boolean
  because: FallbackReason | null
}

export type TextGenerator = ReturnType<typeof createTextGenerator>

export const createTextGenerator = (deps: {
  modelRouter: ModelRouter
  analyzeMail: AnalyzeMail
  clock: Clock
  zoneOf: (userId: number) => Promise<string>
}) => {
  const { modelRouter, analyzeMail, clock } = deps

  const questionOf = ({ prompt, system, model, maxTokens }: GenerateInput, asker: Asker): Question => ({
    purpose: 'generate',
    model,
    maxTokens,
    ...asker,
    system: system ?? null,
    messages: [{ role: 'user', text: prompt }],
  })

  const builtin = async (
    question: Question,
    model: Model,
    because: FallbackReason,
    prompt: string,
  ): Promise<Generated> => {
    const at = { now: clock.now().getTime(), timezone: await deps.zoneOf(question.userId), analyzeMail }
    const text = await answerBuiltin(prompt, because, at)
    return { text, truncated: false, because, ...(await modelRouter.builtin(question, model)) }
  }

  const all = (answer: Generated): SentEvent[] => [
    { event: 'delta', data: { text: answer.text } },
    { event: 'done', data: answer },
  ]

  return {
    async generate(input: GenerateInput, asker: Asker): Promise<Generated> {
      const question = questionOf(input, asker)
      const resolved = await modelRouter.resolve(question)
      if (resolved.engine === 'builtin')
        return builtin(question, resolved.model, resolved.because, input.prompt)
      try {
        const { text, isCut, made } = await resolved.answer()
        return { text, truncated: isCut, because: null, ...made }
      } catch (error) {
        const because = modelRouter.fallbackReason(error)
        if (because === null) throw error
        return builtin(question, resolved.model, because, input.prompt)
      }
    },

    /** Falls back to the built-in engine only if no text has been sent yet. */
    async *stream(input: GenerateInput, asker: Asker): AsyncGenerator<SentEvent> {
      const question = questionOf(input, asker)
      const resolved = await modelRouter.resolve(question)
      if (resolved.engine === 'builtin')
        return yield* all(await builtin(question, resolved.model, resolved.because, input.prompt))
      let text = ''
      try {
        for await (const event of resolved.stream()) {
          if (event.type === 'text') {
            text += event.text
            yield { event: 'delta', data: { text: event.text } }
          } else if (event.type === 'made')
            yield { event: 'done', data: { text, truncated: event.isCut, because: null, ...event.made } }
        }
      } catch (error) {
        const because = modelRouter.fallbackReason(error)
        if (text.trim() !== '' || because === null) throw error
        yield* all(await builtin(question, resolved.model, because, input.prompt))
      }
    },
  }
}
