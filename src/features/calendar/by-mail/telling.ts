import { invalid, invalidField } from '../../../platform/errors.ts'
import { decodeCalendar } from '../icalendar/decoding.ts'
import type { Told } from '../icalendar/entry.ts'
import { openCalendar } from '../icalendar/reading.ts'
import { nameOf } from '../imports/batch.ts'
import type { MeetingMail } from './mail.ts'

/** An invitation is a few kilobytes; whole calendars are imported as files. */
const LARGEST = 2 * 1024 * 1024
const MOST_PARTS = 20
const MOST_EVENTS = 100

const tooMuch = (path: string) =>
  invalidField(path, 'holds a whole calendar rather than a meeting: import it as a file')

/** What some calendar files say, each event once, whole series before their occurrences. */
const readFiles = async (path: string, files: readonly string[], timezone: string): Promise<Told[]> => {
  const told = new Map<string, Told>()
  let reason: string | undefined
  for (const text of files) {
    const file = await openCalendar(text, { timezone })
    for (const found of file.found()) {
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
export const readMail = async ({ parts }: MeetingMail, timezone: string): Promise<Told[] | undefined> => {
  if (parts.length === 0) return undefined
  const files: string[] = []
  for (const part of parts.slice(0, MOST_PARTS)) {
    if (part.size > LARGEST) throw tooMuch('emailId')
    files.push(decodeCalendar(await part.read()))
  }
  return readFiles('emailId', files, timezone)
}

const HAS_CALENDAR = /^[ \t]*BEGIN:VCALENDAR[ \t]*$/im

/** Undefined for text that no calendar is part of. */
export const readText = (text: string, timezone: string): Promise<Told[]> | undefined =>
  HAS_CALENDAR.test(text) ? readFiles('text', [text], timezone) : undefined
