import { stripCourtesies } from '../../../nlu/intents/clauses.ts'
import type { Intent, IntentTool, ToolArguments } from '../../../nlu/intents/intent.ts'
import {
  createRequest,
  type IntentContext,
  minutesOf,
  momentOf,
  namesOf,
  type Request,
  rangeOf,
  wallText,
} from '../../../nlu/intents/request.ts'
import { PRIORITIES } from '../../../nlu/intents/task-rules.ts'
import { hasOnly, hasPhrase, readSentence } from '../../../nlu/requests/sentence.ts'
import type { AbilityArguments, RunnableRequest } from './ability.ts'
import { findPageTarget, type Item, isNamelessMailRequest, type Memory, type Option } from './memory.ts'

/** A message that refers to the conversation instead of naming its object. */
export type Reply =
  | { kind: 'undo' }
  | { kind: 'ask_undo' }
  | { kind: 'nothing_to_undo' }
  | { kind: 'nothing_to_send' }
  | { kind: 'confirm'; actionId: string }
  | { kind: 'press_button' }
  | { kind: 'reject' }
  | { kind: 'nothing' }
  | { kind: 'send'; draft: Item }
  | { kind: 'choose'; option: Option }
  /** The message continues an incomplete request. */
  | { kind: 'continue'; text: string }
  | { kind: 'run'; intent: RunnableRequest; target: Item | null }

const YES =
  /^(?:yes|yeah|yep|yup|sure|ok(?:ay)?|do it|do that|go ahead|correct|right|confirm|ja|jep|klar|genau|mach das|bestätigen?|passt|gerne?)(?:[\s,.!]+(?:please|bitte|do it|do that|mach das|go ahead))?[\s.!]*$/iu
