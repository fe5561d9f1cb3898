import { invalid, invalidField } from '../../../platform/errors.ts'
import type { Told } from '../icalendar/entry.ts'
import type { CalendarReader } from '../icalendar/reader.ts'
import { nameOf } from '../imports/batch.ts'
import type { MeetingMail } from './mail.ts'

/** An invitation is a few kilobytes; whole calendars are imported as files. */
const LARGEST = 2 * 1024 * 1024
const MOST_PARTS = 20
const MOST_EVENTS = 100

const tooMuch = (path: string) =>
  invalidField(path, 'holds a whole calendar rather than a meeting: import it as a file')

interface ReadContext {
  timezone: string
  reader: Pick<CalendarReader, 'readFile'>
}

/** What some calendar files say, each event once, whole series before their occurrences. */
const readFiles = async (
  path: string,
  files: readonly Uint8Array[],
  { timezone, reader }: ReadContext,
): Promise<Told[]> => {
  const told = new Map<string, Told>()
  let reason: string | undefined
  for (const bytes of files) {
    const file = await reader.readFile(bytes, timezone, { splitsSeries: false })
    for await (const found of file.found()) {
      if (found.kind === 'skipped') reason ??= found.reason
      // Mails carry the same file twice: to be read by programs, and to be opened by people.
      else if (!told.has(nameOf(found.entry))) told.set(nameOf(found.entry), found)
      if (told.size > MOST_EVENTS) throw tooMuch(path)
    }
  }
  if (told.size === 0)
    throw invalid(`There is no event in its calendar part. ${reason ?? ''}`.trim(), [
      { path, message: 'has a calendar part without an event' },
    ])
  return [...told.values()].sort(
    (a, b) => Number(a.entry.recurrenceId !== null) - Number(b.entry.recurrenceId !== null),
  )
}

/** Undefined for a mail without a calendar part. */
export const readMail = async ({ parts }: MeetingMail, context: ReadContext): Promise<Told[] | undefined> => {
  if (parts.length === 0) return undefined
  const files: Uint8Array[] = []
  for (const part of parts.slice(0, MOST_PARTS)) {
    if (part.size > LARGEST) throw tooMuch('emailId')
    files.push(await part.read())
  }
  return readFiles('emailId', files, context)
}

const HAS_CALENDAR = /^[ \t]*BEGIN:VCALENDAR[ \t]*$/im

/** Undefined for text that no calendar is part of. */
export const readText = (text: string, context: ReadContext): Promise<Told[]> | undefined =>
  HAS_CALENDAR.test(text) ? readFiles('text', [Buffer.from(text)], context) : undefined
