import { createPageWriter } from '../../../platform/workers/pages.ts'
import type { CheckCost } from './cost.ts'
import { decodeCalendar } from './decoding.ts'
import { contentOf, isLaterRevision } from './duplicate-uids.ts'
import type { CalendarFile, Entry } from './entry.ts'
import { toldOfEach } from './following-occurrences.ts'
import { foundIn } from './from-there-on.ts'
import { type CalendarText, readCalendarText } from './objects.ts'
import { openCalendar } from './reading.ts'

/* What is read in a worker thread when it may take long; see reader.ts. */

export interface FileInput {
  bytes: Uint8Array
  timezone: string
}

export interface FoundInput extends FileInput {
  /** Whether a series that is changed from some occurrence on becomes two. */
  splitsSeries: boolean
  /** How much of what is found is known already. */
  skip: number
}

/** What a file says of its events. */
export interface Entries {
  /** Of two with one name the later revision. */
  entries: Entry[]
  /** Titles of those that are left out for it and say something else. */
  superseded: string[]
  /** Why events in it could not be read. */
  faults: string[]
}

const MOST_REMARKS = 100
/** Beyond this, the rest is read by another task. */
const MOST_OUTPUT = 64 * 1024 * 1024

const headOf = ({ isCalendar, name, timezone, method }: CalendarFile) => ({
  isCalendar,
  name,
  timezone,
  method,
})

/** Everything that is found in a file, as pages. */
export const readFound = async ({ bytes, timezone, splitsSeries, skip }: FoundInput) => {
  const text = decodeCalendar(bytes)
  const file = await openCalendar(text, { timezone })
  const writer = createPageWriter()
  let count = 0
  let isWhole = true
  for await (const found of splitsSeries ? foundIn(text, file) : file.found()) {
    if (count++ < skip) continue
    writer.add(found)
    isWhole = writer.size() < MOST_OUTPUT
    if (!isWhole) break
  }
  return { ...headOf(file), pages: writer.finish(), count, isWhole }
}

const nameOf = ({ uid, recurrenceId }: Entry): string => `${recurrenceId ?? ''} ${uid}`

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
    if (found.kind === 'undated') faults.push('It does not say when it is (DTSTART).')
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
      .flatMap((family) => toldOfEach(family))
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
    superseded: superseded.slice(0, MOST_REMARKS),
    faults: faults.slice(0, MOST_REMARKS),
  }
}

export const readObjects = async ({ bytes, timezone }: FileInput) => {
  const { objects, ...rest } = await readCalendarText(bytes, timezone)
  const writer = createPageWriter()
  for (const object of objects) writer.add(object)
  return { ...(rest satisfies Omit<CalendarText, 'objects'>), pages: writer.finish() }
}
