import { readEdit } from '../../../nlu/requests/edit.ts'
import {
  hasPhrase,
  isInTime,
  readSentence,
  type Sentence,
  startsWith,
} from '../../../nlu/requests/sentence.ts'
import { isAbility, type RunnableRequest } from './ability.ts'
import { DAY_MS, type InterpreterContext, toIso } from './context.ts'
import { describeEvent } from './events.ts'
import { findFocus, findNamed, type Named } from './items.ts'
import { findMail, readListChange, readMailChange } from './mail-changes.ts'
import type { Item, Memory } from './memory.ts'
import { findPeople, type People } from './people.ts'
import type { Resolved } from './references.ts'
import { describeTask } from './tasks.ts'

/*
 * Reads a message about an item that is known: one that the conversation is about, or one that the message names. Its
 * words name the item, or say what becomes of it. A message with other words is not read here.
 */

/** Longer messages are requests of their own. */
const MAX_WORDS = 24

const ALSO = /^(?:also|and|plus|und|auch|noch)$/u
const ALSO_TOO = /^(?:noch|auch|also)\s+|\s+(?:too|as well|auch|noch|please|bitte)$/iu
/** Words that no title of a further task begins with. */
const COMMANDS = [
  'question',
  'change',
  'move',
  'cancel',
  'done',
  'undo',
  'yes',
  'no',
  'send',
  'rename',
  'remind',
]

export interface ItemRequest {
  request: RunnableRequest
  /** Null if the request names its items. */
  item: Item | null
}

/** Requests about items, or the text of an answer. */
export type Understood = readonly ItemRequest[] | string

/** Words that belong to no phrase and no time may be names. */
const listNames = (sentence: Sentence, named: readonly number[]): string[] => {
  const known = new Set(
    sentence.phrases.filter(({ category }) => category !== 'place').flatMap(({ at }) => at),
  )
  return sentence.tokens
    .filter(
      (token, at) =>
        !known.has(at) && !named.includes(at) && !isInTime(sentence, token) && /^\p{L}{2,}/u.test(token.text),
    )
    .map(({ text }) => text)
}

/** Capitals mark names in English only, and only where somebody is meant. */
const findPersonWith =
  ({ find }: People, sentence: Sentence) =>
  (words: string): string | undefined => {
    if (words.includes('@') || find(words).length > 0) return words
    const isPerson = sentence.language === 'en' && hasPhrase(sentence, 'add_person', 'with', 'correction')
    return isPerson && /^\p{Lu}\p{L}+$/u.test(words) ? words : undefined
  }

const timesOf = ({ wall }: InterpreterContext, named: Named) => {
  if (named.kind === 'event') {
    const { start, end, allDay } = named.event
    return { kind: 'event' as const, at: wall(start), end: wall(end), isDay: allDay }
  }
  const { dueAt, dueDay } = named.task
  const at = dueDay ? Date.parse(`${dueDay}T00:00Z`) : dueAt ? wall(dueAt) : undefined
  return { kind: 'task' as const, at, isDay: dueDay !== null }
}

const describe = (context: InterpreterContext, named: Named): string => {
  if (named.kind === 'task') return describeTask(context, named.task)
  const { location, attendees } = named.event
  const { details } = context.texts
  const people = attendees.map(({ name, email }) => name || email)
  return [
    describeEvent(context, named.event),
    location && details.place(location),
    people.length > 0 && details.people(people.join(', ')),
  ]
    .filter(Boolean)
    .join(', ')
}

/** The words that are part of no phrase, no time and no name of the item. */
const countOtherWords = (sentence: Sentence, { at }: Named): number => listNames(sentence, at).length

/** Less than this share of a title is not enough to change the item. */
const MIN_CHANGED = 0.55

/** Categories that ask for a field of an event or a task. */
const ASKED = ['when', 'until_when', 'where', 'address', 'who', 'how_long', 'weekday', 'is_there'] as const

/** The length, and the fields that a question asks for and the event does not have. */
const describeAsked = (
  { texts }: InterpreterContext,
  sentence: Sentence,
  { event }: Named & { kind: 'event' },
) => [
  hasPhrase(sentence, 'how_long') && !event.allDay
    ? texts.details.length((Date.parse(event.end) - Date.parse(event.start)) / 60_000)
    : '',
  hasPhrase(sentence, 'where', 'address') && !event.location ? texts.noPlace : '',
  hasPhrase(sentence, 'who') && event.attendees.length === 0 ? texts.noPeople : '',
]

