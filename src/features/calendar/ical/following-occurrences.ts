import { NEVER } from '../../../database/spans.ts'
import { occurrencesBetween } from '../../../nlu/recurrence/series.ts'
import { endOf, isSeries, seriesOf } from '../series.ts'
import { isoOf, shiftBy, wallDistance } from '../times.ts'
import { withoutMoments } from './alarms.ts'
import { type Entry, isThisAndFuture, readExtra, writeExtra } from './entry.ts'
import { namedIn } from './event-times.ts'

// Expands RANGE=THISANDFUTURE (RFC 5545, 3.2.13) where a series must keep one UID. A server stores the series
// as one object, and its organizer does not know a second one. The change is copied to each occurrence that
// it applies to. A series may have no end: the last copy then carries the range, so that nothing is lost.

type Ranged = Entry & { recurrenceId: string }

/**
 * Limit of changed occurrences per series. It also counts those read before, so that reading again adds none.
 */
const MAX_CHANGED_OCCURRENCES = 500

export const isRanged = (entry: Entry): entry is Ranged =>
  entry.recurrenceId !== null && isThisAndFuture(readExtra(entry.extra))

const extraOf = ({ extra }: Ranged, start: string, series: Entry, isLast: boolean): string | null => {
  const follower = writeExtra({ ...readExtra(withoutMoments(extra)), follows: true })
  return namedIn(follower, series, start, isLast ? undefined : null)
}

const movedTo = (ranged: Ranged, start: string, series: Entry): Pick<Entry, 'start' | 'end'> => {
  const replaced = { start: ranged.recurrenceId, timezone: series.timezone }
  const moved = shiftBy(start, wallDistance(replaced, ranged), series.timezone, ranged.timezone)
  return { start: moved, end: isoOf(endOf(ranged, Date.parse(moved))) }
}

interface Surroundings {
  series: Entry
  /** The start of the next ranged change. */
  until: string
  /** Occurrences that have their own change. */
  named: ReadonlySet<string>
  remaining: number
}

/** Applies the change to the occurrence that it names and to each one after it. */
const spread = (ranged: Ranged, { series, until, named, remaining }: Surroundings): Entry[] => {
  if (remaining <= 0) return [ranged]
  const starts = occurrencesBetween(seriesOf(series), Date.parse(ranged.recurrenceId) + 1, Date.parse(until))
    .map(isoOf)
    .filter((start) => !named.has(start))
    .take(remaining + 1)
    .toArray()
  const isCut = starts.length > remaining
  const followers = starts.slice(0, remaining).map((start, index) => ({
    ...ranged,
    ...movedTo(ranged, start, series),
    recurrenceId: start,
    extra: extraOf(ranged, start, series, isCut && index === remaining - 1),
  }))
  const own = { ...ranged, extra: namedIn(ranged.extra, series, ranged.recurrenceId, null) }
  return [own, ...followers]
}

/** Copies each ranged change of one UID to the occurrences that follow, except to `others`. */
export const expandRangedChanges = (entries: readonly Entry[], others: readonly string[] = []): Entry[] => {
  const ranged = entries.filter(isRanged).sort((a, b) => (a.recurrenceId < b.recurrenceId ? -1 : 1))
  const series = entries.find((entry) => entry.recurrenceId === null && isSeries(entry))
  if (!series || ranged.length === 0) return [...entries]
  const named = new Set([...others, ...entries.flatMap(({ recurrenceId }) => recurrenceId ?? [])])
  const expanded = entries.filter((entry) => !isRanged(entry))
  let remaining = MAX_CHANGED_OCCURRENCES - named.size
  for (const [index, one] of ranged.entries()) {
    const until = ranged[index + 1]?.recurrenceId ?? NEVER
    const each = spread(one, { series, until, named, remaining })
    remaining -= each.length - 1
    expanded.push(...each)
  }
  return expanded
}
