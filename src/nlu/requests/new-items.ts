import { endOf } from '../dates/read.ts'
import { findOpenHour, isEmptyWord } from '../intents/doubts.ts'
import type { Doubt, ToolArguments } from '../intents/intent.ts'
import { wallText } from '../intents/request.ts'
import { coverKnown } from '../meetings/event.ts'
import { findPlace } from '../meetings/places.ts'
import { findTitle } from '../meetings/title.ts'
import { type CommandReading, readCommand } from './command.ts'
import { readInvited, readList, readPriority, readTags } from './fields.ts'
import { hasPhrase, readSentence, type Sentence, startsWith, wordsOf } from './sentence.ts'
import { readWhen, type Times } from './when.ts'
import { createWords, isMark, type Words } from './words.ts'

/*
 * Reads new events and tasks. What belongs to no command, no time, no place and no list is the title, so no word is
 * lost.
 */

type Item =
  | { tool: 'create_event'; arguments: ToolArguments['create_event'] }
  | { tool: 'create_task'; arguments: ToolArguments['create_task'] }

export interface NewItem {
  item: Item
  doubts: readonly Doubt[]
  /** The sign of a new item: a command, a duty, a verb, or a noun with a time. */
  evidence: 'command' | 'must' | 'verb' | 'noun' | 'short'
}

/** Facts that the words of a message do not tell. */
export interface Known {
  /** The names of the task lists. */
  lists: readonly string[]
  /** The classifier takes the message for an event and not for a task. */
  isEvent: boolean
}

/** Words that connect a title with a time, a command or a list. */
const EDGE =
  /^(?:on|at|by|for|from|in|to|due|and|that|is|are|as|it|of|until|till|starting|then|please|about|um|am|für|zum|zur|den|dem|der|ab|und|fällig|im|bis|als|dass|zu|an|ans|von|vom|noch|mal|hinzu|da|daran|darüber|davon|erst|auf|mir|uns|bitte|dafür|ist|sind)$/iu
const LAST_EDGE =
  /^(?:takes|taking|dauert|about|approx|roughly|etwa|ca|on|at|by|for|from|in|to|due|and|that|is|as|of|until|till|starting|um|am|für|den|dem|der|ab|und|fällig|im|bis|als|dass|zu|an|von|vom|noch|mal|bitte|erst|auf|mit|with|the|a|an|ne|nen)$/iu
const ARTICLE =
  /^(?:an?|the|my|his|her|their|our|new|some|eine?|einen|einem|einer|nen?|ne|den|die|das|dem|der|meine?n?|neue?n?)$/iu
