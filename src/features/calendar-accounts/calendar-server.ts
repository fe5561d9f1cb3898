/** What a person's program needs to know to reach calendars. */
export interface CalendarTarget {
  /** An address of the server, of the person there, or of one of the calendars. */
  url: string
  username: string
  password: string
}

/** A calendar on a server. `href` is absolute, as are those of what lies in it. */
export interface RemoteCalendar {
  href: string
  name: string
  /** As #rrggbb, where the server has one. */
  colour: string | null
  isWritable: boolean
}

/** Everything of one uid: an event, or a series with its changed occurrences. */
export interface RemoteObject {
  href: string
  etag: string
  /** iCalendar. */
  body: string
}

export interface RemoteChanges {
  changed: { href: string; etag: string }[]
  /** Of a whole listing, none: what is not in it is gone. */
  removed: string[]
  /** Whether everything there is was listed, and not what has changed since. */
  isWhole: boolean
  /** To ask with next time; null where the server knows none. */
  syncToken: string | null
}

/** Which version it may replace: a known one, or none at all. */
export type Replacing = { etag: string } | 'nothing'

/** What became of a wish to write or to delete: `changed` when the server holds another version by now. */
export type Written = { kind: 'done'; etag: string | null; href: string } | { kind: 'changed' }

/**
 * A person's calendars on a CalDAV server (RFC 4791). Every method may throw an AppError of the kind `upstream` whose
 * `details.failure` says at which step it failed and why, as with mail servers.
 */
export interface CalendarServer {
  /** Those that hold events. */
  calendars(signal: AbortSignal): Promise<RemoteCalendar[]>
  /** RFC 6578, else a listing of everything; the latter also when the server has forgotten the token. */
  changes(calendarHref: string, syncToken: string | null, signal: AbortSignal): Promise<RemoteChanges>
  /** What has gone by now is left out. */
  read(calendarHref: string, hrefs: readonly string[], signal: AbortSignal): Promise<RemoteObject[]>
  write(href: string, body: string, replacing: Replacing, signal: AbortSignal): Promise<Written>
  /** What has gone already is done. */
  remove(href: string, etag: string, signal: AbortSignal): Promise<Written>
}

export type OpenCalendarServer = (target: CalendarTarget) => CalendarServer
