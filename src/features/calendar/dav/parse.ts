import { isUtf8 } from 'node:buffer'
import { AppError } from '../../../platform/errors.ts'
import type { Entry } from '../ical/entry.ts'
import type { CalendarReader } from '../ical/reader.ts'
import { expandRangedChanges } from '../ical/this-and-future.ts'
import { TOO_DENSE } from '../series.ts'

/** Why a resource cannot be stored: the name of a precondition of RFC 4791 §5.3.2.1. */
type Violation =
  | 'min-date-time'
  | 'max-date-time'
  | 'max-instances'
  | 'supported-calendar-component'
  | 'valid-calendar-data'
  | 'valid-calendar-object-resource'

const violation = (name: Violation, message: string): AppError => new AppError('forbidden', name, message)

/** RFC 4791 §5.2.6 to §5.2.8. The calendar calculates with these years. */
export const LIMITS = {
  minDateTime: '10000101T000000Z',
  maxDateTime: '99901231T235959Z',
  maxInstances: 100_000,
}

const FIRST = '1000-01-01T00:00:00.000Z'
const LAST = '9990-12-31T23:59:59.999Z'

const requireLimits = ({ start, end }: Entry, warning: string | undefined): void => {
  if (start < FIRST) throw violation('min-date-time', `An event starts before ${LIMITS.minDateTime}.`)
  if (end > LAST) throw violation('max-date-time', `An event ends after ${LIMITS.maxDateTime}.`)
  // The reader rejects a larger COUNT as invalid.
  if (warning?.includes(TOO_DENSE)) throw violation('max-instances', 'The event has too many occurrences.')
}

/** RFC 4791 §4.1: the events of a resource have one UID, no METHOD, and each occurrence once. */
export const parseEvent = async (
  reader: Pick<CalendarReader, 'readFile'>,
  bytes: Uint8Array,
  timezone: string,
): Promise<Entry[]> => {
  // RFC 5545 §3.1.4. The reader would accept other encodings, as files have them.
  if (!isUtf8(bytes)) throw violation('valid-calendar-data', 'The body is not UTF-8.')
  const file = await reader.readFile(bytes, timezone, { splitsSeries: false })
  if (!file.isCalendar) throw violation('valid-calendar-data', 'The body is not iCalendar.')
  if (file.method !== null)
    throw violation('valid-calendar-object-resource', 'A stored resource has no METHOD.')
  const entries = new Map<string, Entry>()
  for await (const found of file.found()) {
    if (found.kind === 'undated') throw violation('valid-calendar-data', 'The event has no DTSTART.')
    if (found.kind === 'skipped')
      throw violation(found.isEvent ? 'valid-calendar-data' : 'supported-calendar-component', found.reason)
    const { entry } = found
    requireLimits(entry, found.warning)
    const name = entry.recurrenceId ?? ''
    if (entries.has(name))
      throw violation('valid-calendar-object-resource', 'The resource has two events for one occurrence.')
    entries.set(name, entry)
  }
  const [first, ...others] = [...entries.values()]
  if (!first) throw violation('valid-calendar-object-resource', 'The resource has no event.')
  if (first.uid.startsWith('derived-'))
    throw violation('valid-calendar-object-resource', 'The event has no UID.')
  if (others.some(({ uid }) => uid !== first.uid))
    throw violation('valid-calendar-object-resource', 'The resource has events with several UIDs.')
  return expandRangedChanges([first, ...others])
}
