import {
  type Component,
  type ContentLine,
  escapeText,
  fold,
  readLine,
} from '../../../platform/icalendar/text.ts'
import { DAY, readOffset, readTime, writeDateTime, writeOffset } from '../../../platform/icalendar/values.ts'
import { offsetAt, type Transition, toInstant, transitionsBetween } from '../../../recurrence/time-zones.ts'
import { guessZone, MAIN_ZONES, offsetInName, zoneByName } from './zone-names.ts'

/** The work that is about to start: resolve a name, or search for the IANA zone with the same rules. */
type ZoneWork = 'name' | 'search'

/** Called before the work starts. May throw `CostlyCalendar`. */
export type CheckCost = (work: ZoneWork) => void

/** A STANDARD or DAYLIGHT part of a VTIMEZONE. */
interface Observance {
  from: number
  to: number
  start: number
  dates: number[]
  rule: YearlyRule | undefined
}

/** Only yearly rules are expanded. Other rules apply only on their first day. */
interface YearlyRule {
  interval: number
  count: number
  until: number
  months: number[]
  monthDays: number[]
  weekdays: { ordinal: number; weekday: number }[]
}

/** The longest real definitions have about eighty observances. Larger ones are hostile. */
const MAX_OBSERVANCES = 150
const MAX_DATES = 300
const MAX_PARTS = 4
const MAX_RULE_LENGTH = 1000
const MAX_CHANGES = 5000
const FIRST_YEAR = 1900
const LAST_YEAR = 2200
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** Lists the offset changes of a VTIMEZONE in order. Returns undefined if the definition is not usable. */
const readDefinition = ({ inner }: Component): Transition[] | undefined => {
  const changes: Transition[] = []
  for (const lines of inner.slice(0, MAX_OBSERVANCES)) {
    const observance = readObservance(lines.map(readLine).filter((line) => line !== undefined))
    if (observance) for (const change of changesOf(observance)) changes.push(change)
    if (changes.length > MAX_CHANGES) return undefined
  }
  return changes.length > 0 ? changes.sort((one, other) => one.at - other.at) : undefined
}

const readObservance = (lines: ContentLine[]): Observance | undefined => {
  const value = (name: string): string => lines.find((line) => line.name === name)?.value.trim() ?? ''
  const [from, to] = [readOffset(value('TZOFFSETFROM')), readOffset(value('TZOFFSETTO'))]
  if (to === null) return undefined
  const start = readTime(value('DTSTART'))?.wall ?? Date.UTC(1970, 0, 1)
  const dates = lines
    .filter(({ name }) => name === 'RDATE')
    .flatMap((line) => line.value.split(',', MAX_DATES))
    .slice(0, MAX_DATES)
    .flatMap((text) => readTime(text)?.wall ?? [])
  return { from: from ?? to, to, start, dates, rule: readYearlyRule(value('RRULE'), start, from ?? to) }
}

const numbers = (text: string | undefined): number[] =>
  (text ?? '').split(',').slice(0, 31).map(Number).filter(Number.isInteger).filter(Boolean)

const readYearlyRule = (text: string, start: number, offset: number): YearlyRule | undefined => {
  const parts = new Map(
    text
      .slice(0, MAX_RULE_LENGTH)
      .toUpperCase()
      .split(';')
      .map((part) => part.split('=') as [string, string]),
  )
  if (parts.get('FREQ') !== 'YEARLY') return undefined
  const until = readTime(parts.get('UNTIL') ?? '')
  return {
    interval: Math.max(1, Number(parts.get('INTERVAL') ?? 1) || 1),
    count: Number(parts.get('COUNT')) || Number.POSITIVE_INFINITY,
    until: until ? until.wall + (until.offset === null ? 0 : offset) : Number.POSITIVE_INFINITY,
    months: numbers(parts.get('BYMONTH') ?? String(new Date(start).getUTCMonth() + 1)).slice(0, MAX_PARTS),
    monthDays: numbers(parts.get('BYMONTHDAY')),
    weekdays: (parts.get('BYDAY') ?? '')
      .split(',')
      .slice(0, MAX_PARTS)
      .flatMap((day) => {
        const [, ordinal, name] = /^\s*([+-]?\d)?([A-Z]{2})\s*$/.exec(day) ?? []
        const weekday = WEEKDAYS.indexOf(name ?? '')
        return weekday < 0 ? [] : [{ ordinal: Number(ordinal ?? 0), weekday }]
      }),
  }
}

