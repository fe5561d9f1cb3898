import { clausesOf, withoutCourtesies } from './clauses.ts'
import { type Domain, type Vote, vote } from './committee.ts'
import { EVENT_RULES } from './event-rules.ts'
import { guessIntent } from './guess.ts'
import { MAIL_RULES } from './mail-rules.ts'
import { OVERVIEW_RULES } from './overview-rules.ts'
import {
  createRequest,
  type Draft,
  type IntentContext,
  type Lacking,
  type Request,
  type Rule,
} from './request.ts'
import { mend } from './spelling.ts'
import { TASK_RULES } from './task-rules.ts'
import type { Abstention, Evidence, Intent, IntentReading, IntentTool } from './vocabulary.ts'

/** What is longer is no request to an assistant. */
const LONGEST = 2000

/** What is asked for most plainly comes first: an e-mail or a task that is named is no event, whatever its time. */
const RULES: readonly Rule[] = [
  MAIL_RULES.tag,
  MAIL_RULES.remove,
  MAIL_RULES.write,
  ...OVERVIEW_RULES,
  MAIL_RULES.read,
  MAIL_RULES.find,
  TASK_RULES.complete,
  TASK_RULES.remove,
  TASK_RULES.update,
  EVENT_RULES.rename,
  EVENT_RULES.cancel,
  EVENT_RULES.move,
  TASK_RULES.create,
  EVENT_RULES.create,
  TASK_RULES.list,
  EVENT_RULES.list,
]

const DOMAIN: Readonly<Record<IntentTool, Domain>> = {
  find_emails: 'mail',
  read_email: 'mail',
  tag_email: 'mail',
  delete_email: 'mail',
  draft_email: 'mail',
  list_tasks: 'task',
  create_task: 'task',
  update_task: 'task',
  complete_task: 'task',
  delete_task: 'task',
  list_events: 'event',
  create_event: 'event',
  move_event: 'event',
  update_event: 'event',
  cancel_event: 'event',
  find_free_time: 'event',
  get_statistics: 'event',
  get_briefing: 'event',
  tell_date: 'date',
}

/** Above this the words alone decide; the models have not seen every way to say it. */
const PLAIN = 0.9
/** A share of the models that overrules words that may mean something else. */
const OVERRULED = 0.8
/** Below this, what the models guess is not done. */
const GUESSED = 0.5

const DEFINITION =
  /^(?:what(?:'s| is| are)|define|explain|who is|why)\s+(?:an?\s|is\s|does\s|are\s)?(?!(?:my|still|urgent|on|next|due|the|up|in|overdue)\b)\p{L}+(?:\s\p{L}+)?\??$/iu

/** Of these there is something to tell others. */
const CHANGES: ReadonlySet<IntentTool> = new Set([
  'move_event',
  'cancel_event',
  'create_event',
  'update_event',
])

/** Said before something else, it asks for nothing. */
const GREETING =
  /^(?:(?:hi|hello|hey|hallo|moin|good (?:morning|afternoon|evening)|guten (?:morgen|tag|abend)|thanks?(?: you)?|danke|ok(?:ay)?|please|bitte)[\s,.!]*)+$/iu

const read = (request: Request): Draft | Lacking | undefined => {
  for (const rule of RULES) {
    const found = rule(request)
    if (found) return found
  }
  return undefined
}

const rounded = (value: number): number => Math.round(Math.min(0.99, value) * 100) / 100

const about = ({ label }: Vote): string => label.replaceAll('_', ' ')

/** One clause: by its form of words where it has one, checked by the models; by the models alone where it has none. */
const readClause = (request: Request, judge: typeof vote): Intent | Abstention => {
  const { text, offset, german } = request
  const abstain = (reason: Abstention['reason'], detail: string): Abstention => ({
    reason,
    detail,
    text,
    offset,
  })
  const found = read(request)
  if (found && 'lacks' in found) return abstain('incomplete', found.lacks)
  // The models know English alone, and words that are plain enough need no second opinion.
  if (found && (german || found.confidence >= PLAIN)) return found
  if (german) return abstain('unclear', 'no form of words that is known')
  if (!found && DEFINITION.test(text)) return abstain('out_of_scope', 'what a word means')
  const judged = judge(text)
  if (found) {
    const agreed = judged.domains[DOMAIN[found.tool]]
    if (judged.domains.outside >= OVERRULED) return abstain('out_of_scope', about(judged))
    return { ...found, confidence: rounded(found.confidence + 0.1 * agreed - 0.1 * judged.domains.outside) }
  }
  if (judged.wish === 'outside') return abstain('out_of_scope', about(judged))
  const guess = judged.share >= GUESSED ? guessIntent(request, judged) : undefined
  return guess && guess.confidence >= GUESSED ? guess : abstain('unclear', about(judged))
}

/** What a sentence that is written to the assistant asks it to do; several where it asks for several things. */
export const readIntent = (written: string, context: IntentContext, judge = vote): IntentReading => {
  // Telephones write "don’t"; every place stays the same.
  const plain = written.replace(/[’‘]/gu, "'")
  const { text, at } = plain.length > LONGEST ? { text: plain, at: (offset: number) => offset } : mend(plain)
  const asWritten = ({ text: words, offset, ...rest }: Evidence): Evidence => {
    const from = at(offset)
    return {
      ...rest,
      text: text === plain ? words : plain.slice(from, at(offset + words.length)),
      offset: from,
    }
  }
  if (text.trim() === '')
    return { intents: [], abstained: [{ reason: 'empty', detail: 'no words', text: '', offset: 0 }] }
  if (text.length > LONGEST)
    return {
      intents: [],
      abstained: [
        {
          reason: 'too_long',
          detail: `more than ${LONGEST} characters`,
          text: text.slice(0, 100),
          offset: 0,
        },
      ],
    }
  const intents: Intent[] = []
  const abstained: Abstention[] = []
  let before: string | undefined
  let deed: string | undefined
  const clauses = clausesOf(text)
  for (const clause of clauses) {
    const bare = withoutCourtesies(clause)
    if (!/[\p{L}\d]/u.test(bare.text) || (clauses.length > 1 && GREETING.test(bare.text))) continue
    const outcome = readClause(createRequest(bare.text, bare.offset, context, before, deed), judge)
    if ('tool' in outcome) {
      intents.push({ ...outcome, evidence: outcome.evidence.map(asWritten) })
      if (outcome.tool === 'create_task') before = outcome.arguments.title
      if (CHANGES.has(outcome.tool)) deed = bare.text
    } else abstained.push({ ...outcome, offset: at(outcome.offset) })
  }
  if (intents.length === 0 && abstained.length === 0)
    return {
      intents,
      abstained: [{ reason: 'unclear', detail: 'nothing is asked', text: text.trim(), offset: 0 }],
    }
  return { intents, abstained }
}
