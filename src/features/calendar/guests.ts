import type { Db } from '../../database/db.ts'
import { transactionOr } from '../../database/transaction.ts'
import { reaches } from './by-mail/addresses.ts'
import { type EventRecord, fieldsOf } from './event.ts'
import { getEvent, listOverrides } from './event-store.ts'
import { readExtra } from './icalendar/extra.ts'
import { readAttendees } from './people.ts'

/** Attendees without an e-mail address (CUTYPE=ROOM, `urn:uuid:`) are kept as lines, and servers schedule them too. */
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

/** Finds the people, other than the owner of the addresses in `own`, whom a change to an event may reach. */
export const createGuests = ({ db }: { db: Db }) => ({
  /** Includes the guests of every changed occurrence: a CalDAV server stores the series as one object. */
  async ofEvent(id: number, own: ReadonlySet<string>): Promise<string[]> {
    const view = transactionOr(db)
    const rows = [await getEvent(view, id), ...(await listOverrides(view, id))]
    return withoutOwn(rows.flatMap(peopleIn), own)
  },

  ofAttendees: (attendees: readonly string[], own: ReadonlySet<string>): string[] =>
    withoutOwn(
      readAttendees(attendees).map(({ email }) => email),
      own,
    ),
})
