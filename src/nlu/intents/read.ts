import type { Language } from '../lexicon/lexicon.ts'
import { asksForEvent } from '../meetings/event.ts'
import { inMonthOf, type NewItem, readNewItems } from '../requests/new-items.ts'
import { judgeTitle, type Opinion } from '../requests/second-opinion.ts'
import { readSentence } from '../requests/sentence.ts'
import { type Business, type Decide, type Decision, decide } from './classifier.ts'
import { clausesOf, correctSpelling, stripCourtesies } from './clauses.ts'
import { findDoubts } from './doubts.ts'
import { EVENT_RULES } from './event-rules.ts'
import { fillArguments } from './fallbacks.ts'
import type { Abstention, Doubt, Evidence, Intent, IntentReading, IntentTool } from './intent.ts'
import { MAIL_RULES } from './mail-rules.ts'
import { OVERVIEW_RULES } from './overview-rules.ts'
import {
  createRequest,
  type Draft,
  type Incomplete,
  type IntentContext,
  isGermanRequest,
  type Request,
  type Rule,
} from './request.ts'
import { TASK_RULES } from './task-rules.ts'

/** Longer texts are not requests. */
const MAX_CHARACTERS = 2000

/** The rules that read the arguments of each kind of request, in order of precedence. */
const RULES: Readonly<Record<Business, readonly Rule[]>> = {
  overview: OVERVIEW_RULES,
  date: OVERVIEW_RULES,
  ask_mail: [...OVERVIEW_RULES, MAIL_RULES.read, MAIL_RULES.find],
  ask_events: [...OVERVIEW_RULES, EVENT_RULES.list],
  ask_tasks: [...OVERVIEW_RULES, TASK_RULES.list],
  write_mail: [MAIL_RULES.write],
  change_mail: [MAIL_RULES.tag, MAIL_RULES.remove],
  change_task: [TASK_RULES.complete, TASK_RULES.remove, TASK_RULES.update],
  change_event: [EVENT_RULES.rename, EVENT_RULES.cancel, EVENT_RULES.move],
  make_task: [TASK_RULES.remindOf],
  make_event: [EVENT_RULES.away],
}

/** All rules, in order of precedence: a named email or task is not an event, even with a time. */
const ALL_RULES: readonly Rule[] = [
  ...RULES.change_mail,
  ...RULES.write_mail,
  ...OVERVIEW_RULES,
  MAIL_RULES.read,
  MAIL_RULES.find,
  ...RULES.change_task,
  ...RULES.change_event,
  ...RULES.make_task,
  ...RULES.make_event,
  TASK_RULES.list,
  EVENT_RULES.list,
]

const BUSINESS: Readonly<Record<IntentTool, Business>> = {
  find_emails: 'ask_mail',
  read_email: 'ask_mail',
  tag_email: 'change_mail',
  delete_email: 'change_mail',
  draft_email: 'write_mail',
  list_tasks: 'ask_tasks',
  create_task: 'make_task',
  update_task: 'change_task',
  complete_task: 'change_task',
  delete_task: 'change_task',
  list_events: 'ask_events',
  create_event: 'make_event',
  move_event: 'change_event',
  update_event: 'change_event',
  cancel_event: 'change_event',
  find_free_time: 'ask_events',
  get_statistics: 'overview',
  get_briefing: 'overview',
  tell_date: 'date',
}

export const toBusiness = (tool: IntentTool): Business => BUSINESS[tool]

/** Tells whether a tool changes something. */
export const isWrite = (tool: IntentTool): boolean => /^(?:make|change|write)_/.test(BUSINESS[tool])

/** At or below its margin, a request does not concern the assistant. */
const OUTSIDE_MARGINS = { english: -0.25, german: 0.2 }
/**
 * Between this margin and the one above, a chore with a deadline or an absence becomes a question. Example: "I have to
 * hand in the expense report by Friday". Its words also belong to other services.
 */
const ASK_MARGIN = -1.5
/**
 * Below this margin, a change is confirmed first. A rule that names the change beyond doubt needs a smaller margin. The
 * classifier has seen fewer German sentences, so its German margins are less certain.
 */