const NO =
  /^(?:no|nope|nah|cancel|never ?mind|don'?t(?: do it)?|stop|forget it|leave it|nein|nee?|lass (?:es|das)|abbrechen|doch nicht|lieber nicht)(?:[\s,]+(?:thanks|thank you|danke))?[\s.!]*$/iu
const SEND =
  /^(?:send (?:it|that|the (?:draft|mail|email|reply|answer))(?: (?:now|off))?|send|(?:schick|send)e? (?:es|sie|ihn|das|den entwurf|die (?:mail|antwort))(?: (?:ab|los|jetzt))?|abschicken|absenden)[\s.!]*$/iu

const ORDINALS: readonly RegExp[] = [
  /\b(?:first|1st|erste[nrs]?)\b/iu,
  /\b(?:second|2nd|zweite[nrs]?)\b/iu,
  /\b(?:third|3rd|dritte[nrs]?)\b/iu,
  /\b(?:fourth|4th|vierte[nrs]?)\b/iu,
  /\b(?:fifth|5th|fünfte[nrs]?)\b/iu,
]
const LAST = /\b(?:last|letzte[nrs]?)(?= one\b|[\s.!?]*$)/iu
/** An ordinal refers to a list only if no other noun follows: "the first of March" does not. */
const ORDINAL =
  /(?:^|\s)(?:the |number |den |die |das |der |nummer )?(?:first|second|third|fourth|fifth|last|1st|2nd|3rd|4th|5th|erste[nrs]?|zweite[nrs]?|dritte[nrs]?|vierte[nrs]?|fünfte[nrs]?|letzte[nrs]?)(?=(?: (?:one|task|event|meeting|mail|e-?mail|message|aufgabe|termin|nachricht))?(?:[\s.,!?]*$|\s+(?:to|as|on|at|by|until|für|auf|ab|als|vor)\b))/iu
const PRONOUN =
  /(?<!\p{L})(?:it|them|(?:this|that) (?:one|task|event|meeting|mail|e-?mail|message|draft)|(?:this|that)(?=[\s.!?]*$|\s+(?:to|by|as|on|at|for|until|from|with|back|done|an?|in|high|low|urgent|again)\b))(?!\p{L})|(?<!\p{L})(?:daraus|hieraus)(?!\p{L})|(?<!\p{L})(?:es|ihn|sie|dazu|daran|diese[nrsm]? (?:aufgabe|termin|mail|nachricht)|das|den|die)(?=[\s.,!?]*$|\s+(?:auf|ab|als|um|bitte|nach|in|mit|für|hinzu|ein|zu|vor|hoch|dringend|am|bis|wieder|jetzt|erst|lieber|doch|zusammen|zurück|weiter)(?!\p{L}))/iu
const INSTEAD = /(?<!\p{L})(?:instead|rather|stattdessen|lieber|doch lieber)(?!\p{L})/iu
const CORRECTION = /^(?:no|nein|actually|eigentlich|sorry|i mean(?:t)?|ich meinte)[\s,.]+/iu
const FOLLOW_UP = /^(?:and|und|what about|how about|was ist mit|wie (?:ist|sieht) es(?: aus)?(?: mit)?)\s+/iu

/** The reference itself: "the second one". Its words must not be read as a date or an hour. */
const ORDINAL_PHRASE =
  /(?<=^|\s)(?:the |number |den |die |das |der |nummer )?(?:first|second|third|fourth|fifth|last|1st|2nd|3rd|4th|5th|erste[nrs]?|zweite[nrs]?|dritte[nrs]?|vierte[nrs]?|fünfte[nrs]?|letzte[nrs]?)(?: (?:one|task|event|meeting|mail|e-?mail|message|aufgabe|termin|nachricht))?(?=[\s.,!?]|$)/iu

const FIRST_HALF =
  /^(?:in the |at |am |early )?(?:morning|a\.?m\.?|morgens?|früh|vormittags?)(?:[\s,]+(?:please|bitte))?[\s.!]*$/iu
const SECOND_HALF =
  /^(?:in the |at |am )?(?:afternoon|evening|night|p\.?m\.?|nachmittags?|abends?|nachts?)(?:[\s,]+(?:please|bitte))?[\s.!]*$/iu

const MAX_WORDS = 14

/** Returns the item of a list that an ordinal names. */
const pickOrdinal = <T>(text: string, items: readonly T[]): T | undefined => {
  const number = /^(?:number |nummer )?(\d)[\s.!)]*$/iu.exec(text)?.[1]
  if (number) return items[Number(number) - 1]
  if (LAST.test(text)) return items.at(-1)
  const index = ORDINALS.findIndex((pattern) => pattern.test(text))
  return index < 0 ? undefined : items[index]
}

const hourOf = ({ intent }: Option): number | undefined => {
  const { start, due } = (intent?.arguments ?? {}) as { start?: string; due?: string }
  const wall = start ?? due
  return wall && wall.length > 10 ? Number(wall.slice(11, 13)) : undefined
}

/** Finds the only option in the named half of the day: "in the afternoon". */
const pickHalf = (text: string, options: readonly Option[]): Option | undefined => {
  const isFirst = FIRST_HALF.test(text)
  if (!isFirst && !SECOND_HALF.test(text)) return undefined
  const fits = options.filter((option) => {
    const hour = hourOf(option)
    return hour !== undefined && hour < 12 === isFirst
  })
  return fits.length === 1 ? fits[0] : undefined
}

/** Finds the option that an answer names: by its label, by "yes" or "no", or by its place. */
const pickOption = (text: string, options: readonly Option[]): Option | undefined => {
  const said = text.toLowerCase().replace(/[.!?]+$/u, '')
  const same = options.find(({ label }) => label.toLowerCase() === said)
  if (same) return same
  const acting = options.filter(({ intent, isUndo }) => intent !== null || isUndo)
  if (YES.test(text)) return acting.length === 1 ? acting[0] : undefined
  if (NO.test(text)) return options.find((one) => !acting.includes(one)) ?? { label: text, intent: null }
  const place = pickHalf(text, options) ?? pickOrdinal(text, options)
  if (place) return place
  const named = said.length < 3 ? [] : options.filter(({ label }) => label.toLowerCase().includes(said))
  return named.length === 1 ? named[0] : undefined
}

const CERTAIN = { confidence: 0.9, evidence: [] }