const QUOTED = /["“„‚‘«]([^"“”„«»]{1,200})["”“»’]/u

/** The second part of a verb, at the end: "trag … ein", "put … down". */
const PARTICLE = /^(?:ein|an|auf|fest|rein|hinzu|vor|dazu|down|in)$/iu

const useParticle = ({ tokens }: Sentence, words: Words, hasVerb: boolean): void => {
  const last = tokens.findLastIndex((_, at) => words.isFree(at))
  if (hasVerb && PARTICLE.test(tokens[last]?.text ?? '')) words.use([last])
}

/** Places that need no name: in the net, and where people live and work. */
const USUAL_PLACE =
  /(?<!\p{L})(?:(?:on|via|over|in|auf|über|per)\s+(zoom|(?:microsoft )?teams|skype|webex|google meet|facetime|jitsi|slack|discord)|at\s+((?:my|our|your|his|her|their)\s(?:place|house|flat)|home|work|school|the office)|(zu ?hause|daheim))(?!\p{L})/iu
/** German places are named after an article, and every noun has a capital. */
const GERMAN_PLACE =
  /(?<!\p{L})(?:im|in der|in dem|beim|bei der)\s+((?!Team|Rahmen|Namen|Anschluss|Kreis|Auftrag|Kalender)\p{Lu}[\p{L}\d.&-]*(?:\s\p{Lu}[\p{L}\d.&-]*)*)/u

/** A place, among the words that are still free. */
const readPlace = ({ text, language }: Sentence, words: Words, { said }: Times): string | undefined => {
  const usual = takePlace(USUAL_PLACE.exec(text), words)
  if (usual) return usual
  const place = findPlace(coverKnown(text, said).covered)
  const end = place && place.offset + place.text.length
  // "Turn on the coffee machine" names no place.
  const isThing = place && /^(?:on|auf)\s/iu.test(text.slice(place.from)) && !/^\p{Lu}/u.test(place.text)
  if (!place || !end || isThing || words.isUsedSpan(place.offset, end))
    return language === 'de' ? takePlace(GERMAN_PLACE.exec(text), words) : undefined
  words.useSpan(place.from, end)
  // "The Ritz" has its article.
  const article = /(?<=\s)the\s$/iu.exec(text.slice(0, place.offset))?.[0] ?? ''
  return /^\p{Lu}/u.test(place.text) ? `${article}${place.text}` : place.text
}

const takePlace = (match: RegExpExecArray | null, words: Words): string | undefined => {
  const name = match?.slice(1).find((one) => one !== undefined)
  const end = match ? match.index + match[0].length : 0
  if (!match || !name || words.isUsedSpan(end - name.length, end)) return undefined
  words.useSpan(match.index, end)
  return name
}

/** Words before a title: "an event on my calendar for". */
const withoutFrame = ({ text }: Sentence, said: string, { said: times }: Times): string => {
  const inner = findTitle(text, coverKnown(text, times).covered)?.text
  const from = inner === undefined ? -1 : said.indexOf(inner)
  const frame = said.slice(0, Math.max(0, from)).trim()
  const isFrame = /(?:for|called|of|:|für)$/iu.test(frame) && frame.split(/\s+/u).every(isEmptyWord)
  return isFrame && !/(?<!\p{L})(?:with|mit)(?!\p{L})/iu.test(frame) ? said.slice(from) : said
}

/** The people after "with", in a title. */
const COMPANION =
  /(?<!\p{L})(?:with|mit)\s+(?:(?:the|my|our|dem|der|den|meiner|meinem)\s+)?(\p{L}.*?)(?=[,;:(]|\s(?:at|in|on|about|for|to|über|zu|zum|zur|im|bei|wegen|für|\p{Ll}+e[rl]?n)(?:\s|$)|$)/giu

const peopleIn = (title: string): string[] =>
  [...title.matchAll(COMPANION)]
    .flatMap(([, names = '']) => names.split(/\s(?:and|und|&)\s|,\s/u))
    .filter((name) => name.split(' ').length <= 3)

/** A noun before the name of an event: "Termin Teamessen". */
const EVENT_NOUN =
  /^(?:termin|event|appointment|eintrag)\s+(?!(?:mit|with|for|für|bei|beim|zu|zur|zum|at|in|im)\s)(?=\S)/iu

/** "A meeting called planning" */
const NAMED =
  /(?<!\p{L})(?:called|named|titled|namens|mit dem titel|with the title)\s+["“„]?([^"“”„]+)["”“]?$/iu

/** "Termin: Zahnarzt", "pencil in: review": the words before the colon name nothing. */
const withoutHead = (title: string): string => {
  const [, head = '', rest] = /^([^:]{1,60}):\s+(.+)$/u.exec(title) ?? []
  return rest && head.split(/\s+/u).every((word) => isEmptyWord(word) || PARTICLE.test(word)) ? rest : title
}

const toTitle = (sentence: Sentence, words: Words, isTask: boolean): string => {
  const { tokens } = sentence
  const parts = words.runs().flatMap(({ from, to }) => {
    let [first, last] = [from, to]
    while (first < last && (EDGE.test(tokens[first]?.text ?? '') || isMark(tokens[first]?.text ?? '')))
      first++
    while (
      last > first &&
      (LAST_EDGE.test(tokens[last - 1]?.text ?? '') || isMark(tokens[last - 1]?.text ?? ''))
    )
      last--
    if (first >= last) return []
    const text = wordsOf(sentence, first, last)
    const isOpen = /["“„«][^"“”«»]*$/u.test(text) && /^["“”»]$/u.test(tokens[last]?.text ?? '')
    return [isOpen ? wordsOf(sentence, first, last + 1) : text]
  })
  const named = NAMED.exec(parts.join(' '))?.[1]
  if (named) return named
  const quoted = QUOTED.exec(parts.join(' '))
  const joined = withoutHead(parts.join(' ').replace(/\s+/gu, ' ').trim())
  const bare = quoted && quoted[0].length >= joined.length - 1 ? (quoted[1] as string) : joined
  const [head, ...rest] = bare.split(' ')
  const text = rest.length > 0 && (isTask ? /^an?$/iu : ARTICLE).test(head as string) ? rest.join(' ') : bare
  const plain = text.replace(EVENT_NOUN, '')
  return sentence.language === 'de' ? withoutZu(plain) : plain
}

/** "Blumen zu gießen" becomes "Blumen gießen", and "Oma anzurufen" becomes "Oma anrufen". */
const withoutZu = (title: string): string =>
  title
    .replace(/\szu\s+(?=\p{Ll}{2,}n$)/u, ' ')
    .replace(
      /(?<=^|\s)(ab|an|auf|aus|bei|durch|ein|fest|her|hin|los|mit|nach|um|vor|vorbei|weg|weiter|zurück|zusammen)zu(?=\p{Ll}{3,}n$)/u,
      '$1',
    )

/** A German chore ends with its verb: "Torte bestellen". */
const isInfinitive = (title: string, { language }: Sentence): boolean =>
  language === 'de' && / \p{Ll}\p{L}*(?:en|ern|eln)$/u.test(title)

/** An English chore begins with its verb: "buy milk". A following preposition tells a noun: "call with Ben". */
const isChore = (sentence: Sentence, words: Words): boolean => {
  const { tokens, phrases, language } = sentence
  if (language === 'de') return false
  const first = tokens.findIndex((_, at) => words.isFree(at) && !EDGE.test(tokens[at]?.text ?? ''))
  const verb = phrases.find(({ category, from }) => category === 'chore' && from === first)
  const next = tokens[verb?.to ?? 0]?.text ?? ''
  return (
    verb !== undefined &&
    words.isFree(verb.to) &&
    !/^(?:with|for|at|in|from|of|about|by|on|session|appointment|meeting)$/iu.test(next)
  )
}

const HAS_VERB =
  /(?<!\p{L})(?:is|are|was|were|will|would|has|had|does|did|isn't|aren't|ist|sind|war|waren|wird|werden|wurden?|been|moved|verlegt|verschoben|bin|hat|hatte|kommt|geht|findet|fällt|dass)(?!\p{L})/iu
/** A word before an article is a verb: "nimm die Sendung auf", "alert the bank". */
const VERB_FIRST = /^\p{L}+\s(?:the|an?|my|die|das|den|dem|einen?|eine|mir|mich|uns|alle|für)\s/iu
const MAX_TITLE_WORDS = 14
const SHORT_TITLE = 2
const REMINDER = /(?<!\p{L})(?:reminder|alarm|erinnerung|wecker)(?!\p{L})/iu

/** Hours that a task has a day for: "bis 12. Dezember". */
const DEADLINES = new Set(['by', 'before', 'until'])

/** A title begins with no question word, no pronoun and no preposition. */
const NO_TITLE =
  /^(?:(?:(?:the|das|den|ein) )?(?:tag|label)|\p{L}+en sie(?!\p{L})|bin|bist|sind|ist|war|which|what|who|whose|how|why|that i|if|whether|wer|was|welche\p{L}*|dass ich|ob|everything|alles|i|you|he|she|they|we|it|him|her|them|this|that|ich|du|er|sie|es|wir|ihr|man|ihn|ihm|das|with|mit|without|ohne|but|aber|not|nicht|also|auch|only|nur)(?!\p{L})/iu
/** A message without a command that begins with one of these words asks for something else. */
const ASKING =
  /^(?:any|some|all|best|check|look|looking|show|list|tell|read|alert|text|zeig\p{L}*|schreib\p{L}*|antworte?)(?![\p{L}-])/iu
/** "Kannst du … verschieben" changes something that exists. */
const CHANGES_LAST = /\s(?:ändern|verschieben|verlegen|umbenennen|absagen|löschen|streichen)[\s?.!]*$/iu
/** Words for an item that do not name it. */
const GENERIC =
  /^(?:tasks?|to-?dos?|reminders?|items?|event|meeting|appointment|calendar entry|aufgaben?|termin|treffen|besprechung|erinnerung(?:en)?|eintrag|notiz|note|lists?|listen?|one|time|something|etwas)$/iu

const toTask = (
  title: string,
  { start, minutes, rule }: Times,
  isReminder: boolean,
  more: Partial<ToolArguments['create_task']>,
): Item => {
  const due = start && wallText(start)
  return {
    tool: 'create_task',
    arguments: {
      title,
      ...(due && { due }),
      ...(due && isReminder && start.seconds !== undefined && { remindAt: due }),
      ...(rule && { recurrence: rule }),
      ...(minutes && { estimateMinutes: minutes }),
      ...more,
    },
  }
}

const toEvent = (
  title: string | undefined,
  { start, end, before, minutes, rule, isAllDay }: Times,
  more: Partial<ToolArguments['create_event']>,
): Item => {
  const people = peopleIn(title ?? '')
  return {
    tool: 'create_event',
    arguments: {
      ...(title && { title }),
      ...(start && { start: wallText(start) }),
      ...(end && { end: wallText(end) }),
      ...(before && !rule && { before: wallText(before) }),
      ...(minutes && { minutes }),
      ...(isAllDay && { allDay: true as const }),
      ...(people.length > 0 && { people }),
      ...(rule && { recurrence: rule }),
      ...more,
    },
  }
}

const isOpenHour = (text: string, { said, start, end }: Times): boolean =>
  start?.seconds !== undefined && end === undefined && findOpenHour(text, said)

/** Nobody plans further ahead without naming the year. */
const FAR_DAYS = 270
const DAY_MS = 86_400_000
const NAMES_YEAR = /(?<!\d)20\d\d(?!\d)|(?:year|month|jahr|monat)/iu

/** A zone that the date reader does not know is left in the title. */
const UNKNOWN_ZONE =
  /(?<!\p{L})(?:ortszeit|\p{L}{4,}er zeit|\p{L}{4,}[sc]he zeit|(?:local|their|his|her|our|my|your) time)(?!\p{L})/iu

/** A verb that is no title, or a number that may be a time. */
const LOST_WORDS = /^(?:schicke?|sende?|send)\s|\s\d{1,2}\s\p{L}{1,3}$/iu

const findDoubts = (sentence: Sentence, times: Times, title: string): Doubt[] => {
  const { text, context } = sentence
  const { start } = times
  const isFar = start && start.day - Math.floor(context.now / DAY_MS) > FAR_DAYS && !NAMES_YEAR.test(text)
  return [
    ...([HAS_VERB, UNKNOWN_ZONE, LOST_WORDS].some((form) => form.test(title))
      ? (['unread_words'] as const)
      : []),
    ...(isFar ? (['far_date'] as const) : []),
    ...(isOpenHour(text, times) ? (['half_of_day'] as const) : []),
  ]
}

/** Tells whether a new item is a task, an event, or neither in so many words. */
const readKind = (
  sentence: Sentence,
  { has }: CommandReading,
  isNamedTask: boolean,
  isInvitation: boolean,
): 'task' | 'event' | undefined => {
  const isTermin = has('make') && /(?<!\p{L})termin(?!\p{L})/iu.test(sentence.text)
  if (has('as_event') || isInvitation || isTermin) return 'event'
  return isNamedTask || has('as_task', 'remind_me') ? 'task' : undefined
}

/** "Half an hour before" is about something known. */
const BEFORE_KNOWN =
  /(?:hours?|minutes?|mins?|days?|stunden?|minuten|tage?)\s+(?:before|beforehand|vorher|davor)(?!\p{L})/iu

/** Polite words, corrections and small words name nothing. */
const SMALL = new Set(['courtesy', 'fillers', 'correction', 'small', 'pronoun', 'yes', 'no', 'also_say'])

const isOnlySmall = ({ tokens, phrases }: Sentence, words: Words): boolean => {
  const small = new Set(phrases.filter(({ category }) => SMALL.has(category)).flatMap(({ at }) => at))
  return tokens.every((_, at) => !words.isFree(at) || small.has(at))
}

const readNewItem = (sentence: Sentence, known: Known): NewItem | undefined => {
  const words = createWords(sentence)
  const times = readWhen(sentence)
  for (const time of times.said) words.useSpan(time.offset, endOf(time))
  const command = readCommand(sentence, words)
  const { has, isHead } = command
  const invite = readInvited(sentence, words)
  const { list, isNamed: isListed } = readList(sentence, words, known.lists)
  const priority = readPriority(sentence, words)
  const tags = readTags(sentence, words)
  useParticle(sentence, words, has('make', 'invite'))
  const kind = readKind(sentence, command, isListed || priority !== undefined, invite.length > 0)
  const isTimed = times.start !== undefined
  const isDeadline = times.bound !== undefined && DEADLINES.has(times.bound) && times.end === undefined
  const isDoing = isChore(sentence, words) || isInfinitive(toTitle(sentence, words, true), sentence)
  const isRange = times.end !== undefined || times.minutes !== undefined
  const draft = toTitle(sentence, words, true)
  // "Celebrate with Ben at eight" takes place.
  const isMeeting =
    times.start?.seconds !== undefined && sentence.language === 'de' && peopleIn(draft).length > 0
  const isTask = kind
    ? kind === 'task'
    : isDeadline || (!isRange && !isMeeting && (isDoing || has('must'))) || !(isTimed || known.isEvent)
  const place = isTask ? undefined : readPlace(sentence, words, times)
  const whole = toTitle(sentence, words, isTask && isDoing)
  const said = isTask ? whole : withoutFrame(sentence, whole, times)
  const isVerb = has('make', 'must')
  const isCommand =
    has('remind_me', 'invite', 'make_end') || ((isVerb || isHead) && (kind === 'task' || has('as_event')))
  if (isOnlySmall(sentence, words) || BEFORE_KNOWN.test(sentence.text)) return undefined
  const isGeneric = GENERIC.test(said)
  if (isTask ? isGeneric : isGeneric && !(has('make', 'must') && isTimed)) return undefined
  if (said === '' || said.split(' ').length > MAX_TITLE_WORDS || NO_TITLE.test(said)) return undefined
  // "Send the figures to James by Friday" is a task.
  const isChange = ['move', 'cancel', ...(isDeadline ? [] : ['send'])].some((category) =>
    startsWith(sentence, category),
  )
  const isAsked = hasPhrase(sentence, 'ask_to') && CHANGES_LAST.test(sentence.text)
  const isOther = isChange || isAsked || HAS_VERB.test(said) || ASKING.test(said)
  if (!isCommand && !isVerb && (!isTimed || isOther)) return undefined
  return {
    item: isTask
      ? toTask(said, times, has('remind_me') || REMINDER.test(sentence.text), {
          ...(priority && { priority }),
          ...(list && { list }),
          ...(tags.length > 0 && { tags }),
        })
      : toEvent(isGeneric ? undefined : said, times, {
          ...(place && { place }),
          ...(invite.length > 0 && { invite }),
        }),
    doubts: findDoubts(sentence, times, kind === 'task' ? '' : said),
    evidence: readEvidence(said, isCommand, has('must'), isVerb || isDoing),
  }
}

const readEvidence = (
  title: string,
  isCommand: boolean,
  isDuty: boolean,
  isDoing: boolean,
): NewItem['evidence'] => {
  if (isCommand) return 'command'
  if (isDuty) return 'must'
  if (isDoing || VERB_FIRST.test(title)) return 'verb'
  return title.split(' ').length <= SHORT_TITLE ? 'short' : 'noun'
}

/** A question adds nothing. */
const isQuestion = (sentence: Sentence): boolean =>
  (startsWith(sentence, 'question') || /\?\s*$/u.test(sentence.text)) && !hasPhrase(sentence, 'ask_to')

const AND = /^(?:and|und|sowie|plus)$/iu

const dayOf = ({ item }: NewItem): string | undefined =>
  (item.tool === 'create_event' ? item.arguments.start : item.arguments.due)?.slice(0, 10)

/** Sets another day, at the same hours. */
const setDay = (found: NewItem, day: string): NewItem => {
  const given = found.item.arguments as Record<string, unknown>
  const moved = Object.fromEntries(
    ['start', 'end', 'due', 'remindAt'].flatMap((name) =>
      given[name] === undefined ? [] : [[name, day + (given[name] as string).slice(10)]],
    ),
  )
  return { ...found, item: { ...found.item, arguments: { ...given, ...moved } } as Item }
}

/** "The 28th" without a month. */
const BARE_DAY = /^(?:on |by )?(?:the |den |dem |am )?\d{1,2}(?:st|nd|rd|th|\.)?$/iu

/** A bare day is in the month of the item before it. */
export const inMonthOf = (found: NewItem, { times }: Sentence, before: NewItem): NewItem => {
  const [day, own] = [dayOf(before), dayOf(found)]
  const dated = times.find((time) => time.dated)
  return day && own && dated && BARE_DAY.test(dated.text)
    ? setDay(found, day.slice(0, 8) + own.slice(8))
    : found
}

/** An item without a day is on the day of the one before it, and one without a month in its month. */
const placeAfter = (found: NewItem, sentence: Sentence, before: NewItem): NewItem => {
  const day = dayOf(before)
  const isDated = sentence.times.some(({ dated }) => dated)
  return day && dayOf(found) && !isDated ? setDay(found, day) : inMonthOf(found, sentence, before)
}

/** Two items in one message, each with a time or a command of its own: "call Ann at 6 and buy bread tomorrow". */
const readPair = ({ tokens, text, context, language }: Sentence, known: Known): NewItem[] | undefined => {
  for (const [at, token] of tokens.entries()) {
    if (!AND.test(token.text) || at < 2) continue
    const second = readSentence(text.slice(token.to), language, context)
    const first = readSentence(text.slice(0, token.from).replace(/[\s,;]+$/u, ''), language, context)
    const [one, other] = [readNewItem(first, known), readNewItem(second, known)]
    if (!one || !other || 'invite' in other.item.arguments) continue
    if (dayOf(one) && (dayOf(other) || other.evidence === 'command'))
      return [one, placeAfter(other, second, one)]
  }
  return undefined
}

/** "Milk, bread and eggs" on a list are three tasks. */
const splitTitles = (found: NewItem): NewItem[] => {
  const { item } = found
  if (item.tool !== 'create_task' || item.arguments.due || !item.arguments.list) return [found]
  const titles = item.arguments.title.split(/\s*,\s*(?:(?:and|und)\s+)?|\s+(?:and|und)\s+/u)
  const most = titles.length > 2 ? 4 : 2
  return titles.length > 1 && titles.every((one) => one !== '' && one.split(' ').length <= most)
    ? titles.map((one) => ({
        ...found,
        item: { ...item, arguments: { ...item.arguments, title: one } },
      }))
    : [found]
}

/** Longer messages are texts. The time to find two items grows with the square of the length. */
const MAX_TOKENS = 60

/** Returns the items that a message adds, in its order. */
export const readNewItems = (sentence: Sentence, known: Known): NewItem[] => {
  if (isQuestion(sentence) || sentence.tokens.length > MAX_TOKENS) return []
  const pair = readPair(sentence, known)
  if (pair) return pair
  const item = readNewItem(sentence, known)
  return item ? splitTitles(item) : []
}
