import { cleanValue } from './reservation.ts'
import { type Line, type Stamp, splitLines } from './trips.ts'
import { patternOf } from './words.ts'

/*
 * The places of a trip with an unknown layout. They stand beside the times, above or below them, after labels such as
 * "From" and "To", or around an arrow.
 */

/** Labels and routes stand within this many characters before or after the times. */
export const WINDOW = 320

export interface Page {
  text: string
  lines: readonly Line[]
  stamps: readonly Stamp[]
}

export const createPage = (text: string, stamps: readonly Stamp[]): Page => ({
  text,
  lines: splitLines(text),
  stamps,
})

const nameWith = (signs: string): string => String.raw`(\p{Lu}[\p{L}\d .'’()/${signs}]{1,50}?)`
const NAME = nameWith('-')
const LONG_NAME = nameWith(',-')

const ROUTES = [
  // "Berlin → Munich"
  String.raw`(?<![\p{L}\d])${LONG_NAME}\s{0,3}(?:→|➞|➜|⟶|->|=>|–>|»|>)\s{0,3}${LONG_NAME}(?=\s*(?:$|[\n|•·,;]|\s{2,}|\d{1,2}[:.]\d\d))`,
  String.raw`(?<!\p{L}){{from}}\s+${NAME}\s+{{to}}\s+${NAME}(?=\s*(?:$|[\n|•·,;.!]|\s{2,}|\bam\b|\bon\b|\ble\b|\bel\b))`,
  // A line that holds a route alone: "Nantes - Paris Montparnasse".
  String.raw`^[ \t]*${nameWith(',:')} [-–] ${nameWith(',')}[ \t]*$`,
]
const AFTER_LABEL = String.raw`\s*(?::|\n)\s*(\S[^\n]{1,70})`
const ORIGIN = String.raw`^[\s*•|-]{0,6}{{origin label}}${AFTER_LABEL}`
const DESTINATION = String.raw`^[\s*•|-]{0,6}{{destination label}}${AFTER_LABEL}`
/** "leaves Bristol Temple Meads at", "arrives at London Paddington at" */
const BEFORE_TIME = String.raw`{{before a place}}\s+${NAME},?\s+(?:at|um|à|alle|a las|om|kl\.?|o)?\s*$`
const LEADING = String.raw`^[\s*•|:,;–-]*(?:{{beside a place}}(?!\p{L})[\s.:,–-]*)*`
/** "Bus Munich → Zurich", "ALLER : PARIS - DIJON" */
const LEADING_VEHICLE =
  /^(?:(?:bus|train|zug|fähre|ferry|tren|treno|trein|autobus|autocarro)\s(?=\p{Lu}\p{L})|(?:outbound|return|inbound|hinfahrt|rückfahrt|aller|retour|ida|vuelta|andata|ritorno)\s{0,2}:?\s)/iu
const TRAILING = /[\s,;:|•·–→>(-]+$/u

const toPlaceName = (line: string | undefined): string | null => {
  const bare = (line ?? '').slice(0, 200).replace(patternOf(LEADING), '').replace(LEADING_VEHICLE, '')
  const name = cleanValue(bare.replace(TRAILING, ''), 80)
  if (
    name === null ||
    !/^["“]?\p{Lu}\p{L}/u.test(name) ||
    patternOf(String.raw`^{{no place}}(?!\p{L})`).test(name)
  )
    return null
  if (/[@{}<>?!=]|https?:|\d{1,2}[:.]\d{2}|\b(?:19|20)\d\d\b/.test(name)) return null
  return name.split(/\s+/).length <= 7 ? name.replace(/\s*\(\+\d\)$/, '') : null
}

export const lineAt = ({ lines }: Page, offset: number): number =>
  lines.findIndex(({ from, to }) => offset >= from && offset <= to)

const stampsIn = ({ stamps }: Page, { from, to }: Line): Stamp[] =>
  stamps.filter(({ offset, end }) => offset >= from && end <= to)

/** The words beside a time, without the other times of the line. */
const besideTime = (page: Page, { offset, end }: Stamp): string | null => {
  const line = page.lines[lineAt(page, offset)]
  if (!line) return null
  const others = stampsIn(page, line)
  const next = others.find((one) => one.offset > offset)?.offset ?? line.to
  const previous = others.findLast((one) => one.end <= offset)?.end ?? line.from
  const before = page.text.slice(previous, offset)
  return (
    toPlaceName(patternOf(BEFORE_TIME, 'u').exec(before)?.[1]) ??
    toPlaceName(page.text.slice(end, next)) ??
    toPlaceName(before)
  )
}

/** The first place in the three lines below a time, or in the line above it. The next time ends the search. */
const nearTime = (page: Page, { offset, end }: Stamp, step: 1 | -1): string | null => {
  const start = lineAt(page, step === 1 ? Math.max(offset, end - 1) : offset)
  const lines = step === 1 ? page.lines.slice(start + 1) : page.lines.slice(0, start).toReversed()
  const until = lines.findIndex((line) => stampsIn(page, line).length > 0)
  return (
    lines
      .slice(0, until < 0 ? undefined : until)
      .filter(({ text }) => text.trim() !== '')
      .slice(0, step === 1 ? 3 : 1)
      .map(({ text }) => toPlaceName(text))
      .find((name) => name !== null) ?? null
  )
}

/** The place beside a time, or in the line above it. */
export const findPlaceAt = (page: Page, stamp: Stamp): string | null =>
  besideTime(page, stamp) ?? nearTime(page, stamp, -1)

type Places = readonly [string, string]

const toPair = (from: string | null, to: string | null): Places | undefined =>
  from !== null && to !== null && from !== to ? [from, to] : undefined

/** The match of a pattern that is nearest to the times. */
const nearest = (text: string, pattern: RegExp, at: number): RegExpExecArray | undefined =>
  [...text.matchAll(pattern)].toSorted((a, b) => Math.abs(a.index - at) - Math.abs(b.index - at))[0]

/** Finds origin and destination of a trip, not before the offset `after`. */
export const findPlaces = (page: Page, first: Stamp, second: Stamp, after: number): Places | undefined => {
  const from = Math.max(after, first.offset - WINDOW)
  const around = page.text.slice(from, second.end + WINDOW)
  const at = first.offset - from
  const isRange = first.offset === second.offset
  const beside = isRange ? undefined : toPair(besideTime(page, first), besideTime(page, second))
  if (beside) return beside
  const [start, end] = [ORIGIN, DESTINATION].map((label) => nearest(around, patternOf(label, 'gimu'), at))
  const labelled = toPair(toPlaceName(start?.[1]), toPlaceName(end?.[1]))
  if (labelled) return labelled
  for (const pattern of ROUTES) {
    const route = nearest(around, patternOf(pattern, 'gmu'), at)
    const pair = toPair(toPlaceName(route?.[1]), toPlaceName(route?.[2]))
    if (pair) return pair
  }
  if (isRange) return undefined
  return (
    toPair(nearTime(page, first, 1), nearTime(page, second, 1)) ??
    toPair(nearTime(page, first, -1), nearTime(page, second, -1))
  )
}
