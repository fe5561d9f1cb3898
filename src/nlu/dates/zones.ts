import { isZone } from '../../recurrence/time-zones.ts'
import { baseOf, type Token } from './chart.ts'
import { offsetMinutes } from './formats.ts'
import type { Zone } from './values.ts'

/**
 * Maps abbreviations to time zones. People write "EST" in July and mean the time in New York. If a zone has
 * daylight saving time, the abbreviation therefore names the zone. The offset is fixed if the zone has none.
 * It is also fixed if many people use the abbreviation all year: MST in Arizona, AEST in Queensland.
 */
const ABBREVIATIONS: Readonly<Record<string, readonly [zone: string, minutes?: number]>> = {
  utc: ['UTC', 0],
  gmt: ['UTC', 0],
  est: ['America/New_York'],
  edt: ['America/New_York'],
  et: ['America/New_York'],
  cst: ['America/Chicago'],
  cdt: ['America/Chicago'],
  ct: ['America/Chicago'],
  mst: ['America/Denver', -420],
  mdt: ['America/Denver'],
  mt: ['America/Denver'],
  pst: ['America/Los_Angeles'],
  pdt: ['America/Los_Angeles'],
  pt: ['America/Los_Angeles'],
  akst: ['America/Anchorage'],
  akdt: ['America/Anchorage'],
  hst: ['Pacific/Honolulu', -600],
  bst: ['Europe/London'],
  wet: ['Europe/Lisbon'],
  west: ['Europe/Lisbon'],
  cet: ['Europe/Berlin'],
  cest: ['Europe/Berlin'],
  mez: ['Europe/Berlin'],
  mesz: ['Europe/Berlin'],
  eet: ['Europe/Helsinki'],
  eest: ['Europe/Helsinki'],
  msk: ['Europe/Moscow', 180],
  ist: ['Asia/Kolkata', 330],
  pkt: ['Asia/Karachi', 300],
  sgt: ['Asia/Singapore', 480],
  hkt: ['Asia/Hong_Kong', 480],
  jst: ['Asia/Tokyo', 540],
  kst: ['Asia/Seoul', 540],
  awst: ['Australia/Perth', 480],
  acst: ['Australia/Darwin', 570],
  aest: ['Australia/Sydney', 600],
  aedt: ['Australia/Sydney'],
  nzst: ['Pacific/Auckland'],
  nzdt: ['Pacific/Auckland'],
  brt: ['America/Sao_Paulo', -180],
  art: ['America/Argentina/Buenos_Aires', -180],
  aoe: ['Etc/GMT+12', -720],
  sast: ['Africa/Johannesburg', 120],
}

const REGIONS: Readonly<Record<string, string>> = {
  eastern: 'America/New_York',
  central: 'America/Chicago',
  mountain: 'America/Denver',
  pacific: 'America/Los_Angeles',
}

const PLACES: Readonly<Record<string, string>> = {
  'new york': 'America/New_York',
  boston: 'America/New_York',
  toronto: 'America/Toronto',
  chicago: 'America/Chicago',
  denver: 'America/Denver',
  seattle: 'America/Los_Angeles',
  'los angeles': 'America/Los_Angeles',
  'san francisco': 'America/Los_Angeles',
  london: 'Europe/London',
  uk: 'Europe/London',
  dublin: 'Europe/Dublin',
  lisbon: 'Europe/Lisbon',
  paris: 'Europe/Paris',
  berlin: 'Europe/Berlin',
  german: 'Europe/Berlin',
  deutsch: 'Europe/Berlin',
  munich: 'Europe/Berlin',
  vienna: 'Europe/Vienna',
  wien: 'Europe/Vienna',
  zurich: 'Europe/Zurich',
  zürich: 'Europe/Zurich',
  madrid: 'Europe/Madrid',
  rome: 'Europe/Rome',
  amsterdam: 'Europe/Amsterdam',
  stockholm: 'Europe/Stockholm',
  helsinki: 'Europe/Helsinki',
  moscow: 'Europe/Moscow',
  istanbul: 'Europe/Istanbul',
  dubai: 'Asia/Dubai',
  india: 'Asia/Kolkata',
  mumbai: 'Asia/Kolkata',
  delhi: 'Asia/Kolkata',
  singapore: 'Asia/Singapore',
  'hong kong': 'Asia/Hong_Kong',
  beijing: 'Asia/Shanghai',
  shanghai: 'Asia/Shanghai',
  tokyo: 'Asia/Tokyo',
  seoul: 'Asia/Seoul',
  sydney: 'Australia/Sydney',
  melbourne: 'Australia/Melbourne',
  auckland: 'Pacific/Auckland',
}

