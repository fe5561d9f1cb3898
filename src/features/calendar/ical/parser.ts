import { setImmediate } from 'node:timers/promises'
import { type Component, type Range, readComponent, scanComponents } from './components.ts'
import { type CheckCost, CostlyCalendar } from './cost.ts'
import type { CalendarFile, Found } from './entry.ts'
import { type EventContext, type ReadEvent, readEvent, uidOf } from './event.ts'
import { cleanText, readLine, unescapeText } from './text.ts'
import { zoneByName } from './zone-names.ts'
import { createZones, type Zones } from './zones.ts'

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