const SURE_MARGINS = { english: { clear: 0, vague: 0.2 }, german: { clear: 0.5, vague: 1.2 } }
/** At or above this confidence, a rule names the change beyond doubt. */
const CLEAR_CONFIDENCE = 0.9

/** Lists and services that the assistant does not manage. A task about them is possible, but not certain. */
const FOREIGN =
  /\b(?:(?:merk|wunsch|warte|wish|watch|wait(?:ing)?|play|favou?rite[ns]?)[- ]?list(?:en?|s)?|netflix|spotify|amazon|ebay|youtube|paypal|zalando|twitter|facebook|instagram|tiktok|whatsapp|telegram|alexa|siri|steam|disney|apple music|google maps|uber|lieferando|airbnb)\b/iu
/** Mail from or about such a service is still mail. */
const OWN_SUBJECT = /email/u

/**
 * The classifier overrules a rule of another kind if the kind of the rule scores lower by more than this. A clear rule
 * needs more.
 */
const MAX_GAPS = { clear: 0.8, vague: 0.2 }

/** The classifier doubts that the person wants a change, or wants another one than the rule has read. */
const isDoubtfulWrite = (
  { tool, confidence }: Draft,
  { business, margin }: Decision,
  { german: isGerman, text }: Request,
): boolean => {
  const isClear = confidence >= CLEAR_CONFIDENCE
  const isQuestion = !/^(?:make|change|write)_/.test(business)
  const sure = SURE_MARGINS[isGerman ? 'german' : 'english'][isClear ? 'clear' : 'vague']
  if (FOREIGN.test(text) && !OWN_SUBJECT.test(tool)) return true
  return margin < sure || isQuestion || (!isClear && BUSINESS[tool] !== business)
}

/** Tools whose change a following "and tell the team" refers to. */
const EVENT_CHANGES: ReadonlySet<IntentTool> = new Set([
  'move_event',
  'cancel_event',
  'create_event',
  'update_event',
])

/** A greeting before other clauses requests nothing. */
const GREETING =
  /^(?:(?:hi|hello|hey|hallo|moin|good (?:morning|afternoon|evening)|guten (?:morgen|tag|abend)|thanks?(?: you)?|danke|ok(?:ay)?|please|bitte)[\s,.!]*)+$/iu

const applyRules = (request: Request, rules: readonly Rule[]): Draft | Incomplete | undefined => {
  for (const rule of rules) {
    const found = rule(request)
    if (!found) continue
    request.context.note?.(`rule ${rule.name}: ${JSON.stringify(found)}`)
    return found
  }
  return undefined
}

const isDraft = (found: Draft | Incomplete | undefined): found is Draft =>
  found !== undefined && 'tool' in found

/**
 * Reads the arguments. The rules of the decided kind come first, then all rules, because neighbouring kinds share
 * their words. Without a match, the words of the request are the arguments.
 */
const readArguments = (request: Request, { business, scores }: Decision): Draft | Incomplete | undefined => {
  const own = applyRules(request, RULES[business])
  if (isDraft(own)) return own
  const any = applyRules(request, ALL_RULES)
  if (isDraft(any)) {
    const gap = scores[business] - scores[BUSINESS[any.tool]]
    if (gap <= MAX_GAPS[any.confidence >= CLEAR_CONFIDENCE ? 'clear' : 'vague']) return any
    return own ?? fillArguments(request, business)
  }
  return own ?? any ?? fillArguments(request, business)
}

const toConfidence = (value: number): number => Math.round(Math.min(0.99, value) * 100) / 100

/** Reads a chore with a deadline, or an absence, that the classifier takes for another subject. It is confirmed first. */
const readDatedEntry = (request: Request, margin: number): Intent | undefined => {
  if (margin <= ASK_MARGIN || FOREIGN.test(request.text)) return undefined
  const away = applyRules(request, [EVENT_RULES.away])
  const isEvent = asksForEvent(request.text, request.times.length > 0)
  const found =
    isEvent.wanted && isEvent.confidence >= 0.8 && margin > -0.8
      ? (away ?? fillArguments(request, 'make_event'))
      : away
  if (!isDraft(found) || (found === away && found.confidence < CLEAR_CONFIDENCE)) return undefined
  return { ...found, confidence: toConfidence(found.confidence - 0.2), doubts: ['models'] }
}