/** Returns the zone of a city or of an abbreviation such as "CET". */
export const zoneOfPlace = (place: string): string | undefined =>
  PLACES[place.toLowerCase()] ?? ABBREVIATIONS[place.toLowerCase()]?.[0]

const OFFSET = /(?:utc|gmt)\s?[+-]\d{1,2}(?::?\d{2})?(?!\d)/iy
const IANA =
  /(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc)\/[A-Z][\w+-]*(?:\/[A-Z][\w-]*)?/y
const REGION =
  /(eastern|central|mountain|pacific)(?!\s(?:european?|africa|america|asia|station|park|library|hall|office|square|bank|heating|ave(?:nue)?|st(?:reet)?)(?!\p{L}))(?:\s(?:standard|daylight))?\s?(?:time\s?zone|timezone|time|(?=[\s.,;!?)]|$))/iuy
/** Full names, as calendars write them. */
const FULL: readonly (readonly [RegExp, string])[] = [
  [
    /(?:central european|mitteleuropäische)(?:\s(?:standard|summer|daylight))?\s(?:time|zeit|sommerzeit)/iuy,
    'Europe/Berlin',
  ],
  [/eastern european(?:\s(?:standard|summer))?\stime/iy, 'Europe/Helsinki'],
  [/western european(?:\s(?:standard|summer))?\stime/iy, 'Europe/Lisbon'],
  [/(?:greenwich mean|coordinated universal|universal)\stime/iy, 'UTC'],
  [/british(?:\ssummer)?\stime/iy, 'Europe/London'],
  [/indian?\sstandard\stime/iy, 'Asia/Kolkata'],
  [/japan\sstandard\stime/iy, 'Asia/Tokyo'],
  [/china\sstandard\stime/iy, 'Asia/Shanghai'],
  [/gulf\sstandard\stime/iy, 'Asia/Dubai'],
  [/singapore\sstandard\stime/iy, 'Asia/Singapore'],
  [/australian\seastern(?:\s(?:standard|daylight|summer))?\stime/iy, 'Australia/Sydney'],
  [/australian\swestern(?:\sstandard)?\stime/iy, 'Australia/Perth'],
]
const READER_ZONE = /(?:my|our)\s(?:local\s)?time(?:\s?zone)?|meiner\szeit|unserer\szeit/iy
const PLACE = /(\p{L}+(?:\s\p{L}+)?)\s(?:local\s)?time(?!\p{L})/iuy
/** Matches "Londoner Zeit" and "nach New Yorker Zeit". */
const GERMAN_PLACE = /(\p{L}+(?:\s\p{L}+)??)er\s(?:orts)?zeit(?!\p{L})/iuy
const WORD = /\p{L}{1,4}(?![\p{L}\d])/uy

/** Abbreviations that are also common words. They count only in capitals. */
const CAPITALS_ONLY = new Set(['art', 'west', 'wet'])
/** Abbreviations that count in lower case only directly after "am" or "pm". */
const CAPITALS_OR_LATE = new Set(['et', 'ct', 'mt', 'pt', 'est', 'ist'])

