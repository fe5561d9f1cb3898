import { occursAt } from '../../../engine/recurrence/series.ts'
import { createBreather } from '../../../platform/breather.ts'
import { movedAlong } from '../moved-series.ts'
import { isSeries, type Recurring, seriesOf } from '../series.ts'
import { isNothingBefore, splitAt } from '../split-series.ts'
import { isoOf, shiftBy, wallDistance } from '../times.ts'
import type { CalendarFile, Entry, Found } from './entry.ts'
import { isFromThereOn, readExtra, writeExtra } from './extra.ts'

/*
 * RFC 5545, 3.2.13: a change with RANGE=THISANDFUTURE is one to an occurrence and all that come after it, which move
 * and last as it does. Here that is what it is when a person wishes it: the series ends, and another one goes on. Where
 * a series has to stay one, see following-occurrences.ts.
 */

type Dated = Extract<Found, { kind: 'entry' }>
type Ranged = Dated & { entry: { recurrenceId: string } }

/** What is here of a series that a file says something of; of what comes from a file alone, nothing. */
export type FindSeries = (uid: string) => Promise<Entry | undefined>

/** Held at once: the parts of a series may lie anywhere in a file. */
const MOST_HELD = 10_000
/** Nobody changes a series more often; the rest is taken as changes to one occurrence each. */
const MOST_SPLITS = 100

// A line may be folded anywhere.
const SAYS_SO = new RegExp([...'THISANDFUTURE'].join('(?:\\r?\\n[ \\t])?'), 'i')

/** Whether a file may change series from some occurrence on. */
export const mayContinue = (text: string): boolean => SAYS_SO.test(text)

const isRanged = (found: Found): found is Ranged =>
  found.kind === 'entry' &&
  found.entry.recurrenceId !== null &&
  isFromThereOn(readExtra(found.entry.extra)) &&
  tellsEvents(found)

/** Others are a word about an event that is here: see import-scheduling.ts. */
const tellsEvents = ({ method }: Dated): boolean =>
  method === null || method === 'PUBLISH' || method === 'REQUEST'

/** The same each time, so that it is known again; made as Google makes such names. */
const uidFrom = (uid: string, recurrenceId: string): string =>
  `${uid}_R${recurrenceId.replace(/[-:]|\.\d+/g, '')}`

const whenOf = ({ recurrence, exdates, rdates }: Recurring) => ({ recurrence, exdates, rdates })

interface Piece {
  told: Dated
  /** By the rule of the series as it was told. */
  from: string
  said: Recurring
  /** As it is from there on. */
  entry: Entry
}

const movedTo = (said: Recurring, { start, end, allDay, timezone }: Entry): Recurring =>
  movedAlong(said, { ...said, start, end, allDay, timezone }, { isRuleGiven: false })

/** What each part says depends on all others: a later revision of one is one of all. */
const revisionOf = (told: readonly Dated[]): Pick<Entry, 'sequence' | 'revisedAt'> => ({
  sequence: Math.max(...told.map(({ entry }) => entry.sequence)),
  revisedAt:
    told
      .flatMap(({ entry }) => entry.revisedAt ?? [])
      .sort()
      .at(-1) ?? null,
})

const withoutRange = (extra: string | null): string | null => {
  const { recurrenceId: _, ...rest } = readExtra(extra)
  return writeExtra(rest)
}

const pieceOf = (told: Ranged, uid: string, said: Recurring): Piece => {
  const { entry } = told
  const moved = movedTo(said, entry)
  const extra = withoutRange(entry.extra)
  return {
    ...{ told, from: entry.recurrenceId, said },
    entry: { ...entry, ...whenOf(moved), uid, recurrenceId: null, extra },
  }
}

/** A changed occurrence goes with the part that it lies in, and is known there by when it would be. */
const within = (told: Dated, pieces: readonly Piece[]): Dated => {
  const { recurrenceId, extra } = told.entry
  const piece = pieces.findLast(({ from }) => from <= (recurrenceId as string))
  if (!piece || piece.told.entry.recurrenceId === null) return told
  const { said, entry } = piece
  const moved = shiftBy(recurrenceId as string, wallDistance(said, entry), said.timezone, entry.timezone)
  const start =
    [moved, recurrenceId as string].find((one) => occursAt(seriesOf(entry), Date.parse(one))) ?? moved
  return {
    ...told,
    entry: { ...told.entry, uid: entry.uid, recurrenceId: start, extra: withoutRange(extra) },
  }
}

/** All of it is read from elsewhere. */
const REPLACED = 'Another part of the file changes all of it.'

const plain = ({ warning: _, ...told }: Dated): Dated => told

