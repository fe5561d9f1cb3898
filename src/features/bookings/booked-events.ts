import type { Db } from '../../database/db.ts'

interface Person {
  name: string
  email: string
}

/** What a booking decides about its event. */
export interface BookedFields {
  bookingId: string
  title: string
  description: string
  location: string
  meetingUrl: string | null
  start: string
  end: string
  timezone: string
  status: 'confirmed' | 'tentative' | 'cancelled'
  organizer: Person | null
  attendees: (Person & { status: 'needs-action' | 'accepted' | 'declined' | 'tentative' })[]
}

export interface BookedEvent {
  id: number
  version: number
  /** Null when somebody took it off the event. */
  bookingId: string | null
  fields: Omit<BookedFields, 'bookingId'>
}

/** The calendar, as bookings need it. */
export interface BookedEvents {
  /** Why a calendar cannot hold this; undefined when it can. */
  refuse(fields: Pick<BookedFields, 'start' | 'end'>): string | undefined
  /** Those of the bookings that have an event of their own. */
  find(view: Db, bookingIds: readonly string[]): Promise<{ id: number; bookingId: string }[]>
  /** Nobody else changes them until the transaction is over. */
  lock(tx: Db, ids: readonly number[]): Promise<BookedEvent[]>
  /** All at once; says which event each booking has. Each is named by its booking, so that none is made twice. */
  insert(tx: Db, many: readonly { uid: string; fields: BookedFields }[]): Promise<Map<string, number>>
  /** Says the event's version after it. What is not among the fields stays as it is. */
  change(tx: Db, id: number, fields: BookedFields): Promise<number>
  /** Events that bear a booking's name, in the order of these names. */
  list(view: Db, after: string, limit: number): Promise<BookedEvent[]>
  /** How many such events there are. */
  count(view: Db): Promise<number>
}
