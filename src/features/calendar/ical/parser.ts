import { setImmediate } from 'node:timers/promises'
import {
  type Component,
  cleanText,
  escapeText,
  fold,
  readLine,
  unescapeText,
  unfold,
} from '../../../platform/icalendar/text.ts'
import type { CalendarFile, Found } from './entry.ts'
import { type EventContext, type ReadEvent, readEvent, uidOf } from './event.ts'
import { zoneByName } from './zone-names.ts'
import { type CheckCost, createZones, type Zones } from './zones.ts'

/** Thrown by a parser with a cost limit when the file may take long to parse. */
export class CostlyCalendar extends Error {
  constructor() {
    super('This calendar may take long to parse.')
    this.name = 'CostlyCalendar'
  }
}

/** A small file with few zones takes a few milliseconds at most. */
const MAX_SMALL_LENGTH = 16 * 1024
/** The first use of a zone takes one or two milliseconds. */
const MAX_ZONES = 4

export const isSmall = (text: { length: number }): boolean => text.length <= MAX_SMALL_LENGTH

/** Permits only work that takes a few milliseconds. */
export const createCostCheck = (): CheckCost => {
  let names = 0
  return (work) => {
    if (work === 'search' || ++names > MAX_ZONES) throw new CostlyCalendar()
  }
}

/** One item found while scanning a file. `calendar` is the index of its VCALENDAR, from 0. */
type ScanItem =
  | { kind: 'calendar' }
  | { kind: 'component'; calendar: number; component: Range }
  | { kind: 'property'; calendar: number; line: string }
  | { kind: 'pause' }

/** The range of a component in the file, from its BEGIN to its END. */
export interface Range {
  name: string
  from: number
  until: number
  /** The number of the first line, counted from 1. */
  line: number
  /** False if the file ends inside the component. */
  isWhole: boolean
}

const BOUNDARY = /(BEGIN|END)[ \t]*:[ \t]*([^\s;:]{1,80})/iy
const WANTED = /(?:METHOD|NAME|X-WR-CALNAME|X-WR-TIMEZONE|TIMEZONE-ID)(?=[;:\s]|$)/iy
const COMPONENTS = /^V(?:EVENT|TODO|JOURNAL|FREEBUSY|AVAILABILITY|TIMEZONE|POLL)$/
const LINE_BREAK = /\r\n?|\n/g

/** Calendar properties are short. A longer value is not the name of a calendar. */
const MAX_PROPERTY_LENGTH = 4096
const PAUSE_EVERY = 256 * 1024
/** Limit for all calendars of a file together. A usual calendar has a handful. */
const MAX_PROPERTIES = 5000

/**
 * Scans a file line by line without building objects, so that memory use does not depend on its size. A
 * component ends at its END. If the END is missing, it ends at the next component of the same level. Text
 * outside of calendars is skipped.
 */
export function* scanComponents(text: string, until = text.length): Generator<ScanItem, void, undefined> {
  let calendar = 0
  let calendars = 0
  let open: Omit<Range, 'until' | 'isWhole'> | undefined
  let foreign = 0
  let line = 0
  let paused = 0
  let properties = 0
  for (let start = 0; start < until; ) {
    LINE_BREAK.lastIndex = start
    const end = LINE_BREAK.exec(text)?.index ?? text.length
    line++
    if (start - paused > PAUSE_EVERY) {
      paused = start
      yield { kind: 'pause' }
    }
    BOUNDARY.lastIndex = start
    const boundary = BOUNDARY.exec(text)
    if (boundary) {
      const begins = /b/i.test((boundary[1] as string)[0] as string)
      const name = (boundary[2] as string).toUpperCase()
      const isComponent = COMPONENTS.test(name)
      const closes = !begins && open?.name === name
      if (open && (closes || name === 'VCALENDAR' || (begins && isComponent))) {
        yield {
          kind: 'component',
          calendar,
          component: { ...open, until: closes ? end : start, isWhole: true },
        }
        open = undefined
      }
      if (name === 'VCALENDAR') {
        foreign = 0
        if (begins) {
          calendar = calendars++
          yield { kind: 'calendar' }
        }
      } else if (begins && isComponent) open = { name, from: start, line }
      else if (!open && !isComponent) foreign = Math.max(0, foreign + (begins ? 1 : -1))
    } else if (!open && foreign === 0 && properties < MAX_PROPERTIES) {
      WANTED.lastIndex = start
      if (WANTED.test(text)) {
        properties++
        const property = unfold(text, start, Math.min(text.length, start + MAX_PROPERTY_LENGTH))[0]
        if (property !== undefined) yield { kind: 'property', calendar, line: property }
      }
    }
    start = end + (text[end] === '\r' && text[end + 1] === '\n' ? 2 : 1)
  }
  if (open) yield { kind: 'component', calendar, component: { ...open, until: text.length, isWhole: false } }
}

