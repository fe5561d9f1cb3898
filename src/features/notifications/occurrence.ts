import type { Kind } from './kinds.ts'

/** Who reads it: times are written by their clock, in their way. */
export interface Reader {
  timezone: string
  locale: string
}

/** Something that people may want to be told of. */
export interface Occurrence {
  kind: Kind
  /** The same for the same thing, however often it is heard of. */
  key: string
  whom: 'everyone' | 'owner' | { userId: number }
  /** Where in the console it leads. Made of our own words and numbers alone. */
  link: string | null
  /** The action that it tells of, which can be undone. */
  actionId?: number
  /** The e-mail that it is about. */
  emailId?: number
  write(reader: Reader): { title: string; body: string }
}

/** More of a kind at once than this are told as one. */
const SINGLY = 5

const MANY: Partial<Record<Kind, (count: number) => string>> = {
  event_starting: (count) => `${count} events start`,
  task_due: (count) => `${count} tasks are due`,
  mail_received: (count) => `${count} new e-mails`,
  mail_urgent: (count) => `${count} urgent e-mails`,
  invitation_updated: (count) => `${count} events were updated by mail`,
  invitation_answered: (count) => `${count} replies to your invitations`,
  calendar_conflict: (count) => `${count} events were replaced by the calendar server`,
  booking_made: (count) => `${count} new bookings`,
  booking_changed: (count) => `${count} bookings were moved`,
  booking_cancelled: (count) => `${count} bookings were cancelled`,
}

const roomOf = (link: string | null): string | null => link?.match(/^\/[a-z]+/)?.[0] ?? null

/** Nobody wants a hundred notices because a hundred bookings were fetched at once. */
export const gather = (occurrences: readonly Occurrence[]): Occurrence[] =>
  [...Map.groupBy(occurrences, ({ kind }) => kind).values()].flatMap((alike) => {
    const [first] = alike
    const say = first && MANY[first.kind]
    if (!first || !say || alike.length <= SINGLY) return alike
    const { kind, whom, key, link } = first
    return {
      ...{ kind, whom, key: `${key}+${alike.length - 1}`, link: roomOf(link) },
      write: (reader) => ({
        title: say(alike.length),
        body: alike
          .slice(0, SINGLY)
          .map((one) => one.write(reader).title)
          .join(' · '),
      }),
    }
  })
