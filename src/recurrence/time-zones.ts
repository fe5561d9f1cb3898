/** A change of the UTC offset. From the instant `at` on, `after` replaces `before` (ms east of UTC). */
export interface Transition {
  at: number
  before: number
  after: number
}

/**
 * One span of a zone's history. `offsets[i]` applies until `at[i]`, the last one until the end of the span.
 */
interface Span {
  at: readonly number[]
  offsets: readonly number[]
}

interface Zone {
  measure: (instantMs: number) => number
  spans: Map<number, Span>
}

const SECOND = 1000
const HOUR = 3_600_000

/** The mean Gregorian year, a 400th of the calendar cycle. Finding its start needs no calendar. */
const SPAN = 31_556_952_000
const CYCLE = 400 * SPAN

/**
 * The number of samples per span. The shortest temporary change (Freetown, 1939) lasted four days, and no
 * sampling gap may miss it.
 */
const SAMPLES_PER_SPAN = 128

/** No zone has ever had a larger UTC offset. */
const MAX_OFFSET = 16 * HOUR

/**
 * Earlier spans have local mean time and no changes. The first known change is in Manila, at the end of 1844.
 */
const FIRST_SPAN = -130

/** After the year 2500 the last known rules repeat with the calendar cycle. This limits the cache. */
const LAST_SPAN = 530

/** Limits the cache. Users choose the zone names, and each zone takes some kilobytes. */
const MAX_CACHED_ZONES = 200

/** Cache. The data does not change while the program runs. */
const zones = new Map<string, Zone>()

const OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/

const readOffset = (text: string): number => {
  const [, sign, hours, minutes, seconds = 0] = OFFSET.exec(text) ?? []
  if (sign === undefined) return 0
  return (sign === '-' ? -SECOND : SECOND) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds))
}

const createZone = (timeZone: string): Zone => {
  // Formats as little as possible besides the offset, because formatting dominates the cost of a span.
  const format = new Intl.DateTimeFormat('en-US', { timeZone, day: 'numeric', timeZoneName: 'longOffset' })
  return { measure: (instantMs) => readOffset(format.format(instantMs)), spans: new Map() }
}

const getZone = (name: string): Zone => {
  const known = zones.get(name)
  if (known) return known
  const zone = createZone(name)
  if (zones.size >= MAX_CACHED_ZONES) zones.delete(zones.keys().next().value as string)
  zones.set(name, zone)
  return zone
}

/**
 * Finds the first change after `from` by bisection. The offset is `before` at `from` and different at
 * `until`.
 */
const bisect = (zone: Zone, before: number, from: number, until: number): number => {
  let [low, high] = [from / SECOND, until / SECOND]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (zone.measure(middle * SECOND) === before) low = middle
    else high = middle
  }
  return high * SECOND
}

const readSpan = (zone: Zone, index: number): Span => {
  const at: number[] = []
  // Starts a second early, so that a change at the very start belongs to the span.
  const start = index * SPAN - SECOND
  let from = start
  let offset = zone.measure(from)
  const offsets = [offset]
  for (let sample = 1; sample <= SAMPLES_PER_SPAN; sample++) {
    const until = start + Math.floor((SPAN / SECOND / SAMPLES_PER_SPAN) * sample) * SECOND
    const final = zone.measure(until)
    while (offset !== final) {
      from = bisect(zone, offset, from, until)
      offset = zone.measure(from)
      at.push(from)
      offsets.push(offset)
    }
    from = until
  }
  return { at, offsets }
}

const getSpan = (zone: Zone, index: number): Span => {
  const known = zone.spans.get(index)
  if (known) return known
  const span = readSpan(zone, index)
  zone.spans.set(index, span)
  return span
}

const indexOf = (instantMs: number): number => Math.max(FIRST_SPAN, Math.floor(instantMs / SPAN))

/** Returns the whole cycles by which to move an instant of the far future back to known rules. */
const shiftOf = (instantMs: number): number =>
  instantMs < LAST_SPAN * SPAN ? 0 : CYCLE * (1 + Math.floor((instantMs - LAST_SPAN * SPAN) / CYCLE))

const segmentOf = ({ at }: Span, instantMs: number): number => {
  let segment = 0
  while (segment < at.length && (at[segment] as number) <= instantMs) segment++
  return segment
}

/**
 * Returns the UTC offset at an instant, in ms east of UTC. Throws a RangeError if the zone does not exist.
 */
export const offsetAt = (instantMs: number, timezone: string): number => {
  const instant = instantMs - shiftOf(instantMs)
  const span = getSpan(getZone(timezone), indexOf(instant))
  return span.offsets[segmentOf(span, instant)] as number
}

/** Rejects unknown names such as "Europe/Nowhere". */
export const isZone = (name: string): boolean => {
  try {
    return Number.isFinite(offsetAt(0, name))
  } catch {
    return false
  }
}

/** Returns the wall-clock time of the zone at an instant, as if it were UTC. */
export const toWall = (instantMs: number, timezone: string): number =>
  instantMs + offsetAt(instantMs, timezone)

/**
 * Returns the instant of a wall-clock time. RFC 5545, 3.3.5: an ambiguous time is the first of the two. A
 * skipped time uses the offset before the change.
 */
export const toInstant = (wallMs: number, timezone: string): number => {
  const shift = shiftOf(wallMs)
  const wall = wallMs - shift
  const zone = getZone(timezone)
  const earliest = wall - MAX_OFFSET
  let index = indexOf(earliest)
  let span = getSpan(zone, index)
  let segment = segmentOf(span, earliest)
  let start = Number.NEGATIVE_INFINITY
  let before = span.offsets[segment] as number
  // Finds the first segment with a constant offset that ends after the wall-clock time.
  for (;;) {
    const offset = span.offsets[segment] as number
    const end = span.at[segment] ?? (index + 1) * SPAN
    if (wall - offset < end) return wall - (wall - offset < start ? before : offset) + shift
    before = offset
    start = end
    if (segment < span.at.length) segment++
    else {
      index++
      span = getSpan(zone, index)
      segment = 0
    }
  }
}

/** Returns every offset change in [from, until), in order. */
export const transitionsBetween = (timezone: string, fromMs: number, untilMs: number): Transition[] => {
  const zone = getZone(timezone)
  const found: Transition[] = []
  for (let index = indexOf(fromMs); index * SPAN < untilMs; index++) {
    const shift = shiftOf(index * SPAN)
    const { at, offsets } = getSpan(zone, indexOf(index * SPAN - shift))
    for (const [segment, start] of at.entries()) {
      const moved = start + shift
      if (moved >= fromMs && moved < untilMs)
        found.push({
          at: moved,
          before: offsets[segment] as number,
          after: offsets[segment + 1] as number,
        })
    }
  }
  return found
}

const DAY_MS = 86_400_000

/** Returns the first instant of a day: midnight, or the first wall-clock time if the clocks skip midnight. */
const startOfDayNumber = (day: number, timezone: string): number => {
  const midnight = toInstant(day * DAY_MS, timezone)
  if (toWall(midnight, timezone) === day * DAY_MS) return midnight
  return transitionsBetween(timezone, midnight - DAY_MS, midnight + 1).at(-1)?.at ?? midnight
}

const toDayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS

export const startOfDay = (day: string, timezone: string): number =>
  startOfDayNumber(toDayNumber(day), timezone)

export const endOfDay = (day: string, timezone: string): number =>
  startOfDayNumber(toDayNumber(day) + 1, timezone)
