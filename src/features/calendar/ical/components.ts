import { escapeText, fold, unfold } from './text.ts'

/** One item found while scanning a file. `calendar` is the index of its VCALENDAR, from 0. */
export type ScanItem =
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

/** The lines of a component, and the lines of each nested component including BEGIN and END. */
export interface Component {
  lines: string[]
  inner: string[][]
}

const EDGE = /^\s*(BEGIN|END)\s*:\s*([^\s;:]+)/i

export const readComponent = (text: string, { from, until }: Pick<Range, 'from' | 'until'>): Component => {
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
