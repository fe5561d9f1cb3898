import { BLANK, type EventFields, type EventRecord, fieldsOf, pickPlace } from '../event.ts'
import { BUSY_TITLE, isPrivateRow } from '../members/redaction.ts'
import { isSeries } from '../series.ts'
import type { MirrorDetail } from './schema.ts'

/** Another instance that syncs the same calendar must not mirror the event again: the two would never end. */
const PREFIX = 'mirror-'
export const toMirroredUid = (id: string): string => `${PREFIX}${id}@factotum`
export const isMirroredUid = (uid: string): boolean => uid.startsWith(PREFIX)

/** Everything but the UID. */
export type MirroredFields = Omit<EventFields, 'uid'>

/** An event as another calendar shows it: the event or series, and its changed occurrences by their original start. */
export interface MirroredContent {
  whole: MirroredFields | undefined
  occurrences: Map<string, MirroredFields>
}

const { source: _, bookingId: __, emailId: ___, notes: ____, ...BLANK_CONTENT } = BLANK

/**
 * Returns what another calendar shows of an event; undefined if nothing. People, reminders, notes, links to mail and
 * bookings, and everything of `extra` stay with the original, so that no mail can follow from the copy.
 */
const toMirroredFields = (
  row: EventRecord,
  series: EventRecord | undefined,
  detail: MirrorDetail,
): MirroredFields | undefined => {
  const { title, description, tags, ...fields } = fieldsOf(row)
  const { start, end, allDay, timezone, status, busy, recurrence, exdates, rdates } = fields
  const isHidden = detail === 'busy' || isPrivateRow(row, series)
  if (status === 'cancelled' || (isHidden && !busy)) return undefined
  return {
    ...BLANK_CONTENT,
    ...(isHidden ? { title: BUSY_TITLE } : { title }),
    ...(!isHidden && detail === 'all' && { description, tags, ...pickPlace(fields) }),
    source: 'manual',
    bookingId: null,
    emailId: null,
    notes: '',
    start,
    end,
    allDay,
    timezone,
    status,
    busy,
    recurrence,
    exdates,
    rdates,
  }
}

/** Occurrences that are not shown are excluded from the series. */
export const toMirroredContent = (
  row: EventRecord,
  overrides: readonly EventRecord[],
  detail: MirrorDetail,
): MirroredContent => {
  const whole = toMirroredFields(row, undefined, detail)
  const occurrences = new Map<string, MirroredFields>()
  const hidden: string[] = []
  for (const override of overrides) {
    const fields = toMirroredFields(override, row, detail)
    if (fields) occurrences.set(override.recurrenceId, fields)
    else hidden.push(override.recurrenceId)
  }
  if (!whole || hidden.length === 0 || !isSeries(whole)) return { whole, occurrences }
  return {
    whole: { ...whole, exdates: [...new Set([...whole.exdates, ...hidden])].sort() },
    occurrences,
  }
}
