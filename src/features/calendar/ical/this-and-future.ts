import { createYielder } from '../../../platform/yield.ts'
import { occurrencesBetween, occursAt } from '../../../recurrence/series.ts'
import { endOf, isNothingBefore, isSeries, movedAlong, type Recurring, seriesOf, splitAt } from '../series.ts'
import { isoOf, NEVER, shiftBy, wallDistance } from '../times.ts'
import { withoutMoments } from './alarms.ts'
import { type CalendarFile, type Entry, type Found, isThisAndFuture, readExtra, writeExtra } from './entry.ts'
import { namedIn } from './event-times.ts'

// RFC 5545, 3.2.13: RANGE=THISANDFUTURE changes an occurrence and all following ones. The series ends before
// that occurrence, and a second series continues, as when a user changes "this and following". See
// `expandRangedChanges` for series that must keep one UID.

type Dated = Extract<Found, { kind: 'entry' }>
type RangedEvent = Dated & { entry: { recurrenceId: string } }

/** Finds the stored series of a UID. */
export type FindSeries = (uid: string) => Promise<Entry | undefined>

/** Limit of components in memory: the parts of a series may be anywhere in a file. */
const MAX_HELD = 10_000
/** More changes than this are treated as changes of single occurrences. */
const MAX_SPLITS = 100

// A line may be folded at any position.
const THIS_AND_FUTURE = new RegExp([...'THISANDFUTURE'].join('(?:\\r?\\n[ \\t])?'), 'i')

/** Whether a file may contain a RANGE=THISANDFUTURE change. */
export const mayContainRange = (text: string): boolean => THIS_AND_FUTURE.test(text)

const isRangedEvent = (found: Found): found is RangedEvent =>
  found.kind === 'entry' &&
  found.entry.recurrenceId !== null &&
  isThisAndFuture(readExtra(found.entry.extra)) &&
  definesEvents(found)

/** Components with other methods are messages about a stored event: see imports/batch.ts. */
const definesEvents = ({ method }: Dated): boolean =>
  method === null || method === 'PUBLISH' || method === 'REQUEST'

/** Derives a stable UID in the format of Google Calendar, so that later imports find the series. */
const uidFrom = (uid: string, recurrenceId: string): string =>
  `${uid}_R${recurrenceId.replace(/[-:]|\.\d+/g, '')}`

const whenOf = ({ recurrence, exdates, rdates }: Recurring) => ({ recurrence, exdates, rdates })

interface Piece {
  event: Dated
  /** The original start by the rule of the series. */
  from: string
  said: Recurring
  /** The entry from that occurrence on. */
  entry: Entry
}

const movedTo = (said: Recurring, { start, end, allDay, timezone }: Entry): Recurring =>
  movedAlong(said, { ...said, start, end, allDay, timezone }, { isRuleGiven: false })

/** All parts depend on each other, so all get the latest revision. */
const revisionOf = (events: readonly Dated[]): Pick<Entry, 'sequence' | 'revisedAt'> => ({
  sequence: Math.max(...events.map(({ entry }) => entry.sequence)),
  revisedAt:
    events
      .flatMap(({ entry }) => entry.revisedAt ?? [])
      .sort()
      .at(-1) ?? null,
})

const withoutRange = (extra: string | null): string | null => {
  const { recurrenceId: _, ...rest } = readExtra(extra)
  return writeExtra(rest)
}

const pieceOf = (event: RangedEvent, uid: string, said: Recurring): Piece => {
  const { entry } = event
  const moved = movedTo(said, entry)
  const extra = withoutRange(entry.extra)
  return {
    event,
    from: entry.recurrenceId,
    said,
    entry: { ...entry, ...whenOf(moved), uid, recurrenceId: null, extra },
  }
}

/** Moves a changed occurrence to the part that contains it, with the original start in that part. */
const within = (event: Dated, pieces: readonly Piece[]): Dated => {
  const { recurrenceId, extra } = event.entry
  const piece = pieces.findLast(({ from }) => from <= (recurrenceId as string))
  if (!piece || piece.event.entry.recurrenceId === null) return event
  const { said, entry } = piece
  const moved = shiftBy(recurrenceId as string, wallDistance(said, entry), said.timezone, entry.timezone)
  const start =
    [moved, recurrenceId as string].find((one) => occursAt(seriesOf(entry), Date.parse(one))) ?? moved
  return {
    ...event,
    entry: { ...event.entry, uid: entry.uid, recurrenceId: start, extra: withoutRange(extra) },
  }
}

/** The ranged changes replace every occurrence of the series. */
const REPLACED = 'Other components of the file replace all occurrences of this series.'

const plain = ({ warning: _, ...event }: Dated): Dated => event

