import type { Entry } from '../icalendar/entry.ts'
import { readExtra, writeExtra } from '../icalendar/extra.ts'

const BY_HAND = 'SCHEDULE-AGENT=CLIENT'

const withAgent = <T extends { parameters: string }>(person: T): T =>
  /SCHEDULE-AGENT=/i.test(person.parameters)
    ? person
    : { ...person, parameters: [person.parameters, BY_HAND].filter((part) => part !== '').join(';') }

/**
 * RFC 6638, 7.1: a server that knows of scheduling mails invitations to everybody who stands in an event. Nobody asked
 * for that who made it here, where people are noted and answered by hand.
 */
export const withoutInvitations = (entry: Entry): Entry => {
  if (entry.attendees.length === 0) return entry
  const extra = readExtra(entry.extra)
  const known = new Map((extra.people ?? []).map((person) => [person.email, person]))
  const people = entry.attendees.map(({ email }) => withAgent(known.get(email) ?? { email, parameters: '' }))
  const organizer = entry.organizer && {
    organizer: withAgent(extra.organizer ?? { email: entry.organizer.email, parameters: '' }),
  }
  return { ...entry, extra: writeExtra({ ...extra, people, ...organizer }) }
}

/** Whether the server was told so of an event before. */
export const isByHand = (body: string): boolean => body.replace(/\r?\n[ \t]/g, '').includes(BY_HAND)
