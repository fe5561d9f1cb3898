/** A change of a zone's clock: from the instant `at` on, `after` holds instead of `before` (ms east of UTC). */
export interface Transition {
  at: number
  before: number
  after: number
}

/** One span of a zone's history: `offsets[i]` holds until `at[i]`, the last one to the end of the span. */
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

/** A 400th of the Gregorian calendar's cycle: a mean year, which needs no calendar to be found. */
const SPAN = 31_556_952_000
const CYCLE = 400 * SPAN

/** The shortest change that any clock took back (Freetown, 1939) lasted four days; no sample may miss it. */
const SAMPLES = 128

/** No clock is known to have been further from UTC. */
const WIDEST_OFFSET = 16 * HOUR

/** Local mean time before, with no change to be found: the first one known is Manila's, at the end of 1844. */
const FIRST_SPAN = -130

/** Beyond the year 2500 the last known rules repeat with the calendar, so that the memo stays bounded. */
const LAST_SPAN = 530

/** Zones are as many as people name; each costs some kilobytes. */
const KEPT_ZONES = 200

/** A memo of facts that do not change while the program runs. */
const zones = new Map<string, Zone>()

const OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/

const readOffset = (text: string): number => {
  const [, sign, hours, minutes, seconds = 0] = OFFSET.exec(text) ?? []
  if (sign === undefined) return 0
  return (sign === '-' ? -SECOND : SECOND) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds))
}

const createZone = (timeZone: string): Zone => {
  // The shortest text that says the offset: the writing of it is what a span costs.
  const format = new Intl.DateTimeFormat('en-US', { timeZone, day: 'numeric', timeZoneName: 'longOffset' })
  return { measure: (instantMs) => readOffset(format.format(instantMs)), spans: new Map() }
}

const zoneOf = (name: string): Zone => {
  const known = zones.get(name)
  if (known) return known
  const zone = createZone(name)
  if (zones.size >= KEPT_ZONES) zones.delete(zones.keys().next().value as string)
  zones.set(name, zone)
  return zone
}

/** The first change after `from`, where the offset is `before`, given that it is another one at `until`. */
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
  // A second early, so that a change at the very start of a span belongs to it.
  const start = index * SPAN - SECOND
  let from = start
  let offset = zone.measure(from)
  const offsets = [offset]
  for (let sample = 1; sample <= SAMPLES; sample++) {
    const until = start + Math.floor((SPAN / SECOND / SAMPLES) * sample) * SECOND
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

const spanOf = (zone: Zone, index: number): Span => {
  const known = zone.spans.get(index)
  if (known) return known
  const span = readSpan(zone, index)
  zone.spans.set(index, span)
  return span
}

const indexOf = (instantMs: number): number => Math.max(FIRST_SPAN, Math.floor(instantMs / SPAN))

/** How far to move an instant of the far future back, by whole cycles, to find the rules that hold then. */
const shiftOf = (instantMs: number): number =>
  instantMs < LAST_SPAN * SPAN ? 0 : CYCLE * (1 + Math.floor((instantMs - LAST_SPAN * SPAN) / CYCLE))

const segmentOf = ({ at }: Span, instantMs: number): number => {
  let segment = 0
  while (segment < at.length && (at[segment] as number) <= instantMs) segment++
  return segment
}

/** The zone's offset at an instant, in ms east of UTC. Throws a RangeError for a zone that does not exist. */
export const offsetAt = (instantMs: number, timezone: string): number => {
  const instant = instantMs - shiftOf(instantMs)
  const span = spanOf(zoneOf(timezone), indexOf(instant))
  return span.offsets[segmentOf(span, instant)] as number
}

/** What the zone's clocks show at an instant, as if it were UTC. */
export const toWall = (instantMs: number, timezone: string): number =>
  instantMs + offsetAt(instantMs, timezone)

/**
 * The instant at which the zone's clocks show `wallMs`. RFC 5545, 3.3.5: the first of two, and what is skipped when
 * clocks go forward is read with the offset before.
 */
export const toInstant = (wallMs: number, timezone: string): number => {
  const shift = shiftOf(wallMs)
  const wall = wallMs - shift
  const zone = zoneOf(timezone)
  const earliest = wall - WIDEST_OFFSET
  let index = indexOf(earliest)
  let span = spanOf(zone, index)
  let segment = segmentOf(span, earliest)
  let start = Number.NEGATIVE_INFINITY
  let before = span.offsets[segment] as number
  // Each stretch of one offset in turn: the first whose clocks have not passed the time when it ends.
  for (;;) {
    const offset = span.offsets[segment] as number
    const end = span.at[segment] ?? (index + 1) * SPAN
    if (wall - offset < end) return wall - (wall - offset < start ? before : offset) + shift
    before = offset
    start = end
    if (segment < span.at.length) segment++
    else {
      index++
      span = spanOf(zone, index)
      segment = 0
    }
  }
}

/** Every change of the zone's clocks in [from, until), in order. */
export const transitionsBetween = (timezone: string, fromMs: number, untilMs: number): Transition[] => {
  const zone = zoneOf(timezone)
  const found: Transition[] = []
  for (let index = indexOf(fromMs); index * SPAN < untilMs; index++) {
    const shift = shiftOf(index * SPAN)
    const { at, offsets } = spanOf(zone, indexOf(index * SPAN - shift))
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

/** The first instant of a day: midnight, or the first time that clocks show when they skip midnight. */
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