/** Splits all components of one series. */
function* splitFamily(family: readonly Dated[]): Generator<Found, void, undefined> {
  const master = family.find(({ entry }) => entry.recurrenceId === null && isSeries(entry))
  const ranged = family
    .filter(isRangedEvent)
    .sort((a, b) => (a.entry.recurrenceId < b.entry.recurrenceId ? -1 : 1))
  if (!master) {
    yield* family
    return
  }
  const { uid } = master.entry
  const pieces: Piece[] = [{ event: master, from: '', said: master.entry, entry: master.entry }]
  const unprocessed = new Set<Dated>(family)
  for (const event of ranged.slice(0, MAX_SPLITS)) {
    const last = pieces.at(-1) as Piece
    const { recurrenceId } = event.entry
    if (recurrenceId === last.from || !occursAt(seriesOf(last.said), Date.parse(recurrenceId))) continue
    unprocessed.delete(event)
    const { before, rest } = splitAt(last.said, recurrenceId)
    if (isNothingBefore(last.said, recurrenceId)) pieces.splice(0, 1, pieceOf(event, uid, rest))
    else {
      last.said = before
      last.entry = { ...last.entry, ...whenOf(last.event === master ? before : movedTo(before, last.entry)) }
      pieces.push(pieceOf(event, uidFrom(uid, recurrenceId), rest))
    }
  }
  if (unprocessed.size === family.length) {
    yield* family
    return
  }
  unprocessed.delete(master)
  const revision = revisionOf(pieces.map(({ event }) => event))
  const continued = pieces.slice(1).map(({ entry }) => entry.uid)
  if (!pieces.some(({ event }) => event === master))
    yield { kind: 'skipped', line: master.line, uid, reason: REPLACED, isEvent: false }
  for (const { event, entry } of pieces) {
    const extra = entry.uid === uid ? writeExtra({ ...readExtra(entry.extra), continued }) : entry.extra
    yield { ...plain(event), entry: { ...entry, ...revision, extra } }
  }
  for (const event of unprocessed) yield within(event, pieces)
}

/** A component of a file. `lacksSeries`: it is a ranged change, and the file does not contain the series. */
export type FoundInFile = Found & { lacksSeries?: true }

/** Applies a ranged change to a series that an earlier file contained. Returns other components unchanged. */
export const continueSeries = async (
  { lacksSeries, ...event }: FoundInFile,
  find: FindSeries,
): Promise<Found[]> => {
  if (!lacksSeries || !isRangedEvent(event)) return [event]
  const { uid, recurrenceId } = event.entry
  const later = await find(uidFrom(uid, recurrenceId))
  if (later) {
    const entry = { ...pieceOf(event, later.uid, later).entry, extra: withoutRange(event.entry.extra) }
    return [{ ...plain(event), entry }]
  }
  const series = await find(uid)
  if (!series) return [event]
  // The change must be later than every revision of both.
  const [latest = ''] = [series.revisedAt ?? '', event.entry.revisedAt ?? ''].sort().reverse()
  const revision = {
    sequence: Math.max(series.sequence, event.entry.sequence),
    revisedAt: isoOf(Date.parse(latest) + 1),
  }
  const parts = splitFamily([{ kind: 'entry', line: event.line, method: null, entry: series }, event])
  return [...parts].map((part) =>
    part.kind === 'entry' && part.entry.recurrenceId === null
      ? { ...part, entry: { ...part.entry, ...revision } }
      : part,
  )
}

/** Yields the components of a file. Series with ranged changes are split. */
export async function* foundIn(
  text: string,
  { found }: Pick<CalendarFile, 'found'>,
): AsyncGenerator<FoundInFile> {
  if (!mayContainRange(text)) {
    yield* found()
    return
  }
  const yieldIfNeeded = createYielder()
  const uids = new Set<string>()
  for (const one of found()) {
    if (isRangedEvent(one)) uids.add(one.entry.uid)
    await yieldIfNeeded()
  }
  const families = new Map<string, Dated[]>()
  let held = 0
  for (const one of found()) {
    await yieldIfNeeded()
    if (one.kind !== 'entry' || !definesEvents(one) || !uids.has(one.entry.uid) || held >= MAX_HELD) yield one
    else {
      held++
      const family = families.get(one.entry.uid)
      if (family) family.push(one)
      else families.set(one.entry.uid, [one])
    }
  }
  for (const family of families.values()) {
    if (family.some(({ entry }) => entry.recurrenceId === null))
      for (const event of splitFamily(family)) {
        await yieldIfNeeded()
        yield event
      }
    else for (const event of family) yield isRangedEvent(event) ? { ...event, lacksSeries: true } : event
  }
}

// Expands RANGE=THISANDFUTURE (RFC 5545, 3.2.13) where a series must keep one UID. A server stores the series
// as one object, and its organizer does not know a second one. The change is copied to each occurrence that
// it applies to. A series may have no end: the last copy then carries the range, so that nothing is lost.

type RangedEntry = Entry & { recurrenceId: string }

/**
 * Limit of changed occurrences per series. It also counts those read before, so that reading again adds none.
 */
const MAX_CHANGED_OCCURRENCES = 500

export const isRanged = (entry: Entry): entry is RangedEntry =>
  entry.recurrenceId !== null && isThisAndFuture(readExtra(entry.extra))

const extraOf = ({ extra }: RangedEntry, start: string, series: Entry, isLast: boolean): string | null => {
  const follower = writeExtra({ ...readExtra(withoutMoments(extra)), follows: true })
  return namedIn(follower, series, start, isLast ? undefined : null)
}

const movedRange = (ranged: RangedEntry, start: string, series: Entry): Pick<Entry, 'start' | 'end'> => {
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
const spread = (ranged: RangedEntry, { series, until, named, remaining }: Surroundings): Entry[] => {
  if (remaining <= 0) return [ranged]
  const starts = occurrencesBetween(seriesOf(series), Date.parse(ranged.recurrenceId) + 1, Date.parse(until))
    .map(isoOf)
    .filter((start) => !named.has(start))
    .take(remaining + 1)
    .toArray()
  const isCut = starts.length > remaining
  const followers = starts.slice(0, remaining).map((start, index) => ({
    ...ranged,
    ...movedRange(ranged, start, series),
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
