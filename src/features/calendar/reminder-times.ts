import { NEVER } from '../../database/spans.ts'
import { occurrencesBetween } from '../../engine/recurrence/series.ts'
import type { EventFields } from './event.ts'
import { endOf, isSeries, longestOf, type Recurring, seriesOf } from './series.ts'
import { isoOf } from './times.ts'

const MINUTE_MS = 60_000

type Reminding = Recurring & Pick<EventFields, 'reminders' | 'status'>

export interface DueReminder {
  at: string
  minutesBefore: number
  start: string
  end: string
}

function* startsOf(fields: Reminding, from: number): Generator<number> {
  if (isSeries(fields)) yield* occurrencesBetween(seriesOf(fields), from, Date.parse(NEVER))
  else {
    const start = Date.parse(fields.start)
    if (start >= from) yield start
  }
}

/**
 * The reminders that fall due after `after`, the earliest first, of what is not over by `now`. `skipped` are
 * occurrences that speak for themselves.
 */
export const remindersAfter = (
  fields: Reminding,
  after: string,
  now: Date,
  skipped: ReadonlySet<number> = new Set(),
): DueReminder[] => {
  if (fields.reminders.length === 0 || fields.status === 'cancelled') return []
  const minutes = fields.reminders.map(({ minutesBefore }) => minutesBefore)
  const furthest = Math.max(...minutes) * MINUTE_MS
  const since = Date.parse(after)
  const from = Math.max(since, now.getTime() - longestOf(fields))
  const due: DueReminder[] = []
  for (const start of startsOf(fields, from)) {
    if (skipped.has(start)) continue
    // What starts later than this cannot be due before what was found.
    if (due.length > 0 && start - furthest > Date.parse((due[0] as DueReminder).at)) break
    const end = endOf(fields, start)
    if (end <= now.getTime()) continue
    for (const minutesBefore of new Set(minutes)) {
      const at = start - minutesBefore * MINUTE_MS
      if (at > since) due.push({ at: isoOf(at), minutesBefore, start: isoOf(start), end: isoOf(end) })
    }
    due.sort((a, b) => (a.at < b.at ? -1 : 1))
  }
  return due
}

export const nextReminder = (
  fields: Reminding,
  after: string,
  now: Date,
  skipped?: ReadonlySet<number>,
): string | null => remindersAfter(fields, after, now, skipped)[0]?.at ?? null
