import { isZone } from '../../recurrence/time-zones.ts'
import { readSections } from '../lexicon/sections.ts'
import { baseOf, type Token } from './chart.ts'
import { offsetMinutes } from './formats.ts'
import type { Zone } from './values.ts'

interface ZoneName {
  kind: string
  phrase: string
  zone: string
  minutes?: number
}

const FILE = new URL('../lexicon/zones.txt', import.meta.url)

/** Returns the names by their first word, the longest first. */
const readNames = (): Map<string, ZoneName[]> => {
  const names: ZoneName[] = []
  for (const { heading, phrases } of readSections(FILE)) {
    const [kind = '', zone = '', minutes] = heading.split(' ')
    for (const phrase of phrases)
      names.push({ kind, phrase, zone, ...(minutes ? { minutes: Number(minutes) } : {}) })
  }
  names.sort((a, b) => b.phrase.length - a.phrase.length)
  return Map.groupBy(names, ({ phrase }) => phrase.split(' ')[0] as string)
}

let loaded: ReadonlyMap<string, readonly ZoneName[]> | undefined

/** Returns the names that start with a word. "Londoner" starts with "London". */
const namesFrom = (word: string): readonly ZoneName[] => {
  loaded ??= readNames()
  return loaded.get(word) ?? loaded.get(word.replace(/er?$/, '')) ?? []
}

/** Returns the zone of a city or of an abbreviation such as "CET". */
export const zoneOfPlace = (place: string): string | undefined => {
  const small = place.toLowerCase()
  return namesFrom(small.split(' ')[0] as string).find(({ phrase }) => phrase === small)?.zone
}

const OFFSET = /(?:utc|gmt)\s?[+-]\d{1,2}(?::?\d{2})?(?!\d)/iy
const IANA =
  /(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc)\/[A-Z][\w+-]*(?:\/[A-Z][\w-]*)?/y
const READER_ZONE = /(?:my|our)\s(?:local\s)?time(?:\s?zone)?|meiner\szeit|unserer\szeit/iy
/** Words that connect "my time" with a place. */
const READER_PLACE = /\s?[(,]?\s?(?:here\s|hier\s)?(?:(?:in|from|aus)\s)?(?=\p{Lu})/uy
const TIME =
  /(?:\s(?:local|standard|daylight|summer|mean))?\s(?:time\s?zone|timezone|time)(?!\p{L})|(?:er|e)\s(?:orts|sommer|winter)?zeit(?!\p{L})/iuy
/** A region without "time" ends a clause. "Pacific Park" is a place. */
const NO_NOUN =
  /(?!\s(?:european?|africa|america|asia|station|park|library|hall|office|square|bank|heating|ave(?:nue)?|st(?:reet)?)(?!\p{L}))(?=[\s.,;!?)]|$)/iuy
const WORD_END = /(?![\p{L}\d])/uy

/** Abbreviations that are also common words. They count only in capitals. */
const CAPITALS_ONLY = new Set(['art', 'west', 'wet'])
/** Abbreviations that count in lower case only directly after "am" or "pm". */
const CAPITALS_OR_LATE = new Set(['et', 'ct', 'mt', 'pt', 'est', 'ist'])

const match = (pattern: RegExp, text: string, offset: number): RegExpExecArray | null => {
  pattern.lastIndex = offset
  return pattern.exec(text)
}

/** Recognizes a time stated in two zones: "9am London / 10am Berlin". */
const isInTwoZones = (text: string, offset: number, end: number): boolean =>
  /^\s?[/|=]\s?\d/.test(text.slice(end, end + 4)) ||
  /\p{L}\s?[/|=]\s?\d{1,2}(?:[:.]\d{2})?\s?(?:[ap]m|uhr|h)?\s$/iu.test(
    text.slice(Math.max(0, offset - 16), offset),
  )

