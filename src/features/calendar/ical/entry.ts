import type { EventFields, LocalField } from '../event.ts'

/** Fields that other lines can repeat. */
export type TiedField = 'title' | 'description' | 'location' | 'meetingUrl' | 'busy' | 'allDay' | 'tags'

/**
 * iCalendar data that no field of an event represents. The event keeps it through every change. Data that
 * depends on a field is tied to it and dropped when the field changes.
 */
export interface Extra {
  /** Unfolded content lines in normalized form. */
  lines?: string[]
  /** Nested components that are not reminders, each with its BEGIN and END. */
  components?: string[][]
  /** The original alarms of reminders that carry additional properties. */
  alarms?: { minutesBefore: number; lines: string[] }[]
  tied?: Tie[]
  people?: PersonExtra[]
  organizer?: PersonExtra
  /** The zone in which floating times were interpreted. */
  floating?: string
  /** The form of the end if it was not a DTEND: the value of DURATION, or `none`. */
  ending?: string
  /** The form of RECURRENCE-ID. `day` is null if it is a date-time. `range` is the RANGE parameter. */
  recurrenceId?: { day: string | null; range: string | null }
  /** The occurrence was changed by the RANGE=THISANDFUTURE of an earlier one. */
  follows?: true
  /** The UIDs of the series that continue this one after a RANGE=THISANDFUTURE change. */
  continued?: string[]
  /** RDATEs of type PERIOD; lengths in ms. */
  periods?: { start: string; length: number }[]
}

/** Lines that repeat a field in another form, or the parameters of the field's own line. */
export interface Tie {
  field: TiedField
  print: string
  lines?: string[]
  parameters?: string
}

export interface PersonExtra {
  email: string
  parameters: string
  /** The address, if it is not a `mailto:` URI. */
  address?: string
  /** A PARTSTAT value without an equivalent status. */
  participation?: string
  /** The time of the last reply by email. */
  answeredAt?: string
}

export const isThisAndFuture = ({ recurrenceId }: Extra): boolean =>
  /^THISANDFUTURE$/i.test(recurrenceId?.range?.trim() ?? '')

/** Hashes the value of a field, to detect changes of it. */
export const hashField = (value: Entry[TiedField]): string => {
  const text = Array.isArray(value) ? value.join('\n') : String(value)
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return (hash >>> 0).toString(36)
}

export const readExtra = (extra: string | null): Extra => (extra === null ? {} : (JSON.parse(extra) as Extra))

/** Returns null if all values are empty. */
export const writeExtra = (extra: { [K in keyof Extra]: Extra[K] | undefined }): string | null => {
  const said = Object.entries(extra).filter(([, value]) =>
    Array.isArray(value) ? value.length > 0 : value !== undefined,
  )
  return said.length > 0 ? JSON.stringify(Object.fromEntries(said)) : null
}

/** An event as parsed from iCalendar. */
export interface Entry extends Omit<EventFields, LocalField> {
  /** The original start of the occurrence that this entry replaces. */
  recurrenceId: string | null
  sequence: number
  /** LAST-MODIFIED, else DTSTAMP. */
  revisedAt: string | null
  /** Data without a field, as JSON (see `Extra`), so that it survives a round trip. */
  extra: string | null
}

/** Identifies an event by its UID and RECURRENCE-ID. Rows have an empty one instead of null. */
export const nameOf = ({ uid, recurrenceId }: { uid: string; recurrenceId: string | null }): string =>
  `${recurrenceId ?? ''} ${uid}`

export const keyByName = <E extends { uid: string; recurrenceId: string }>(
  rows: readonly E[],
): Map<string, E> => new Map(rows.map((row) => [nameOf(row), row]))

/**
 * An entry without times. Replies and cancellations may omit them (RFC 5546, 3.2): `uid` and `recurrenceId`
 * identify the event.
 */
export type UndatedEntry = Omit<Entry, 'start' | 'end' | 'allDay' | 'timezone'>

/**
 * One component of a file. `line` is its first line, counted from 1. `method` is the METHOD of its calendar,
 * in upper case. `stampedAt` is DTSTAMP, which orders replies (RFC 5546, 2.1.5).
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

/** The result of `openCalendar`, known before the first event is parsed. */
export interface CalendarFile {
  /** False if the file contains neither a calendar nor a component. */
  isCalendar: boolean
  name: string | null
  /** X-WR-TIMEZONE, if it can be resolved. */
  timezone: string | null
  /** METHOD of the first calendar in the file, in upper case. */
  method: string | null
  /** Parses one component per step, so that the caller can yield to the event loop in between. */
  found: () => Generator<Found, void, undefined>
}

/** A component that describes an event. */
export type FoundEvent = Exclude<Found, { kind: 'skipped' }>
