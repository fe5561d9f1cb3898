import type { Generated, Selectable } from 'kysely'
import type { TableKeys } from './keys.ts'

/** A calendar of an account. */
export interface CalendarRow {
  id: Generated<number>
  userId: number
  name: string
  /** In the form #rrggbb. */
  color: string
  /** New events without a calendar go here; 1 for exactly one calendar of an account. */
  isDefault: number
  /** Whether the views of the console show its events. */
  visible: number
  /** `reminders`: the owner gets only reminders, and no news about events. */
  notifications: Generated<'all' | 'reminders' | 'none'>
  /** The calendar of a server or published file that this one mirrors; null for a local calendar. */
  remoteCalendarId: number | null
  version: number
  createdAt: string
  updatedAt: string
}

/** A calendar whose events another calendar of the account shows. */
export interface CalendarMirrorRow {
  id: Generated<number>
  userId: number
  sourceCalendarId: number
  targetCalendarId: number
  /** `busy`: only when the time is taken; `title`; `all`: also description, place and tags. */
  detail: 'busy' | 'title' | 'all'
  version: number
  createdAt: string
  updatedAt: string
}

/** An event, a recurring event, or a changed occurrence. */
export interface EventRow {
  id: Generated<number>
  userId: number
  /** A changed occurrence is in the calendar of its series. The database allows null only during an import. */
  calendarId: number
  /** The iCalendar UID; an occurrence has the UID of its series. */
  uid: string
  /** The original start of the occurrence that this row replaces; empty otherwise. */
  recurrenceId: string
  /** The series of a changed occurrence. */
  seriesId: number | null
  sequence: number
  title: string
  description: string
  location: string
  meetingUrl: string | null
  /** For a series, the start of its first occurrence. */
  start: string
  end: string
  /**
   * The end of the event or of the last occurrence of a series; far in the future if the series has no end.
   */
  lastEnd: string
  /** Class by duration. Together with `start` it finds events that overlap a moment. */
  spanClass: number
  allDay: number
  timezone: string
  status: string
  source: string
  bookingId: string | null
  /** JSON, like attendees, reminders, tags, exdates and rdates. */
  organizer: string | null
  attendees: string
  reminders: string
  notes: string
  tags: string
  /** RRULE values, one per line; EXRULE values have that name as a prefix. */
  recurrence: string | null
  exdates: string
  rdates: string
  /** Whether the event shows as busy. */
  busy: number
  emailId: number | null
  /** Minutes of travel and buffer time. */
  bufferBefore: number | null
  bufferAfter: number | null
  /** JSON: iCalendar properties without a column. */
  extra: string | null
  /** Time of the organizer's last change, if the calendar file contains it. */
  revisedAt: string | null
  /** For a series: the period whose occurrences are stored in `occurrences`. Null otherwise. */
  expandedFrom: string | null
  expandedUntil: string | null
  nextReminderAt: string | null
  /** The name of the member who made the last change; null if the owner of the calendar made it. */
  changedBy: string | null
  /**
   * The event or series in another calendar that this row shows; null for every other event. It is not a foreign key: see
   * mirrors/mirror-writer.ts.
   */
  mirrorOf: number | null
  version: number
  createdAt: string
  updatedAt: string
}

export type NewEventRow = Omit<Selectable<EventRow>, 'id'>

/** An unchanged occurrence of a series, computed in advance. */
export interface OccurrenceRow {
  userId: number
  seriesId: number
  start: string
  end: string
  spanClass: number
}

/** The reminders of a member for an event of a calendar that another account shares. */
export interface EventReminderRow {
  /** An event or a series. */
  eventId: number
  /** The member. */
  userId: number
  /** JSON. */
  reminders: string
  nextReminderAt: string | null
}

export interface CalendarTables {
  calendars: CalendarRow
  calendar_mirrors: CalendarMirrorRow
  events: EventRow
  occurrences: OccurrenceRow
  event_reminders: EventReminderRow
}

export const calendarKeys: TableKeys<CalendarTables> = {
  calendars: ['id'],
  calendar_mirrors: ['id'],
  events: ['id'],
  occurrences: ['seriesId', 'start'],
  event_reminders: ['eventId', 'userId'],
}

