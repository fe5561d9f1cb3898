import type { TimeExpression } from './dates/read.ts'
import type { Moment } from './dates/values.ts'
import { minutesOf, namesOf } from './intents/request.ts'
import { tokenize } from './lexicon/lexicon.ts'
import { coverKnown } from './meetings/event.ts'
import { findPlace } from './meetings/places.ts'
import { maskRange, type Piece } from './meetings/title.ts'
import { createTimeCuts, isQuoted, type LineOptions, taskTimes } from './quick-task.ts'
import { readWhen, type Times } from './requests/when.ts'

export interface EventPart extends Piece {
  kind: 'title' | 'start' | 'end' | 'allDay' | 'place' | 'person' | 'recurrence' | 'reminder' | 'zone'
}

export interface QuickPerson {
  name: string
  email?: string
}

/** One event as a line of text describes it. Times are those of the reader's wall clock. */
export interface QuickEvent {
  title: string
  /** Without `seconds` if the text names only a day. */
  start?: Moment
  /** The moment that the event ends. For days: the day after the last one. */
  end?: Moment
  minutes?: number
  /** False if the text names only a time of day. */
  isDated: boolean
  isAllDay: boolean
  /** An RFC 5545 rule. */
  recurrence?: string
  place?: string
  link?: string
  people: QuickPerson[]
  reminders: number[]
  understood: EventPart[]
}

/** Limits the work for hostile input. */
const MAX_LINE_LENGTH = 2000
const MAX_PEOPLE = 20

