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

function* startsOf(fields: Reminding, from: number): Generator<number, undefined> {
  if (isSeries(fields)) yield* occurrencesBetween(seriesOf(fields), from, Date.parse(NEVER))
  else {
    const start = Date.parse(fields.start)
    if (start >= from) yield start
  }
}

/** The starts to be told of so many minutes before, as far as that is after `since` and they are not over by `now`. */
const startsToTell = (
  fields: Reminding,
  minutesBefore: number,
  { since, now, skipped }: { since: number; now: number; skipped: ReadonlySet<number> },
): IteratorObject<number, undefined, unknown> =>
  startsOf(fields, Math.max(since + 1 + minutesBefore * MINUTE_MS, now - longestOf(fields))).filter(
    (start) => !skipped.has(start) && endOf(fields, start) > now,
  )

/**
 * The reminders that fall due after `after`, in their order, of what is not over by `now`. They are found one by one
 * as they are asked for: a rule may name any number. `skipped` are occurrences that speak for themselves.
 */
export function* remindersAfter(
  fields: Reminding,
  after: string,
  now: Date,
  skipped: ReadonlySet<number> = new Set(),
): Generator<DueReminder> {
  if (fields.status === 'cancelled') return
  const limits = { since: Date.parse(after), now: now.getTime(), skipped }
  const minutes = new Set(fields.reminders.map(({ minutesBefore }) => minutesBefore))
  const heads = [...minutes].flatMap((minutesBefore) => {
    const starts = startsToTell(fields, minutesBefore, limits)
    const first = starts.next()
    return first.done ? [] : [{ minutesBefore, starts, start: first.value }]
  })
  const atOf = ({ start, minutesBefore }: { start: number; minutesBefore: number }): number =>
    start - minutesBefore * MINUTE_MS
  while (heads.length > 0) {
    const next = heads.reduce((least, head) => (atOf(head) < atOf(least) ? head : least))
    const { start, minutesBefore } = next
    yield { at: isoOf(atOf(next)), minutesBefore, start: isoOf(start), end: isoOf(endOf(fields, start)) }
    const later = next.starts.next()
    if (later.done) heads.splice(heads.indexOf(next), 1)
    else next.start = later.value
  }
}

export const nextReminder = (
  fields: Reminding,
  after: string,
  now: Date,
  skipped?: ReadonlySet<number>,
): string | null => remindersAfter(fields, after, now, skipped).next().value?.at ?? null
