import { createBreather } from '../../../platform/breather.ts'
import { goThrough, type Range } from './components.ts'
import type { CheckCost } from './cost.ts'
import { decodeCalendar } from './decoding.ts'
import { contentOf, duplicateUid, isLaterRevision, withUid } from './duplicate-uids.ts'
import type { Told } from './entry.ts'
import { readExtra } from './extra.ts'
import { foundIn } from './from-there-on.ts'
import { unfold } from './lines.ts'
import { openCalendar } from './reading.ts'
import { cleanText } from './text.ts'

/** Everything that a file tells of one uid: an event, or a series with its changed occurrences. */
export interface CalendarObject {
  uid: string
  /** Its components as they stand there: when this is as it was, so is the event. */
  body: string
  told: Told[]
}

export interface CalendarText {
  /** False for what is no calendar at all, such as a web page. */
  isCalendar: boolean
  name: string | null
  objects: CalendarObject[]
  /** Events that could not be read; the first so many. */
  unreadable: UnreadableEvent[]
}

/** An event that could not be read. */
export interface UnreadableEvent {
  /** Its uid, or its line in the file. */
  name: string
  reason: string
  /** As it stands in the file, or the beginning of it. */
  body: string
}

const MOST_UNREADABLE = 200
const LONGEST_BODY = 64 * 1024

export type ReadCalendarText = (bytes: Uint8Array) => Promise<CalendarText>

/** Many servers write it anew each time they are asked (RFC 5545, 3.8.7.2 has it so for METHOD). */
const STAMP = /^\s*DTSTAMP\s*[;:]/i

const bodyOf = (text: string, { from, until }: Range): string =>
  unfold(text, from, until)
    .filter((line) => !STAMP.test(line))
    .map(cleanText)
    .join('\r\n')

interface ReadObject {
  told: Told[]
  bodies: string[]
}

/**
 * Takes all but the latest of several events with one UID out of an object. Published files hold such; they are kept as
 * events of their own. One that says the same as another is left out.
 */
const separateDuplicates = (object: ReadObject): { told: Told; body: string }[] => {
  const isWhole = ({ entry }: Told): boolean => entry.recurrenceId === null
  const whole = object.told.filter(isWhole)
  const [first, ...others] = whole
  if (!first || others.length === 0) return []
  // In which order they stand tells nothing.
  const isBefore = (one: Told, best: Told): boolean =>
    isLaterRevision(one.entry, best.entry) ||
    (!isLaterRevision(best.entry, one.entry) && contentOf(one.entry) < contentOf(best.entry))
  const latest = others.reduce((best, one) => (isBefore(one, best) ? one : best), first)
  const kept = new Map([[contentOf(latest.entry), latest]])
  const separate: { told: Told; body: string }[] = []
  for (const [index, told] of object.told.entries()) {
    if (!isWhole(told) || kept.has(contentOf(told.entry))) continue
    kept.set(contentOf(told.entry), told)
    separate.push({ told, body: object.bodies[index] as string })
  }
  const stays = (told: Told): boolean => !isWhole(told) || told === latest
  object.bodies = object.bodies.filter((_, index) => stays(object.told[index] as Told))
  object.told = object.told.filter(stays)
  return separate
}

/** Reads a calendar file event by event, as an import does, and puts together what belongs together. */
export const readCalendarText = (bytes: Uint8Array, timezone: string): Promise<CalendarText> =>
  readObjectsOf(decodeCalendar(bytes), timezone)

export const readObjectsOf = async (
  text: string,
  timezone: string,
  checkCost?: CheckCost,
): Promise<CalendarText> => {
  const { isCalendar, name, found } = await openCalendar(text, { timezone, checkCost })
  const breathe = createBreather()
  const ranges = new Map<number, Range>()
  for (const met of goThrough(text)) {
    if (met.kind === 'component' && met.component.name === 'VEVENT')
      ranges.set(met.component.line, met.component)
    await breathe()
  }
  const objects = new Map<string, ReadObject>()
  const unreadable: UnreadableEvent[] = []
  for await (const told of foundIn(text, { found })) {
    await breathe()
    const range = ranges.get(told.line)
    if (told.kind !== 'entry') {
      const isEvent = told.kind === 'undated' || told.isEvent
      if (isEvent && range && unreadable.length < MOST_UNREADABLE)
        unreadable.push({
          name: (told.kind === 'undated' ? told.entry.uid : told.uid) ?? `line ${told.line}`,
          reason: told.kind === 'undated' ? 'It does not say when it is (DTSTART).' : told.reason,
          body: text.slice(range.from, Math.min(range.until, range.from + LONGEST_BODY)),
        })
      continue
    }
    const { uid } = told.entry
    const object = objects.get(uid) ?? { told: [], bodies: [] }
    object.told.push(told)
    object.bodies.push(bodyOf(text, range as Range))
    objects.set(uid, object)
  }
  for (const [uid, object] of [...objects])
    for (const duplicate of separateDuplicates(object))
      objects.set(duplicateUid(uid, contentOf(duplicate.told.entry)), {
        told: [withUid(duplicate.told, duplicateUid(uid, contentOf(duplicate.told.entry)))],
        bodies: [duplicate.body],
      })
  // What a series is depends on where another one goes on in its stead, and the other way round.
  for (const [uid, { told }] of objects) {
    const continued = told.flatMap(({ entry }) => readExtra(entry.extra).continued ?? [])
    if (continued.length === 0) continue
    const family = [uid, ...continued].flatMap((one) => objects.get(one) ?? [])
    const bodies = family.flatMap((one) => one.bodies)
    for (const one of family) one.bodies = [...bodies]
  }
  return {
    ...{ isCalendar, name, unreadable },
    // In which order they stand tells nothing, and changes on some servers each time.
    objects: [...objects].map(([uid, { told, bodies }]) => ({
      ...{ uid, told, body: bodies.sort().join('\r\n') },
    })),
  }
}
