import type { Db } from '../../../database/db.ts'
import { invalid, invalidField } from '../../../platform/errors.ts'
import { type FoundEvent, nameOf } from '../ical/entry.ts'
import type { CalendarReader } from '../ical/reader.ts'
import { cancels } from '../imports/batch.ts'
import { reaches } from '../people.ts'

/** A calendar file in an email. */
export interface CalendarPart {
  size: number
  read(): Promise<Uint8Array>
}

/** The text of an email. */
export interface MailProse {
  text: string
  subject: string
  /** The date of the email, the reference for words such as "tomorrow". */
  date: string
  sender: { name: string; address: string }
  /** All people with an address in the header, including the sender. */
  people: readonly { name: string; address: string }[]
}

/** The data of an email that the calendar uses. */
export interface MeetingMail {
  id: number
  /** The mail account that received it. */
  accountId: string | null
  /** The address of From; empty if it is missing. */
  from: string
  folder: string
  tags: readonly string[]
  /** Parts of type text/calendar first, then attachments named like a calendar file. */
  parts: readonly CalendarPart[]
  readProse(): Promise<MailProse>
  /** Reads the checks of the receiving mail server. */
  readTrust(): Promise<MailTrust>
}

/** `failed`: the server could not verify the sender. `unknown`: it wrote no result. */
export interface MailTrust {
  sender: 'passed' | 'failed' | 'unknown'
  isSpam: boolean
}

export interface InvitationMail {
  find(view: Db, userId: number, emailId: number): Promise<MeetingMail | undefined>
  /** Selects the emails that have a calendar part. */
  listWithCalendar(view: Db, userId: number, emailIds: readonly number[]): Promise<number[]>
}

export interface OwnAccount {
  id: string
  address: string
  senderName: string
}

/** Whether email to the address is delivered to one of the accounts. */
export const isOwnAddress = (email: string, accounts: readonly OwnAccount[]): boolean =>
  accounts.some(({ address }) => reaches(email, address))

/** A scheduling message (RFC 6047): a reply to the organizer, or a message of the organizer to attendees. */
export interface SchedulingMail {
  userId: number
  accountId: string
  to: readonly { name: string; address: string }[]
  subject: string
  text: string
  /** The email that this replies to. */
  inReplyTo: number | null
  calendar: { method: 'REQUEST' | 'CANCEL' | 'REPLY'; content: string }
}

export interface SchedulingMailer {
  /** The mail accounts of a user, oldest first. */
  accounts(view: Db, userId: number): Promise<OwnAccount[]>
  /** Queues the message for sending in the open transaction and returns the id of its email. */
  send(mail: SchedulingMail): Promise<{ emailId: number }>
}

/** An invitation is a few kilobytes. Whole calendars must be imported as files. */
const MAX_SIZE = 2 * 1024 * 1024
const MAX_PARTS = 20
const MAX_EVENTS = 100

const tooMuch = (path: string) =>
  invalidField(path, 'contains a whole calendar instead of a meeting. Import it as a file.')

interface ReadContext {
  timezone: string
  reader: Pick<CalendarReader, 'readFile'>
}

/** Parses calendar files. Each event is returned once; series precede their occurrences. */
const readFiles = async (
  path: string,
  files: readonly Uint8Array[],
  { timezone, reader }: ReadContext,
): Promise<FoundEvent[]> => {
  const components = new Map<string, FoundEvent>()
  let reason: string | undefined
  for (const bytes of files) {
    const file = await reader.readFile(bytes, timezone, { splitsSeries: false })
    for await (const found of file.found()) {
      if (found.kind === 'skipped') reason ??= found.reason
      // Emails often contain the same file twice: as an alternative body and as an attachment.
      else if (!components.has(nameOf(found.entry))) components.set(nameOf(found.entry), found)
      if (components.size > MAX_EVENTS) throw tooMuch(path)
    }
  }
  if (components.size === 0)
    throw invalid(`The calendar part contains no event. ${reason ?? ''}`.trim(), [
      { path, message: 'has a calendar part without an event' },
    ])
  return [...components.values()].sort(
    (a, b) => Number(a.entry.recurrenceId !== null) - Number(b.entry.recurrenceId !== null),
  )
}

/** Returns undefined for an email without a calendar part. */
export const readMail = async (
  { parts }: Pick<MeetingMail, 'parts'>,
  context: ReadContext,
): Promise<FoundEvent[] | undefined> => {
  if (parts.length === 0) return undefined
  const files: Uint8Array[] = []
  for (const part of parts.slice(0, MAX_PARTS)) {
    if (part.size > MAX_SIZE) throw tooMuch('emailId')
    files.push(await part.read())
  }
  return readFiles('emailId', files, context)
}

/** Reads the meeting in the calendar parts of an email, for lists. Null without one. */
export const createInvitationReader =
  ({ reader }: Pick<ReadContext, 'reader'>) =>
  async (timezone: string, parts: readonly CalendarPart[]) => {
    const [first] = (await readMail({ parts }, { timezone, reader })) ?? []
    if (!first) return null
    const { entry, method } = first
    const dated = first.kind === 'entry' ? first.entry : undefined
    return {
      method: method ?? 'PUBLISH',
      uid: entry.uid,
      start: dated?.start ?? null,
      end: dated?.end ?? null,
      title: entry.title,
      status: cancels(first) ? ('cancelled' as const) : entry.status,
    }
  }

const HAS_CALENDAR = /^[ \t]*BEGIN:VCALENDAR[ \t]*$/im

/** Returns undefined for text without a calendar. */
export const readText = (text: string, context: ReadContext): Promise<FoundEvent[]> | undefined =>
  HAS_CALENDAR.test(text) ? readFiles('text', [Buffer.from(text)], context) : undefined