const describeDecision = ({ business, margin, scores }: Decision): string => {
  const all = Object.entries(scores).toSorted(([, one], [, other]) => other - one)
  const listed = all.map(([name, score]) => `${name} ${score.toFixed(2)}`)
  return `classifier: ${business}, margin ${margin.toFixed(2)} (${listed.join(', ')})`
}

const judgeNewTitle = ({ text, german: isGerman, context }: Request, found: Draft): Opinion => {
  if (found.tool !== 'create_event' && found.tool !== 'create_task') return { isDoubtful: false }
  const { title } = found.arguments
  return title
    ? judgeTitle(readSentence(text, isGerman ? 'de' : 'en', context), title)
    : { isDoubtful: false }
}

/** Reads one clause. The classifier decides whether it is a request, and the rules read its arguments. */
const readClause = (request: Request, written: string, classify: Decide): Intent | Abstention => {
  const { text, offset } = request
  const decision = classify(written)
  const { business, margin } = decision
  request.context.note?.(describeDecision(decision))
  const abstain = (reason: Abstention['reason'], detail: string): Abstention => ({
    reason,
    detail,
    text,
    offset,
  })
  // "and tell the team" is a request only after a change to an event.
  const message = request.lastChange === undefined ? undefined : MAIL_RULES.write(request)
  if (isDraft(message)) return message
  if (margin <= OUTSIDE_MARGINS[request.german ? 'german' : 'english'])
    return readDatedEntry(request, margin) ?? abstain('out_of_scope', 'no request to the assistant')
  const found = readArguments(request, decision)
  if (!found) return abstain('unclear', business)
  if ('missing' in found) return abstain('incomplete', found.missing)
  const isDisputed = isWrite(found.tool) && isDoubtfulWrite(found, decision, request)
  const { isDoubtful, otherTitle } = judgeNewTitle(request, found)
  const doubts: Doubt[] = [
    ...(isDisputed ? (['models'] as const) : []),
    ...findDoubts(request, found),
    ...(isDoubtful ? (['title'] as const) : []),
  ]
  return {
    ...found,
    confidence: toConfidence(found.confidence - (isDisputed ? 0.2 : 0)),
    ...(doubts.length > 0 ? { doubts } : {}),
    ...(otherTitle && { otherTitle }),
  }
}

/** The least score of a new item against `outside`. A short title with a time is rarely something else. */
const NEW_MARGINS = {
  en: { command: -1.2, must: -0.1, verb: -0.3, noun: -0.7, short: -1.75 },
  de: { command: -1.2, must: -0.1, verb: -0.1, noun: -0.7, short: -0.8 },
}
/** Another kind of request may score higher by this much. */
const MAX_NEW_GAPS = { command: 1.2, must: 0.6, verb: 0.6, noun: 1, short: 1.3 }

const isTimed = ({ item }: NewItem): boolean => 'due' in item.arguments || 'start' in item.arguments

/** At a score above this, an item with a time is asked about. */
const ASK_MARGINS = {
  en: { command: -2.2, must: -1.5, verb: -0.7, noun: -1.9, short: -2.2 },
  de: { command: -1.6, must: -1.5, verb: -1, noun: -1.2, short: -1.5 },
}

/** Tells whether the classifier agrees that something new is to be added. */
const judgeNew = (
  item: NewItem,
  { scores, business }: Decision,
  language: Language,
): 'sure' | 'ask' | 'no' => {
  const { evidence } = item
  if (business === 'write_mail' && evidence !== 'command' && item.item.tool === 'create_event') return 'no'
  const score = Math.max(scores.make_event, scores.make_task)
  if (scores[business] - score >= MAX_NEW_GAPS[evidence]) return 'no'
  if (score - scores.outside > NEW_MARGINS[language][evidence]) return 'sure'
  return isTimed(item) && score - scores.outside > ASK_MARGINS[language][evidence] ? 'ask' : 'no'
}