/** A remote calendar account: a CalDAV account, or a published calendar file. */
export interface CalendarAccountRow {
  id: string
  userId: number
  kind: 'caldav' | 'ics'
  name: string
  /** The discovery address of the server; for a file, only its server. */
  url: string
  username: string | null
  /** Sealed JSON: the password, the address of a file. */
  secret: string | null
  /** `google`: the account uses the OAuth tokens of a mail account and has no secret. */
  signIn: Generated<'password' | 'google'>
  /** The mail account with the tokens. Null if it was deleted: the user must sign in again. */
  mailAccountId: Generated<string | null>
  /** Whether new local events are created in this account; true for at most one account of a user. */
  receivesNew: number
  /** The calendar for new events; null for the first writable one. It may no longer exist. */
  newEventsCalendarId: Generated<number | null>
  enabled: number
  /**
   * Whether the events are removed or kept while the account is being removed. Everything else treats the
   * account as deleted.
   */
  removing: 'remove' | 'keep' | null
  version: number
  createdAt: string
  updatedAt: string
}

/** The sync state of an account. */
export interface CalendarSyncRow {
  accountId: string
  status: 'waiting' | 'syncing' | 'live' | 'failing' | 'signed_out' | 'off'
  error: string | null
  lastSyncAt: string | null
  /** Time of an explicit sync request; null when the sync has started. */
  requestedAt: string | null
  /** Progress of the last sync with changes: items processed, and items in total. */
  done: number
  total: number
  /** For a published file: its ETag, for conditional requests. */
  etag: string | null
  modified: string | null
}

/** A calendar of an account; a published file has one. */
export interface RemoteCalendarRow {
  id: Generated<number>
  accountId: string
  href: string
  name: string
  colour: string | null
  writable: number
  /** Whether the user selected the calendar. */
  followed: number
  /** RFC 6578 sync token; null before the first sync and on servers without support. */
  syncToken: string | null
  /** Whether the server sends invitations itself (RFC 6638); null before the first sync. */
  schedules: number | null
}

/** The location of an event on its server. All events with one UID are in one object. */
export interface EventPlacementRow {
  id: Generated<number>
  accountId: string
  calendarId: number
  /** For a published file, the UID. */
  href: string
  uid: string
  /** Empty if the server sends none; it is then requested. */
  etag: string
  /** The iCalendar object as of the last sync. */
  body: string
  /** The reason why a part was not imported, for the status of the account. */
  remark: Generated<string | null>
  /**
   * 1 if the event was moved to another calendar. The object is deleted from the server as soon as the event is stored
   * in its new calendar.
   */
  leaving: Generated<number>
}

/** The `tryAt` of a change that waits until the user changes the event. */
export const HELD = '9999-12-31T00:00:00.000Z'

/** A local change that must be sent to the server. */
export interface EventPushRow {
  accountId: string
  uid: string
  /** Number of changes, so that a change during a push is not lost. */
  changes: number
  notedAt: string
  attempts: number
  /** Earliest time of the next attempt; null for at once. */
  tryAt: string | null
  error: string | null
}

/** A server object, or an event of a published file, that could not be parsed or stored. */
export interface UnreadableObjectRow {
  id: Generated<number>
  accountId: string
  calendarId: number
  /** The href of an object; the UID of an event in a file, or its line number. */
  name: string
  /** The ETag of the unreadable version; empty if the server sends none. */
  etag: string
  reason: string
  /** Received data, possibly truncated; null if there are too many. */
  body: string | null
  /** Full size in bytes. */
  size: number
  /** The application version that failed to parse it. Another version tries again. */
  readerVersion: string
  failedAt: string
}

export interface CalendarAccountTables {
  calendar_accounts: CalendarAccountRow
  calendar_sync: CalendarSyncRow
  remote_calendars: RemoteCalendarRow
  event_placements: EventPlacementRow
  event_pushes: EventPushRow
  unreadable_objects: UnreadableObjectRow
}

export const calendarAccountKeys: TableKeys<CalendarAccountTables> = {
  calendar_accounts: ['id'],
  calendar_sync: ['accountId'],
  remote_calendars: ['id'],
  event_placements: ['id'],
  event_pushes: ['accountId', 'uid'],
  unreadable_objects: ['id'],
}
