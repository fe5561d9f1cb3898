import { toReaderZone } from '../dates/calendar.ts'
import { endOf, readTimes, type TimeExpression } from '../dates/read.ts'
import { type Duration, isNumberWord } from '../dates/values.ts'
import type { Language } from '../lexicon/lexicon.ts'
import { findPhrase, hasPhrase, type Sentence, wordsOf } from './sentence.ts'

/* Reads what a message changes of an item that is already known: "an hour later", "in room 4", "and invite Ben". */

/** A day, a time of day, or both. */
export interface Point {
  day?: number
  seconds?: number
}

export interface Edit {
  /** The distance from the own time of the item. */
  shift?: { months: number; days: number; seconds: number }
  start?: Point
  end?: Point
  /** The new length. */
  minutes?: number
  /** How much longer it becomes, or shorter. */
  growth?: number
  place?: string
  addPeople?: string[]
  removePeople?: string[]
  title?: string
  priority?: 'low' | 'normal' | 'high' | 'urgent'
  list?: string
  tag?: string
  recurrence?: string
  /** A moment, or the distance before the item. */
  remindAt?: { day: number; seconds?: number }
  remindBefore?: number
  /** The text of the reminder, if it is not the title of the item. */
  remindOf?: string
  /** A second item like this one, with the other changes. */
  isCopy?: true
  /** Takes the place of the person in the title. */
  replacePerson?: string
}

export interface EditedItem {
  kind: 'task' | 'event'
  /** Local start of the event, or due time of the task, encoded as UTC milliseconds. */
  at?: number | undefined
  end?: number | undefined
  /** The item has days, but no time of day. */
  isDay: boolean
}

/** What is known before an edit is read. */
export interface KnownNames {
  /** Tokens that name the item itself. */
  named?: readonly number[]
  /** Words that are left over do not matter: "the teacher is ill". */
  isLoose?: boolean
  /** The person or persons whom some words name, or none. */
  findPerson: (words: string) => string | undefined
  lists: readonly string[]
}

const DAY_MS = 86_400_000
const HALF_DAY = 43_200
const MINUTE = 60

/** Words that tell the half of the day. */
const HALF =
  /\d\s*[ap]\.?m|noon|midnight|morning|afternoon|evening|night|uhr|früh|vormittag|mittag|abend|nacht/iu

/** A clock without a half of the day means the half that is closer to the item. */
const closerHalf = (
  time: TimeExpression,
  seconds: number,
  reference: number | undefined,
  language: Language,
): number => {
  const isWritten = language === 'de' && /\d[:.]\d\d/.test(time.text)
  const isExact = HALF.test(time.text) || seconds >= 13 * 3600 || /(?<!\d)0\d/.test(time.text)
  if (isExact || reference === undefined || (isWritten && seconds >= 7 * 3600)) return seconds
  const [morning, evening] = [seconds % HALF_DAY, (seconds % HALF_DAY) + HALF_DAY] as [number, number]
  const distance = (one: number): number => Math.abs(one - reference)
  return distance(morning) < distance(evening) ? morning : evening
}

/** A half of the day after the start. */
const halfAfter = (time: TimeExpression, seconds: number, start: number): number =>
  seconds <= start && !HALF.test(time.text) && seconds + HALF_DAY < 2 * HALF_DAY
    ? seconds + HALF_DAY
    : seconds

const minutesOf = ({ months, days, seconds }: Duration): number | undefined =>
  months > 0 ? undefined : Math.round((days * DAY_MS) / 60_000 + seconds / MINUTE)

/** Reads numbers that are no time elsewhere: "till four", "no, 8", "zum 10." */
const readBareTimes = (
  { tokens, text, language, context }: Sentence,
  isFree: (at: number) => boolean,
): TimeExpression[] => {
  const found: TimeExpression[] = []
  for (let at = 0; at < tokens.length; at++) {
    const isNumber = (index: number): boolean => {
      const token = tokens[index]
      return (
        token !== undefined &&
        isFree(index) &&
        (/^\d{1,2}(?:[.:]\d\d)?$/.test(token.text) || isNumberWord(token.text.toLowerCase()))
      )
    }
    if (!isNumber(at)) continue
    let to = at + 1
    while (isNumber(to)) to++
    const [first, last] = [tokens[at], tokens[to - 1]] as [(typeof tokens)[number], (typeof tokens)[number]]
    const words = text.slice(first.from, last.to)
    const isDay =
      language === 'de' &&
      tokens[to]?.text === '.' &&
      /^\d+$/.test(words) &&
      /(?:zum|am|den|dem)\s+$/iu.test(text.slice(0, first.from))
    const lead = isDay ? 'am ' : language === 'de' ? 'um ' : 'at '
    const [time] = readTimes(`${lead}${words}${isDay ? '.' : ''}`, { ...context, order: 'dmy' })
    if (time?.start) found.push({ ...time, text: words, offset: first.from })
    at = to
  }
  return found
}