const toIntent = <Tool extends IntentTool>(tool: Tool, given: ToolArguments[Tool]): Intent =>
  ({ tool, arguments: given, ...CERTAIN }) as unknown as Intent

const DELETE =
  /^(?:delete|remove|cancel|drop|scrap|trash|get rid of|call off|erase|lösche?|entferne?|streiche?|sage?|storniere?)(?!\p{L})/iu
const DONE =
  /(?<!\p{L})(?:done|complete[d]?|finish(?:ed)?|erledigt|fertig|abgehakt|(?:check|tick|cross) (?:it|that) off|hake?)(?!\p{L})/iu
const RENAME =
  /^(?:rename|call|name|retitle|nenne?|benenne?)\s+(?:it|that|this|es|das|ihn|sie)\s+(?:(?:to|as|in|um in)\s+)?["“„]?(.+?)["”“]?(?:\s+um)?[.!]?$/iu
const ADD_PEOPLE =
  /^(?:add|invite|include|bring|füge?|lade?|nimm)\s+(.+?)(?:\s+(?:to|zu|dazu|hinzu|ein|too|as well|auch|mit)(?!\p{L}).*)?[.!]?$/iu
const PLACE = /(?<!\p{L})(?:in|at|im|in den)\s+((?:(?:room|raum)\s)?\p{L}[^.!?]*|room \d+|raum \d+)[.!?]*$/iu
const ARCHIVE = /^(?:archive|archiviere?)(?!\p{L})/iu
const STAR = /^(?:star|flag)(?!\p{L})/iu
const READ_MARK = /(?<!\p{L})(?:as read|als gelesen)(?!\p{L})/iu
const UNREAD_MARK = /(?<!\p{L})(?:as unread|als ungelesen)(?!\p{L})/iu
const TAG = /^(?:tag|label|tagge)\s+(?:it|that|this|es|das|sie)\s+(?:with|as|mit|als)\s+#?([\p{L}\d_/-]+)/iu
const ANSWER =
  /^(?:reply|answer|respond|write back|antworte|beantworte)(?!\p{L})(?:.*?(?:\bthat|\bsaying|\bdass|:)\s+(.+?))?[.!]?$/iu
