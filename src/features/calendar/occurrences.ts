import type { Db } from '../../database/db.ts'
import { invalidField, notFound } from '../../platform/errors.ts'
import { isSameJson } from '../../platform/fingerprint.ts'
import { requireMatch } from '../../platform/http/etag.ts'
import type { Platform } from '../../platform/platform.ts'
import { orderedId } from '../../platform/random.ts'
import { createYielder } from '../../platform/yield.ts'
import { occursAt } from '../../recurrence/series.ts'
import { moveOf, requireTarget } from './calendars/store.ts'
import {
  type Bookkeeping,
  type EventField,
  type EventFields,
  type EventRecord,
  eventColumns,
  fieldsOf,
  toEvent,
  type VersionedEvent,
  versionOf,
} from './event.ts'
import { applyEventPatch } from './event-input.ts'
import {
  deleteEvent,
  deleteOccurrences,
  findAny,
  findOverride,
  getEvent,
  listOverrides,
  lockEvent,
} from './event-repository.ts'
import { requireOriginal, type Saving, silencedExtra } from './event-writer.ts'
import { withoutMoments } from './ical/alarms.ts'
import { readExtra, writeExtra } from './ical/entry.ts'
import { namedIn } from './ical/event-times.ts'
import type { EventChange } from './schema.ts'
import { endOf, isNothingBefore, isSeries, movedAlong, seriesOf, splitAt } from './series.ts'
import { isoOf, NEVER, readMoment, shiftBy, wallDistance } from './times.ts'

/** Fields that only a series has. */
const SERIES_FIELDS = ['recurrence', 'exdates', 'rdates', 'bookingId'] as const
const OWN_FIELDS: readonly EventField[] = [...SERIES_FIELDS, 'uid', 'source', 'start', 'end', 'allDay']
/** Fields of a request that concern the whole series. */
const SERIES_INPUTS = [...SERIES_FIELDS, 'calendarId'] as const
/** Fields of a changed occurrence that follow the series as long as they have the same value. */
const SHARED = eventColumns.names.filter((name) => !OWN_FIELDS.includes(name))

interface Move {
  row: EventRecord
  /** The new original start in the series. */
  start: string
}

/**
 * Orders moves so that two occurrences never have the same start. Moves to earlier times run first; moves to
 * later times run from the last one.
 */
const orderMoves = (moves: readonly Move[]): Move[] => {
  const ordered = moves.toSorted((a, b) => (a.row.recurrenceId < b.row.recurrenceId ? -1 : 1))
  const [later, others] = [true, false].map((isLater) =>
    ordered.filter(({ row, start }) => start > row.recurrenceId === isLater),
  ) as [Move[], Move[]]
  return [...others, ...later.reverse()]
}

const applySeriesChange = (
  row: EventRecord,
  start: string,
  before: EventFields,
  after: EventFields,
): EventFields => {
  const fields = fieldsOf(row)
  const shared = SHARED.filter((name) => isSameJson(fields[name], before[name])).map((name) => [
    name,
    after[name],
  ])
  const isInPlace = isSameJson(
    [fields.start, fields.end],
    [row.recurrenceId, isoOf(endOf(before, Date.parse(row.recurrenceId)))],
  )
  const inPlace = isInPlace && { start, end: isoOf(endOf(after, Date.parse(start))), allDay: after.allDay }
  return { ...fields, ...Object.fromEntries(shared), ...inPlace, uid: after.uid }
}

/** Updates changed occurrences when their series is changed or moved. */
export const createCarryOver =
  (saving: Saving) =>
  async (
    tx: Db,
    overrides: readonly EventRecord[],
    before: EventFields,
    after: EventFields,
    { id: seriesId, calendarId }: Pick<EventRecord, 'id' | 'calendarId'>,
  ): Promise<void> => {
    const distance = wallDistance(before, after)
    const series = seriesOf(after)
    const moves = new Map<string, Move>()
    const yieldIfNeeded = createYielder()
    for (const row of overrides) {
      await yieldIfNeeded()
      const start = shiftBy(row.recurrenceId, distance, before.timezone, after.timezone)
      // At the start of daylight saving time, two starts can become equal.
      if (moves.has(start) || !occursAt(series, Date.parse(start))) await deleteEvent(tx, row.userId, row.id)
      else moves.set(start, { row, start })
    }
    for (const { row, start } of orderMoves([...moves.values()])) {
      const extra = namedIn(row.extra, after, start)
      const isElsewhere =
        row.seriesId !== seriesId || row.recurrenceId !== start || before.allDay !== after.allDay
      await saving.update(
        tx,
        row,
        applySeriesChange(row, start, before, after),
        isElsewhere ? { seriesId, calendarId, recurrenceId: start, extra } : {},
      )
    }
  }

export type Scope = 'this' | 'following' | 'all'