const NOT_THIS =
  /(?<!\p{L})(?:not|instead of|rather than|nicht|statt|anstatt)\s+(?:(?:at|on|um|am|the|den|dem|der)\s+)*$/iu
const ENDS_BEFORE =
  /(?<!\p{L})(?:till?|until|ends?(?: at)?|finish\p{L}*(?: at)?|up to|over by|bis(?: zum| zur| um)?|endet(?: um)?|zu)\s+(?:the\s+)?$/iu
/** A length after one of these words is the whole length, not a difference. */
const TO_LENGTH = /(?<!\p{L})(?:to|auf)\s+$/iu

const WEEKDAY =
  /^(?:mon|tues|wednes|thurs|fri|satur|sun)day$|^(?:mon|diens|donners|frei|sams|sonn)tag$|^mittwoch$|^sonnabend$/iu

/** "The Friday" is the one after the item. */
const isThatWeekday = (text: string, { offset, text: words }: TimeExpression): boolean =>
  WEEKDAY.test(words) && /(?<!\p{L})(?:the|den|dem)\s+$/iu.test(text.slice(0, offset))

const PRIORITIES = ['urgent', 'low', 'high', 'normal'] as const
const ARTICLE = /^(?:the|an?|my|our|der|die|das|den|dem|meine?[nmr]?)\s+/iu
const TAG = /^[\p{L}\d_/-]+$/u
const LEADING = /^(?:(?:is|are|ist|wird|to|into|in|at|auf|nach|ins?|im)\s+|[:=]\s*)+/iu
const TRAILING = /[\s.,!?]+$/u

const PART_OF_DAY = /^(?:morning|afternoon|evening|night|morgen|vormittag|mittag|nachmittag|abend|nacht)$/iu
const BARE_DAY = /^(?:(?:the|den|dem|am|on) )?\d{1,2}(?:st|nd|rd|th|\.)?$/iu

/** "The 15th" is in the month of the item. */
const inMonthOf = ({ at }: EditedItem, { text }: TimeExpression, day: number, now: number): number => {
  const wanted = Number(/\d+/.exec(text)?.[0])
  if (at === undefined || !BARE_DAY.test(text)) return day
  const month = new Date(at)
  const [year, ofYear] = [month.getUTCFullYear(), month.getUTCMonth()]
  const days = [0, 1].map((more) => Date.UTC(year, ofYear + more, wanted) / DAY_MS)
  return days.find((one) => one * DAY_MS > now) ?? day
}

