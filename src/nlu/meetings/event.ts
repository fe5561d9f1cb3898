import { durationSeconds } from '../dates/outcome.ts'
import { endOf, type ReadOptions, readTimes, type TimeExpression } from '../dates/read.ts'
import type { Moment } from '../dates/values.ts'
import { loadPatterns } from '../lexicon/patterns.ts'
import { tagArguments } from '../tagger/tagger.ts'
import { fitting } from '../text.ts'
import { findPlace } from './places.ts'
import { findTitle, maskRange, type Piece, pieceAt } from './title.ts'

const pattern = loadPatterns(new URL('../lexicon/event-words.txt', import.meta.url))

const TITLED = /^(?:(?:dr|mr|mrs|ms|prof|doctor|sir)\.?\s?)+(?=\p{L})/iu
const PROPER =
  /^(?!ASAP|I\b)\p{Lu}[\p{L}'’-]*(?:\s(?:\p{Lu}\.(?=\s\p{Lu})|(?:de|van|von|der|la|bin|al)\s\p{Lu}[\p{L}'’-]+|(?!ASAP|AM\b|PM\b)\p{Lu}[\p{L}'’-]*))*/u
const PLAIN = /^\p{Ll}[\p{L}'’-]+/u
const AND = /^\s*(?:,\s*(?:and\s+|und\s+|&\s*)?|\s(?:and|und|an|plus|as well as|sowie)\s+|&\s*|\+\s*)/i

interface NameList {
  names: Piece[]
  end: number
}

const isUnspecificPerson = (word: string): boolean => pattern('unspecific person').test(word)

const nameAt = (text: string, offset: number, plain: boolean): Piece | undefined => {
  const rest = text.slice(offset, offset + 80)
  const titled = TITLED.exec(rest)
  const after = rest.slice(titled?.[0].length ?? 0)
  const proper = PROPER.exec(after)?.[0]
  const found = proper ?? (plain || titled ? PLAIN.exec(after)?.[0] : undefined)
  if (!found) return undefined
  const bare = found.replace(/['’]s?$/, '')
  const first = (bare.split(' ')[0] as string).toLowerCase()
  if (!titled && isUnspecificPerson(first)) return undefined
  const length = (titled?.[0].length ?? 0) + bare.length
  // In a text without capitals, a second word belongs to the name if nothing follows it.
  const second = /^\s(\p{Ll}{2,}|\p{Lu})(?=\s*(?:[|,.?!]|$|and\s))/u.exec(rest.slice(length))
  const more = second && !isUnspecificPerson(second[1] as string) ? second[0].length : 0
  return { text: rest.slice(0, length + more), offset }
}

/**
 * Reads a list of names such as "Ann, Bob Miller and Dr. Snow". In a text without capitals, plain words are
 * names.
 */
const namesAt = (text: string, start: number, plain: boolean): NameList => {
  const names: Piece[] = []
  let at = start
  let end = start
  for (let count = 0; count < 30; count++) {
    at += pattern('lead').exec(text.slice(at, at + 60))?.[0].length ?? 0
    const name = nameAt(text, at, plain)
    if (!name) {
      // "with Ann, myself and Bob": skip the user and keep the others.
      const own = /^(?:me|myself|us)\b/i.exec(text.slice(at, at + 10))
      if (!own) break
      at += own[0].length
    } else {
      const piece = pieceAt(text, name.offset, name.offset + name.text.length)
      if (piece) names.push(piece)
      at = name.offset + name.text.length
      const owned = /^['’]s?(?=\s)/.exec(text.slice(at, at + 3))
      if (owned) return { names, end: at + owned[0].length }
    }
    end = at
    const and = AND.exec(text.slice(at, at + 20))
    if (!and) break
    at += and[0].length
  }
  return { names, end }
}

/** True if capitals do not indicate names: the text has no capitalized words, or only capitals. */
const hasPlainNames = (text: string): boolean =>
  !/(?<![.!?]\s|^)\b(?!I\b|AM\b|PM\b|OK\b)\p{Lu}\p{Ll}/u.test(text)

interface Start extends Moment {
  dated: boolean
  timed: boolean
}

/** One event that a text requests or mentions. */
export interface EventReading {
  title?: Piece
  people: Piece[]
  place?: Piece
  /** `dated` is false if the text names only a time of day. */
  start?: Start
  end?: Moment
  minutes?: number
  allDay?: true
  times: TimeExpression[]
}

/**
 * Keeps the times that say when the event is. "with June" is a person, and a holiday next to a date is the
 * occasion.
 */
const timesOf = (text: string, times: readonly TimeExpression[]): TimeExpression[] => {
  const isDated = times.some(({ dated, name, kind }) => dated && !name && kind !== 'duration')
  return times.filter(
    ({ offset, kind, grain, name }) =>
      !(name && isDated) &&
      !(
        kind === 'daterange' &&
        grain === 'month' &&
        /\b(?:with|mit)\s$/i.test(text.slice(Math.max(0, offset - 6), offset))
      ),
  )
}

const coverTimes = (text: string, times: readonly TimeExpression[]): string => {
  let covered = text
  for (const time of times) {
    const lead =
      pattern('lead in').exec(text.slice(Math.max(0, time.offset - 40), time.offset))?.[0].length ?? 0
    covered = maskRange(covered, time.offset - lead, endOf(time))
  }
  return covered.replace(pattern('all day'), (words) => '|'.repeat(words.length))
}

interface Timing {
  start?: Start
  end?: Moment
  minutes?: number
}

/** Combines the times of a sentence into one start: a date and an hour may be named separately. */
const timingOf = (text: string, times: readonly TimeExpression[]): Timing => {
  const fitted = times.map((time) => fitting(time, text))
  const length = fitted.find(({ kind }) => kind === 'duration')
  const points = fitted.filter(
    ({ start, kind, duration }) => start && kind !== 'recurrence' && duration?.n !== 0,
  )
  const ends = points.find(({ offset }) =>
    /\bend(?:s|ing)?(?: at| by)?\s$/i.test(text.slice(Math.max(0, offset - 12), offset)),
  )
  const main = points.filter((point) => point !== ends)
  const clock = main.find(({ start }) => start?.seconds !== undefined)
  const day =
    main.find(({ dated, start }) => dated && start?.seconds === undefined) ?? main.find(({ dated }) => dated)
  const first = clock ?? day
  const minutes = length?.duration ? durationSeconds(length.duration) / 60 : undefined
  if (!first?.start) return { ...(ends?.start ? { end: ends.start } : {}), ...(minutes ? { minutes } : {}) }
  const date = clock && !clock.dated && day ? day : first
  const shift = (date.start?.day ?? first.start.day) - first.start.day
  const start = {
    ...first.start,
    day: first.start.day + shift,
    dated: date.dated,
    timed: first.start.seconds !== undefined,
  }
  const lasts =
    first.duration && first.end && first.duration.n > 0 ? durationSeconds(first.duration) / 60 : minutes
  const end =
    ends?.start ??
    (first.end &&
    !lasts &&
    !first.bound &&
    (first.start.seconds !== undefined || first.inclusive) &&
    !first.part
      ? first.end
      : undefined)
  return {
    start,
    ...(end ? { end: { ...end, day: end.day + shift } } : {}),
    ...(lasts && lasts < 24 * 60 ? { minutes: lasts } : {}),
  }
}

const THERE =
  /(?:^|[.!?,]\s)(\p{Lu}[\p{L}'-]{1,40}(?:(?:,? and |, )\p{Lu}[\p{L}'-]{1,40}){0,8})(?: from \w+)? (?:might|will|should|can) (?:also )?(?:be there|come|join|attend)/gu

const findPeople = (text: string, covered: string): { people: Piece[]; covered: string } => {
  const plain = hasPlainNames(text)
  const people: Piece[] = []
  let rest = covered
  for (const match of covered.matchAll(pattern('with'))) {
    const verb = match[0].trim().toLowerCase()
    const start = match.index + match[0].length
    if (pattern('group').test(covered.slice(start, start + 60))) continue
    // Verbs take any object, so only a proper name makes it a person.
    const sure = /\b(?:with|woth|mit|invite)$|w\/$/i.test(verb)
    const { names, end } = namesAt(covered, start, plain && sure)
    const known = names.filter(({ text: name }) => !/^(?:the|a|an|my)$/i.test(name))
    if (known.length === 0) continue
    people.push(...known)
    rest = maskRange(rest, match.index + (/^[\s|(]/.test(match[0]) ? 1 : 0), end)
  }
  const together = /^[\s|]*(?=\p{Lu})/u.exec(covered)
  if (together && /^[^.!?|]{2,60} and I\b/.test(covered))
    people.push(...namesAt(covered, together[0].length, false).names)
  for (const match of covered.matchAll(THERE)) {
    const start = match.index + match[0].indexOf(match[1] as string)
    people.push(...namesAt(covered, start, false).names)
  }
  const seen = new Set<string>()
  const unique = people.filter(({ text: name }) => {
    const key = name.toLowerCase()
    if (seen.has(key) || isUnspecificPerson(key)) return false
    seen.add(key)
    return true
  })
  return { people: unique, covered: rest }
}

/** Longer texts are truncated. A few sentences describe an event. */
const MAX_TEXT_LENGTH = 2000

/** Reads one event from a request or a note: "lunch with Ann on Friday at noon at the Ritz". */
export const readEvent = (text: string, options: ReadOptions): EventReading => {
  const start = text.slice(0, MAX_TEXT_LENGTH)
  return readEventWith(start, readTimes(start, options))
}

/** Hides what is read before the place and the title: the times, the people and a quoted title. */
export const coverKnown = (
  text: string,
  read: readonly TimeExpression[],
): { times: TimeExpression[]; people: Piece[]; covered: string } => {
  const times = timesOf(text, read)
  const quoted = /["“][^"“”\n]{2,100}["”]/u.exec(text)
  const free = quoted
    ? times.filter(({ offset }) => offset < quoted.index || offset >= quoted.index + quoted[0].length)
    : times
  const withoutQuote = quoted ? maskRange(text, quoted.index, quoted.index + quoted[0].length) : text
  const timeless = coverTimes(withoutQuote, free)
  // "remind me to speak with Ann": Ann is part of the task and is not invited.
  const chore = /\bremind(?:er|s)?\b[^.|]{0,20}\bto\b/i.test(timeless)
  return {
    times: free,
    ...(chore ? { people: [], covered: timeless } : findPeople(withoutQuote, timeless)),
  }
}

/** Takes the title from the tagger if the sentence around it was not recognized. */
const chooseTitle = (text: string, title: Piece | undefined): Piece | undefined => {
  if (!title || /["“]/.test(text[title.offset - 1] ?? '') || !pattern('sentence word').test(title.text))
    return title
  const tagged = tagArguments(text).find(({ role }) => role === 'title')
  return tagged ? { text: tagged.text, offset: tagged.start } : title
}

/** Reads one event from a text whose times were already parsed. */
export const readEventWith = (text: string, read: readonly TimeExpression[]): EventReading => {
  const { times, people, covered } = coverKnown(text, read)
  const place = findPlace(covered)
  const rest = place ? maskRange(covered, place.from, place.offset + place.text.length) : covered
  const title = chooseTitle(text, findTitle(text, rest))
  return {
    ...(title ? { title } : {}),
    people,
    ...(place ? { place: { text: place.text, offset: place.offset } } : {}),
    ...timingOf(text, times),
    ...(pattern('all day').test(text) ? { allDay: true } : {}),
    times,
  }
}

/*
 * Decides whether a request asks to create an event, not to query, move, answer or cancel one. The first
 * words decide. If they do not, an occasion with a time does.
 */

export interface ParsedRequest {
  wanted: boolean
  confidence: number
}

/** `timed` is true if the text contains a time. */
export const asksForEvent = (text: string, timed: boolean): ParsedRequest => {
  const say = (wanted: boolean, confidence: number): ParsedRequest => ({ wanted, confidence })
  const bare = text.trim().replace(pattern('polite'), '')
  if (bare === '') return say(false, 0.9)
  const inner = bare.replace(pattern('offer'), '')
  const offered = inner.length < bare.length
  if (pattern('ask').test(bare) && !offered) return say(false, 0.9)
  const sentences = inner.split(/(?<=[.?!])\s+/u)
  const first = sentences[0] as string
  if (pattern('change').test(inner.slice(0, 400)) || pattern('otherwise').test(bare.slice(0, 400)))
    return say(false, 0.8)
  if (pattern('make').test(inner)) {
    if (
      /^(?:add|put|invite)\b/i.test(inner) &&
      pattern('to event').test(first) &&
      !/\bto (?:my|the) (?:\w+ )?(?:calend|schedule)/i.test(first)
    )
      return say(false, 0.6)
    if (
      /^(?:set|make|create) (?:a |an |my |the )?(?:alarm|timer|call to|list|playlist|preferences?|calend[ae]r)\b(?! (?:event|appointment|for))/i.test(
        inner,
      )
    )
      return say(false, 0.6)
    return say(true, pattern('occasion').test(inner) || timed ? 0.95 : 0.8)
  }
  if (pattern('look').test(inner)) return say(false, 0.8)
  if (/\b(?:weather|temperature|rain|the forecast|email address|phone number)\b/i.test(bare))
    return say(false, 0.8)
  if (/\?\s*$/.test(bare) && !offered) {
    const asks = sentences.some((sentence) =>
      pattern('make').test(sentence.replace(pattern('polite'), '').replace(pattern('offer'), '')),
    )
    return say(asks, 0.6)
  }
  if (
    sentences.some(
      (sentence) =>
        sentence !== first &&
        pattern('make').test(sentence.replace(pattern('polite'), '').replace(pattern('offer'), '')),
    )
  )
    return say(true, 0.8)
  const occasion = pattern('occasion').test(inner)
  if (pattern('not one').test(inner) && !timed) return say(false, 0.6)
  if (occasion && timed) return say(true, 0.8)
  if (offered && (occasion || timed)) return say(true, 0.75)
  if (timed && inner.split(/\s+/u).length >= 2) return say(true, 0.6)
  if (occasion && /\b(?:with|mit)\b/i.test(inner)) return say(true, 0.6)
  return say(occasion && offered, 0.5)
}