const READ = /^(?:read|open|show|lies|öffne|zeige?)(?!\p{L})/iu
const SUMMARIZE =
  /^(?:summari[sz]e|sum up|recap|tl;?dr|what(?:'s| is) (?:this|it|that)(?: \p{L}+)? about|fasse?(?=.*zusammen)|zusammenfassen|worum geht)(?!\p{L})/iu
const SUGGEST =
  /^(?:(?:what|how) (?:should|can|could|do) i (?:answer|reply|respond|say|write back)|(?:was|wie) (?:soll|sollte|kann|könnte) ich (?:darauf |hierauf |(?:auf )?(?:diese|die) (?:e-?mail|mail|nachricht) )?(?:antworten|schreiben|beantworten))(?!\p{L})/iu
const TO_TASK =
  /^(?:(?:make|create|add|turn)(?!\p{L}).*(?<!\p{L})(?:tasks?|to-?do)|mach\p{L}? (?:daraus|hieraus|aus .+) eine aufgabe|(?:erstelle?|lege?) .*(?<!\p{L})aufgabe)(?!\p{L})/iu
const LIST =
  /(?<!\p{L})(?:on|to|auf|zu)\s+(?:the|my|die|meine|der|meiner)\s+(\p{L}[\p{L} -]*?)[ -]?(?:list|liste)(?!\p{L})/iu
const REMIND = /^(?:remind me|erinnere? mich)(?!\p{L})/iu
const LONGER = /(?<!\p{L})(?:longer|länger)(?!\p{L})/iu
const SHORTER = /(?<!\p{L})(?:shorter|kürzer)(?!\p{L})/iu
const LATER = /(?<!\p{L})(?:later|back|später|nach hinten)(?!\p{L})/iu
const EARLIER = /(?<!\p{L})(?:earlier|forward|früher|vor|nach vorne)(?!\p{L})/iu

const findPriority = (text: string) => {
  const word = Object.keys(PRIORITIES).find((one) =>
    new RegExp(`(?<!\\p{L})${one}(?!\\p{L})`, 'iu').test(text),
  )
  return word === undefined ? undefined : PRIORITIES[word]
}

/** Reads a change of a task. */
const readTaskChange = (text: string, { times, context }: Request, item: Item): Intent | undefined => {
  const task = item.title
  if (DELETE.test(text)) return toIntent('delete_task', { task })
  if (DONE.test(text)) return toIntent('complete_task', { task })
  const title = RENAME.exec(text)?.[1]
  if (title) return toIntent('update_task', { task, title })
  const at = momentOf(times, context.timezone)
  if (REMIND.test(text) && at?.seconds !== undefined)
    return toIntent('update_task', { task, remindAt: wallText(at) })
  const list = LIST.exec(text)?.[1]
  if (list) return toIntent('update_task', { task, tag: list.trim().toLowerCase() })
  const tag = TAG.exec(text)?.[1]
  if (tag) return toIntent('update_task', { task, tag })
  const priority = findPriority(text)
  const recurrence = times.find(({ kind }) => kind === 'recurrence')?.rule
  const due = at && wallText(at)
  if (priority || recurrence || due)
    return toIntent('update_task', {
      task,
      ...(priority && { priority }),
      ...(recurrence && { recurrence }),
      ...(due && { due }),
    })
  const shift = minutesOf(times.find(({ kind }) => kind === 'duration'))
  return shift
    ? toIntent('update_task', { task, shiftMinutes: EARLIER.test(text) ? -shift : shift })
    : undefined
}

/** Reads a change of an event. A date without an hour keeps the hour, and an hour without a date keeps the day. */
const readEventChange = (text: string, { times, context }: Request, item: Item): Intent | undefined => {
  const event = { title: item.title }
  if (DELETE.test(text)) return toIntent('cancel_event', { event })
  const title = RENAME.exec(text)?.[1]
  if (title) return toIntent('update_event', { event, title })
  const points = times.filter(({ start, kind }) => start && kind !== 'recurrence' && kind !== 'duration')
  const at = momentOf(points, context.timezone)
  if (REMIND.test(text))
    return at
      ? toIntent('create_task', { title: item.title, due: wallText(at), remindAt: wallText(at) })
      : undefined
  const minutes = minutesOf(times.find(({ duration, start }) => duration && !start))
  if (minutes && (LONGER.test(text) || SHORTER.test(text)))
    return toIntent('move_event', {
      event,
      shiftMinutes: 0,
      minutes: SHORTER.test(text) ? -minutes : minutes,
    })
  if (minutes && (LATER.test(text) || EARLIER.test(text)))
    return toIntent('move_event', { event, shiftMinutes: EARLIER.test(text) ? -minutes : minutes })
  if (at) {
    const isDated = points.some(({ dated }) => dated)
    const start = wallText(at)
    return toIntent('move_event', {
      event,
      start,
      ...(!isDated && { keepsDay: true as const }),
      ...(minutes && { minutes }),
    })
  }
  if (minutes) return toIntent('move_event', { event, minutes })
  const place = PLACE.exec(text)?.[1]
  const people = ADD_PEOPLE.exec(text)?.[1]
  if (people && !/^(?:it|that|es|das)$/iu.test(people))
    return toIntent('update_event', { event, people: namesOf(people) })
  return place ? toIntent('update_event', { event, place: place.trim() }) : undefined
}

const SNOOZE = /^(?:snooze|schlummere?|stelle?(?=.*zurück)|leg(?:e)?(?=.*wiedervorlage))(?!\p{L})/iu

const readMailChange = (
  text: string,
  { times, context }: Request,
  item: Item,
): RunnableRequest | undefined => {
  const email = { about: item.title }
  const at = momentOf(times, context.timezone)
  if (SNOOZE.test(text) || REMIND.test(text))
    return { ability: 'snooze_email', arguments: { email, ...(at && { until: wallText(at) }) } }
  if (SUMMARIZE.test(text)) return { ability: 'summarize_email', arguments: { email } }
  if (SUGGEST.test(text)) return { ability: 'suggest_reply', arguments: { email } }
  if (TO_TASK.test(text))
    return toIntent('create_task', { title: item.title, ...(at && { due: wallText(at) }) })
  if (DELETE.test(text)) return toIntent('delete_email', { email })
  if (ARCHIVE.test(text)) return toIntent('tag_email', { email, archive: true })
  if (STAR.test(text)) return toIntent('tag_email', { email, starred: true })
  if (UNREAD_MARK.test(text)) return toIntent('tag_email', { email, read: false })
  if (READ_MARK.test(text)) return toIntent('tag_email', { email, read: true })
  const tag = TAG.exec(text)?.[1]
  if (tag) return toIntent('tag_email', { email, tag })
  const answer = ANSWER.exec(text)
  if (answer) return toIntent('draft_email', { reply: email, ...(answer[1] && { says: answer[1] }) })
  return READ.test(text) ? toIntent('read_email', email) : undefined
}

/** After a snooze, another time changes it: "Wednesday instead". */
const readSnoozeChange = (
  { times, context }: Request,
  item: Item,
  { lastTool }: Memory,
): RunnableRequest | undefined => {
  const at = item.kind === 'email' && lastTool === 'snooze_email' && momentOf(times, context.timezone)
  return at
    ? { ability: 'snooze_email', arguments: { email: { about: item.title }, until: wallText(at) } }
    : undefined
}

const readChange = (text: string, request: Request, item: Item): RunnableRequest | undefined => {
  if (item.kind === 'task') return readTaskChange(text, request, item)
  if (item.kind === 'event') return readEventChange(text, request, item)
  return readMailChange(text, request, item)
}

/** A message that contains only a length: "half an hour", "nur 30 Minuten". */
const BARE_LENGTH =
  /^(?:(?:just|only|for|nur|für)\s+)?[\p{L}\d.,½ -]{0,24}(?:hours?|minutes?|mins?|stunden?|minuten)(?: and a half)?(?:\s+(?:only|please|bitte|long|lang))?[.!]*$/iu

const isBareLength = (text: string, { times }: Request): boolean =>
  BARE_LENGTH.test(text) && times.length > 0 && times.every(({ duration, start }) => duration && !start)

/** Returns the item that a pronoun, an ordinal or the open page refers to. */
export const findReference = (text: string, memory: Memory): Item | null => {
  const { focus, list } = memory
  const open = findPageTarget(text, memory)
  if (open) return open
  const named = list.length > 0 && ORDINAL.test(text) ? pickOrdinal(text, list) : undefined
  return named ?? (PRONOUN.test(text) || INSTEAD.test(text) ? focus : null)
}

/** Returns the item that the message refers to. */
const findTarget = (text: string, request: Request, memory: Memory): Item | null => {
  const { focus } = memory
  const referred = findReference(text, memory)
  if (referred || focus === null) return referred
  if (focus.kind === 'email' && (SUGGEST.test(text) || isNamelessMailRequest(text))) return focus
  if (CORRECTION.test(text) && request.times.length > 0) return focus
  if (focus.kind === 'event' && isBareLength(text, request)) return focus
  // "invite Ben as well" after an event needs no pronoun.
  const isAddition = /^(?:add|invite|lade?|füge?)(?!\p{L}).*(?:too|as well|auch|hinzu|dazu)(?!\p{L})/iu.test(
    text,
  )
  return focus.kind === 'event' && isAddition ? focus : null
}

/** Repeats the last question with another time: "and on Friday?". */
const readFollowUp = (text: string, { times, context }: Request, { lookup }: Memory): Intent | undefined => {
  const time = times.find(({ start, kind }) => start && kind !== 'recurrence')
  if (!lookup || !time || !FOLLOW_UP.test(text)) return undefined
  const { from: _, to: __, ...rest } = lookup.arguments as Record<string, unknown>
  return { ...lookup, arguments: { ...rest, ...rangeOf(time, context) } } as Intent
}

const ALL_OF_THEM =
  /^(.+?)\s+(?:them all|all of them|all of these|these|them|(?:sie |diese )?alle)(?!\p{L})(.*)$/iu
const EMAILS_CHANGES: readonly (readonly [AbilityArguments['change_emails']['change'], RegExp])[] = [
  ['unread', UNREAD_MARK],
  ['read', READ_MARK],
  ['archive', ARCHIVE],
  ['star', STAR],
  ['trash', DELETE],
]

/** Reads a change of the whole last list: "archive them all". It waits for a confirmation. */
const readListChange = (text: string, { list }: Memory): RunnableRequest | undefined => {
  const [first] = list
  if (!first || list.length < 2 || !ALL_OF_THEM.test(text)) return undefined
  if (list.some(({ kind }) => kind !== first.kind)) return undefined
  const ids = list.map(({ id }) => id)
  if (first.kind === 'email') {
    const change = EMAILS_CHANGES.find(([, pattern]) => pattern.test(text))?.[0]
    return change && { ability: 'change_emails', arguments: { change, ids } }
  }
  if (first.kind !== 'task') return undefined
  const change = DELETE.test(text) ? 'delete' : DONE.test(text) ? 'complete' : undefined
  return change && { ability: 'change_tasks', arguments: { change, ids } }
}

const UNDO_WORDS = ['undo', 'courtesy', 'correction', 'pronoun', 'no', 'fillers', 'small'] as const

/** True if a message says only that the last change is unwanted, in any words: "oops, undo that please". */
const isUndo = (written: string, context: IntentContext): boolean =>
  (['en', 'de'] as const).some((language) => {
    const sentence = readSentence(written, language, context)
    return hasPhrase(sentence, 'undo') && hasOnly(sentence, UNDO_WORDS)
  })

/** Reads a message with the memory of the conversation. Returns undefined if it stands alone. */
export const readReply = (message: string, context: IntentContext, memory: Memory): Reply | undefined => {
  const written = message.trim()
  if (written.split(/\s+/u).length > MAX_WORDS) return undefined
  const { question, actionIds, confirmableId, undoIds, isUndoDoubtful, focus } = memory
  if (question) {
    const option = pickOption(written, question.options)
    if (option) return { kind: 'choose', option }
  }
  if (actionIds.length > 0 && YES.test(written))
    return confirmableId ? { kind: 'confirm', actionId: confirmableId } : { kind: 'press_button' }
  if (actionIds.length > 0 && NO.test(written)) return { kind: 'reject' }
  if (isUndo(written, context)) {
    if (undoIds.length === 0) return { kind: 'nothing_to_undo' }
    return { kind: isUndoDoubtful ? 'ask_undo' : 'undo' }
  }
  if (NO.test(written)) return { kind: 'nothing' }
  const { text } = stripCourtesies({ text: written.replace(/[’‘]/gu, "'"), offset: 0 })
  if (SEND.test(text))
    return focus?.kind === 'draft' ? { kind: 'send', draft: focus } : { kind: 'nothing_to_send' }
  const listChange = readListChange(text, memory)
  if (listChange) return { kind: 'run', intent: listChange, target: null }
  const target = findTarget(text, createRequest(text, 0, context), memory)
  const isListed = target !== null && memory.list.includes(target)
  const corrected = text.replace(CORRECTION, '').replace(isListed ? ORDINAL_PHRASE : /^$/u, 'it')
  const request = createRequest(corrected, 0, context)
  const change = target
    ? (readChange(corrected, request, target) ?? readSnoozeChange(request, target, memory))
    : undefined
  if (target && change) return { kind: 'run', intent: change, target }
  if (question?.continues && written.split(/\s+/u).length <= 8)
    return { kind: 'continue', text: `${question.continues} ${written}` }
  const followUp = readFollowUp(written, createRequest(written.replace(FOLLOW_UP, ''), 0, context), memory)
  return followUp ? { kind: 'run', intent: followUp, target: null } : undefined
}