const EDGE = /^\s*(BEGIN|END)\s*:\s*([^\s;:]+)/i

const readComponent = (text: string, { from, until }: Pick<Range, 'from' | 'until'>): Component => {
  const lines: string[] = []
  const inner: string[][] = []
  let current: string[] | undefined
  const names: string[] = []
  for (const line of unfold(text, from, until).slice(1)) {
    const [, edge, name = ''] = EDGE.exec(line.slice(0, 100)) ?? []
    if (edge === undefined) (current ?? lines).push(line)
    else if (/^b/i.test(edge)) {
      if (!current) {
        current = []
        inner.push(current)
      }
      current.push(`BEGIN:${name.toUpperCase()}`)
      names.push(name.toUpperCase())
    } else if (names.at(-1) === name.toUpperCase()) {
      current?.push(`END:${names.pop()}`)
      if (names.length === 0) current = undefined
    }
  }
  while (names.length > 0) current?.push(`END:${names.pop()}`)
  return { lines, inner }
}

interface Head {
  name?: string
  timezone?: string
  /** RFC 5546. Absent in objects for a CalDAV server (RFC 4791, 4.1). */
  method?: string
  /** The polling interval for subscribers, in minutes. */
  refreshMinutes?: number
}

/**
 * Writes the calendar header that precedes time zones and events. It uses the names of RFC 7986 and their
 * older equivalents.
 */
export const calendarHead = ({ name, timezone, method, refreshMinutes }: Head): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Factotum//Calendar//EN',
    'CALSCALE:GREGORIAN',
    ...(method === undefined ? [] : [`METHOD:${method}`]),
    ...(name === undefined ? [] : [`NAME:${escapeText(name)}`, `X-WR-CALNAME:${escapeText(name)}`]),
    ...(timezone === undefined ? [] : [`X-WR-TIMEZONE:${escapeText(timezone)}`]),
    ...(refreshMinutes === undefined
      ? []
      : [`REFRESH-INTERVAL;VALUE=DURATION:PT${refreshMinutes}M`, `X-PUBLISHED-TTL:PT${refreshMinutes}M`]),
  ]
    .map(fold)
    .join('')

export const calendarTail = (): string => 'END:VCALENDAR\r\n'

interface Calendar {
  method: string | null
  name: string | null
  timezone: string | null
}

/** The result of the first scan: the calendars of the file, and the ranges of its time zone definitions. */
interface Outline {
  isCalendar: boolean
  calendars: Map<number, Calendar>
  definitions: Map<string, Range>
  /** The end of the last component. The second scan stops there. */
  end: number
}

const NO_CALENDAR: Calendar = { method: null, name: null, timezone: null }
const MAX_NOTES = 1000
const MAX_NAME_LENGTH = 200

/**
 * Scans the file once for the data that events need, then parses the events one by one. A broken event does
 * not affect others. A file of any size is parsed in small steps. `timezone` is the zone of all-day events
 * and of times without a zone.
 */
