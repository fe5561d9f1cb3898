import { readEventWith } from '../meetings/event.ts'
import type { Piece } from '../meetings/title.ts'
import { type IntentModel, judgeIntent, MODELS } from './classifier.ts'
import { EVENT_RULES } from './event-rules.ts'
import type { Abstention, Evidence, Intent, IntentReading, IntentTool } from './features.ts'
import { MAIL_RULES, TELLS } from './mail-rules.ts'
import { OVERVIEW_RULES } from './overview-rules.ts'
import {
  companion,
  createRequest,
  type Draft,
  draft,
  type Incomplete,
  type IntentContext,
  isGermanRequest,
  pickEmail,
  pickEvent,
  type Request,
  type Rule,
  rangeOf,
  toEvidence,
  wallText,
} from './request.ts'
import { TASK_RULES } from './task-rules.ts'

const OPENING =
  /^(?:[\s,.!:–-]*(?:(?:hi|hello|hey|hallo|moin)(?: (?:there|assistant|factotum|siri|alexa|google))?|ok(?:ay)?|so|oh|well|also|now|then|and|und|dann|next|finally|(?:good|guten) (?:morning|afternoon|evening|morgen|tag|abend)|thanks|thank you|danke|yes|ja|sure|great|please|pls|plz|kindly|bitte|quickly|quick|just|mal)(?![\p{L}\d'’]))+[\s,.!:–-]*/iu
const ASKING =
  /^(?:(?:can|could|shall|should) we(?=\s(?:please )?(?:move|reschedule|postpone|push|shift|cancel|delay|rename|extend|shorten|put off|add|schedule)\b)|(?:can|could|would|will|won'?t) (?:you|u)(?: please| pls| kindly| quickly| just| help me(?: to)?| be able to| mind)?|do you mind|would you mind|i(?:'d| would)? (?:like|love|want|need)(?: for)? you to|i(?:'d| would) (?:like|love) to(?! (?:know|see)\b)|i (?:want|wanna|wish) to|i want|help me(?: to)?|let'?s|go ahead and|make sure (?:to|that you)|be so kind (?:as )?(?:to|and)|kannst du|könntest du|würdest du|kannst du mir bitte|ich möchte(?:,? dass du)?|ich hätte gerne?|ich würde gerne?|(?:please|pls|bitte)(?: also| mal)?)(?![\p{L}\d'’])[\s,]*/iu
const CLOSING =
  /[\s,]*(?:\b(?:please|pls|plz|thanks(?: a lot| so much)?|thank you(?: very much| so much)?|thx|bitte|danke(?: dir| schön)?|for me|if you can|if possible|will you|would you|can you|asap please|cheers)\b[\s.!?]*)+$/iu

/**
 * A word before the closing: in "reply saying thanks", "thanks" is the content of the reply, not courtesy.
 */
const SAID = /(?:\b(?:saying|say|says|write|tell|that|sag|sage|schreib|schreibe)|:)\s*["“„]?$/iu

/** Removes the polite words before and after a request. */
const stripCourtesies = ({ text, offset }: Piece): Piece => {
  let from = 0
  for (let again = true; again; ) {
    again = false
    for (const pattern of [OPENING, ASKING]) {
      const match = pattern.exec(text.slice(from, from + 200))
      if (match && match[0].length > 0 && from + match[0].length < text.length) {
        from += match[0].length
        again = true
      }
    }
  }
  const rest = text.slice(from)
  const tail = CLOSING.exec(rest.slice(-200))
  const isReplyContent = tail !== null && SAID.test(rest.slice(0, rest.length - tail[0].length))
  const end =
    tail && !isReplyContent && tail.index + Math.max(0, rest.length - 200) > 0
      ? rest.length - tail[0].length
      : rest.length
  const bare = rest.slice(0, end).replace(/[\s,;:]+$/u, '')
  return { text: bare, offset: offset + from }
}

/** Words that start a request to an assistant. They rarely start the second half of a chore. */
const COMMAND =
  "(?:please |also |then |can you |could you |bitte |dann )*(?:remind me|schedule|reschedule|add (?:(?:a|an|the|another|new) )*(?:task|to-?do|meeting|event|reminder|appointment)|add [^.;]{1,60} to (?:my|the)|create (?:a|an|the|new)|set up (?:a|an)|book (?:a|an|me|lunch|dinner|breakfast|coffee)|move (?:my|the|it)|cancel (?:my|the|all)|delete (?:my|the|all)|draft|reply|answer (?:\\p{L}+['’]s|the)|write (?:a|an|to|back)|email |e-mail |send |tag |label |archive|mark |star |show (?:me|my)|list (?:my|all|the)|tell me|find (?:me|a|an|my|the|some)|what(?:'s| is| do| are| did)|when (?:is|am|do|are)|which |how many|who |is there|do i|am i|block |put [^.;]{1,60} (?:on|in) (?:my|the)|check (?:my|if|off|the|whether)|read (?:me|my|the)|give me|make a (?:note|task)|complete |search |look |erinnere|trage?\\b|erstelle?|lösche|verschiebe|schreibe?\\b|zeige?\\b|sage? |setze? |was |wann |welche |wie viele|plane |markiere )"

const BETWEEN = new RegExp(
  `(?:[.;!?]+\\s+|\\s*\\n+\\s*|,?\\s+(?:and(?: then| also)?|then|und(?: dann)?|plus|as well as)\\s+|,\\s+(?:then\\s+|dann\\s+)?)(?=${COMMAND})`,
  'giu',
)
/**
 * Splits "Move it to four and tell the team". It applies only after a change to an event, because a chore may
 * contain "and tell".
 */
const AND_TELL = /,?\s+(?:and(?: then| also)?|then|und(?: dann)?)\s+(?=[tilnusgb])/giu
const CHANGED =
  /(?:^|[.;!?]\s|\b(?:and|then|please|you|und|dann|bitte)\s)\s*(?:move|reschedule|postpone|push|shift|delay|bring|cancel|call off|scrap|verschiebe?|verlege?|schiebe?|sage?|streiche?|storniere?)\s[^.;!?]*$/iu

/** Does not split "Der 24. Dezember". */
const SENTENCE =
  /(?<!\b(?:[Dd]r|[Mm]r|[Mm]rs|[Mm]s|St|No|Nr|a|p|m|\d))(?!(?<=\b\d\d)\.\s(?:jan|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez|Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|um|ab|bis|des|jeden|im|und|von|nach))[.;!?]+\s+(?=\p{L})|\s*\n+\s*/gu

const isQuoted = (text: string, at: number): boolean =>
  ((text.slice(0, at).match(/["“„”]/gu)?.length ?? 0) & 1) === 1

const MOST = 12

/** Splits a text into requests, each with its offset. */
const clausesOf = (text: string): Piece[] => {
  const cuts: { at: number; end: number }[] = []
  const add = (pattern: RegExp, fits = (_at: number, _end: number): boolean => true): void => {
    for (const match of text.matchAll(pattern)) {
      const [at, end] = [match.index, match.index + match[0].length]
      if (!fits(at, end)) continue
      if (at === 0 || isQuoted(text, at) || cuts.some((cut) => at < cut.end && cut.at < end)) continue
      cuts.push({ at, end })
      if (cuts.length >= MOST) return
    }
  }
  add(BETWEEN)
  add(SENTENCE)
  add(AND_TELL, (at, end) => TELLS.test(text.slice(end, end + 60)) && CHANGED.test(text.slice(0, at)))
  cuts.sort((a, b) => a.at - b.at)
  const pieces: Piece[] = []
  let from = 0
  for (const { at, end } of [...cuts, { at: text.length, end: text.length }]) {
    // Keep the question mark of a question.
    const mark = text[at] === '?' ? 1 : 0
    const piece = { text: text.slice(from, at + mark), offset: from }
    const bare = piece.text.trimStart()
    if (bare.trim() !== '')
      pieces.push({ text: bare.trimEnd(), offset: piece.offset + piece.text.length - bare.length })
    from = end
  }
  return pieces
}

/** The subject of a sentence. `outside` is everything the assistant does not handle. */
type Domain = 'mail' | 'event' | 'task' | 'date' | 'outside'

/** Groups of the intent labels in the training data. */
type IntentName =
  | 'ask_events'
  | 'make_event'
  | 'drop_event'
  | 'find_mail'
  | 'write_mail'
  | 'ask_tasks'
  | 'make_task'
  | 'drop_task'
  | 'date'
  | 'outside'

const REQUESTS: Readonly<Record<string, IntentName>> = {
  calendar_query: 'ask_events',
  calendar_set: 'make_event',
  calendar_remove: 'drop_event',
  email_query: 'find_mail',
  email_sendemail: 'write_mail',
  lists_query: 'ask_tasks',
  lists_createoradd: 'make_task',
  lists_remove: 'drop_task',
  datetime_query: 'date',
  datetime_convert: 'date',
  calendar: 'ask_events',
  meeting_schedule: 'ask_events',
  schedule_meeting: 'make_event',
  calendar_update: 'make_event',
  reminder: 'ask_tasks',
  reminder_update: 'make_task',
  todo_list: 'ask_tasks',
  todo_list_update: 'make_task',
  shopping_list: 'ask_tasks',
  shopping_list_update: 'make_task',
  date: 'date',
  time: 'date',
  timezone: 'date',
}

const DOMAINS: Readonly<Record<IntentName, Domain>> = {
  ask_events: 'event',
  make_event: 'event',
  drop_event: 'event',
  find_mail: 'mail',
  write_mail: 'mail',
  ask_tasks: 'task',
  make_task: 'task',
  drop_task: 'task',
  date: 'date',
  outside: 'outside',
}

/** Returns the domain of a label in the training data. */
export const domainOf = (label: string): Domain => DOMAINS[REQUESTS[label] ?? 'outside']

/** Softmax sharpness that converts model margins to shares. */
const SHARPNESS = 7

const sharesOf = (model: IntentModel, text: string): { label: string; shares: Map<IntentName, number> } => {
  const { best, scores } = judgeIntent(model, text)
  const top = scores[best] as number
  const parts = scores.map((score) => Math.exp((score - top) * SHARPNESS))
  const sum = parts.reduce((total, part) => total + part, 0)
  const shares = new Map<IntentName, number>()
  for (const [index, part] of parts.entries()) {
    const intent = REQUESTS[model.labels[index] as string] ?? 'outside'
    shares.set(intent, (shares.get(intent) ?? 0) + part / sum)
  }
  return { label: model.labels[best] as string, shares }
}

export interface Vote {
  /** Share of each domain, 0 to 1. */
  domains: Record<Domain, number>
  intent: IntentName
  /** Share of `intent`. */
  share: number
  /** Label of the training data, such as "weather_query". */
  label: string
}

/**
 * Combines the votes of the three models. HWU64 and SLURP cover email, lists and calendar. Only CLINC150 was
 * trained to recognize sentences outside its classes, and it does not cover email.
 */
const vote = (text: string): Vote => {
  const [hwu, slurp, clinc] = [
    sharesOf(MODELS.hwu64(), text),
    sharesOf(MODELS.slurp(), text),
    sharesOf(MODELS.clinc150(), text),
  ]
  const domains: Record<Domain, number> = { mail: 0, event: 0, task: 0, date: 0, outside: 0 }
  const intents = new Map<IntentName, number>()
  const mailed = (hwu.shares.get('find_mail') ?? 0) + (hwu.shares.get('write_mail') ?? 0) > 0.5
  for (const { shares } of mailed ? [hwu, slurp] : [hwu, slurp, clinc])
    for (const [intent, share] of shares) {
      const part = share / (mailed ? 2 : 3)
      intents.set(intent, (intents.get(intent) ?? 0) + part)
      domains[DOMAINS[intent]] += part
    }
  const [intent, share] = [...intents].reduce((best, one) => (one[1] > best[1] ? one : best))
  return { domains, intent, share, label: hwu.label }
}

/** Keywords of requests whose typos are corrected. */
const WORDS =
  'remind reminder schedule reschedule meeting meetings calendar cancel appointment unread delete message shopping tomorrow please erinnere kalender verschiebe termin'.split(
    ' ',
  )
/** Words that look like a typo of a keyword but are correct. */
const NOT_TYPOS = new Set(
  'rewind remand melting cancer cancers massage deplete stopping shipping calender kalender termini'.split(
    ' ',
  ),
)

/** True if one letter is missing, added, replaced, or swapped with its neighbour. */
const isOneTypo = (word: string, meant: string): boolean => {
  if (word === meant || Math.abs(word.length - meant.length) > 1) return false
  let at = 0
  while (at < word.length && word[at] === meant[at]) at++
  const [rest, wanted] = [word.slice(at), meant.slice(at)]
  if (rest.length > wanted.length) return rest.slice(1) === wanted
  if (rest.length < wanted.length) return rest === wanted.slice(1)
  if (rest.slice(1) === wanted.slice(1)) return true
  return rest[0] === wanted[1] && rest[1] === wanted[0] && rest.slice(2) === wanted.slice(2)
}

/**
 * Returns the keyword that a word misspells. Inflected forms such as "scheduled" are not typos, and the first
 * letter must match.
 */
const correctWord = (word: string): string | undefined => {
  if (word.length < 5 || NOT_TYPOS.has(word)) return undefined
  return WORDS.find(
    (meant) =>
      word[0] === meant[0] && !word.startsWith(meant) && !meant.startsWith(word) && isOneTypo(word, meant),
  )
}

const FILLER = /(?<=^|\s)(?:uh+|uhm+|erm+|hmm+|äh+m?|ehm?|öhm?)(?:,\s*|\s+)/giu
const UM = /(?<=^|\s)um(?:,\s*|\s+)(?!\d)/giu

interface Change {
  from: number
  to: number
  text: string
}

interface Corrected {
  text: string
  /** Maps an offset in the corrected text to the offset in the original text. */
  at: (offset: number) => number
}

/** Corrects typos in keywords and removes filler words such as "uhm". */
const correctSpelling = (written: string): Corrected => {
  const changes: Change[] = []
  const drop = (pattern: RegExp): void => {
    for (const { 0: words, index } of written.matchAll(pattern))
      changes.push({ from: index, to: index + words.length, text: '' })
  }
  drop(FILLER)
  // "um" is a filler only in English.
  if (/(?:^|\s)um\s/iu.test(written) && !isGermanRequest(written.replace(/\bum\b/giu, ' '))) drop(UM)
  for (const { 0: word, index } of written.matchAll(
    /(?<![\p{L}\d"“„'’@#._-])\p{Ll}{5,14}(?![\p{L}\d"”'’@._-])/gu,
  )) {
    const meant = correctWord(word)
    if (meant) changes.push({ from: index, to: index + word.length, text: meant })
  }
  if (changes.length === 0) return { text: written, at: (offset) => offset }
  changes.sort((a, b) => a.from - b.from)
  let text = ''
  let last = 0
  const marks: { here: number; there: number }[] = []
  for (const { from, to, text: meant } of changes) {
    if (from < last) continue
    text += written.slice(last, from) + meant
    last = to
    marks.push({ here: text.length, there: to })
  }
  text += written.slice(last)
  return {
    text,
    at: (offset) => {
      const mark = marks.findLast(({ here }) => here <= offset)
      return mark ? mark.there + offset - mark.here : Math.min(offset, changes[0]?.from ?? offset)
    },
  }
}

/**
 * Factor for the confidence of a model guess: models recognize the intent, but not the words that express it.
 */
const TRUST = 0.85

/** Builds a draft from the intent that the models predict, for sentences that no rule matches. */
const guessIntent = (request: Request, { intent, share }: Vote): Draft | undefined => {
  const { times, context, timeless, text } = request
  const sure = Math.round(share * TRUST * 100) / 100
  const time = times.find(({ start, kind }) => start && kind !== 'recurrence')
  const seen = time ? toEvidence(request, 'from', [time]) : []
  const person = companion(timeless)
  if (intent === 'ask_events')
    return draft(
      'list_events',
      { ...rangeOf(time, context), ...(person ? { person: person.text } : {}) },
      sure,
      seen,
    )
  if (intent === 'make_event' && time) {
    const event = readEventWith(text, times)
    const set = times.find(({ kind }) => kind === 'recurrence')
    if (!event.start || (!event.title && event.people.length === 0)) return undefined
    return draft(
      'create_event',
      {
        ...(event.title ? { title: event.title.text } : {}),
        start: wallText(event.start),
        ...(event.minutes ? { minutes: event.minutes } : {}),
        ...(event.people.length > 0 ? { people: event.people.map(({ text: name }) => name) } : {}),
        ...(event.place ? { place: event.place.text } : {}),
        ...(set?.rule ? { recurrence: set.rule } : {}),
      },
      sure,
      seen,
    )
  }
  if (intent === 'drop_event') {
    const { pick, evidence } = pickEvent(request, /^\p{L}+\s+/u.exec(text)?.[0].length ?? 0, text.length)
    return pick.person || pick.at || pick.next
      ? draft('cancel_event', { event: pick }, sure, evidence)
      : undefined
  }
  if (intent === 'find_mail') {
    const { pick, evidence } = pickEmail(request)
    return draft('find_emails', { ...pick, ...rangeOf(time, context) }, sure, [...evidence, ...seen])
  }
  if (intent === 'ask_tasks') return draft('list_tasks', rangeOf(time, context), sure, seen)
  return undefined
}

/** Longer texts are not requests. */
const LONGEST = 2000

/** In order of precedence: a named email or task is not an event, even with a time. */
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

/** At or above this confidence a rule decides alone, because the models do not know every wording. */
const PLAIN = 0.9
/** At or above this share for `outside`, the models overrule a rule. */
const OVERRULED = 0.8
/** Below this share or confidence, a guess is discarded. */
const GUESSED = 0.5

const DEFINITION =
  /^(?:what(?:'s| is| are)|define|explain|who is|why)\s+(?:an?\s|is\s|does\s|are\s)?(?!(?:my|still|urgent|on|next|due|the|up|in|overdue)\b)\p{L}+(?:\s\p{L}+)?\??$/iu

/** Tools whose change a following "and tell the team" refers to. */
const CHANGES: ReadonlySet<IntentTool> = new Set([
  'move_event',
  'cancel_event',
  'create_event',
  'update_event',
])

/** A greeting before other clauses requests nothing. */
const GREETING =
  /^(?:(?:hi|hello|hey|hallo|moin|good (?:morning|afternoon|evening)|guten (?:morgen|tag|abend)|thanks?(?: you)?|danke|ok(?:ay)?|please|bitte)[\s,.!]*)+$/iu

const read = (request: Request): Draft | Incomplete | undefined => {
  for (const rule of RULES) {
    const found = rule(request)
    if (found) return found
  }
  return undefined
}

const rounded = (value: number): number => Math.round(Math.min(0.99, value) * 100) / 100

const formatTopic = ({ label }: Vote): string => label.replaceAll('_', ' ')

/** Reads one clause. The models check a rule match with low confidence, and guess if no rule matches. */
const readClause = (request: Request, judge: typeof vote): Intent | Abstention => {
  const { text, offset, german } = request
  const abstain = (reason: Abstention['reason'], detail: string): Abstention => ({
    reason,
    detail,
    text,
    offset,
  })
  const found = read(request)
  if (found && 'missing' in found) return abstain('incomplete', found.missing)
  // The models know English only, and a confident rule needs no check.
  if (found && (german || found.confidence >= PLAIN)) return found
  if (german) return abstain('unclear', 'no rule matches')
  if (!found && DEFINITION.test(text)) return abstain('out_of_scope', 'the definition of a word')
  const judged = judge(text)
  if (found) {
    const agreed = judged.domains[DOMAIN[found.tool]]
    if (judged.domains.outside >= OVERRULED) return abstain('out_of_scope', formatTopic(judged))
    return { ...found, confidence: rounded(found.confidence + 0.1 * agreed - 0.1 * judged.domains.outside) }
  }
  if (judged.intent === 'outside') return abstain('out_of_scope', formatTopic(judged))
  const guess = judged.share >= GUESSED ? guessIntent(request, judged) : undefined
  return guess && guess.confidence >= GUESSED ? guess : abstain('unclear', formatTopic(judged))
}

/** Reads the requests in a text written to the assistant. */
export const readIntent = (written: string, context: IntentContext, judge = vote): IntentReading => {
  // Phones write "don’t" with a typographic apostrophe. The replacement keeps all offsets.
  const plain = written.replace(/[’‘]/gu, "'")
  const { text, at } =
    plain.length > LONGEST ? { text: plain, at: (offset: number) => offset } : correctSpelling(plain)
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
  let lastTask: string | undefined
  let lastChange: string | undefined
  const clauses = clausesOf(text)
  for (const clause of clauses) {
    const bare = stripCourtesies(clause)
    if (!/[\p{L}\d]/u.test(bare.text) || (clauses.length > 1 && GREETING.test(bare.text))) continue
    const outcome = readClause(createRequest(bare.text, bare.offset, context, lastTask, lastChange), judge)
    if ('tool' in outcome) {
      intents.push({ ...outcome, evidence: outcome.evidence.map(asWritten) })
      if (outcome.tool === 'create_task') lastTask = outcome.arguments.title
      if (CHANGES.has(outcome.tool)) lastChange = bare.text
    } else abstained.push({ ...outcome, offset: at(outcome.offset) })
  }
  if (intents.length === 0 && abstained.length === 0)
    return {
      intents,
      abstained: [{ reason: 'unclear', detail: 'no request', text: text.trim(), offset: 0 }],
    }
  return { intents, abstained }
}
