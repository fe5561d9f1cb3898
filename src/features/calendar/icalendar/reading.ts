import { setImmediate } from 'node:timers/promises'
import { type Component, goThrough, type Range, readComponent } from './components.ts'
import { type CheckCost, CostlyCalendar } from './cost.ts'
import type { CalendarFile, Found } from './entry.ts'
import { type EventContext, type ReadEvent, readEvent, uidOf } from './event.ts'
import { readLine } from './lines.ts'
import { cleanText, unescapeText } from './text.ts'
import { zoneByName } from './zone-names.ts'
import { createZones, type Zones } from './zones.ts'

interface Calendar {
  method: string | null
  name: string | null
  timezone: string | null
}

/** What a file says before its events are read: its calendars, and where its time zones are defined. */
interface Outline {
  isCalendar: boolean
  calendars: Map<number, Calendar>
  definitions: Map<string, Range>
  /** Where the last component ends: nothing is looked for behind it. */
  end: number
}

const NO_CALENDAR: Calendar = { method: null, name: null, timezone: null }
const MOST_NOTES = 1000
const LONGEST_NAME = 200

/**
 * Goes through the file once for what the events need, then gives them one by one, each read by itself: a broken one
 * costs itself alone. A file of any size is read in small steps. `timezone` is where whole days begin, and the zone of
 * times that name none.
 */
export const openCalendar = async (
  text: string,
  { timezone, checkCost }: { timezone: string; checkCost?: CheckCost | undefined },
): Promise<CalendarFile> => {
  const outline: Outline = { isCalendar: false, calendars: new Map(), definitions: new Map(), end: 0 }
  for (const met of goThrough(text)) {
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
  for (const met of goThrough(text, outline.end + 1)) {
    if (met.kind !== 'component' || met.component.name === 'VTIMEZONE') continue
    const { calendar, component: range } = met
    const { method, timezone: calendarTimezone } = outline.calendars.get(calendar) ?? NO_CALENDAR
    const component = readComponent(text, range)
    const skipped = (reason: string): Found => ({
      kind: 'skipped',
      line: range.line,
      uid: uidOf(component)?.slice(0, LONGEST_NAME) ?? null,
      reason,
      isEvent: range.name === 'VEVENT',
    })
    if (range.name !== 'VEVENT') yield skipped(`A ${range.name} is not an event.`)
    else if (!range.isWhole) yield skipped('The file ends in the middle of it.')
    else {
      const read = readEventOrReason(component, { zones, calendar, timezone, calendarTimezone, method })
      if ('reason' in read) yield skipped(read.reason)
      else if ('undated' in read)
        yield { kind: 'undated', line: range.line, method, entry: read.undated, stampedAt: read.stampedAt }
      else yield { kind: 'entry', line: range.line, method, ...read }
    }
  }
}

/** A fault of the reader costs the one event that shows it. */
const readEventOrReason = (component: Component, context: EventContext): ReadEvent => {
  try {
    return readEvent(component, context)
  } catch (error) {
    if (error instanceof CostlyCalendar) throw error
    return { reason: `The reader failed on its contents: ${error instanceof Error ? error.message : error}.` }
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
  if (!line || !value || (!calendars.has(calendar) && calendars.size >= MOST_NOTES)) return
  const known = calendars.get(calendar) ?? NO_CALENDAR
  const { method, name, timezone } = known
  if (line.name === 'METHOD') calendars.set(calendar, { ...known, method: method ?? value.toUpperCase() })
  else if (/NAME$/.test(line.name))
    calendars.set(calendar, { ...known, name: name ?? value.slice(0, LONGEST_NAME) })
  else {
    checkCost?.('name')
    calendars.set(calendar, { ...known, timezone: timezone ?? zoneByName(value) ?? null })
  }
}

const noteDefinition = ({ definitions }: Outline, calendar: number, range: Range, text: string): void => {
  if (definitions.size >= MOST_NOTES) return
  for (const raw of readComponent(text, range).lines) {
    const line = readLine(raw)
    if (line?.name !== 'TZID') continue
    const tzid = line.value.trim()
    definitions.set(`${calendar} ${tzid}`, range)
    if (!definitions.has(tzid)) definitions.set(tzid, range)
    return
  }
}
