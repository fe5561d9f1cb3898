import { createHash } from 'node:crypto'
import { cleanText, decodeCalendar, unfold } from '../../../platform/icalendar/text.ts'
import { createYielder } from '../../../platform/yield.ts'
import { type Entry, type FoundEvent, readExtra } from './entry.ts'
import { openCalendar, type Range, scanComponents } from './parser.ts'
import { foundIn } from './this-and-future.ts'
import type { CheckCost } from './zones.ts'

const MARK = '~dup-'
const SUFFIX = /~dup-[0-9a-f]{12}$/

/**
 * Returns the UID for a second event with the same UID. RFC 4791, 4.1 forbids two in one calendar, but
 * servers and published files contain them. `distinction` must be the same in each sync.
 */
export const duplicateUid = (uid: string, distinction: string): string =>
  `${uid}${MARK}${createHash('sha256').update(distinction).digest('hex').slice(0, 12)}`

/** The index range that contains the UIDs of all duplicates. */
export const duplicateRange = (uid: string): { from: string; until: string } => ({
  from: `${uid}${MARK}`,
  until: `${uid}${MARK}g`,
})

/** The UID on the server. */
export const originalUid = (uid: string): string => uid.replace(SUFFIX, '')

/** Serializes the content of an event, without values that programs rewrite in each export. */
export const contentOf = (entry: Omit<Entry, 'start' | 'end' | 'allDay' | 'timezone'>): string => {
  const { uid: _, sequence: __, revisedAt: ___, extra: ____, ...said } = entry
  return JSON.stringify(said)
}

type Revision = Pick<Entry, 'sequence' | 'revisedAt'>

/** RFC 5546, 2.1.5. */
export const isLaterRevision = (a: Revision, b: Revision): boolean =>
  a.sequence > b.sequence || (a.sequence === b.sequence && (a.revisedAt ?? '') > (b.revisedAt ?? ''))

/** RFC 5546: messages with other methods refer to an event by its UID. They are not a second event. */
const EVENT_METHODS = [null, 'PUBLISH', 'REQUEST']

export const withUid = <T extends FoundEvent>(event: T, uid: string): T => ({
  ...event,
  entry: { ...event.entry, uid },
})

const SEPARATE = 'Another event in this file has the same UID. It was kept as a separate event.'
const SUPERSEDED = 'Another event in this file has the same UID and a higher SEQUENCE.'

/**
 * Detects a second event with the same UID in a file. A later revision replaces the first. One of the same
 * revision with other content becomes a separate event.
 */
export const createDuplicateCheck = () => {
  const seen = new Map<string, { sequence: number; content: string }>()
  return <T extends FoundEvent>(event: T): { event: T; warning?: string } | { reason: string } => {
    const { uid, sequence, recurrenceId } = event.entry
    if (recurrenceId !== null || !EVENT_METHODS.includes(event.method)) return { event }
    const content = contentOf(event.entry)
    const first = seen.get(uid)
    if (first === undefined || sequence > first.sequence) {
      seen.set(uid, { sequence, content })
      return { event }
    }
    if (content === first.content) return { event }
    if (sequence < first.sequence) return { reason: SUPERSEDED }
    return { event: withUid(event, duplicateUid(uid, content)), warning: SEPARATE }
  }
}

/** All components of a file with one UID: an event, or a series with its changed occurrences. */
export interface CalendarObject {
  uid: string
  /** The source of the components. If it is unchanged, so is the event. */
  body: string
  events: FoundEvent[]
}

export interface CalendarText {
  /** False if the content is not a calendar, such as a web page. */
  isCalendar: boolean
  name: string | null
  objects: CalendarObject[]
  /** Events that cannot be parsed, up to a limit. */
  unreadable: UnreadableEvent[]
}

/** An event that cannot be parsed. */
export interface UnreadableEvent {
  /** The UID, or the line in the file. */
  name: string
  reason: string
  /** The source, possibly truncated. */
  body: string
}

const MAX_UNREADABLE = 200
const MAX_BODY_LENGTH = 64 * 1024

export type ReadCalendarText = (userId: number, bytes: Uint8Array) => Promise<CalendarText>

/** Many servers write a new DTSTAMP for each request (RFC 5545, 3.8.7.2 requires it with METHOD). */
const STAMP = /^\s*DTSTAMP\s*[;:]/i

