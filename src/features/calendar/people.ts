import { transactionOr } from '../../database/transaction.ts'
import { invalidField } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { type Attendee, type EventRecord, fieldsOf, type Person } from './event.ts'
import { findEvent, getEvent, listOverrides } from './event-repository.ts'
import { readExtra } from './ical/entry.ts'
import type { CalendarAccess } from './members/access.ts'
import { toMemberRow } from './members/redaction.ts'

/** RFC 5321 makes the local part case-sensitive, but common mail servers ignore case. */
export const isSameAddress = (one: string, other: string): boolean =>
  one !== '' && one.toLowerCase() === other.toLowerCase()

/** Whether email to `address` is delivered to this account. */
export const reaches = (address: string, account: string): boolean =>
  isSameAddress(address, account) || isSameAddress(withoutDetail(address), account)

/** Removes the subaddress: `ana+work@example.org` is delivered to `ana@example.org`. */
const withoutDetail = (address: string): string => address.replace(/\+[^@]*(?=@)/, '')

const ADDRESS = /^[^\s@<>]+@[^\s@<>]+$/
/** Matches "Ana Ruiz <ana@example.org>", with or without quotes around the name. */
const NAMED = /^\s*(?:"((?:[^"\\]|\\.)*)"|([^<"]*?))\s*<([^<>]+)>\s*$/

type Given<T extends Person> = string | (Partial<T> & { email: string })

const readWritten = (text: string): Person => {
  const [, quoted, plain, address] = NAMED.exec(text) ?? []
  if (address === undefined) return { name: '', email: text.trim() }
  return { name: quoted?.replaceAll(/\\(.)/g, '$1') ?? (plain ?? '').trim(), email: address.trim() }
}

export const readPerson = (path: string, given: Given<Person>): Person => {
  const { name = '', email } = typeof given === 'string' ? readWritten(given) : given
  if (!ADDRESS.test(email))
    throw invalidField(
      typeof given === 'string' ? path : `${path}.email`,
      'must be an email address, such as ana@example.org',
    )
  return { name, email }
}

export const readAttendees = (given: readonly Given<Attendee>[]): Attendee[] => {
  const seen = new Set<string>()
  return given.map((entry, index) => {
    const path = `attendees.${index}`
    const { name, email } = readPerson(path, entry)
    if (seen.has(email.toLowerCase())) throw invalidField(path, 'is a duplicate attendee')
    seen.add(email.toLowerCase())
    const status = typeof entry === 'string' ? undefined : entry.status
    return { name, email, status: status ?? 'needs-action' }
  })
}

/**
 * Attendees without an email address (CUTYPE=ROOM, `urn:uuid:`) are stored as lines. Servers schedule them
 * too.
 */
const UNREAD_PERSON = /^(?:ATTENDEE|ORGANIZER)(?:;(?:"[^"]*"|[^":])*)?:(.*)$/

const peopleIn = (row: EventRecord): string[] => {
  const { attendees, organizer } = fieldsOf(row)
  const unread = (readExtra(row.extra).lines ?? []).flatMap((line) => UNREAD_PERSON.exec(line)?.[1] ?? [])
  return [...(organizer ? [organizer.email] : []), ...attendees.map(({ email }) => email), ...unread]
}

const withoutOwn = (people: readonly string[], own: ReadonlySet<string>): string[] => {
  const isOwn = (address: string): boolean => [...own].some((account) => reaches(address, account))
  const others = people.filter((address) => !isOwn(address))
  return [...new Map(others.map((address) => [address.toLowerCase(), address])).values()]
}

export type Guests = ReturnType<typeof createGuests>

/** Finds the people whom a change of an event may notify. Excludes the user's own addresses in `own`. */
export const createGuests = ({ db, access }: Pick<Platform, 'db'> & { access: CalendarAccess }) => ({
  /** Includes the guests of every changed occurrence: a CalDAV server stores the series as one object. */
  async ofEvent(userId: number, id: number, own: ReadonlySet<string>): Promise<string[]> {
    const view = transactionOr(db)
    const isOwn = (await findEvent(view, userId, id)) !== undefined
    const ownerId = isOwn ? userId : ((await access.findReadable(view, userId, id))?.ownerId ?? userId)
    const event = await getEvent(view, ownerId, id)
    const rows = [event, ...(await listOverrides(view, ownerId, id))]
    const visible = isOwn ? rows : rows.map((row) => toMemberRow(row, event))
    return withoutOwn(visible.flatMap(peopleIn), own)
  },

  ofAttendees: (attendees: readonly string[], own: ReadonlySet<string>): string[] =>
    withoutOwn(
      readAttendees(attendees).map(({ email }) => email),
      own,
    ),
})