const LINK = /(?<=^|[\s(<])https?:\/\/[^\s<>"'()]{3,500}/giu
const EMAIL = /(?<![^\s(<,;:])<?([^\s@<>()[\],;:"']{1,64}@[\p{L}\d-]+(?:\.[\p{L}\d-]+)+)>?/giu
/** The words before a guest: "invite", "with", "and". */
const GUEST_LEAD =
  /(?<=^|[\s,;])(?:(?:please\s+|bitte\s+)?(?:invite|inviting|guests?:?|attendees?:?|lade|einladen:?|gäste?:?|with|w\/|mit|and|und|&|,)\s*){1,3}$/iu
/** A list of names without addresses. */
const INVITED =
  /(?<=^|[\s,;])(?:and\s+|und\s+)?(?:invite|inviting|guests?:|attendees?:|lade|einladen:|gäste:)\s+(\p{L}[\p{L}\s,&'-]{1,200}?)(?=\s+ein(?![\p{L}])|\s+(?:on|at|am|um|to|zu|zum|zur|for|für|in|im)\s|[|.;]|$)(?:\s+ein(?!\p{L}))?/iu
/** A name after a guest: "with zoe@example.org and Ben". */
const ANOTHER = /\|\s*(?:,|and|und|&)\s+(\p{Lu}[\p{L}'-]{0,60})(?=[\s,;|.]|$)/u
const BEFORE = /(?:\s*(?:before(?:hand)?|prior|earlier|vorher|davor|zuvor|im voraus))?/u.source
const UNIT = /(min(?:ute[ns]?|s)?|m|h|hours?|hrs?|stunden?|std|days?|d|tage?|weeks?|wochen?)/u.source
const ASKS = /(?:remind(?:er)?(?: me)?|alert(?: me)?|alarm|erinnere? mich|erinnerung)[:,]?\s+/u.source
const REMINDER = new RegExp(
  `(?<=^|[\\s(,;])(?:${ASKS}(\\d{1,4})\\s?${UNIT}${BEFORE}|(\\d{1,4})\\s?${UNIT}\\s+(?:before|vorher|davor)\\s+(?:remind(?:er)?(?: me)?|erinnern?|erinnerung))(?!\\p{L})`,
  'giu',
)
const ALL_DAY = /(?<!\p{L})(?:all[- ]day|full[- ]day|ganztägig\p{L}*|ganztaegig|den ganzen tag)(?!\p{L})/iu
/** The words between the two ends of a range. */
const BETWEEN = /\s*(?:[-–—]|\b(?:to|until|till|bis(?: zum)?)\b)\s*/iu
/** The words of a request around the title. */
const COMMAND =
  /^\s*(?:(?:please|pls|bitte)\s+)?(?:(?:add|create|schedule|set up)\s+(?:(?:an?|the|my)\s+)?(?:(?:new\s+)?(?:calendar )?(?:event|entry|appointment)(?:\s+(?:called|named|for)|:)?\s+)?|(?:new event|neuer termin|neues ereignis)(?::|\s)\s*|(?:trage?|erstelle?|lege?|plane?)\s+(?:(?:mir|bitte|einen?|das|den|die)\s+){0,3}(?:(?:neuen?\s+)?termin\s+(?:für\s+)?)?)/iu
const CONNECTOR = /^(?:on|at|from|for|in|by|and|am|um|ab|von|vom|für|im|und|&|,)$/iu
const EDGES = /^[\s,;:–-]+|[\s,;:–(-]+$/gu

const MINUTES: readonly (readonly [RegExp, number])[] = [
  [/^(?:h|std|stunde)/iu, 60],
  [/^(?:d|t)/iu, 1440],
  [/^w/iu, 10_080],
  [/^m/iu, 1],
]
const MAX_REMINDER = 527_040

interface Found {
  text: string
  parts: EventPart[]
}

const toPart = (kind: EventPart['kind'], text: string, from: number, to: number): EventPart => ({
  kind,
  text: text.slice(from, to),
  offset: from,
})

const endOfPart = ({ offset, text }: Piece): number => offset + text.length

const readReminders = (text: string): Found & { reminders: number[] } => {
  const parts: EventPart[] = []
  const reminders = new Set<number>()
  let rest = text
  for (const match of text.matchAll(REMINDER)) {
    const [words, count = '', unit = '', otherCount = '', otherUnit = ''] = match
    const [, factor = 1] = MINUTES.find(([form]) => form.test(unit || otherUnit)) ?? []
    const minutes = Number(count || otherCount) * factor
    if (minutes > MAX_REMINDER) continue
    reminders.add(minutes)
    parts.push(toPart('reminder', text, match.index, match.index + words.length))
    rest = maskRange(rest, match.index, match.index + words.length)
  }
  return { text: rest, parts, reminders: [...reminders] }
}

const readLink = (text: string): Found & { link?: string } => {
  const match = text.matchAll(LINK).next().value
  const link = match?.[0].replace(/[.,;:!?]+$/u, '')
  if (!match || !link || !URL.canParse(link)) return { text, parts: [] }
  const end = match.index + link.length
  return { link, text: maskRange(text, match.index, end), parts: [toPart('place', text, match.index, end)] }
}

/** Reads the guests that the text invites: addresses anywhere, and names after "invite". */
const readGuests = (text: string): Found & { people: QuickPerson[] } => {
  const people: QuickPerson[] = []
  const parts: EventPart[] = []
  let rest = text
  const take = (from: number, to: number): void => {
    const lead = GUEST_LEAD.exec(rest.slice(0, from))
    parts.push(toPart('person', text, from, to))
    rest = maskRange(rest, lead?.index ?? from, to)
  }
  for (const match of text.matchAll(EMAIL)) {
    const email = match[1] as string
    if (people.length >= MAX_PEOPLE) break
    if (!people.some((one) => one.email?.toLowerCase() === email.toLowerCase()))
      people.push({ name: '', email })
    take(match.index, match.index + match[0].length)
  }
  for (let next = ANOTHER.exec(rest); next && people.length < MAX_PEOPLE; next = ANOTHER.exec(rest)) {
    const name = next[1] as string
    people.push({ name })
    take(next.index + next[0].length - name.length, next.index + next[0].length)
  }
  const invited = INVITED.exec(rest)
  if (invited?.[1]) {
    const names = namesOf(invited[1].trim()).slice(0, MAX_PEOPLE - people.length)
    people.push(...names.map((name) => ({ name })))
    let from = invited.index + invited[0].indexOf(invited[1])
    for (const name of names) {
      from = text.indexOf(name, from)
      parts.push(toPart('person', text, from, from + name.length))
      from += name.length
    }
    rest = maskRange(rest, invited.index, invited.index + invited[0].length)
  }
  return { text: rest, parts, people }
}

const toKind = (time: TimeExpression): EventPart['kind'] =>
  time.kind === 'recurrence' ? 'recurrence' : time.kind === 'duration' ? 'end' : 'start'

/** Separates the two ends of a range: "12" and "13:30" of "tomorrow 12-13:30". */
const splitRange = (part: EventPart, { end, duration }: TimeExpression): EventPart[] => {
  const between = end ? BETWEEN.exec(part.text.slice(1)) : null
  // A date such as 2026-11-20 has hyphens too.
  if (!between || /^\d{4}-/u.test(part.text)) {
    const length = end && duration ? /\s+(?:for|für|lang)\s/iu.exec(part.text) : null
    if (!length) return [part]
    return [
      { ...part, text: part.text.slice(0, length.index) },
      { kind: 'end', text: part.text.slice(length.index + 1), offset: part.offset + length.index + 1 },
    ]
  }
  const at = between.index + 1
  const next = at + between[0].length
  return [
    { ...part, text: part.text.slice(0, at) },
    { kind: 'end', text: part.text.slice(next), offset: part.offset + next },
  ]
}

const toTimeParts = (
  text: string,
  times: readonly TimeExpression[],
): { parts: EventPart[]; covers: Span[] } => {
  const parts: EventPart[] = []
  const covers: Span[] = []
  for (const time of times) {
    const kind = ALL_DAY.test(time.text) && time.kind === 'duration' ? 'allDay' : toKind(time)
    for (const cut of createTimeCuts('due', text, time)) {
      covers.push({ from: cut.offset, to: cut.end })
      const part: EventPart = {
        kind: cut.kind === 'zone' ? 'zone' : kind,
        text: cut.text,
        offset: cut.offset,
      }
      parts.push(...(part.kind === 'start' ? splitRange(part, time) : [part]))
    }
  }
  return { parts, covers }
}

interface Span {
  from: number
  to: number
}

/** Words that led to a part that is read: "at", "from", and "to" after the guests. */
const LEAD_OUT = /^(?:and|und|,|&|to|zu[mr]?)\s+/iu
const LEAD_IN = /\s+(?:am|um|on|at|from|ab|von|vom|for|für|and|und)$/iu

/** The words that no other part has used. */
const readTitle = (text: string, covered: string): EventPart[] => {
  const command = COMMAND.exec(covered)?.[0].length ?? 0
  const parts: EventPart[] = []
  for (const { 0: run, index } of covered.matchAll(/[^|]+/gu)) {
    const skipped = index === 0 && command < run.trimEnd().length ? command : 0
    const words = run
      .slice(skipped)
      .replace(EDGES, '')
      .replace(LEAD_IN, '')
      .replace(index > 0 ? LEAD_OUT : '', '')
    if (!/[\p{L}\p{N}\p{S}]/u.test(words) || CONNECTOR.test(words)) continue
    const from = index + run.indexOf(words, skipped)
    parts.push(toPart('title', text, from, from + words.length))
  }
  return parts
}

const toEnd = (times: Times): Moment | undefined => {
  const { end, before } = times
  if (before) return before
  return end && end.seconds === undefined ? { day: end.day + 1 } : end
}

/** A part of the day begins at its usual hour: "tomorrow evening". */
const withPart = (start: Moment | undefined, said: readonly TimeExpression[]): Moment | undefined => {
  const part = said.find((time) => time.part && time.start?.seconds !== undefined)
  return start && start.seconds === undefined && part?.start?.seconds !== undefined
    ? { ...start, seconds: part.start.seconds }
    : start
}

/**
 * The times of the text. "Monday meeting 15:00" is on Monday, although its day is a word of the title.
 */
const readTimesOf = (text: string, options: LineOptions): Times => {
  const times = taskTimes(text, options).filter(({ offset }) => !isQuoted(text, offset))
  const read = (used: readonly TimeExpression[]): Times =>
    readWhen({
      text,
      language: 'en',
      tokens: tokenize(text),
      phrases: [],
      times: used,
      context: { now: options.now, timezone: options.timezone ?? 'UTC' },
    })
  const found = read(times)
  const day = times.find(({ dated, start, kind }) => dated && start && kind === 'date')
  const isDated = found.said.some(({ dated, kind }) => dated || kind === 'recurrence')
  const start = found.start
  return day?.start && start && !isDated
    ? {
        ...found,
        start: { ...start, day: day.start.day },
        ...(found.end && { end: { ...found.end, day: found.end.day + day.start.day - start.day } }),
        said: [...found.said, { ...day, kind: 'date', text: '' }],
      }
    : found
}

/** Parses a line such as "coffee with Ben Monday 15 at the lake". */
export const readQuickEvent = (line: string, options: LineOptions): QuickEvent => {
  // The bar marks what is read already.
  const text = line.slice(0, MAX_LINE_LENGTH).replace(/[’‘]/gu, "'").replaceAll('|', '/')
  const reminders = readReminders(text)
  const link = readLink(reminders.text)
  const guests = readGuests(link.text)
  const times = readTimesOf(guests.text, options)
  const said = times.said.filter(({ text: words }) => words !== '')
  const isAllDay = ALL_DAY.test(guests.text)
  const timed = toTimeParts(guests.text, said)
  const known = coverKnown(guests.text, said)
  const place = findPlace(known.covered)
  let covered = guests.text
  for (const { from, to } of timed.covers) covered = maskRange(covered, from, to)
  const wholeDay = ALL_DAY.exec(covered)
  if (wholeDay) {
    timed.parts.push(toPart('allDay', text, wholeDay.index, wholeDay.index + wholeDay[0].length))
    covered = maskRange(covered, wholeDay.index, wholeDay.index + wholeDay[0].length)
  }
  if (place) covered = maskRange(covered, place.from, endOfPart(place))
  const titles = readTitle(text, covered)
  const companions = known.people.filter(
    ({ offset, text: name }) =>
      !guests.parts.some((one) => offset < endOfPart(one) && one.offset < offset + name.length),
  )
  const minutes = isAllDay
    ? undefined
    : (times.minutes ?? minutesOf(said.find(({ kind }) => kind === 'duration')))
  const start = withPart(times.start, said)
  const wordsOf = (part: Piece): string => line.slice(part.offset, endOfPart(part))
  const end = toEnd(times)
  return {
    title: titles.map((part) => wordsOf(part).replace(/\s+/gu, ' ')).join(' ') || line.trim(),
    ...(start && { start }),
    ...(end && { end }),
    ...(minutes && { minutes }),
    isDated: times.said.some(({ dated, kind }) => dated || kind === 'recurrence'),
    isAllDay,
    ...(times.rule && { recurrence: times.rule }),
    ...(place && { place: place.text }),
    ...(link.link && { link: link.link }),
    people: [...guests.people, ...companions.map(({ text: name }) => ({ name }))].slice(0, MAX_PEOPLE),
    reminders: reminders.reminders,
    understood: [
      ...titles,
      ...timed.parts,
      ...reminders.parts,
      ...link.parts,
      ...guests.parts,
      ...companions.map((piece) => ({ ...piece, kind: 'person' as const })),
      ...(place ? [{ kind: 'place' as const, text: place.text, offset: place.offset }] : []),
    ]
      .map((part) => ({ ...part, text: wordsOf(part) }))
      .sort((a, b) => a.offset - b.offset),
  }
}
