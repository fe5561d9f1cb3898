import { endOf } from '../dates/read.ts'
import { findOpenHour } from '../intents/doubts.ts'
import type { Doubt, ToolArguments } from '../intents/intent.ts'
import { wallText } from '../intents/request.ts'
import { readCommand } from './command.ts'
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
  /** What tells that something is to be added: a command, a verb, or a noun with a time. */
  evidence: 'command' | 'verb' | 'noun' | 'short'
}

/** Words that connect a title with a time, a command or a list. */
const EDGE =
  /^(?:on|at|by|for|from|in|to|due|and|that|is|are|as|it|of|until|till|starting|then|please|about|um|am|für|zum|zur|den|dem|der|ab|und|fällig|im|bis|als|dass|zu|an|ans|von|vom|noch|mal|da|daran|darüber|davon|mir|uns|bitte|dafür|ist|sind|namens|called|named|titled|with the title)$/iu
const LAST_EDGE =
  /^(?:on|at|by|for|from|in|to|due|and|that|is|as|of|until|till|starting|um|am|für|den|dem|der|ab|und|fällig|im|bis|als|dass|zu|an|von|vom|noch|mal|bitte|mit|with|the|a|an)$/iu
const ARTICLE =
  /^(?:an?|the|my|his|her|their|our|new|some|eine?|einen|einem|einer|nen?|ne|den|die|das|dem|der|meine?n?|neue?n?)$/iu