const answerQuestion = async (
  context: InterpreterContext,
  sentence: Sentence,
  named: Named,
): Promise<string | undefined> => {
  if (!startsWith(sentence, 'question') || countOtherWords(sentence, named) > 0) return undefined
  if (!hasPhrase(sentence, ...ASKED)) return undefined
  if (named.kind === 'task' && named.at.length > 0 && named.score < MIN_CHANGED) return undefined
  if (named.kind === 'event')
    await context.callReadTool('list_events', { start: named.event.start, end: named.event.end })
  context.exchange.listedItems = [named.item]
  if (named.kind === 'task') return describe(context, named)
  const described = [describe(context, named), ...describeAsked(context, sentence, named)]
    .filter(Boolean)
    .join('\n')
  if (!hasPhrase(sentence, 'weekday')) return described
  const weekday = context.format({ weekday: 'long' }, named.event.start)
  return `${weekday}: ${described}`
}

const toRequest = (named: Named): RunnableRequest => {
  const certain = { confidence: 1, evidence: [] }
  const { title } = named.item
  return named.kind === 'event'
    ? { tool: 'cancel_event', arguments: { event: { title } }, ...certain }
    : { tool: 'delete_task', arguments: { task: title }, ...certain }
}

/** Statements propose the fitting change. Nothing is changed before the answer. */
const propose = (
  { texts, ask }: InterpreterContext,
  question: string,
  request: RunnableRequest,
  target: Item,
): string =>
  ask(question, [
    { label: texts.yes, intent: request, target },
    { label: texts.no, intent: null },
  ])

const readStatement = async (
  context: InterpreterContext,
  sentence: Sentence,
  named: Named,
): Promise<Understood | undefined> => {
  const { texts } = context
  const what = texts.quote(describe(context, named))
  if (named.kind === 'event' && hasPhrase(sentence, 'not_happening', 'not_attending'))
    return propose(context, texts.shall.cancel(what), toRequest(named), named.item)
  const certain = { confidence: 1, evidence: [] }
  if (named.kind === 'task' && hasPhrase(sentence, 'done') && sentence.times.length === 0) {
    const complete = {
      tool: 'complete_task',
      arguments: { task: named.item.title },
      ...certain,
    } as const
    return countOtherWords(sentence, named) === 0 && sentence.tokens.length < 10
      ? [{ request: complete, item: named.item }]
      : propose(context, texts.shall.complete(what), complete, named.item)
  }
  if (named.kind === 'event' && hasPhrase(sentence, 'moved') && !hasPhrase(sentence, 'move')) {
    const edit = readEdit(sentence, timesOf(context, named), {
      named: named.at,
      isLoose: true,
      findPerson: () => undefined,
      lists: [],
    })
    const start = edit?.start ?? edit?.end
    if (!edit || (start?.day === undefined && start?.seconds === undefined && !edit.shift)) return undefined
    const { start: begins, end, shift } = edit
    const request = {
      ability: 'edit_item',
      arguments: { ...(begins && { start: begins }), ...(end && { end }), ...(shift && { shift }) },
    } as const
    return propose(
      context,
      texts.shallMove(what, describeEdit(context, named, request.arguments)),
      request,
      named.item,
    )
  }
  return undefined
}

const describeEdit = (
  context: InterpreterContext,
  named: Named,
  { start, end }: { start?: { day?: number; seconds?: number }; end?: { seconds?: number } },
): string => {
  const { at = 0 } = timesOf(context, named)
  const day = start?.day ?? Math.floor(at / DAY_MS)
  const seconds = start?.seconds ?? end?.seconds
  return context.formatWall(
    toIso(day * DAY_MS + (seconds ?? 0) * 1000).slice(0, seconds === undefined ? 10 : 16),
  )
}

/** The only time of a message is a new time. */
const isMovedTo = ({ text, times }: Sentence): boolean =>
  times.length === 1 && /(?:^|\s)(?:to|auf)\s+(?:den\s+)?$/iu.test(text.slice(0, times[0]?.offset))

