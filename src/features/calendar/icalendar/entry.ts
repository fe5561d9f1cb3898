import type { Attendee, EventStatus, Person, Reminder } from '../event.ts'

/** An event as iCalendar tells it, in our words. Instants are canonical ISO text, UTC with ms. */
export interface Entry {
  uid: string
  /** The occurrence of a series that this one replaces: its original start. */
  recurrenceId: string | null
  sequence: number
  /** LAST-MODIFIED, else DTSTAMP. */
  revisedAt: string | null
  title: string
  description: string
  location: string
  meetingUrl: string | null
  /** All-day events: midnight in `timezone`, the end exclusive. */
  start: string
  end: string
  allDay: boolean
  /** An IANA name. */
  timezone: string
  status: EventStatus
  busy: boolean
  organizer: Person | null
  attendees: Attendee[]
  reminders: Reminder[]
  tags: string[]
  /** RRULE values in canonical form, one per line, those of EXRULE with that name before them. */
  recurrence: string | null
  exdates: string[]
  rdates: string[]
  /** What we do not model, as JSON (see extra.ts), so that it survives a round trip. */
  extra: string | null
}

/** Answers and cancellations need not say when (RFC 5546, 3.2): their `uid` and `recurrenceId` do. */
export type UndatedEntry = Omit<Entry, 'start' | 'end' | 'allDay' | 'timezone'>

/**
 * One component of a file. `line` is where it begins, counted from 1; `method` is its calendar's, in capitals;
 * `stampedAt` is DTSTAMP, by which replies are put in order (RFC 5546, 2.1.5).
 */
export type Found =
  | {
      kind: 'entry'
      line: number
      method: string | null
      stampedAt?: string | null
      entry: Entry
      warning?: string
    }
  | { kind: 'undated'; line: number; method: string | null; stampedAt?: string | null; entry: UndatedEntry }
  | { kind: 'skipped'; line: number; uid: string | null; reason: string; isEvent: boolean }

/** What `openCalendar` finds out before the first event is read. */
export interface CalendarFile {
  /** False for a file in which there is no calendar and nothing that could be in one. */
  isCalendar: boolean
  name: string | null
  /** X-WR-TIMEZONE, when it can be understood. */
  timezone: string | null
  /** METHOD of the first calendar in the file, in capitals. */
  method: string | null
  /** Reads one component per step; between steps the caller may let others work. */
  found: () => Generator<Found, void, undefined>
}

/** What a calendar file says of an event. */
export type Told = Exclude<Found, { kind: 'skipped' }>
