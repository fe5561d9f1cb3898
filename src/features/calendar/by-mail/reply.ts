import type { Attendee, EventFields, Person } from '../event.ts'
import { calendarHead, calendarTail } from '../icalendar/calendar-frame.ts'
import { readExtra, writeExtra } from '../icalendar/extra.ts'
import { escapeText } from '../icalendar/text.ts'
import { writeEntry } from '../icalendar/writing.ts'
import { timezoneComponents } from '../icalendar/zone-writing.ts'

/** An answer, before it is a mail. */
export interface Reply {
  event: EventFields
  /** Which occurrence it is about, when it is about one alone. */
  recurrenceId: string | null
  sequence: number
  extra: string | null
  organizer: Person
  attendee: Attendee
  comment: string
  /** When it was written. */
  at: string
}

/** RFC 5546, 3.2.3: the event by its names, who answers, and how; nothing of what the organizer knows better. */
export const writeReply = (reply: Reply): string => {
  const { event, recurrenceId, sequence, organizer, attendee, comment, at } = reply
  const { people = [], organizer: organizerExtra, recurrenceId: form, floating } = readExtra(reply.extra)
  const text = writeEntry(
    {
      uid: event.uid,
      recurrenceId,
      sequence,
      revisedAt: null,
      title: event.title,
      description: '',
      location: event.location,
      meetingUrl: null,
      start: event.start,
      end: event.end,
      allDay: event.allDay,
      timezone: event.timezone,
      status: event.status,
      busy: attendee.status !== 'declined',
      organizer,
      attendees: [attendee],
      reminders: [],
      tags: [],
      recurrence: null,
      exdates: [],
      rdates: [],
      extra: writeExtra({
        people: people.filter(({ email }) => email === attendee.email),
        ...(organizerExtra && { organizer: organizerExtra }),
        ...(form && { recurrenceId: form }),
        ...(floating !== undefined && { floating }),
        ...(comment !== '' && { lines: [`COMMENT:${escapeText(comment)}`] }),
      }),
    },
    at,
  )
  const year = new Date(event.start).getUTCFullYear()
  const zones = text.includes(';TZID=')
    ? timezoneComponents([{ timezone: event.timezone, fromYear: year, untilYear: year }])
    : ''
  return calendarHead({ method: 'REPLY' }) + zones + text + calendarTail()
}

const SAID = {
  accepted: ['Accepted', 'has accepted'],
  declined: ['Declined', 'has declined'],
  tentative: ['Tentative', 'may come, and has tentatively accepted'],
  'needs-action': ['Undecided', 'has not decided about'],
} as const satisfies Record<Attendee['status'], readonly [string, string]>

const LONGEST_SUBJECT = 500

const whenOf = ({ start, end, allDay, timezone }: EventFields): string => {
  const day = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    dateStyle: 'full',
    ...(!allDay && { timeStyle: 'short' }),
  })
  const last = new Date(Date.parse(end) - (allDay ? 1 : 0))
  const range = day.formatRange(new Date(start), last)
  return allDay ? range : `${range} (${timezone})`
}

/** The same for people who read it. */
export const describeReply = (
  { event, attendee, comment }: Reply,
  name: string,
): { subject: string; text: string } => {
  const [word, said] = SAID[attendee.status]
  const title = event.title === '' ? 'your invitation' : event.title
  const lines = [
    `${name} ${said} this invitation:`,
    '',
    title,
    whenOf(event),
    ...(event.location === '' ? [] : [event.location]),
    ...(comment === '' ? [] : ['', comment]),
  ]
  return {
    subject: `${word}: ${title}`.slice(0, LONGEST_SUBJECT).toWellFormed(),
    text: `${lines.join('\n')}\n`,
  }
}