const readChange = async (
  context: InterpreterContext,
  sentence: Sentence,
  named: Named,
): Promise<Understood | undefined> => {
  if (/\?\s*$/u.test(sentence.text) && !hasPhrase(sentence, 'ask_to')) return undefined
  const isNamed = named.at.length > 0
  if (
    hasPhrase(sentence, 'cancel') &&
    countOtherWords(sentence, named) === 0 &&
    (isNamed || hasPhrase(sentence, 'pronoun') || (named.kind === 'event' && named.isOnDay))
  )
    return [{ request: toRequest(named), item: named.item }]
  if (isNamed && startsWith(sentence, 'create')) return undefined
  const lists = named.kind === 'task' ? await context.lookUp('list_task_lists', {}) : undefined
  const hasPeople = named.kind === 'event' || hasPhrase(sentence, 'correction')
  const people = await findPeople(context, hasPeople ? listNames(sentence, named.at) : [])
  const edit = readEdit(sentence, timesOf(context, named), {
    named: named.at,
    findPerson: findPersonWith(people, sentence),
    lists: (lists?.taskLists ?? []).map(({ name }) => name),
  })
  // "Invite Ana to lunch on Friday" is not about a lunch of another day.
  const isElsewhere = isNamed && named.kind === 'event' && !named.isOnDay && edit?.start?.day !== undefined
  if (isElsewhere && hasPhrase(sentence, 'add_person')) return undefined
  // A name and a day alone are a new entry: "Yoga on Friday". "Yoga to 3pm" moves it.
  const isCommand =
    !isNamed ||
    isMovedTo(sentence) ||
    hasPhrase(sentence, 'change', 'move', 'add_person', 'later', 'earlier', 'priority', 'tag')
  return edit && isCommand
    ? [{ request: { ability: 'edit_item', arguments: edit }, item: named.item }]
    : undefined
}

const readAbout = async (
  context: InterpreterContext,
  sentence: Sentence,
  named: Named,
): Promise<Understood | undefined> =>
  (await answerQuestion(context, sentence, named)) ??
  (await readStatement(context, sentence, named)) ??
  readChange(context, sentence, named)

/** Reads the message about each of the items that it counts: "move both to Friday". */
const readAboutAll = async (
  context: InterpreterContext,
  sentence: Sentence,
  items: readonly Item[],
): Promise<Understood | undefined> => {
  const requests: ItemRequest[] = []
  for (const item of items) {
    const named = await findFocus(context, sentence, item)
    const understood = named && (await readAbout(context, sentence, named))
    if (typeof understood === 'string') return items.length === 1 ? understood : undefined
    if (!understood) return undefined
    requests.push(...understood)
  }
  return requests.length > 0 ? requests : undefined
}

export const understandItem = async (
  context: InterpreterContext,
  { text, items }: Resolved,
  memory: Memory,
): Promise<Understood | undefined> => {
  const { now, timezone, texts } = context
  const at = { now: context.wall(toIso(now)), timezone }
  const language = texts.locale === 'de-DE' ? 'de' : 'en'
  const message = { text, language, context: at } as const
  const several = items.length > 1 ? readListChange(message, items) : undefined
  if (several) return [{ request: several, item: null }]
  const [only] = items
  const mail = items.length === 1 && only?.kind === 'email' ? only : findMail(message, memory)
  const mailChange = mail && readMailChange(message, mail, memory)
  if (mailChange) return [{ request: mailChange, item: mail }]
  const sentence = readSentence(text, language, at)
  if (sentence.tokens.length > MAX_WORDS) return undefined
  const about = items.length > 0 ? items : memory.focus ? [memory.focus] : []
  // "Put it on the list of work" is about the item of the conversation, whatever else the words may name.
  const isReferred = items.length > 0 || hasPhrase(sentence, 'pronoun', 'add_person', 'remove_person')
  const first = isReferred ? await readAboutAll(context, sentence, about) : undefined
  if (first) return first
  const [one, other] = await findNamed(context, sentence)
  const second = one && !other ? await readAbout(context, sentence, one) : undefined
  if (second || isReferred) return second
  if (one && (sentence.tokens.length > MAX_ANOTHER || hasPhrase(sentence, ...COMMANDS))) return undefined
  const third = await readAboutAll(context, sentence, about)
  return one && !isAboutPeople(third) ? undefined : (third ?? readAnother(sentence, memory))
}

/** A person may be named in the title of another item: "and Ana too". */
const isAboutPeople = (understood: Understood | undefined): boolean => {
  const [first] = typeof understood === 'object' ? understood : []
  if (!first || !isAbility(first.request) || first.request.ability !== 'edit_item') return false
  return first.request.arguments.addPeople !== undefined
}

const MAX_ANOTHER = 5

/** "Also butter" after a new task is another task of the same list. */
const readAnother = (
  { tokens, text, phrases, times }: Sentence,
  { focus, lastTool }: Memory,
): Understood | undefined => {
  const [first] = tokens
  if (focus?.kind !== 'task' || lastTool !== 'create_task' || !first || !ALSO.test(first.folded))
    return undefined
  const title = text
    .slice(first.to)
    .replace(/^[\s,]+|[\s.!]+$/gu, '')
    .replace(ALSO_TOO, '')
  const isCommand = phrases.some(({ category, from }) => from > 0 && COMMANDS.includes(category))
  if (title === '' || tokens.length > MAX_ANOTHER || times.length > 0 || isCommand || /\?/u.test(text))
    return undefined
  return [{ request: { ability: 'edit_item', arguments: { isCopy: true, title } }, item: focus }]
}