const QUOTED = /["“„‚‘«]([^"“”„«»]{1,200})["”“»’]/u

/** The second part of a German verb, at the end: "trag … ein". */
const PARTICLE = /^(?:ein|an|auf|fest|rein|hinzu|vor|dazu|down|in)$/iu

const PLACE_LEAD: Readonly<Record<'en' | 'de', RegExp>> = {
  en: /^(?:at|in|@|on|via|over)$/iu,
  de: /^(?:im|in|bei|beim|@|über|via|per|auf)$/iu,
}
/** Places in the net, after any preposition. */
const ONLINE = /^(?:zoom|teams|microsoft teams|skype|webex|google meet|facetime|jitsi|slack|discord)$/iu
const PLACE_WORD = /^(?:home|work|our place|my place|your place|school|the office|zu hause|zuhause|daheim)$/iu

/** A place after "at" or "in". German names of people and teams are no places. */
const readPlace = (sentence: Sentence, words: Words): string | undefined => {
  const { tokens, language } = sentence
  for (const { from, to } of words.runs())
    for (let at = Math.max(from, 0); at < to; at++) {
      if (!PLACE_LEAD[language].test(tokens[at]?.text ?? '') || at + 1 >= to) continue
      let first = at + 1
      if (/^(?:the|der|die|das|den|dem)$/iu.test(tokens[first]?.text ?? '') && first + 1 < to) first++
      let end = first
      while (
        end < to &&
        !/^(?:with|mit|for|für|and|und|about|über|zu|zum|zur)$/iu.test(tokens[end]?.text ?? '')
      )
        end++
      while (end > first && EDGE.test(tokens[end - 1]?.text ?? '')) end--
      const isNamed = /^[\p{Lu}\d]/u.test(tokens[first]?.text ?? '')
      const place = wordsOf(sentence, first, end)
      const said = wordsOf(sentence, at + 1, end)
      const isOnline = ONLINE.test(place)
      if (/^(?:on|via|over|über|per|auf)$/iu.test(tokens[at]?.text ?? '') && !isOnline) continue
      if (end <= first || (!isNamed && !isOnline && !PLACE_WORD.test(said) && language === 'en')) continue
      if (/^(?:team|ganzen|rahmen|namen|anschluss|kreis|büro von|auftrag)/iu.test(place)) continue
      if (at === from && from === 0) continue
      words.use(Array.from({ length: end - at }, (_, index) => at + index))
      return /^(?:the)\s/iu.test(said) && isNamed ? said : PLACE_WORD.test(said) ? said : place
    }
  return undefined
}

/** The people after "with", in a title. */
const COMPANION =
  /(?<!\p{L})(?:with|mit)\s+(?:(?:the|my|our|dem|der|den|meiner|meinem)\s+)?(\p{L}.*?)(?=[,;:(]|\s(?:at|in|on|about|for|to|über|zu|zum|zur|im|bei|wegen|für|\p{Ll}+en)(?:\s|$)|$)/giu

const peopleIn = (title: string): string[] =>
  [...title.matchAll(COMPANION)]
    .flatMap(([, names = '']) => names.split(/\s(?:and|und|&)\s|,\s/u))
    .filter((name) => name.split(' ').length <= 3)

/** A noun before the name of an event: "Termin Teamessen". */
const EVENT_NOUN =
  /^(?:termin|event|appointment|eintrag)\s+(?!(?:mit|with|for|für|bei|beim|zu|zur|zum|at|in|im)\s)(?=\S)/iu

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
  const quoted = QUOTED.exec(parts.join(' '))
  const joined = parts.join(' ').replace(/\s+/gu, ' ').trim()
  const bare = quoted && quoted[0].length >= joined.length - 1 ? (quoted[1] as string) : joined
  const [head, ...rest] = bare.split(' ')
  const text = rest.length > 0 && (isTask ? /^an?$/iu : ARTICLE).test(head as string) ? rest.join(' ') : bare
  const named = text.replace(EVENT_NOUN, '')
  return sentence.language === 'de' ? withoutZu(named) : named
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
  /(?<!\p{L})(?:is|are|was|were|will|would|has|had|does|did|isn't|aren't|ist|sind|war|waren|wird|werden|hat|hatte|kommt|geht|findet|fällt)(?!\p{L})/iu
/** A word before an article is a verb: "nimm die Sendung auf", "alert the bank". */
const VERB_FIRST = /^\p{L}+\s(?:the|an?|my|die|das|den|dem|einen?|eine|mir|mich|uns|alle|für)\s/iu
const MAX_TITLE_WORDS = 14
const SHORT_TITLE = 2
const REMINDER = /(?<!\p{L})(?:reminder|alarm|erinnerung|wecker)(?!\p{L})/iu

/** Hours that a task has a day for: "bis 12. Dezember". */
const DEADLINES = new Set(['by', 'before', 'until'])

/** A title begins with no pronoun and no preposition. */
const NO_TITLE =
  /^(?:(?:which|what|who|whose|how|why|that i|if|whether|wer|was|welche\p{L}*|dass ich|ob|any|some|all|everything|alles|best|check|look|looking|show|list|tell|read|alert|text|zeig\p{L}*|i|you|he|she|they|we|it|him|her|them|this|that|ich|du|er|sie|es|wir|ihr|man|ihn|ihm|das|with|mit|without|ohne|but|aber|not|nicht|also|auch|only|nur)(?!\p{L})|(?:task|event|meeting|appointment|reminder|aufgabe|termin|erinnerung|one|time|something|etwas)$)/iu

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
  title: string,
  { start, end, before, minutes, rule, isAllDay }: Times,
  more: Partial<ToolArguments['create_event']>,
): Item => {
  const people = peopleIn(title)
  return {
    tool: 'create_event',
    arguments: {
      title,
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

const readNewItem = (sentence: Sentence, lists: readonly string[]): NewItem | undefined => {
  const words = createWords(sentence)
  const times = readWhen(sentence)
  for (const time of times.said) words.useSpan(time.offset, endOf(time))
  const { has, isHead } = readCommand(sentence, words)
  const invite = readInvited(sentence, words)
  const { list, isNamed: isListed } = readList(sentence, words, lists)
  const priority = readPriority(sentence, words)
  const tags = readTags(sentence, words)
  const last = sentence.tokens.findLastIndex((_, at) => words.isFree(at))
  if (has('make', 'invite') && PARTICLE.test(sentence.tokens[last]?.text ?? '')) words.use([last])
  const isTimed = times.start !== undefined
  const isDeadline = times.bound !== undefined && DEADLINES.has(times.bound) && times.end === undefined
  const chore = isChore(sentence, words)
  const isTaskWord = has('as_task', 'remind_me') || isListed || priority !== undefined
  const isEventWord =
    has('as_event') || invite.length > 0 || (has('make') && /(?<!\p{L})termin(?!\p{L})/iu.test(sentence.text))
  const isRange = times.end !== undefined || times.minutes !== undefined
  const draft = toTitle(sentence, words, true)
  const isTask =
    !isEventWord &&
    (isTaskWord ||
      isDeadline ||
      (!isRange && (has('must') || chore || isInfinitive(draft, sentence))) ||
      !isTimed)
  const place = isTask ? undefined : readPlace(sentence, words)
  const title = toTitle(sentence, words, isTask && (chore || isInfinitive(draft, sentence)))
  const isNamed = has('make', 'must', 'make_end') || isHead
  const isCommand =
    has('remind_me', 'invite', 'make_end') || (isNamed && (has('as_task', 'as_event') || isListed))
  const isVerb = has('make', 'must') && isTimed
  const isLong = title.split(' ').length > MAX_TITLE_WORDS
  if (title === '' || isLong || NO_TITLE.test(title)) return undefined
  const isChange =
    startsWith(sentence, 'move') || startsWith(sentence, 'cancel') || startsWith(sentence, 'send')
  if (!isCommand && !isVerb && (!isTimed || HAS_VERB.test(title) || isChange)) return undefined
  const doubts: Doubt[] = HAS_VERB.test(title) && !isTaskWord ? ['unread_words'] : []
  const isLead = isVerb || chore || VERB_FIRST.test(title) || (isTask && isInfinitive(draft, sentence))
  return {
    item: isTask
      ? toTask(title, times, has('remind_me') || REMINDER.test(sentence.text), {
          ...(priority && { priority }),
          ...(list && { list }),
          ...(tags.length > 0 && { tags }),
        })
      : toEvent(title, times, { ...(place && { place }), ...(invite.length > 0 && { invite }) }),
    doubts: isOpenHour(sentence.text, times) ? [...doubts, 'half_of_day'] : doubts,
    evidence: isCommand
      ? 'command'
      : isLead
        ? 'verb'
        : title.split(' ').length <= SHORT_TITLE
          ? 'short'
          : 'noun',
  }
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
const BARE_DAY = /^(?:the |den |dem |am )?\d{1,2}(?:st|nd|rd|th|\.)?$/iu

/** An item without a day is on the day of the one before it, and one without a month in its month. */
const placeAfter = (found: NewItem, { times }: Sentence, before: NewItem): NewItem => {
  const day = dayOf(before)
  const own = dayOf(found)
  if (!day || !own) return found
  const dated = times.find((time) => time.dated)
  if (!dated) return setDay(found, day)
  return BARE_DAY.test(dated.text) ? setDay(found, day.slice(0, 8) + own.slice(8)) : found
}

/** Two items in one message, each with a time or a command of its own: "call Ann at 6 and buy bread tomorrow". */
const readPair = (
  { tokens, text, context, language }: Sentence,
  lists: readonly string[],
): NewItem[] | undefined => {
  for (const [at, token] of tokens.entries()) {
    if (!AND.test(token.text) || at < 2) continue
    const second = readSentence(text.slice(token.to), language, context)
    const first = readSentence(text.slice(0, token.from).replace(/[\s,;]+$/u, ''), language, context)
    const [one, other] = [readNewItem(first, lists), readNewItem(second, lists)]
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

/** Returns the items that a message adds, in its order. */
export const readNewItems = (sentence: Sentence, lists: readonly string[]): NewItem[] => {
  if (isQuestion(sentence)) return []
  const pair = readPair(sentence, lists)
  if (pair) return pair
  const item = readNewItem(sentence, lists)
  return item ? splitTitles(item) : []
}