/** Returns the edit if every word of the message belongs to it. */
export const readEdit = (sentence: Sentence, item: EditedItem, known: KnownNames): Edit | undefined => {
  const { tokens, phrases, times, text, language, context } = sentence
  const used = tokens.map(
    ({ text: word, from, to }) =>
      /^[^\p{L}\p{N}]$/u.test(word) || times.some((time) => from >= time.offset && to <= endOf(time)),
  )
  const use = (from: number, to: number): void => {
    used.fill(true, from, to)
  }
  const useAll = (...categories: string[]): boolean => {
    const own = phrases.filter(({ category }) => categories.includes(category))
    for (const { at } of own) for (const index of at) used[index] = true
    return own.length > 0
  }
  for (const index of known.named ?? []) used[index] = true
  const edit: Edit = {}
  const reference = item.at === undefined || item.isDay ? undefined : Math.floor((item.at % DAY_MS) / 1000)
  useAll('courtesy', 'correction', 'pronoun', 'small', 'change', 'move', 'create', 'no')

  if (useAll('again')) edit.isCopy = true
  const isFree = (index: number): boolean =>
    !times.some(
      ({ offset, text: words }) =>
        (tokens[index]?.from ?? 0) >= offset && (tokens[index]?.to ?? 0) <= offset + words.length,
    )
  const bare = readBareTimes(sentence, isFree)
  for (const { offset, text: words } of bare)
    for (const [index, { from, to }] of tokens.entries())
      if (from >= offset && to <= offset + words.length) use(index, index + 1)
  // A weekday after an item is counted from the item.
  const isAfter = useAll('after_item')
  if (useAll('next_day') && item.at !== undefined) edit.start = { day: Math.floor(item.at / DAY_MS) + 1 }
  const fromItem = item.at === undefined ? [] : readTimes(text, { ...context, now: item.at, order: 'dmy' })
  const toOwnZone = (time: TimeExpression): TimeExpression => ({
    ...time,
    ...(time.start && { start: toReaderZone(time.start, time.zone, context.timezone) }),
    ...(time.end && { end: toReaderZone(time.end, time.zone, context.timezone) }),
  })
  const said = times
    .map(toOwnZone)
    .map((time, index) => (isAfter || isThatWeekday(text, time) ? (fromItem[index] ?? time) : time))
    .filter(({ duration, text: words }) => !(duration?.n === 0 && /^(?:jetzt|now)$/iu.test(words)))
  const all = [...said, ...bare]
    .filter(({ offset }) => !NOT_THIS.test(text.slice(0, offset)))
    .sort((one, other) => one.offset - other.offset)

  const length = all.find(({ duration }) => duration)
  const points = all.filter((time) => time.start && time.kind !== 'recurrence' && time !== length)
  const rule = all.find((time) => time.kind === 'recurrence')?.rule
  if (rule) edit.recurrence = rule
  const [isLater, isEarlier, isLonger, isShorter, isLasting] = [
    useAll('later'),
    useAll('earlier'),
    useAll('longer'),
    useAll('shorter'),
    useAll('lasts'),
  ]
  const isReminder = useAll('remind')
  useAll('starts', 'ends')
  const keepsTime = useAll('same_time', 'keep_length')
  if (length?.duration) {
    const { months, days, seconds } = length.duration
    const minutes = minutesOf(length.duration)
    const sign = isEarlier ? -1 : 1
    const isWhole = TO_LENGTH.test(text.slice(0, length.offset))
    if (isReminder) {
      if (minutes === undefined) return undefined
      edit.remindBefore = minutes
    } else if (isLater || isEarlier || edit.isCopy || / (?:later|earlier|später|früher)$/iu.test(length.text))
      edit.shift = { months: sign * months, days: sign * days, seconds: sign * seconds }
    else if ((isLonger || isShorter) && !isWhole && minutes !== undefined)
      edit.growth = isShorter && !isLonger ? -minutes : minutes
    else if (
      minutes !== undefined &&
      item.kind === 'event' &&
      (isLasting || isWhole || isShorter || !hasPhrase(sentence, 'move'))
    )
      edit.minutes = minutes
    else edit.shift = { months, days, seconds }
  }

  for (const time of points) {
    const start = time.start as NonNullable<TimeExpression['start']>
    const isPart = time.part !== undefined
    const clock = isPart ? undefined : start.seconds
    const day = time.dated ? inMonthOf(item, time, start.day, context.now) : undefined
    const isEnd =
      time.bound === 'until' || time.bound === 'by' || ENDS_BEFORE.test(text.slice(0, time.offset))
    if (isReminder) {
      const base =
        edit.remindAt?.day ??
        day ??
        (isAfter && item.at !== undefined ? Math.floor(item.at / DAY_MS) - 1 : undefined)
      if (base === undefined && clock === undefined) return undefined
      const evening = points.some(({ part }) => part === 'evening' || part === 'night')
      const seconds =
        clock === undefined ? edit.remindAt?.seconds : evening && clock < HALF_DAY ? clock + HALF_DAY : clock
      edit.remindAt = { day: base ?? start.day, ...(seconds !== undefined && { seconds }) }
      continue
    }
    if (isEnd && item.kind === 'event' && edit.end === undefined) {
      const from = edit.start?.seconds ?? reference
      edit.end = {
        ...(day !== undefined && { day }),
        ...(clock !== undefined && { seconds: from === undefined ? clock : halfAfter(time, clock, from) }),
      }
      continue
    }
    edit.start = {
      ...edit.start,
      ...(day !== undefined && { day }),
      ...(clock !== undefined && { seconds: closerHalf(time, clock, reference, language) }),
    }
    if (time.end?.seconds !== undefined && clock !== undefined && item.kind === 'event')
      edit.end = { seconds: halfAfter(time, time.end.seconds, edit.start.seconds as number) }
  }
  if (keepsTime && edit.start?.seconds !== undefined && edit.start.day !== undefined)
    delete edit.start.seconds

  // Events have no priority.
  const isTask = item.kind === 'task'
  if (isTask && useAll('priority')) edit.priority = 'high'
  const level = isTask && PRIORITIES.find((one) => hasPhrase(sentence, one))
  if (level && (edit.priority || tokens.length <= 4)) {
    edit.priority = level
    useAll(level)
  }
  const list = known.lists.find((name) =>
    new RegExp(`(?<!\\p{L})${RegExp.escape(name)}(?!\\p{L})`, 'iu').test(text),
  )
  if (list && isTask && hasPhrase(sentence, 'list')) {
    edit.list = list
    useAll('list')
    const from = text.toLowerCase().indexOf(list.toLowerCase())
    for (const [index, token] of tokens.entries())
      if (token.from >= from && token.to <= from + list.length) use(index, index + 1)
  }

  /** The unused words from a token on, up to a mark. */
  const rest = (from: number): { from: number; to: number } => {
    let to = from
    while (
      to < tokens.length &&
      !/^[.,;!?]$/u.test(tokens[to]?.text ?? '') &&
      !(to > from && phrases.some(({ category, from: start }) => start === to && category === 'courtesy'))
    )
      to++
    return { from, to }
  }
  const rename = findPhrase(sentence, 'rename')
  if (rename) {
    const { from, to } = rest(rename.to)
    const title = wordsOf(sentence, from, to)
      .replace(/^(?:it|that|das|es|ihn|sie)\s+/iu, '')
      .replace(/^(?:to|in|um in)\s+/iu, '')
      .replace(/["“”„]/gu, '')
      .trim()
    if (title === '') return undefined
    edit.title = title
    use(rename.from, to)
  }
  const place = item.kind === 'event' && !rename ? findPhrase(sentence, 'place') : undefined
  if (place && used.slice(place.to).includes(false)) {
    // "Change the location of the lunch to Luigi"
    const lastName = Math.max(-1, ...(known.named ?? []))
    const { from, to } = rest(Math.max(place.to, lastName + 1))
    const words = wordsOf(sentence, from, to).replace(TRAILING, '').replace(LEADING, '').replace(ARTICLE, '')
    if (words === '') return undefined
    edit.place = words
    use(place.from, to)
  }

  // The words after "tag it with", or a list that does not exist, are a tag.
  const isTagged = isTask && (useAll('tag') || (edit.list === undefined && useAll('list')))
  if (isTagged) {
    useAll('with')
    const [from, to] = [used.indexOf(false), used.lastIndexOf(false) + 1]
    const tag = wordsOf(sentence, from, to).replace(/^#/u, '').replace(ARTICLE, '')
    if (from < 0 || !TAG.test(tag)) return undefined
    edit.tag = tag.toLowerCase()
    use(from, to)
  }

  // "Remind me half an hour before to bring the glasses"
  const isRelative = edit.remindBefore !== undefined || (edit.remindAt && isAfter)
  const first = used.indexOf(false)
  if (isRelative && first >= 0) {
    const to = used.lastIndexOf(false) + 1
    const lead = tokens.findLastIndex(
      ({ text: word }, at) => at < first && /^(?:to|about|an|zu)$/iu.test(word),
    )
    const remindOf = wordsOf(sentence, lead > 0 ? lead + 1 : first, to).replace(TRAILING, '')
    if (!PART_OF_DAY.test(remindOf))
      edit.remindOf = remindOf.charAt(0).toLocaleUpperCase() + remindOf.slice(1)
    use(first, to)
  }

  // The words that are left must be people.
  const isRemoved = useAll('remove_person')
  const isReplaced = !useAll('add_person') && !isRemoved && hasPhrase(sentence, 'correction')
  useAll('both', 'with', 'fillers')
  let at = known.isLoose ? -1 : used.indexOf(false)
  while (at >= 0) {
    let to = at
    let person: string | undefined
    for (let end = Math.min(tokens.length, at + 4); end > at && person === undefined; end--) {
      person = used.slice(at, end).includes(true) ? undefined : known.findPerson(wordsOf(sentence, at, end))
      to = end
    }
    if (person === undefined || (item.kind !== 'event' && !isReplaced)) return undefined
    if (isReplaced) edit.replacePerson = person
    else if (isRemoved) edit.removePeople = [...(edit.removePeople ?? []), person]
    else edit.addPeople = [...(edit.addPeople ?? []), person]
    use(at, to)
    at = used.indexOf(false)
  }
  return Object.keys(edit).some((name) => name !== 'isCopy') || edit.isCopy ? edit : undefined
}
