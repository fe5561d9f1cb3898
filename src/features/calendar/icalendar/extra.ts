import type { Entry } from './entry.ts'

/**
 * What iCalendar says beyond our fields. It goes with the event through every change, so what depends on a field is
 * tied to it and falls away once the field says something else.
 */
export interface Extra {
  /** Content lines in regular form, unfolded. */
  lines?: string[]
  /** Components inside the event that are no reminders, each with its BEGIN and END. */
  components?: string[][]
  /** The alarms behind the reminders, where they say more than ours would. */
  alarms?: { minutesBefore: number; lines: string[] }[]
  tied?: Tie[]
  people?: PersonExtra[]
  organizer?: PersonExtra
  /** The zone in which floating times were read. */
  floating?: string
  /** How the end was told: a DURATION's value, or not at all. */
  ending?: string
  /** Of RECURRENCE-ID: the day that it is, or null where it is a moment; whether it is this and all future ones. */
  recurrenceId?: { day: string | null; range: string | null }
  /** It was changed together with one before it, and not by itself. */
  follows?: true
  /** The uids under which it goes on where a file changes it from some occurrence on. */
  continued?: string[]
  /** RDATEs with a length of their own, in ms. */
  periods?: { start: string; length: number }[]
}

/** Lines that restate a field in another form, or the parameters of its own line. */
export interface Tie {
  field: TiedField
  print: string
  lines?: string[]
  parameters?: string
}

export type TiedField = 'title' | 'description' | 'location' | 'meetingUrl' | 'busy' | 'allDay' | 'tags'

export interface PersonExtra {
  email: string
  parameters: string
  /** What stands in the place of `mailto:`. */
  address?: string
  /** A PARTSTAT that is none of ours. */
  participation?: string
  /** When they last answered by mail. */
  answeredAt?: string
}

export const isFromThereOn = ({ recurrenceId }: Extra): boolean =>
  /^THISANDFUTURE$/i.test(recurrenceId?.range?.trim() ?? '')

/** A short print by which a field's value is known again. */
export const printOf = (value: Entry[TiedField]): string => {
  const text = Array.isArray(value) ? value.join('\n') : String(value)
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return (hash >>> 0).toString(36)
}

export const readExtra = (extra: string | null): Extra => (extra === null ? {} : (JSON.parse(extra) as Extra))

/** Null when there is nothing to say. */
export const writeExtra = (extra: Extra): string | null => {
  const said = Object.entries(extra).filter(([, value]) => !Array.isArray(value) || value.length > 0)
  return said.length > 0 ? JSON.stringify(Object.fromEntries(said)) : null
}