/** Recognizes the zone of a time in brackets: "5pm (London)". */
const isInBrackets = (text: string, offset: number, end: number): boolean =>
  text[end] === ')' &&
  /\d\s?(?:[ap]\.?m\.?|uhr|h)?\s?\($/iu.test(text.slice(Math.max(0, offset - 10), offset))

const isAbbreviation = (text: string, offset: number, phrase: string): boolean => {
  const word = text.slice(offset, offset + phrase.length)
  if (word === word.toUpperCase()) return true
  const isLate = word === phrase && /[ap]\.?m\.?\s$/i.test(text.slice(Math.max(0, offset - 6), offset))
  return !CAPITALS_ONLY.has(phrase) && (isLate || !CAPITALS_OR_LATE.has(phrase))
}

/** Returns the end of a name that means its zone. The name itself may be a place or another word. */
const endOfName = (text: string, offset: number, { kind, phrase }: ZoneName): number | undefined => {
  const end = offset + phrase.length
  if (text.slice(offset, end).toLowerCase() !== phrase) return undefined
  const time = kind === 'abbreviation' ? null : match(TIME, text, end)
  if (time) return end + time[0].length
  if (!match(WORD_END, text, end)) return undefined
  const counts =
    kind === 'abbreviation'
      ? isAbbreviation(text, offset, phrase)
      : kind === 'region'
        ? match(NO_NOUN, text, end) !== null
        : /\p{Lu}/u.test(text[offset] as string) &&
          (isInTwoZones(text, offset, end) || isInBrackets(text, offset, end))
  return counts ? end : undefined
}

/** Returns the zone of the first place that a text names. */
const findPlace = (text: string): { end: number; zone: string } | undefined => {
  for (const { 0: word, index } of text.matchAll(/\p{L}+/gu)) {
    const name = namesFrom(word.toLowerCase()).find(
      ({ kind, phrase }) =>
        kind === 'place' &&
        text.slice(index, index + phrase.length).toLowerCase() === phrase &&
        match(WORD_END, text, index + phrase.length),
    )
    if (name) return { end: index + name.phrase.length, zone: name.zone }
  }
  return undefined
}

/** "5pm my time (London)" names the place of the reader. */
const readerZoneAt = (text: string, offset: number): Zone | undefined => {
  const own = match(READER_ZONE, text, offset)
  if (!own) return undefined
  const end = offset + own[0].length
  const at = end + (match(READER_PLACE, text, end)?.[0].length ?? 0)
  const [words = ''] = /^\p{L}+(?:\s\p{L}+)?/u.exec(text.slice(at, at + 40)) ?? []
  const place = findPlace(words)
  return place && at > end
    ? { text: text.slice(offset, at + place.end), name: place.zone }
    : { text: own[0], name: '' }
}

/** "Local time", "dortiger Zeit": the zone of the place that the text names. */
const THERE =
  /(?:(?:the\s)?local\stime|(?:their|there)\stime|time\sthere|(?:dortiger|deren|ihrer)\s(?:orts)?zeit|ortszeit)(?!\p{L})(?:(?:\s(?:in|there|dort))?\s)?/iuy

const localZoneAt = (text: string, offset: number): Zone | undefined => {
  const there = match(THERE, text, offset)
  if (!there) return undefined
  const end = offset + there[0].length
  const [word = ''] = /^\p{L}+(?:\s\p{L}+)?/u.exec(text.slice(end, end + 40)) ?? []
  const next = findPlace(word)
  if (next) return { text: text.slice(offset, end + next.end), name: next.zone }
  const before = findPlace(text.slice(0, offset))
  return before && { text: there[0].trimEnd(), name: before.zone }
}

/** Returns the time zone whose name starts at a token. Its text is the name. */
export const zoneAt = (text: string, { text: first, start: offset }: Token): Zone | undefined => {
  const fixed = match(OFFSET, text, offset)
  if (fixed) return { text: fixed[0], minutes: offsetMinutes(fixed[0]) }
  const iana = match(IANA, text, offset)
  if (iana && isZone(iana[0])) return { text: iana[0], name: iana[0] }
  const own = readerZoneAt(text, offset)
  if (own) return own
  const there = localZoneAt(text, offset)
  if (there) return there
  for (const name of namesFrom(baseOf(first))) {
    const end = endOfName(text, offset, name)
    if (end === undefined) continue
    const { zone, minutes } = name
    return { text: text.slice(offset, end), name: zone, ...(minutes === undefined ? {} : { minutes }) }
  }
  return undefined
}
