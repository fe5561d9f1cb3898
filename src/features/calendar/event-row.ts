import { EVER, NEVER, SERIES, spanClassOf } from '../../database/spans.ts'
import type { NewEventRow } from '../../database/tables/calendar.ts'
import { columnsOf, type EventFields } from './event.ts'
import { isSeries, lastEndOf } from './series.ts'
import { keptTextOf } from './shown-event.ts'

/** What is kept about an event beside what it says. */
export interface Bookkeeping {
  /** Of a changed occurrence. */
  seriesId: number | null
  recurrenceId: string
  sequence: number
  extra: string | null
  revisedAt: string | null
  nextReminderAt: string | null
  createdAt: string
  updatedAt: string
  version: number
}

/** The whole row; of a series nothing is worked out yet. */
export const rowOf = (fields: EventFields, kept: Bookkeeping): NewEventRow => {
  const series = isSeries(fields)
  const lastEnd = lastEndOf(fields)
  return {
    ...columnsOf(fields),
    ...kept,
    lastEnd,
    spanClass: (series ? SERIES : 0) + spanClassOf(fields.start, lastEnd),
    expandedFrom: series ? fields.start : null,
    expandedUntil: series ? fields.start : null,
    shown: keptTextOf(fields, kept.createdAt, kept.updatedAt),
  }
}

/** Worked out from beginning to end. */
export const WHOLLY = { expandedFrom: EVER, expandedUntil: NEVER }
/** Too dense to be worked out ahead: done anew whenever it is asked for. */
export const NOT_AT_ALL = { expandedFrom: NEVER, expandedUntil: EVER }