export const openCalendar = async (
  text: string,
  { timezone, checkCost }: { timezone: string; checkCost?: CheckCost | undefined },
): Promise<CalendarFile> => {
  const outline: Outline = { isCalendar: false, calendars: new Map(), definitions: new Map(), end: 0 }
  for (const met of scanComponents(text)) {
    if (met.kind === 'pause') await setImmediate()
    else if (met.kind === 'property') noteProperty(outline, met.calendar, met.line, checkCost)
    else outline.isCalendar = true
    if (met.kind !== 'component') continue
    outline.end = met.component.until
    if (met.component.name === 'VTIMEZONE') noteDefinition(outline, met.calendar, met.component, text)
  }
  const zones = createZones({
    timezone,
    checkCost,
    definitionOf: (tzid, calendar) => {
      const range = outline.definitions.get(`${calendar} ${tzid}`) ?? outline.definitions.get(tzid)
      return range && readComponent(text, range)
    },
  })
  const calendars = [...outline.calendars.values()]
  return {
    isCalendar: outline.isCalendar,
    name: calendars.find(({ name }) => name !== null)?.name ?? null,
    timezone: calendars.find((calendar) => calendar.timezone !== null)?.timezone ?? null,
    method: outline.calendars.get(0)?.method ?? null,
    found: () => readAll(text, outline, zones, timezone),
  }
}

function* readAll(
  text: string,
  outline: Outline,
  zones: Zones,
  timezone: string,
): Generator<Found, void, undefined> {
  for (const met of scanComponents(text, outline.end + 1)) {
    if (met.kind !== 'component' || met.component.name === 'VTIMEZONE') continue
    const { calendar, component: range } = met
    const { method, timezone: calendarTimezone } = outline.calendars.get(calendar) ?? NO_CALENDAR
    const component = readComponent(text, range)
    const skipped = (reason: string): Found => ({
      kind: 'skipped',
      line: range.line,
      uid: uidOf(component)?.slice(0, MAX_NAME_LENGTH) ?? null,
      reason,
      isEvent: range.name === 'VEVENT',
    })
    if (range.name !== 'VEVENT') yield skipped(`A ${range.name} is not an event.`)
    else if (!range.isWhole) yield skipped('The file ends inside the event.')
    else {
      const read = readEventOrReason(component, { zones, calendar, timezone, calendarTimezone, method })
      if ('reason' in read) yield skipped(read.reason)
      else if ('undated' in read)
        yield { kind: 'undated', line: range.line, method, entry: read.undated, stampedAt: read.stampedAt }
      else yield { kind: 'entry', line: range.line, method, ...read }
    }
  }
}

/** A parser error affects only the event that causes it. */
const readEventOrReason = (component: Component, context: EventContext): ReadEvent => {
  try {
    return readEvent(component, context)
  } catch (error) {
    if (error instanceof CostlyCalendar) throw error
    return { reason: `The parser failed: ${error instanceof Error ? error.message : error}.` }
  }
}

const noteProperty = (
  { calendars }: Outline,
  calendar: number,
  raw: string,
  checkCost: CheckCost | undefined,
): void => {
  const line = readLine(raw)
  const value = line && cleanText(unescapeText(line.value)).trim()
  if (!line || !value || (!calendars.has(calendar) && calendars.size >= MAX_NOTES)) return
  const known = calendars.get(calendar) ?? NO_CALENDAR
  const { method, name, timezone } = known
  if (line.name === 'METHOD') calendars.set(calendar, { ...known, method: method ?? value.toUpperCase() })
  else if (/NAME$/.test(line.name))
    calendars.set(calendar, { ...known, name: name ?? value.slice(0, MAX_NAME_LENGTH) })
  else {
    checkCost?.('name')
    calendars.set(calendar, { ...known, timezone: timezone ?? zoneByName(value) ?? null })
  }
}

const noteDefinition = ({ definitions }: Outline, calendar: number, range: Range, text: string): void => {
  if (definitions.size >= MAX_NOTES) return
  for (const raw of readComponent(text, range).lines) {
    const line = readLine(raw)
    if (line?.name !== 'TZID') continue
    const tzid = line.value.trim()
    definitions.set(`${calendar} ${tzid}`, range)
    if (!definitions.has(tzid)) definitions.set(tzid, range)
    return
  }
}