const bodyOf = (text: string, { from, until }: Range): string =>
  unfold(text, from, until)
    .filter((line) => !STAMP.test(line))
    .map(cleanText)
    .join('\r\n')

interface ReadObject {
  events: FoundEvent[]
  bodies: string[]
}

/**
 * Removes all but the latest of several events with one UID from an object and returns them. Published files
 * contain such events; they are stored as separate events. Identical ones are dropped.
 */
const separateDuplicates = (object: ReadObject): { event: FoundEvent; body: string }[] => {
  const isWhole = ({ entry }: FoundEvent): boolean => entry.recurrenceId === null
  const whole = object.events.filter(isWhole)
  const [first, ...others] = whole
  if (!first || others.length === 0) return []
  // The order in the file has no meaning.
  const isBefore = (one: FoundEvent, best: FoundEvent): boolean =>
    isLaterRevision(one.entry, best.entry) ||
    (!isLaterRevision(best.entry, one.entry) && contentOf(one.entry) < contentOf(best.entry))
  const latest = others.reduce((best, one) => (isBefore(one, best) ? one : best), first)
  const kept = new Map([[contentOf(latest.entry), latest]])
  const separate: { event: FoundEvent; body: string }[] = []
  for (const [index, event] of object.events.entries()) {
    if (!isWhole(event) || kept.has(contentOf(event.entry))) continue
    kept.set(contentOf(event.entry), event)
    separate.push({ event, body: object.bodies[index] as string })
  }
  const stays = (event: FoundEvent): boolean => !isWhole(event) || event === latest
  object.bodies = object.bodies.filter((_, index) => stays(object.events[index] as FoundEvent))
  object.events = object.events.filter(stays)
  return separate
}

/** Parses a calendar file event by event, as an import does, and groups the events by UID. */
export const readCalendarText = (bytes: Uint8Array, timezone: string): Promise<CalendarText> =>
  readObjectsOf(decodeCalendar(bytes), timezone)

export const readObjectsOf = async (
  text: string,
  timezone: string,
  checkCost?: CheckCost,
): Promise<CalendarText> => {
  const { isCalendar, name, found } = await openCalendar(text, { timezone, checkCost })
  const yieldIfNeeded = createYielder()
  const ranges = new Map<number, Range>()
  for (const met of scanComponents(text)) {
    if (met.kind === 'component' && met.component.name === 'VEVENT')
      ranges.set(met.component.line, met.component)
    await yieldIfNeeded()
  }
  const objects = new Map<string, ReadObject>()
  const unreadable: UnreadableEvent[] = []
  for await (const event of foundIn(text, { found })) {
    await yieldIfNeeded()
    const range = ranges.get(event.line)
    if (event.kind !== 'entry') {
      const isEvent = event.kind === 'undated' || event.isEvent
      if (isEvent && range && unreadable.length < MAX_UNREADABLE)
        unreadable.push({
          name: (event.kind === 'undated' ? event.entry.uid : event.uid) ?? `line ${event.line}`,
          reason: event.kind === 'undated' ? 'The event has no start (DTSTART).' : event.reason,
          body: text.slice(range.from, Math.min(range.until, range.from + MAX_BODY_LENGTH)),
        })
      continue
    }
    const { uid } = event.entry
    const object = objects.get(uid) ?? { events: [], bodies: [] }
    object.events.push(event)
    object.bodies.push(bodyOf(text, range as Range))
    objects.set(uid, object)
  }
  for (const [uid, object] of [...objects])
    for (const duplicate of separateDuplicates(object))
      objects.set(duplicateUid(uid, contentOf(duplicate.event.entry)), {
        events: [withUid(duplicate.event, duplicateUid(uid, contentOf(duplicate.event.entry)))],
        bodies: [duplicate.body],
      })
  // A series and its continuations depend on each other, so each gets the source of all.
  for (const [uid, { events }] of objects) {
    const continued = events.flatMap(({ entry }) => readExtra(entry.extra).continued ?? [])
    if (continued.length === 0) continue
    const family = [uid, ...continued].flatMap((one) => objects.get(one) ?? [])
    const bodies = family.flatMap((one) => one.bodies)
    for (const one of family) one.bodies = [...bodies]
  }
  return {
    isCalendar,
    name,
    unreadable,
    // The order in the file has no meaning, and some servers change it with each request.
    objects: [...objects].map(([uid, { events, bodies }]) => ({
      uid,
      events,
      body: bodies.sort().join('\r\n'),
    })),
  }
}