/** All that a file tells of one series. */
function* splitFamily(family: readonly Dated[]): Generator<Found, void, undefined> {
  const master = family.find(({ entry }) => entry.recurrenceId === null && isSeries(entry))
  const ranged = family
    .filter(isRanged)
    .sort((a, b) => (a.entry.recurrenceId < b.entry.recurrenceId ? -1 : 1))
  if (!master) {
    yield* family
    return
  }
  const { uid } = master.entry
  const pieces: Piece[] = [{ told: master, from: '', said: master.entry, entry: master.entry }]
  const untaken = new Set<Dated>(family)
  for (const told of ranged.slice(0, MOST_SPLITS)) {
    const last = pieces.at(-1) as Piece
    const { recurrenceId } = told.entry
    if (recurrenceId === last.from || !occursAt(seriesOf(last.said), Date.parse(recurrenceId))) continue
    untaken.delete(told)
    const { before, rest } = splitAt(last.said, recurrenceId)
    if (isNothingBefore(last.said, recurrenceId)) pieces.splice(0, 1, pieceOf(told, uid, rest))
    else {
      last.said = before
      last.entry = { ...last.entry, ...whenOf(last.told === master ? before : movedTo(before, last.entry)) }
      pieces.push(pieceOf(told, uidFrom(uid, recurrenceId), rest))
    }
  }
  if (untaken.size === family.length) {
    yield* family
    return
  }
  untaken.delete(master)
  const revision = revisionOf(pieces.map(({ told }) => told))
  const continued = pieces.slice(1).map(({ entry }) => entry.uid)
  if (!pieces.some(({ told }) => told === master))
    yield { kind: 'skipped', line: master.line, uid, reason: REPLACED, isEvent: false }
  for (const { told, entry } of pieces) {
    const extra = entry.uid === uid ? writeExtra({ ...readExtra(entry.extra), continued }) : entry.extra
    yield { ...plain(told), entry: { ...entry, ...revision, extra } }
  }
  for (const told of untaken) yield within(told, pieces)
}

/** What is found in a file. `lacksSeries`: it changes a series from some occurrence on, and the file does not tell of it. */
export type FoundInFile = Found & { lacksSeries?: true }

/** The parts of a series that a file before this one told of; anything else as it is. */
export const continueSeries = async (
  { lacksSeries, ...told }: FoundInFile,
  find: FindSeries,
): Promise<Found[]> => {
  if (!lacksSeries || !isRanged(told)) return [told]
  const { uid, recurrenceId } = told.entry
  const later = await find(uidFrom(uid, recurrenceId))
  if (later) {
    const entry = { ...pieceOf(told, later.uid, later).entry, extra: withoutRange(told.entry.extra) }
    return [{ ...plain(told), entry }]
  }
  const series = await find(uid)
  if (!series) return [told]
  // Whatever was revised here or there since, this is later.
  const [latest = ''] = [series.revisedAt ?? '', told.entry.revisedAt ?? ''].sort().reverse()
  const revision = {
    sequence: Math.max(series.sequence, told.entry.sequence),
    revisedAt: isoOf(Date.parse(latest) + 1),
  }
  const parts = splitFamily([{ kind: 'entry', line: told.line, method: null, entry: series }, told])
  return [...parts].map((part) =>
    part.kind === 'entry' && part.entry.recurrenceId === null
      ? { ...part, entry: { ...part.entry, ...revision } }
      : part,
  )
}

/** What a file tells, with series that are changed from some occurrence on as the two that they are. */
export async function* foundIn(
  text: string,
  { found }: Pick<CalendarFile, 'found'>,
): AsyncGenerator<FoundInFile> {
  if (!mayContinue(text)) {
    yield* found()
    return
  }
  const breathe = createBreather()
  const uids = new Set<string>()
  for (const one of found()) {
    if (isRanged(one)) uids.add(one.entry.uid)
    await breathe()
  }
  const families = new Map<string, Dated[]>()
  let held = 0
  for (const one of found()) {
    await breathe()
    if (one.kind !== 'entry' || !tellsEvents(one) || !uids.has(one.entry.uid) || held >= MOST_HELD) yield one
    else {
      held++
      const family = families.get(one.entry.uid)
      if (family) family.push(one)
      else families.set(one.entry.uid, [one])
    }
  }
  for (const family of families.values()) {
    if (family.some(({ entry }) => entry.recurrenceId === null))
      for (const told of splitFamily(family)) {
        await breathe()
        yield told
      }
    else for (const told of family) yield isRanged(told) ? { ...told, lacksSeries: true } : told
  }
}
