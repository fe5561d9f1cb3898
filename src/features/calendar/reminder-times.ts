import { toSortedJson } from '../../platform/fingerprint.ts'
import type { Steps } from '../../recurrence/days.ts'
import { createSteps } from '../../recurrence/days.ts'
import type { Series } from '../../recurrence/series.ts'
import { occurrencesBetween } from '../../recurrence/series.ts'
import type { EventFields, Reminder } from './event.ts'
import type { Alarm } from './ical/alarms.ts'
import type { Recurring } from './series.ts'
import { endOf, isSeries, longestOf, seriesOf } from './series.ts'
import { isoOf, NEVER } from './times.ts'

export const MINUTE_MS = 60_000

/** An alarm at or after the end of its event is still sent up to this much late. */
const AFTERWARDS_MS = 3_600_000

type Reminding = Recurring & Pick<EventFields, 'reminders' | 'status'> & { alarms?: readonly Alarm[] }

export interface DueReminder {
  at: string
  /** Negative if the alarm is after the start. */
  minutesBefore: number
  start: string
  end: string
}

interface Moment {
  at: number
  start: number
}

interface Limits {
  series: Series | undefined
  /** All alarms of an event share this step budget. */
  steps: Steps
  since: number
  now: number
  skipped: ReadonlySet<number>
}

function* startsOf(fields: Reminding, { series, steps }: Limits, from: number): Generator<number, undefined> {
  if (series) yield* occurrencesBetween(series, from, Date.parse(NEVER), steps)
  else {
    const start = Date.parse(fields.start)
    if (start >= from) yield start
  }
}

/** Yields the times of an alarm after `since` that are still relevant at `now`. */
const momentsOf = (
  fields: Reminding,
  alarm: Alarm,
  limits: Limits,
): IteratorObject<Moment, undefined, unknown> => {
  const { since, now, skipped } = limits
  const longest = longestOf(fields)
  const isRelevant = ({ at, start }: Moment): boolean =>
    at > since && (endOf(fields, start) > now || (at >= endOf(fields, start) && at + AFTERWARDS_MS > now))
  if (alarm.of === 'once') {
    const { at } = alarm
    // The alarm belongs to the occurrence that follows or contains it, or to the event if all occurrences are
    // over.
    const next =
      at > since ? startsOf(fields, limits, at - longest).find((one) => endOf(fields, one) > at) : undefined
    return [{ at, start: next ?? Date.parse(fields.start) }].values().filter(isRelevant)
  }
  const { of, after } = alarm
  const atOf = (start: number): number => (of === 'end' ? endOf(fields, start) : start) + after
  const atMost = of === 'end' ? after + longest : after
  const earliestRelevant = Math.min(now - longest, now - AFTERWARDS_MS - Math.max(atMost, 0))
  return startsOf(fields, limits, Math.max(since + 1 - atMost, earliestRelevant))
    .filter((start) => !skipped.has(start))
    .map((start) => ({ at: atOf(start), start }))
    .filter(isRelevant)
}

export const alarmOfReminder = ({ minutesBefore }: Reminder): Alarm => ({
  of: 'start',
  after: 0 - minutesBefore * MINUTE_MS,
})

/** Reminders and other alarms without duplicates. */
const reminderAlarms = ({ reminders, alarms = [] }: Reminding): Alarm[] => {
  const ways = reminders.map(alarmOfReminder)
  return [...new Map([...ways, ...alarms].map((way) => [toSortedJson(way), way])).values()]
}

/**
 * Yields reminders due after `after` in order, for occurrences that are not over at `now`. They are computed
 * lazily, because a rule may have no end. `skipped` are occurrences with their own change.
 */
export function* remindersAfter(
  fields: Reminding,
  after: string,
  now: Date,
  skipped: ReadonlySet<number> = new Set(),
): Generator<DueReminder> {
  if (fields.status === 'cancelled') return
  const limits = {
    series: isSeries(fields) ? seriesOf(fields) : undefined,
    steps: createSteps(),
    since: Date.parse(after),
    now: now.getTime(),
    skipped,
  }
  const heads = reminderAlarms(fields).flatMap((alarm) => {
    const moments = momentsOf(fields, alarm, limits)
    const first = moments.next()
    return first.done ? [] : [{ moments, moment: first.value }]
  })
  while (heads.length > 0) {
    const next = heads.reduce((least, head) => (head.moment.at < least.moment.at ? head : least))
    const { at, start } = next.moment
    const minutesBefore = Math.round((start - at) / MINUTE_MS)
    yield { at: isoOf(at), minutesBefore, start: isoOf(start), end: isoOf(endOf(fields, start)) }
    const later = next.moments.next()
    if (later.done) heads.splice(heads.indexOf(next), 1)
    else next.moment = later.value
  }
}

export const nextReminder = (
  fields: Reminding,
  after: string,
  now: Date,
  skipped?: ReadonlySet<number>,
): string | null => remindersAfter(fields, after, now, skipped).next().value?.at ?? null
