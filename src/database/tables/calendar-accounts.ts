import type { Generated } from 'kysely'
import type { TableKeys } from './keys.ts'

/** A person's calendars elsewhere: an account at a CalDAV server, or a file that is published at an address. */
export interface CalendarAccountRow {
  id: string
  userId: number
  kind: 'caldav' | 'ics'
  name: string
  /** Where to begin: the server (or any address of it that leads to its calendars); of a file, its server alone. */
  url: string
  username: string | null
  /** Sealed JSON: the password, the address of a file. */
  secret: string | null
  /** Whether events that are made here are put there; of one account at most. */
  receivesNew: number
  /** The calendar that new events are created in; null for the first one that can be written to. It may be gone. */
  newEventsCalendarId: Generated<number | null>
  enabled: number
  /** What becomes of its events, once it is being removed: for everyone but the removal it is gone then. */
  removing: 'remove' | 'keep' | null
  version: number
  createdAt: string
  updatedAt: string
}

/** How far an account is in step with its server. */
export interface CalendarSyncRow {
  accountId: string
  status: 'waiting' | 'syncing' | 'live' | 'failing' | 'off'
  error: string | null
  lastSyncAt: string | null
  /** When someone asked for a look at once; null when that has begun. */
  requestedAt: string | null
  /** Of what was new when something last was: how much has been taken over, and how much there was. */
  done: number
  total: number
  /** Of a published file: what the server said of it, so that it is only sent when it has changed. */
  etag: string | null
  modified: string | null
}

/** One of the calendars of an account; a published file has one. */
export interface RemoteCalendarRow {
  id: Generated<number>
  accountId: string
  href: string
  name: string
  colour: string | null
  writable: number
  /** Whether the person wants it here. */
  followed: number
  /** RFC 6578: what the server has told up to now; null before the first look and where it does not know them. */
  syncToken: string | null
}

/** Where an event lies on its server; all that has one uid lies together. */
export interface EventPlacementRow {
  id: Generated<number>
  accountId: string
  calendarId: number
  /** Of a published file, its uid. */
  href: string
  uid: string
  /** Empty where the server tells none: then it is asked for. */
  etag: string
  /** What the server held when both sides last agreed, as iCalendar. */
  body: string
  /** Why a part of it was not taken over, for the status of the account. */
  remark: Generated<string | null>
}

/** The `tryAt` of a change that waits until somebody changes the event. */
export const HELD = '9999-12-31T00:00:00.000Z'

/** What was changed here and must be told the server. */
export interface EventPushRow {
  accountId: string
  uid: string
  /** Counts the changes, so that one that comes while another is told is not forgotten. */
  changes: number
  notedAt: string
  attempts: number
  /** Not before; null for at once. */
  tryAt: string | null
  error: string | null
}

/** An object of a server, or an event of a published file, that could not be read or stored. */
export interface UnreadableObjectRow {
  id: Generated<number>
  accountId: string
  calendarId: number
  /** The address of an object; the uid of an event in a file, or its line. */
  name: string
  /** The version that could not be read; empty where the server tells none. */
  etag: string
  reason: string
  /** As it came, or the beginning of it; null where there are too many. */
  body: string | null
  /** Of the whole, in bytes. */
  size: number
  /** The version of the service that could not read it. Another one tries again. */
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
