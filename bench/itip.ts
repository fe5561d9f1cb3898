import { readFileSync } from 'node:fs'
import type { Entry, FoundEvent } from '../src/features/calendar/ical/entry.ts'
import { openCalendar } from '../src/features/calendar/ical/parser.ts'
import { type MeetingMail, readMail } from '../src/features/calendar/invitations/mail.ts'
import { planMessages, writeMessage } from '../src/features/calendar/invitations/scheduling.ts'
import { readMessage } from '../src/features/mail/mime/message.ts'
import { hasData, loadCases, type Rate, ROOT } from './nlu/data.ts'

const SET = 'itip-mails'

interface ExpectedAttendee {
  address: string
  partstat?: string
}

interface MessageCase {
  id: string
  file: string
  expected: {
    method: string | null
    component?: string
    components: number
    uid?: string
    sequence?: number
    summary?: string
    location?: string
    organizer?: string
    attendees?: ExpectedAttendee[]
  } | null
}

interface ProduceCase {
  id: string
  user: string
  before: string | null
  after: string | null
  messages: {
    method: string
    sender: string | null
    recipient: string | null
    significant: boolean | null
    message: string | null
  }[]
}

const reader = {
  readFile: async (bytes: Uint8Array, timezone: string) => {
    const { found, ...head } = await openCalendar(Buffer.from(bytes).toString('utf8'), { timezone })
    const components = [...found()]
    return {
      ...head,
      async *found() {
        yield* components
      },
    }
  },
}

const isCalendar = ({ contentType, filename }: { contentType: string; filename: string }): boolean =>
  /^(?:text\/(?:x-v)?calendar|application\/(?:ics|calendar))$/.test(contentType) || /\.ics$/i.test(filename)

/** Reads the calendar part of a stored message. Undefined: the message is an ordinary one. */
const readInvitation = async (file: string): Promise<FoundEvent[] | undefined> => {
  const { attachments } = readMessage(readFileSync(`${ROOT}/${SET}/${file}`))
  const parts = attachments
    .filter(isCalendar)
    .toSorted((a, b) => Number(b.contentType === 'text/calendar') - Number(a.contentType === 'text/calendar'))
    .map(({ content }) => ({ size: content.length, read: async () => content }))
  try {
    return await readMail({ parts } as unknown as MeetingMail, { timezone: 'UTC', reader })
  } catch {
    return undefined
  }
}

const addressKey = (address: string): string => address.replace(/^mailto:/i, '').toLowerCase()

const peopleKeys = (people: readonly ExpectedAttendee[]): string[] =>
  people.map(({ address }) => addressKey(address)).toSorted()

/** Whether the facts of a message are read as its author states them. */
const isMessageRight = async ({ file, expected }: MessageCase): Promise<boolean> => {
  const found = await readInvitation(file)
  const isEvent = expected !== null && expected.components > 0 && expected.component === 'VEVENT'
  const [first] = found ?? []
  if (!isEvent || !expected) return first === undefined
  if (!first) return false
  const { entry, method } = first
  const emails = (expected.attendees ?? []).filter(({ address }) => /^[^\s@]+@[^\s@]+$/.test(address))
  return (
    method === expected.method &&
    // Every stored event has a UID. The reader derives one from the content if it is missing.
    (expected.uid === undefined || entry.uid === expected.uid) &&
    (expected.summary === undefined || entry.title === expected.summary) &&
    entry.sequence === (expected.sequence ?? 0) &&
    (expected.organizer === undefined ||
      !expected.organizer.includes('@') ||
      addressKey(entry.organizer?.email ?? '') === addressKey(expected.organizer)) &&
    JSON.stringify(entry.attendees.map(({ email }) => email.toLowerCase()).toSorted()) ===
      JSON.stringify([...new Set(peopleKeys(emails))])
  )
}

const entriesOf = async (text: string | null): Promise<Entry[]> => {
  if (text === null) return []
  const { found } = await openCalendar(text, { timezone: 'UTC' })
  return [...found()].flatMap((each) => (each.kind === 'entry' ? [each.entry] : []))
}

/** The facts of one component that attendees and organizers depend on. */
const factsOf = ({
  uid,
  sequence,
  title,
  start,
  recurrence,
  exdates,
  recurrenceId,
  organizer,
  attendees,
}: Entry) => ({
  uid,
  sequence,
  title,
  start,
  recurrence,
  exdates,
  recurrenceId,
  organizer: addressKey(organizer?.email ?? ''),
  attendees: attendees.map(({ email, status }) => `${addressKey(email)} ${status}`).toSorted(),
})

const factsIn = async (text: string): Promise<string> => {
  const { method, found } = await openCalendar(text, { timezone: 'UTC' })
  const all = [...found()].flatMap((each) =>
    each.kind === 'entry' ? [JSON.stringify(factsOf(each.entry))] : [],
  )
  return JSON.stringify([method, all.toSorted()])
}

const AT = '2026-01-01T00:00:00.000Z'

/** Whether exactly the messages go out that the vector requires. Insignificant ones may be left out. */
const isProduceRight = async ({ user, before, after, messages }: ProduceCase): Promise<boolean> => {
  const isOwn = (email: string): boolean => addressKey(email) === addressKey(user)
  const planned = planMessages(await entriesOf(before), await entriesOf(after), isOwn).filter(
    ({ isSignificant }) => isSignificant,
  )
  const left = await Promise.all(
    planned.map(async ({ method, sender, recipient, entries }) => ({
      method: method as string,
      sender: sender.email,
      recipient: recipient.email,
      facts: await factsIn(writeMessage(method, entries, AT)),
    })),
  )
  for (const expected of messages) {
    const facts = expected.message === null ? null : await factsIn(expected.message)
    const index = left.findIndex(
      (one) =>
        one.method === expected.method &&
        (expected.recipient === null || addressKey(one.recipient) === addressKey(expected.recipient)) &&
        (expected.sender === null || addressKey(one.sender) === addressKey(expected.sender)) &&
        (facts === null || one.facts === facts),
    )
    if (index < 0 && expected.significant !== false) return false
    if (index >= 0) left.splice(index, 1)
  }
  return left.length === 0
}

const rateAll = async <T extends { id: string }>(
  cases: readonly T[],
  isRight: (one: T) => Promise<boolean>,
): Promise<Rate> => {
  const wrong: string[] = []
  for (const one of cases) if (!(await isRight(one))) wrong.push(one.id)
  return { right: cases.length - wrong.length, of: cases.length, wrong }
}

export const hasItip = (): boolean => hasData(SET)

/** Judges reading and writing of scheduling messages (iMIP, RFC 6047; iTIP, RFC 5546). */
export const scoreItip = async (): Promise<{ messages: Rate; produce: Rate }> => ({
  messages: await rateAll(loadCases<MessageCase>(SET, 'messages'), isMessageRight),
  produce: await rateAll(loadCases<ProduceCase>(SET, 'produce'), isProduceRight),
})
