import { unfold } from './lines.ts'

/** Something met while going through a file. `calendar` counts the VCALENDARs so far, from 0. */
export type Met =
  | { kind: 'calendar' }
  | { kind: 'component'; calendar: number; component: Range }
  | { kind: 'property'; calendar: number; line: string }
  | { kind: 'pause' }

/** A component's place in the file, from its BEGIN up to its END. */
export interface Range {
  name: string
  from: number
  until: number
  /** The number of its first line, counted from 1. */
  line: number
  /** False when the file ends in its midst. */
  isWhole: boolean
}

const BOUNDARY = /(BEGIN|END)[ \t]*:[ \t]*([^\s;:]{1,80})/iy
const WANTED = /(?:METHOD|NAME|X-WR-CALNAME|X-WR-TIMEZONE|TIMEZONE-ID)(?=[;:\s]|$)/iy
const COMPONENTS = /^V(?:EVENT|TODO|JOURNAL|FREEBUSY|AVAILABILITY|TIMEZONE|POLL)$/
const LINE_BREAK = /\r\n?|\n/g

/** Calendar properties are short; what is longer is no name of a calendar. */
const LONGEST_PROPERTY = 4096
const PAUSE_EVERY = 256 * 1024
/** Of all calendars of a file; each has a handful. */
const MOST_PROPERTIES = 5000

/**
 * Goes through a file line by line and builds nothing, so that its size does not matter. A component ends with its own
 * END or, where that was forgotten, with the next one of its rank. Text around calendars is passed over.
 */
export function* goThrough(text: string, until = text.length): Generator<Met, void, undefined> {
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
    } else if (!open && foreign === 0 && properties < MOST_PROPERTIES) {
      WANTED.lastIndex = start
      if (WANTED.test(text)) {
        properties++
        const property = unfold(text, start, Math.min(text.length, start + LONGEST_PROPERTY))[0]
        if (property !== undefined) yield { kind: 'property', calendar, line: property }
      }
    }
    start = end + (text[end] === '\r' && text[end + 1] === '\n' ? 2 : 1)
  }
  if (open) yield { kind: 'component', calendar, component: { ...open, until: text.length, isWhole: false } }
}

/** A component's own lines, and those of each component inside it, with its BEGIN and END. */
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
