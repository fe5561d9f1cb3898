import { NEVER } from '../../../database/spans.ts'
import { occurrencesBetween } from '../../../engine/recurrence/series.ts'
import { endOf, isSeries, seriesOf } from '../series.ts'
import { isoOf, shiftBy, wallDistance } from '../times.ts'
import type { Entry } from './entry.ts'
import { isFromThereOn, readExtra, writeExtra } from './extra.ts'
import { withoutMoments } from './other-alarms.ts'
import { namedIn } from './recurrence-id.ts'

/*
 * RFC 5545, 3.2.13, where a series has to stay one under its uid: a server holds it as one object, and its organizer
 * knows nothing of a second. A change with RANGE=THISANDFUTURE is told of each occurrence that it is about. There may be
 * no last one: the last that is told of bears the range from then on, so that all of them together say what was said.
 */

type Ranged = Entry & { recurrenceId: string }

/** Of one series, however they came to be changed: what was told of each is told of no more when it is read again. */
const MOST = 500

export const isRanged = (entry: Entry): entry is Ranged =>
  entry.recurrenceId !== null && isFromThereOn(readExtra(entry.extra))

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
  /** When the next change begins. */
  until: string
  /** Occurrences that speak for themselves. */
  named: ReadonlySet<string>
  room: number
}

/** The change, to the one that it names and to each after it. */
const spread = (ranged: Ranged, { series, until, named, room }: Surroundings): Entry[] => {
  if (room <= 0) return [ranged]
  const starts = occurrencesBetween(seriesOf(series), Date.parse(ranged.recurrenceId) + 1, Date.parse(until))
    .map(isoOf)
    .filter((start) => !named.has(start))
    .take(room + 1)
    .toArray()
  const isCut = starts.length > room
  const followers = starts.slice(0, room).map((start, index) => ({
    ...ranged,
    ...movedTo(ranged, start, series),
    recurrenceId: start,
    extra: extraOf(ranged, start, series, isCut && index === room - 1),
  }))
  const own = { ...ranged, extra: namedIn(ranged.extra, series, ranged.recurrenceId, null) }
  return [own, ...followers]
}

/** What is told of one uid, with each change from some occurrence on told of those that follow, but for `others`. */
export const toldOfEach = (entries: readonly Entry[], others: readonly string[] = []): Entry[] => {
  const ranged = entries.filter(isRanged).sort((a, b) => (a.recurrenceId < b.recurrenceId ? -1 : 1))
  const series = entries.find((entry) => entry.recurrenceId === null && isSeries(entry))
  if (!series || ranged.length === 0) return [...entries]
  const named = new Set([...others, ...entries.flatMap(({ recurrenceId }) => recurrenceId ?? [])])
  const told = entries.filter((entry) => !isRanged(entry))
  let room = MOST - named.size
  for (const [index, one] of ranged.entries()) {
    const until = ranged[index + 1]?.recurrenceId ?? NEVER
    const each = spread(one, { series, until, named, room })
    room -= each.length - 1
    told.push(...each)
  }
  return told
}
