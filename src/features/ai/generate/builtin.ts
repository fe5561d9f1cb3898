import type { MailAnalysis } from '../../../engine/mail/analysis.ts'
import type { Because } from '../asking.ts'
import type { AnalyzeMail } from '../intelligence/mail-analyzer.ts'

const WHY: Record<Because, string> = {
  no_key: 'No language model is set up',
  spending_limit: 'What may be spent on language models today is spent',
  provider_failed: 'The language model did not answer',
  private: 'This is private and goes to no language model',
  not_needed: 'No language model was needed',
}

/** What can be asked for, by the words it is asked with, and what the engine has to say to it. */
const SKILLS: readonly {
  asked: RegExp
  say: (analysis: MailAnalysis, at: (ms: number) => string) => string[]
}[] = [
  {
    asked: /\b(?:summari[sz]e|summary|sum up|tl;?dr|in short|key points|zusammenfass\w*|fasse?\b.*zusammen)/i,
    say: ({ summary }) => (summary === '' ? [] : [summary]),
  },
  {
    asked: /\b(?:action items?|to-?dos?|tasks?|next steps|what (?:must|should|do) i|aufgaben)\b/i,
    say: ({ actionItems }, at) =>
      actionItems.map(
        ({ text, owner, dueAt }) =>
          `- ${owner === 'them' ? '(they) ' : ''}${text}${dueAt === null ? '' : ` (due ${at(dueAt)})`}`,
      ),
  },
  {
    asked: /\b(?:questions?|asked?|fragen?)\b/i,
    say: ({ questions }) => questions.map(({ text }) => `- ${text}`),
  },
  {
    asked: /\b(?:meetings?|appointments?|dates?|when|schedule|termine?|wann)\b/i,
    say: ({ meetings }, at) => meetings.map(({ title, start }) => `- ${title}: ${at(start)}`),
  },
  {
    asked: /\b(?:urgen\w+|important|priority|dringend\w*|wichtig\w*)\b/i,
    say: ({ urgency }) => [
      `Urgency: ${urgency.level}${urgency.reasons[0] ? ` (${urgency.reasons[0].reason})` : ''}.`,
    ],
  },
  {
    asked: /\b(?:sentiment|mood|tone|stimmung)\b/i,
    say: ({ sentiment, category }) => [`The tone is ${sentiment}; it reads like ${category}.`],
  },
]

const SHORTEST_TEXT = 80

/** The instruction, and the text it is about: what follows a colon at a line's end, a blank line, or quotation marks. */
const split = (prompt: string): { instruction: string; text: string } => {
  const [, before, after] = /^([^\n]{0,300}?)(?::\s*\n|\n\s*\n|:\s+|\n)([\s\S]+)$/.exec(prompt.trim()) ?? []
  return before !== undefined && after !== undefined && after.trim().length > before.length / 2
    ? { instruction: before, text: after.trim() }
    : { instruction: prompt, text: prompt.trim() }
}

/** What can be said to a prompt without a model, and that it is said without one. */
export const answerBuiltin = async (
  prompt: string,
  because: Because,
  { now, timezone, analyzeMail }: { now: number; timezone: string; analyzeMail: AnalyzeMail },
): Promise<string> => {
  const { instruction, text } = split(prompt)
  const at = (ms: number): string =>
    new Intl.DateTimeFormat('en-GB', { timeZone: timezone, dateStyle: 'full', timeStyle: 'short' }).format(ms)
  const intro = `${WHY[because]}, so this is from the built-in engine`
  if (text.length < SHORTEST_TEXT)
    return `${intro}, which writes nothing of its own. Give it a text to summarise, or to look through for tasks, questions, dates or urgency; or ask the assistant (/api/ai/chat) about your mail, tasks and calendar.`
  const analysis = await analyzeMail({ text }, { date: now, timezone })
  const asked = SKILLS.filter((skill) => skill.asked.test(instruction))
  const parts = (asked.length > 0 && text !== prompt.trim() ? asked : SKILLS.slice(0, 2))
    .map(({ say }) => say(analysis, at).join('\n'))
    .filter((part) => part !== '')
  return parts.length > 0
    ? `${intro}.\n\n${parts.join('\n\n')}`
    : `${intro}. It found nothing of that kind in the text.`
}