/** Selects the occurrences that a change applies to. */
export interface OccurrenceTarget {
  occurrence?: string | undefined
  scope?: Scope | undefined
}

type OneOccurrenceTarget = OccurrenceTarget & { occurrence: string }

const whenOf = ({ start, end, allDay, timezone }: EventFields) => [start, end, allDay, timezone]

const defined = (input: { [K in keyof EventChange]: EventChange[K] | undefined }): EventChange =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))

/** One occurrence of a series, changed or not. */
export interface OneOccurrence {
  series: EventFields
  start: string
  override: EventRecord | undefined
  fields: EventFields
}

/** Returns the fields of one occurrence of a series. */
const occurrenceFields = (series: EventFields, start: string): EventFields => ({
  ...series,
  start,
  end: isoOf(endOf(series, Date.parse(start))),
  recurrence: null,
  exdates: [],
  rdates: [],
  bookingId: null,
})

/** Imported iCalendar properties stay valid for the series that continues another. */
const continuedExtra = (extra: string | null): string | null => {
  const { continued: _, ...rest } = readExtra(withoutMoments(extra))
  return writeExtra(rest)
}

/** Returns undefined if the series has no such occurrence, or the event is not a series. */
const locate = async (on: Db, row: EventRecord, start: string): Promise<OneOccurrence | undefined> => {
  const series = fieldsOf(row)
  if (!isSeries(series)) return undefined
  const override = await findOverride(on, row.userId, row.id, start)
  if (!override && !occursAt(seriesOf(series), Date.parse(start))) return undefined
  return {
    series,
    start,
    override,
    fields: override ? fieldsOf(override) : occurrenceFields(series, start),
  }
}

/** Finds the occurrence or throws. */
const findOne = async (on: Db, row: EventRecord, occurrence: string): Promise<OneOccurrence> => {
  const start = readMoment('occurrence', occurrence, row.timezone)
  if (!isSeries(fieldsOf(row))) throw invalidField('occurrence', 'is only allowed for a recurring event')
  const one = await locate(on, row, start)
  if (!one) throw notFound('occurrence')
  return one
}

/** Returns the row of an event, or of an occurrence of `series`, as the reader may see it. */
type RowView = (row: EventRecord, series?: EventRecord) => EventRecord

/** Returns an event, a series, or one of its occurrences. */
const show = async (
  on: Db,
  userId: number,
  id: number,
  occurrence?: string,
  view: RowView = (row) => row,
): Promise<VersionedEvent> => {
  const row = await getEvent(on, userId, id)
  if (occurrence === undefined) {
    const visible = view(row)
    return { ...toEvent(visible, null), version: visible.version }
  }
  const { start, fields, override } = await findOne(on, row, occurrence)
  const visible = view({ ...(override ?? row), id, seriesId: null, version: row.version }, row)
  return { ...toEvent(visible, start), start: fields.start, end: fields.end, version: visible.version }
}

/**
 * Applies a change of one occurrence to the series: the same shift in time, the same duration and the other
 * fields.
 */
const applyToSeries = (
  series: EventFields,
  one: EventFields,
  input: EventChange,
  zone: string,
): EventFields => {
  const { start, end, allDay, timezone, ...otherFields } = input
  const patched = applyEventPatch(series, otherFields, zone)
  const timed = applyEventPatch(one, defined({ start, end, allDay, timezone }), zone)
  const first = shiftBy(series.start, wallDistance(one, timed), series.timezone, timed.timezone)
  const isRetimed = !isSameJson(whenOf(one), whenOf(timed))
  return isRetimed
    ? {
        ...patched,
        allDay: timed.allDay,
        timezone: timed.timezone,
        start: first,
        end: isoOf(endOf(timed, Date.parse(first))),
      }
    : patched
}

export type Occurrences = ReturnType<typeof createOccurrences>