const toNewIntent = (
  { item, doubts, evidence }: NewItem,
  isDoubtful: boolean,
  { isDoubtful: isOdd, otherTitle }: Opinion,
): Intent => {
  const all: Doubt[] = [
    ...doubts,
    ...(isDoubtful ? (['models'] as const) : []),
    ...(isOdd ? (['title'] as const) : []),
  ]
  const confidence = evidence === 'command' ? 0.95 : 0.85
  return {
    ...item,
    confidence,
    evidence: [],
    ...(all.length > 0 && { doubts: all }),
    ...(otherTitle && { otherTitle }),
  }
}

/** Reads the new items of a text. Returns undefined if it is another request. */
const readNew = (
  text: string,
  context: IntentContext,
  classify: Decide,
  before: NewItem | undefined,
): { intents: Intent[]; last: NewItem } | undefined => {
  const language = isGermanRequest(text) ? 'de' : 'en'
  const decision = classify(text)
  const { make_event, make_task } = decision.scores
  const known = { lists: context.lists ?? [], isEvent: make_event > make_task }
  const sentence = readSentence(text, language, context)
  const items = readNewItems(sentence, known).map((one) => (before ? inMonthOf(one, sentence, before) : one))
  const last = items.at(-1)
  if (!last) return undefined
  const verdicts = items.map((one) => judgeNew(one, decision, language))
  for (const [index, { item, evidence }] of items.entries())
    context.note?.(`new item by ${evidence}, classifier: ${verdicts[index]}: ${JSON.stringify(item)}`)
  if (verdicts.includes('no')) return undefined
  const isForeign = FOREIGN.test(text)
  const { title } = last.item.arguments
  const opinion = items.length === 1 && title ? judgeTitle(sentence, title) : { isDoubtful: false }
  context.note?.(`second opinion: ${JSON.stringify(opinion)}`)
  const intents = items.map((one, index) => toNewIntent(one, isForeign || verdicts[index] === 'ask', opinion))
  return { intents, last }
}

/** Reads the requests in a text written to the assistant. */
export const readIntent = (
  written: string,
  context: IntentContext,
  classify: Decide = decide,
): IntentReading => {
  // Phones write "don’t" with a typographic apostrophe. The replacement keeps all offsets.
  const plain = written.replace(/[’‘]/gu, "'")
  const { text, at } =
    plain.length > MAX_CHARACTERS ? { text: plain, at: (offset: number) => offset } : correctSpelling(plain)
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
  if (text.length > MAX_CHARACTERS)
    return {
      intents: [],
      abstained: [
        {
          reason: 'too_long',
          detail: `more than ${MAX_CHARACTERS} characters`,
          text: text.slice(0, 100),
          offset: 0,
        },
      ],
    }
  const intents: Intent[] = []
  const abstained: Abstention[] = []
  let lastTask: string | undefined
  let lastChange: string | undefined
  let lastNew: NewItem | undefined
  const clauses = clausesOf(text)
  for (const clause of clauses) {
    const bare = stripCourtesies(clause)
    if (!/[\p{L}\d]/u.test(bare.text) || (clauses.length > 1 && GREETING.test(bare.text))) continue
    const added = readNew(clause.text, context, classify, lastNew)
    if (added) {
      intents.push(...added.intents)
      lastNew = added.last
      const last = added.intents.at(-1)
      if (last?.tool === 'create_task') lastTask = last.arguments.title
      else lastChange = bare.text
      continue
    }
    const request = createRequest(bare.text, bare.offset, context, lastTask, lastChange)
    const outcome = readClause(request, clause.text, classify)
    if ('tool' in outcome) {
      intents.push({ ...outcome, evidence: outcome.evidence.map(asWritten) })
      if (outcome.tool === 'create_task') lastTask = outcome.arguments.title
      if (EVENT_CHANGES.has(outcome.tool)) lastChange = bare.text
    } else abstained.push({ ...outcome, offset: at(outcome.offset) })
  }
  if (intents.length === 0 && abstained.length === 0)
    return {
      intents,
      abstained: [{ reason: 'unclear', detail: 'no request', text: text.trim(), offset: 0 }],
    }
  // A part of the message was not understood, so the others may be read wrong.
  if (abstained.some(({ reason }) => reason === 'incomplete'))
    for (const intent of intents)
      if (intent.tool === 'create_event' || intent.tool === 'create_task')
        intent.doubts = [...(intent.doubts ?? []), 'unread_words']
  return { intents, abstained }
}