/** The first words of all zone names. */
const OPENING: ReadonlySet<string> = new Set([
  ...Object.keys(ABBREVIATIONS),
  ...Object.keys(REGIONS),
  ...Object.keys(PLACES).flatMap((place) => [place.split(' ')[0] as string, `${place}er`]),
  ...'africa america antarctica arctic asia atlantic australia europe indian pacific etc'.split(' '),
  ...'my our meiner unserer'.split(' '),
  ...'mitteleuropäische greenwich coordinated universal british indian japan china gulf western australian'.split(
    ' ',
  ),
])

const match = (pattern: RegExp, text: string, offset: number): RegExpExecArray | null => {
  pattern.lastIndex = offset
  return pattern.exec(text)
}

const BARE_PLACE = /\p{Lu}\p{Ll}+(?:\s(?:York|Angeles|Francisco|Kong))?(?!\p{L})/uy

/** Recognizes a time stated in two zones: "9am London / 10am Berlin". */
const isInTwoZones = (text: string, offset: number, length: number): boolean =>
  /^\s?[/|=]\s?\d/.test(text.slice(offset + length, offset + length + 4)) ||
  /\p{L}\s?[/|=]\s?\d{1,2}(?:[:.]\d{2})?\s?(?:[ap]m|uhr|h)?\s$/iu.test(
    text.slice(Math.max(0, offset - 16), offset),
  )

/** Returns the time zone whose name starts at a token. */
export const zoneAt = (
  text: string,
  { text: first, start: offset }: Token,
): { length: number; zone: Zone } | undefined => {
  if (!OPENING.has(baseOf(first))) return undefined
  const fixed = match(OFFSET, text, offset)
  if (fixed) return { length: fixed[0].length, zone: { text: fixed[0], minutes: offsetMinutes(fixed[0]) } }
  const iana = match(IANA, text, offset)
  if (iana && isZone(iana[0])) return { length: iana[0].length, zone: { text: iana[0], name: iana[0] } }
  const readerZone = match(READER_ZONE, text, offset)
  if (readerZone) return { length: readerZone[0].length, zone: { text: readerZone[0], name: '' } }
  for (const [pattern, name] of FULL) {
    const full = match(pattern, text, offset)
    if (full) return { length: full[0].length, zone: { text: full[0], name } }
  }
  const region = match(REGION, text, offset)
  if (region) {
    const name = REGIONS[(region[1] as string).toLowerCase()] as string
    return { length: region[0].trimEnd().length, zone: { text: region[0].trimEnd(), name } }
  }
  const place = match(PLACE, text, offset)
  const name = place && PLACES[(place[1] as string).toLowerCase()]
  if (place && name) return { length: place[0].length, zone: { text: place[0], name } }
  const bare = match(BARE_PLACE, text, offset)
  const bareName = bare && PLACES[bare[0].toLowerCase()]
  if (bare && bareName && isInTwoZones(text, offset, bare[0].length))
    return { length: bare[0].length, zone: { text: bare[0], name: bareName } }
  const german = match(GERMAN_PLACE, text, offset)
  const germanName = german && PLACES[(german[1] as string).toLowerCase()]
  if (german && germanName) return { length: german[0].length, zone: { text: german[0], name: germanName } }
  const word = match(WORD, text, offset)?.[0]
  if (!word) return undefined
  const known = ABBREVIATIONS[word.toLowerCase()]
  if (!known) return undefined
  if (word !== word.toUpperCase()) {
    const small = word.toLowerCase()
    const isLate = word === small && /[ap]\.?m\.?\s$/i.test(text.slice(Math.max(0, offset - 6), offset))
    if (CAPITALS_ONLY.has(small) || (CAPITALS_OR_LATE.has(small) && !isLate)) return undefined
  }
  return {
    length: word.length,
    zone: { text: word, name: known[0], ...(known[1] === undefined ? {} : { minutes: known[1] }) },
  }
}