const yearOf = (wall: number): number => new Date(wall).getUTCFullYear()

const changesOf = (observance: Observance): Transition[] =>
  onsets(observance).map((wall) => ({
    at: wall - observance.from,
    before: observance.from,
    after: observance.to,
  }))

const onsets = ({ start, dates, rule }: Observance): number[] => {
  const found = [start, ...dates]
  if (!rule) return found
  const startYear = yearOf(start)
  // A rule with COUNT is expanded from its start, any other only from the first relevant year.
  const first = Number.isFinite(rule.count) ? startYear : Math.max(startYear, FIRST_YEAR)
  const aligned = first + ((rule.interval - ((first - startYear) % rule.interval)) % rule.interval)
  let left = rule.count
  for (let year = aligned; year <= LAST_YEAR && left > 0; year += rule.interval)
    for (const wall of inYear(rule, year, start))
      if (wall > start && wall <= rule.until && --left > 0) found.push(wall)
  return found
}

const inYear = (rule: YearlyRule, year: number, start: number): number[] => {
  const timeOfDay = ((start % DAY) + DAY) % DAY
  return rule.months
    .flatMap((month) => daysOf(rule, year, month, start).map((day) => Date.UTC(year, month - 1, day)))
    .map((wall) => wall + timeOfDay)
    .sort((one, other) => one - other)
}

const daysOf = (rule: YearlyRule, year: number, month: number, start: number): number[] => {
  const length = new Date(Date.UTC(year, month, 0)).getUTCDate()
  const first = new Date(Date.UTC(year, month - 1, 1)).getUTCDay()
  const days = rule.monthDays.map((day) => (day < 0 ? length + 1 + day : day))
  if (rule.weekdays.length === 0) {
    const wanted = days.length > 0 ? days : [new Date(start).getUTCDate()]
    return wanted.filter((day) => day >= 1 && day <= length)
  }
  return rule.weekdays.flatMap(({ ordinal, weekday }) => {
    const all: number[] = []
    for (let day = 1 + ((weekday - first + 7) % 7); day <= length; day += 7) all.push(day)
    const wanted = ordinal === 0 ? all : [all.at(ordinal > 0 ? ordinal - 1 : ordinal)]
    return wanted.filter((day) => day !== undefined).filter((day) => days.length === 0 || days.includes(day))
  })
}