/** Changes one occurrence of a series, an occurrence and those after it, or all of them. */
export const createOccurrences = (deps: Pick<Platform, 'clock' | 'random'> & { saving: Saving }) => {
  const { saving, clock, random } = deps
  const carryOver = createCarryOver(saving)

  /** Changes a series and its changed occurrences. */
  const changeSeries = async (
    tx: Db,
    row: EventRecord,
    after: EventFields,
    input: EventChange,
    kept: Partial<Bookkeeping> = {},
  ): Promise<void> => {
    const before = fieldsOf(row)
    const requested = movedAlong(before, after, { isRuleGiven: input.recurrence !== undefined })
    const overrides = await listOverrides(tx, row.userId, row.id)
    await saving.update(tx, row, requested, kept)
    const { calendarId = row.calendarId } = kept
    if (overrides.length > 0)
      await carryOver(
        tx,
        overrides.map((override) => ({ ...override, calendarId })),
        before,
        requested,
        { id: row.id, calendarId },
      )
  }

  /** Applies a change that was made on a changed occurrence to that occurrence as well. */
  const changeOverride = async (
    tx: Db,
    override: EventRecord | undefined,
    input: EventChange,
    zone: string,
  ): Promise<void> => {
    const row = override && (await findAny(tx, override.userId, override.id))
    const { recurrence: _, exdates: __, rdates: ___, bookingId: ____, calendarId: _____, ...own } = input
    if (row) await saving.update(tx, row, applyEventPatch(fieldsOf(row), own, zone))
  }

  const changeOne = async (
    tx: Db,
    row: EventRecord,
    { start, override }: Pick<OneOccurrence, 'start' | 'override'>,
    after: EventFields,
    kept: Partial<Bookkeeping> = {},
  ): Promise<void> => {
    if (override) {
      if (await saving.update(tx, override, after, kept)) await saving.touch(tx, row.userId, [row.id])
      return
    }
    await saving.detach(tx, row, start, after, kept)
    await deleteOccurrences(tx, row.userId, row.id, [start])
    await saving.touch(tx, row.userId, [row.id])
  }

  /** Ends the series before an occurrence, and returns the fields of a series for the rest. */
  const endSeriesBefore = async (
    tx: Db,
    row: EventRecord,
    series: EventFields,
    start: string,
  ): Promise<EventFields> => {
    const { before, rest } = splitAt(series, start)
    await saving.update(tx, row, before)
    return { ...rest, uid: `${orderedId(random, clock.now())}@factotum`, bookingId: null }
  }

  return {
    show,
    locate,
    findOne,
    changeOne,
    changeSeries,

    async change(
      tx: Db,
      userId: number,
      id: number,
      given: EventChange,
      { occurrence, scope = 'this' }: OneOccurrenceTarget,
      ifMatch: string | undefined,
      zone: string,
    ): Promise<VersionedEvent> {
      const row = await lockEvent(tx, userId, id)
      requireMatch(ifMatch, versionOf(row))
      requireOriginal(row)
      const { calendarId, ...fieldInput } = given
      const isMoved = calendarId !== undefined && calendarId !== row.calendarId
      const input: EventChange = isMoved ? given : fieldInput
      const one = await findOne(tx, row, occurrence)
      const named = SERIES_INPUTS.find((name) => input[name] !== undefined)
      if (scope === 'this') {
        if (named) throw invalidField(named, 'can only be changed for the whole series. Use scope=all.')
        await changeOne(tx, row, one, applyEventPatch(one.fields, input, zone))
        return show(tx, userId, id, one.start)
      }
      if (scope === 'all' || isNothingBefore(one.series, one.start)) {
        const after = applyToSeries(one.series, one.fields, input, zone)
        await changeSeries(tx, row, after, input, await moveOf(tx, row, calendarId))
        await changeOverride(tx, one.override, input, zone)
        return show(tx, userId, id)
      }
      if (input.bookingId !== undefined)
        throw invalidField('bookingId', 'can only be changed for the whole series')
      const later = (await listOverrides(tx, userId, id)).filter(
        ({ recurrenceId }) => recurrenceId >= one.start,
      )
      const rest = await endSeriesBefore(tx, row, one.series, one.start)
      const after = movedAlong(rest, applyToSeries(rest, one.fields, input, zone), {
        isRuleGiven: input.recurrence !== undefined,
      })
      const target = isMoved ? await requireTarget(tx, userId, calendarId) : undefined
      const continued = { calendarId: target?.id ?? row.calendarId }
      const made = await saving.insert(tx, userId, after, {
        ...continued,
        extra: continuedExtra(silencedExtra(row.extra, rest, after)),
      })
      await carryOver(tx, later, rest, after, { ...continued, id: made })
      await changeOverride(tx, one.override, input, zone)
      return show(tx, userId, made)
    },

    async remove(
      tx: Db,
      userId: number,
      id: number,
      { occurrence, scope = 'this' }: OneOccurrenceTarget,
      ifMatch: string | undefined,
    ): Promise<void> {
      const row = await lockEvent(tx, userId, id)
      requireMatch(ifMatch, versionOf(row))
      requireOriginal(row)
      const { series, start, override } = await findOne(tx, row, occurrence)
      if (scope === 'all' || (scope === 'following' && isNothingBefore(series, start)))
        return saving.remove(tx, row)
      if (scope === 'following') {
        for (const later of await listOverrides(tx, userId, id))
          if (later.recurrenceId >= start) await deleteEvent(tx, userId, later.id)
        await endSeriesBefore(tx, row, series, start)
        return
      }
      if (override) await deleteEvent(tx, userId, override.id)
      const exdates = [...new Set([...series.exdates, start])].sort()
      const rdates = series.rdates.filter((date) => date !== start)
      const left = { ...series, exdates, rdates }
      if (isNothingBefore(left, NEVER)) return saving.remove(tx, row)
      await saving.update(tx, row, left)
    },
  }
}
