import { durationSeconds, type Moment } from '../dates/outcome.ts'
import { endOf, type ReadOptions, readTimes, type TimeExpression } from '../dates/read.ts'
import { fitting } from '../half-of-day.ts'
import { hasPlainNames, isNobody, namesAt } from './people.ts'
import { cover, type Piece } from './piece.ts'
import { findPlace } from './places.ts'
import { findTitle } from './title.ts'

interface Start extends Moment {
  dated: boolean
  timed: boolean
}

/** One event that a text asks for or tells of. */
export interface EventReading {
  title?: Piece
  people: Piece[]
  place?: Piece
  /** Without a day, when only a time of day is said. */
  start?: Start
  end?: Moment
  minutes?: number
  allDay?: true
  times: TimeExpression[]
}

const LEAD_IN =
  /(?:\b(?:on|at|for|from|by|around|about|starting|beginning|begins|starts|during|in|sometime|until|till|to|the|every|this|scheduled|set|@|am|um|ab|gegen|von|vom)\s+){1,4}$/iu
const ALL_DAY = /\b(?:all[ -]day|full[ -]day|whole day|entire day|ganztägig|den ganzen tag)\b/i

/** Times that say when the event is; "with June" is a person, and a feast beside a date is what is held on it. */
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
    const lead = LEAD_IN.exec(text.slice(Math.max(0, time.offset - 40), time.offset))?.[0].length ?? 0
    covered = cover(covered, time.offset - lead, endOf(time))
  }
  return covered.replace(ALL_DAY, (words) => '|'.repeat(words.length))
}

interface Timing {
  start?: Start
  end?: Moment
  minutes?: number
}

/** One start from all times of a sentence: a day said here and an hour said there belong together. */
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

const WITH =
  /(?:^|[\s|(])(?:with|w\/|woth|invite|inviting|including|include|meet(?! (?:with|up)\b)|(?:need|want|have|like|wanna) to see|saw|met|calling|between|mit|and add)\s+(?=\S)/giu
/** "The design team" is nobody in particular. */
const GROUP =
  /^(?:the|our|my|whole)\s(?:\p{Ll}[\p{L}-]*\s){1,2}(?:team|group|crew|board|committee|department|staff)\b/u
const THERE =
  /(?:^|[.!?,]\s)(\p{Lu}[\p{L}'-]{1,40}(?:(?:,? and |, )\p{Lu}[\p{L}'-]{1,40}){0,8})(?: from \w+)? (?:might|will|should|can) (?:also )?(?:be there|come|join|attend)/gu

const findPeople = (text: string, covered: string): { people: Piece[]; covered: string } => {
  const plain = hasPlainNames(text)
  const people: Piece[] = []
  let rest = covered
  for (const match of covered.matchAll(WITH)) {
    const verb = match[0].trim().toLowerCase()
    const start = match.index + match[0].length
    if (GROUP.test(covered.slice(start, start + 60))) continue
    // Verbs take an object of any kind; only a name makes it a person.
    const sure = /\b(?:with|woth|mit|invite)$|w\/$/i.test(verb)
    const { names, end } = namesAt(covered, start, plain && sure)
    const known = names.filter(({ text: name }) => !/^(?:the|a|an|my)$/i.test(name))
    if (known.length === 0) continue
    people.push(...known)
    rest = cover(rest, match.index + (/^[\s|(]/.test(match[0]) ? 1 : 0), end)
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
    if (seen.has(key) || isNobody(key)) return false
    seen.add(key)
    return true
  })
  return { people: unique, covered: rest }
}

/** One event is told of in a few sentences. */
const LONGEST_TEXT = 2000

/** Reads a request or a note of one event: "lunch with Ann on Friday at noon at the Ritz". */
export const readEvent = (text: string, options: ReadOptions): EventReading => {
  const start = text.slice(0, LONGEST_TEXT)
  return readEventWith(start, readTimes(start, options))
}

/** The same, where the times have been read already. */
export const readEventWith = (text: string, read: readonly TimeExpression[]): EventReading => {
  const times = timesOf(text, read)
  const quoted = /["“][^"“”\n]{2,100}["”]/u.exec(text)
  const free = quoted
    ? times.filter(({ offset }) => offset < quoted.index || offset >= quoted.index + quoted[0].length)
    : times
  const withoutQuote = quoted ? cover(text, quoted.index, quoted.index + quoted[0].length) : text
  const timeless = coverTimes(withoutQuote, free)
  // "remind me to speak with Ann": she is part of what to do, and is not invited.
  const chore = /\bremind(?:er|s)?\b[^.|]{0,20}\bto\b/i.test(timeless)
  const { people, covered } = chore ? { people: [], covered: timeless } : findPeople(withoutQuote, timeless)
  const place = findPlace(covered, hasPlainNames(text))
  const rest = place ? cover(covered, place.from, place.offset + place.text.length) : covered
  const title = findTitle(text, rest)
  return {
    ...(title ? { title } : {}),
    people,
    ...(place ? { place: { text: place.text, offset: place.offset } } : {}),
    ...timingOf(text, free),
    ...(ALL_DAY.test(text) ? { allDay: true } : {}),
    times: free,
  }
}