/** Counts the leading changes for which `isBefore` holds (binary search). */
const countWhile = (changes: Transition[], isBefore: (index: number) => boolean): number => {
  let [low, high] = [0, changes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns the UTC offset at an instant. */
export const offsetAmong = (changes: Transition[], instant: number): number => {
  const passed = countWhile(changes, (index) => (changes[index] as Transition).at <= instant)
  return changes[passed - 1]?.after ?? changes[0]?.before ?? 0
}

/** The largest offset that a VTIMEZONE can state (RFC 5545, 3.3.14). */
const WIDEST_OFFSET = 100 * 60 * 60 * 1000

/** Converts a local time to an instant. Gaps and overlaps follow RFC 5545, 3.3.5. */
export const instantAmong = (changes: Transition[], wall: number): number => {
  // These changes are before the time regardless of their offsets. Only the changes near it are compared one
  // by one.
  const passed = countWhile(changes, (index) => (changes[index] as Transition).at <= wall - WIDEST_OFFSET)
  let offset = changes[passed - 1]?.after ?? changes[0]?.before ?? 0
  let start = changes[passed - 1]?.at ?? Number.NEGATIVE_INFINITY
  let before = changes[passed - 2]?.after ?? changes[0]?.before ?? 0
  for (let index = passed; index < changes.length; index++) {
    const change = changes[index] as Transition
    if (wall - offset < change.at) break
    before = offset
    offset = change.after
    start = change.at
  }
  return wall - (wall - offset < start ? before : offset)
}

/** Converts the times of one TZID. */
export interface ZoneReading {
  /** IANA name. */
  name: string
  toInstant: (wall: number) => number
  /** The zone is unknown; the default zone is used. */
  isGuess?: true
}

export interface Zones {
  byName: (name: string) => ZoneReading
  /**
   * `wall` is the start of the event. A definition in the file is compared with the IANA zones around that
   * time.
   */
  byTzid: (tzid: string, wall: number, calendar: number, repeats: boolean) => ZoneReading
}

interface Definition {
  changes: Transition[] | undefined
  /** The zone that the VTIMEZONE itself names (X-LIC-LOCATION or TZURL). */
  location: string | undefined
}

interface Options {
  /** The zone for times without one, and the first choice if several zones match. */
  timezone: string
  definitionOf: (tzid: string, calendar: number) => Component | undefined
  checkCost?: CheckCost | undefined
}

const WEEK = 7 * DAY

/** The minimum share of weeks in which a zone must match a definition. */
const ALIKE = 0.95

/** A search compares a definition with all zones. The limit bounds the work for one file. */
const MAX_SEARCHES = 100

export const createZones = ({ timezone, definitionOf, checkCost }: Options): Zones => {
  const named = new Map<string, string | undefined>()
  const definitions = new Map<string, Definition>()
  const searches = new Map<string, string | undefined>()

  const remember = <T>(memo: Map<string, T>, key: string, find: () => T, work?: ZoneWork): T => {
    if (!memo.has(key)) {
      if (work) checkCost?.(work)
      memo.set(key, find())
    }
    return memo.get(key) as T
  }

  const byName = (name: string): ZoneReading => ({ name, toInstant: (wall) => toInstant(wall, name) })

  const definition = (tzid: string, calendar: number): Definition =>
    remember(definitions, `${calendar} ${tzid}`, () => {
      const component = definitionOf(tzid, calendar)
      return {
        changes: component && readDefinition(component),
        location: component && locationOf(component),
      }
    })

  const search = (changes: Transition[], key: string, wall: number, repeats: boolean): ZoneReading => {
    const instant = instantAmong(changes, wall)
    const wanted = `${key} ${new Date(wall).getUTCFullYear()} ${repeats}`
    const mayLook = searches.has(wanted) || searches.size < MAX_SEARCHES
    const found = mayLook
      ? remember(
          searches,
          wanted,
          () => findAlike(changes, instant, repeats, [timezone, ...MAIN_ZONES]),
          'search',
        )
      : undefined
    if (found !== undefined && offsetAt(instant, found) === wall - instant) return byName(found)
    return { name: 'UTC', toInstant: (other) => instantAmong(changes, other) }
  }

  return {
    byName,

    byTzid: (tzid, wall, calendar, repeats) => {
      const known = remember(named, tzid, () => zoneByName(tzid), 'name')
      if (known !== undefined) return byName(known)
      const { changes, location } = definition(tzid, calendar)
      if (location !== undefined) return byName(location)
      if (changes) return search(changes, `${calendar} ${tzid}`, wall, repeats)
      const guess = remember(named, `? ${tzid}`, () => guessZone(tzid), 'name')
      if (guess !== undefined) return byName(guess)
      const offset = offsetInName(tzid)
      if (offset === undefined) return { ...byName(timezone), isGuess: true }
      return search([{ at: Number.NEGATIVE_INFINITY, before: offset, after: offset }], tzid, wall, repeats)
    },
  }
}

const locationOf = ({ lines }: Component): string | undefined => {
  for (const raw of lines) {
    const line = readLine(raw)
    if (line?.name === 'X-LIC-LOCATION' || line?.name === 'TZURL') {
      const zone = zoneByName(line.value)
      if (zone !== undefined) return zone
    }
  }
  return undefined
}

/**
 * Finds the first zone that matches the definition in every week: half a year around the instant, and three
 * years ahead for recurring events. Otherwise returns the best match, if it is nearly complete. A recurring
 * event always needs a zone, because its days are local days.
 */
const findAlike = (
  changes: Transition[],
  instant: number,
  repeats: boolean,
  candidates: string[],
): string | undefined => {
  const offset = offsetAmong(changes, instant)
  const weeks = Array.from({ length: repeats ? 182 : 52 }, (_, week) => {
    const at = instant + (week - 26) * WEEK
    return { at, offset: offsetAmong(changes, at) }
  })
  let best: string | undefined
  let bestScore = repeats ? 0 : ALIKE
  for (const zone of candidates) {
    if (offsetAt(instant, zone) !== offset) continue
    const alike = weeks.filter((week) => offsetAt(week.at, zone) === week.offset).length / weeks.length
    if (alike === 1) return zone
    if (alike > bestScore) {
      best = zone
      bestScore = alike
    }
  }
  return best
}

/** A zone, and the range of years in which events use it. */
export interface UsedZone {
  timezone: string
  fromYear: number
  untilYear: number
}

/** Weekdays and dates repeat every 28 years, so a rule that holds this long is permanent. */
const YEARS_AHEAD = 28

/** No known zone changes its rules after this year. */
const LAST_WRITTEN_YEAR = 2100

/** Writes one VTIMEZONE for each zone except UTC. */
export const timezoneComponents = (zones: Iterable<UsedZone>): string => {
  let text = ''
  for (const zone of zones) if (zone.timezone !== 'UTC') text += timezoneComponent(zone)
  return text
}

const timezoneComponent = ({ timezone, fromYear, untilYear }: UsedZone): string => {
  // Start a year earlier, for events that began in the year before and for zones other than UTC.
  const from = new Date(0).setUTCFullYear(Math.max(fromYear - 1, 1))
  const finalYear = Math.min(untilYear, LAST_WRITTEN_YEAR) + YEARS_AHEAD
  const until = Date.UTC(finalYear + 1, 0, 1)
  const transitions = transitionsBetween(timezone, from, until)
  const first = offsetAt(from, timezone)
  return [
    'BEGIN:VTIMEZONE',
    `TZID:${escapeText(timezone)}`,
    ...observance({ at: from, before: first, after: first }),
    ...runsOf(transitions, finalYear).flatMap(({ start, rule }) => observance(start, rule)),
    'END:VTIMEZONE',
  ]
    .map(fold)
    .join('')
}

const observance = ({ at, before, after }: Transition, rule?: string): string[] => {
  const name = after > before ? 'DAYLIGHT' : 'STANDARD'
  return [
    `BEGIN:${name}`,
    `DTSTART:${writeDateTime(at + before)}`,
    `TZOFFSETFROM:${writeOffset(before)}`,
    `TZOFFSETTO:${writeOffset(after)}`,
    ...(rule === undefined ? [] : [`RRULE:${rule}`]),
    `END:${name}`,
  ]
}

/** The same offset change in consecutive years. */
interface Run {
  start: Transition
  lastYear: number
  days: number[]
  monthLengths: number[]
}

interface WrittenRun {
  start: Transition
  rule?: string
}

/** Groups changes that follow one rule. Changes without a rule are written one by one. */
const runsOf = (transitions: Transition[], finalYear: number): WrittenRun[] => {
  const open = new Map<string, Run>()
  const done: Run[] = []
  for (const transition of transitions) {
    const wall = new Date(transition.at + transition.before)
    const [year, month, day] = [wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate()]
    const key = [month, wall.getUTCDay(), wall.getTime() % DAY, transition.before, transition.after].join()
    const monthLength = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
    const run = open.get(key)
    const extended: Run | undefined = run && {
      ...run,
      lastYear: year,
      days: [...run.days, day],
      monthLengths: [...run.monthLengths, monthLength],
    }
    if (extended && run?.lastYear === year - 1 && daysRule(extended) !== undefined) open.set(key, extended)
    else {
      if (run) done.push(run)
      open.set(key, {
        start: transition,
        lastYear: year,
        days: [day],
        monthLengths: [monthLength],
      })
    }
  }
  return [...done, ...open.values()]
    .sort((one, other) => one.start.at - other.start.at)
    .map((run) => writtenRun(run, finalYear))
}

const writtenRun = (run: Run, finalYear: number): WrittenRun => {
  if (run.days.length === 1) return { start: run.start }
  const { start } = run
  const wall = new Date(start.at + start.before)
  // Use COUNT: some programs fail on an UNTIL in UTC, which RFC 5545 requires.
  const end = run.lastYear >= finalYear ? '' : `;COUNT=${run.days.length}`
  return { start, rule: `FREQ=YEARLY;BYMONTH=${wall.getUTCMonth() + 1}${daysRule(run)}${end}` }
}

/** The BYDAY part: the nth weekday of the month, the last one, or the one within seven dates. */
const daysRule = ({ start, days, monthLengths }: Run): string | undefined => {
  const weekday = WEEKDAYS[new Date(start.at + start.before).getUTCDay()]
  const [least, most] = [Math.min(...days), Math.max(...days)]
  if (days.every((day, index) => day + 7 > (monthLengths[index] as number))) return `;BYDAY=-1${weekday}`
  const ordinal = Math.ceil(least / 7)
  if (Math.ceil(most / 7) === ordinal) return `;BYDAY=${ordinal}${weekday}`
  if (most - least > 6) return undefined
  const dates = Array.from({ length: 7 }, (_, index) => least + index).filter((date) => date <= 31)
  return `;BYMONTHDAY=${dates.join(',')};BYDAY=${weekday}`
}
