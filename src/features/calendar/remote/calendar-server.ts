/** The URL of the server, of the user's principal, or of a calendar, with a password. */
export interface PasswordTarget {
  url: string
  username: string
  password: string
}

/** A server that accepts OAuth tokens (RFC 6750). */
export interface TokenTarget {
  url: string
  /** Returns a valid access token. `rejected` is a token that the server refused, and requests another one. */
  token: (rejected?: string) => Promise<string>
}

/** The data that a client needs to connect to a calendar server. */
export type CalendarTarget = PasswordTarget | TokenTarget

/** A calendar on a server. `href` is absolute, as are the hrefs of its objects. */
export interface RemoteCalendar {
  href: string
  name: string
  /** In the form #rrggbb, if the server provides one. */
  color: string | null
  isWritable: boolean
  /** Whether the server sends invitations, updates and cancellations itself (RFC 6638). */
  schedules?: boolean
}

/** All components with one UID: an event, or a series with its changed occurrences. */
export interface RemoteObject {
  href: string
  etag: string
  /** iCalendar. */
  body: string
}

export interface RemoteChanges {
  changed: { href: string; etag: string }[]
  /** Empty for a full listing: objects that it does not contain are deleted. */
  removed: string[]
  /** Whether this is a full listing instead of the changes since the token. */
  isWhole: boolean
  /** The token for the next request; null if the server does not support sync tokens. */
  syncToken: string | null
}

/** Precondition of a write: the known ETag, or no existing object. */
export type Replacing = { etag: string } | 'nothing'

/** The result of a write or delete. `changed`: the server has another version. */
export type Written = { kind: 'done'; etag: string | null; href: string } | { kind: 'changed' }

/**
 * The calendars of a user on a CalDAV server (RFC 4791). Every method may throw an AppError of kind
 * `upstream`. Its `details.failure` contains the failed step and the reason, as for mail servers.
 */
export interface CalendarServer {
  /** Lists the calendars that can contain events. */
  calendars(signal: AbortSignal): Promise<RemoteCalendar[]>
  /**
   * Uses RFC 6578. Falls back to a full listing if the server does not support it or has expired the token.
   */
  changes(calendarHref: string, syncToken: string | null, signal: AbortSignal): Promise<RemoteChanges>
  /** Omits objects that no longer exist. */
  read(calendarHref: string, hrefs: readonly string[], signal: AbortSignal): Promise<RemoteObject[]>
  write(href: string, body: string, replacing: Replacing, signal: AbortSignal): Promise<Written>
  /** Succeeds if the object no longer exists. */
  remove(href: string, etag: string, signal: AbortSignal): Promise<Written>
}

export type OpenCalendarServer = (target: CalendarTarget) => CalendarServer

/** The server of an account, for error messages. */
export interface CalendarHost {
  kind: 'caldav' | 'ics'
  host: string
}
