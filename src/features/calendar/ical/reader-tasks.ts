import { decodeCalendar } from '../../../platform/icalendar/text.ts'
import { createPageWriter } from '../../../platform/workers/pages.ts'
import { type CalendarFile, type Entry, nameOf } from './entry.ts'
import { type CalendarText, contentOf, isLaterRevision, readCalendarText } from './objects.ts'
import { openCalendar } from './parser.ts'
import { expandRangedChanges, foundIn } from './this-and-future.ts'
import type { CheckCost } from './zones.ts'

// Worker-thread tasks for files that may take long to parse; see reader.ts.

export interface FileInput {
  bytes: Uint8Array
  timezone: string
}

export interface FoundInput extends FileInput {
  /** Whether a RANGE=THISANDFUTURE change splits a series in two. */
  splitsSeries: boolean
  /** The number of results to skip, because the caller has them. */
  skip: number
}

/** The events of a file. */
export interface Entries {
  /** The latest revision of each UID and RECURRENCE-ID. */
  entries: Entry[]
  /** Titles of superseded entries with different content. */
  superseded: string[]
  /** Errors of events that could not be parsed. */
  faults: string[]
}

const MAX_REMARKS = 100
/** Above this output size, another task reads the rest. */
const MAX_OUTPUT_LENGTH = 64 * 1024 * 1024

const headOf = ({ isCalendar, name, timezone, method }: CalendarFile) => ({
  isCalendar,
  name,
  timezone,
  method,
})

/** Returns all components of a file as pages. */
export const readFound = async ({ bytes, timezone, splitsSeries, skip }: FoundInput) => {
  const text = decodeCalendar(bytes)
  const file = await openCalendar(text, { timezone })
  const writer = createPageWriter()
  let count = 0
  let isWhole = true
  for await (const found of splitsSeries ? foundIn(text, file) : file.found()) {
    if (count++ < skip) continue
    writer.add(found)
    isWhole = writer.size() < MAX_OUTPUT_LENGTH
    if (!isWhole) break
  }
  return { ...headOf(file), pages: writer.finish(), count, isWhole }
}

export const readEntriesOf = async (
  text: string,
  timezone: string,
  checkCost?: CheckCost,
): Promise<Entries> => {
  const file = await openCalendar(text, { timezone, checkCost })
  const entries = new Map<string, Entry>()
  const superseded: string[] = []
  const faults: string[] = []
  for (const found of file.found()) {
    if (found.kind === 'undated') faults.push('The event has no start (DTSTART).')
    else if (found.kind === 'skipped') {
      if (found.isEvent) faults.push(found.reason)
    } else {
      const { entry } = found
      const other = entries.get(nameOf(entry))
      const isTaken = !other || isLaterRevision(entry, other)
      if (other && contentOf(other) !== contentOf(entry)) superseded.push((isTaken ? other : entry).title)
      if (isTaken) entries.set(nameOf(entry), entry)
    }
  }
  return {
    entries: Map.groupBy(entries.values(), ({ uid }) => uid)
      .values()
      .flatMap((family) => expandRangedChanges(family))
      .toArray(),
    superseded,
    faults,
  }
}

export const readEntries = async ({ bytes, timezone }: FileInput) => {
  const { entries, superseded, faults } = await readEntriesOf(decodeCalendar(bytes), timezone)
  const writer = createPageWriter()
  for (const entry of entries) writer.add(entry)
  return {
    pages: writer.finish(),
    superseded: superseded.slice(0, MAX_REMARKS),
    faults: faults.slice(0, MAX_REMARKS),
  }
}

export const readObjects = async ({ bytes, timezone }: FileInput) => {
  const { objects, ...rest } = await readCalendarText(bytes, timezone)
  const writer = createPageWriter()
  for (const object of objects) writer.add(object)
  return { ...(rest satisfies Omit<CalendarText, 'objects'>), pages: writer.finish() }
}
