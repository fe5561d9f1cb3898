import type { EventFields } from './event.ts'

/*
 * An event's JSON is written once, when the event is saved, and kept beside it: a list is then put together from
 * text, without any field being read. What differs between the occurrences of a series comes first and is written
 * when it is shown.
 */

/** The part that all occurrences share: from the uid to the end. */
export const keptTextOf = (fields: EventFields, createdAt: string, updatedAt: string): string =>
  JSON.stringify({
    uid: fields.uid,
    title: fields.title,
    description: fields.description,
    location: fields.location,
    meetingUrl: fields.meetingUrl,
    allDay: fields.allDay,
    timezone: fields.timezone,
    status: fields.status,
    source: fields.source,
    bookingId: fields.bookingId,
    organizer: fields.organizer,
    attendees: fields.attendees,
    reminders: fields.reminders,
    notes: fields.notes,
    tags: fields.tags,
    recurrence: fields.recurrence,
    exdates: fields.exdates,
    rdates: fields.rdates,
    busy: fields.busy,
    emailId: fields.emailId,
    createdAt,
    updatedAt,
  }).slice(1)

export interface Showable {
  id: number
  /** The series it belongs to, when it is a changed occurrence. */
  seriesId: number | null
  occurrenceStart: string | null
  start: string
  end: string
  shown: string
}

/** The event's JSON; an occurrence has its series' id. Instants and numbers need no escaping. */
export const textOf = ({ id, seriesId, occurrenceStart, start, end, shown }: Showable): string => {
  const own = seriesId ?? id
  return occurrenceStart === null
    ? `{"id":${own},"recurringEventId":null,"occurrenceStart":null,"start":"${start}","end":"${end}",${shown}`
    : `{"id":${own},"recurringEventId":${own},"occurrenceStart":"${occurrenceStart}","start":"${start}","end":"${end}",${shown}`
}

/** An event as it goes out: its JSON, and what its ETag is made of. */
export interface Shown {
  id: number
  version: number
  text: string
}
