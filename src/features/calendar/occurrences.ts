import type { Db } from '../../database/db.ts'
import { NEVER } from '../../database/spans.ts'
import { occursAt } from '../../engine/recurrence/series.ts'
import type { Clock } from '../../platform/clock.ts'
import { invalidField, notFound } from '../../platform/errors.ts'
import { requireMatch } from '../../platform/http/etag.ts'
import { orderedId, type Random } from '../../platform/random.ts'
import { createCarryOver } from './changed-occurrences.ts'
import { type EventFields, type EventRecord, fieldsOf, versionOf } from './event.ts'
import type { Bookkeeping } from './event-row.ts'
import {
  deleteEvent,
  deleteOccurrences,
  findAny,
  findOverride,
  getEvent,
  listOverrides,
  lockEvent,
} from './event-store.ts'
import { readExtra, writeExtra } from './icalendar/extra.ts'
import { withoutMoments } from './icalendar/other-alarms.ts'
import { movedAlong } from './moved-series.ts'
import { type Saving, silencedExtra } from './saving.ts'
import type { EventChange } from './schema.ts'
import { endOf, isSeries, seriesOf } from './series.ts'
import { type Shown, textOf } from './shown-event.ts'
import { isNothingBefore, splitAt } from './split-series.ts'
import { isoOf, readMoment, shiftBy, wallDistance } from './times.ts'
import { applyWish } from './wish.ts'

export type Scope = 'this' | 'following' | 'all'

/** Which occurrences of a series a change is about. */
export interface Aim {
  occurrence?: string | undefined
  scope?: Scope | undefined
}

type AimAtOne = Aim & { occurrence: string }

/** What only a whole series has. */
const OF_A_SERIES = ['recurrence', 'exdates', 'rdates', 'bookingId'] as const
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const whenOf = ({ start, end, allDay, timezone }: EventFields) => [start, end, allDay, timezone]

const defined = (wish: { [K in keyof EventChange]: EventChange[K] | undefined }): EventChange =>
  Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== undefined))

/** One occurrence of a series, changed already or not. */
export interface OneOccurrence {
  series: EventFields
  start: string
  override: EventRecord | undefined
  fields: EventFields
}

/** The series' fields, as they are for one occurrence. */
const occurrenceFields = (series: EventFields, start: string): EventFields => ({
  ...series,
  start,
  end: isoOf(endOf(series, Date.parse(start))),
  recurrence: null,
  exdates: [],
  rdates: [],
  bookingId: null,
})

/** What a file said beyond our fields stays true of a series that goes on as another. */
const continuedExtra = (extra: string | null): string | null => {
  const { continued: _, ...rest } = readExtra(withoutMoments(extra))
  return writeExtra(rest)
}

export type Occurrences = ReturnType<typeof createOccurrences>

/** Changes to one occurrence of a series, to it and those after it, and to all of them. */
export const createOccurrences = (deps: { saving: Saving; clock: Clock; random: Random }) => {
  const { saving, clock, random } = deps
  const carryOver = createCarryOver(saving)

  /** Undefined when the series has no such occurrence, or the event is no series. */
  const locate = async (on: Db, row: EventRecord, start: string): Promise<OneOccurrence | undefined> => {
    const series = fieldsOf(row)
    if (!isSeries(series)) return undefined
    const override = await findOverride(on, row.id, start)
    if (!override && !occursAt(seriesOf(series), Date.parse(start))) return undefined
    return {
      series,
      start,
      override,
      fields: override ? fieldsOf(override) : occurrenceFields(series, start),
    }
  }

  /** The occurrence that is meant. */
  const findOne = async (on: Db, row: EventRecord, occurrence: string): Promise<OneOccurrence> => {
    const start = readMoment('occurrence', occurrence, row.timezone)
    if (!isSeries(fieldsOf(row)))
      throw invalidField('occurrence', 'is of a series only, and this event is none')
    const one = await locate(on, row, start)
    if (!one) throw notFound('occurrence')
    return one
  }

  const show = async (on: Db, id: number, occurrence: string): Promise<Shown> => {
    const row = await getEvent(on, id)
    const { start, fields, override } = await findOne(on, row, occurrence)
    const { shown } = override ?? row
    const text = textOf({ ...fields, id, seriesId: null, occurrenceStart: start, shown })
    return { id, version: row.version, text }
  }

  const showWhole = async (on: Db, id: number): Promise<Shown> => {
    const row = await getEvent(on, id)
    return { id, version: row.version, text: textOf({ ...row, occurrenceStart: null }) }
  }

  /** The whole series, together with the occurrences that were changed by themselves. */
  const changeSeries = async (
    tx: Db,
    row: EventRecord,
    after: EventFields,
    wish: EventChange,
    kept: Partial<Bookkeeping> = {},
  ): Promise<void> => {
    const before = fieldsOf(row)
    const wished = movedAlong(before, after, { isRuleGiven: wish.recurrence !== undefined })
    const overrides = await listOverrides(tx, row.id)
    await saving.update(tx, row, wished, kept)
    if (overrides.length > 0) await carryOver(tx, overrides, before, wished, row.id)
  }

  /** Whoever looks at a changed occurrence and changes more than it wishes the same for it. */
  const changeAlike = async (
    tx: Db,
    override: EventRecord | undefined,
    wish: EventChange,
    zone: string,
  ): Promise<void> => {
    const row = override && (await findAny(tx, override.id))
    const { recurrence: _, exdates: __, rdates: ___, bookingId: ____, ...own } = wish
    if (row) await saving.update(tx, row, applyWish(fieldsOf(row), own, zone))
  }

  /** What a change to one occurrence means for all: as much earlier or later, as long, and otherwise as wished. */
  const spread = (series: EventFields, one: EventFields, wish: EventChange, zone: string): EventFields => {
    const { start, end, allDay, timezone, ...words } = wish
    const worded = applyWish(series, words, zone)
    const timed = applyWish(one, defined({ start, end, allDay, timezone }), zone)
    const first = shiftBy(series.start, wallDistance(one, timed), series.timezone, timed.timezone)
    const isRetimed = !same(whenOf(one), whenOf(timed))
    return isRetimed
      ? {
          ...worded,
          allDay: timed.allDay,
          timezone: timed.timezone,
          start: first,
          end: isoOf(endOf(timed, Date.parse(first))),
        }
      : worded
  }

  const changeOne = async (
    tx: Db,
    row: EventRecord,
    { start, override }: Pick<OneOccurrence, 'start' | 'override'>,
    after: EventFields,
    kept: Partial<Bookkeeping> = {},
  ): Promise<void> => {
    if (override) {
      if (await saving.update(tx, override, after, kept)) await saving.touch(tx, [row.id])
      return
    }
    await saving.detach(tx, row, start, after, kept)
    await deleteOccurrences(tx, row.id, [start])
    await saving.touch(tx, [row.id])
  }

  /** Ends the series before an occurrence; what would have come from then on is returned, as another series. */
  const cut = async (tx: Db, row: EventRecord, series: EventFields, start: string): Promise<EventFields> => {
    const { before, rest } = splitAt(series, start)
    await saving.update(tx, row, before)
    return { ...rest, uid: `${orderedId(random, clock.now())}@factotum`, bookingId: null }
  }

  return {
    show,
    showWhole,
    locate,
    findOne,
    changeOne,
    changeSeries,

    async change(
      tx: Db,
      id: number,
      wish: EventChange,
      { occurrence, scope = 'this' }: AimAtOne,
      ifMatch: string | undefined,
      zone: string,
    ): Promise<Shown> {
      const row = await lockEvent(tx, id)
      requireMatch(ifMatch, versionOf(row))
      const one = await findOne(tx, row, occurrence)
      const named = OF_A_SERIES.find((name) => wish[name] !== undefined)
      if (scope === 'this') {
        if (named) throw invalidField(named, 'belongs to the whole series: change it with scope=all')
        await changeOne(tx, row, one, applyWish(one.fields, wish, zone))
        return show(tx, id, one.start)
      }
      if (scope === 'all' || isNothingBefore(one.series, one.start)) {
        await changeSeries(tx, row, spread(one.series, one.fields, wish, zone), wish)
        await changeAlike(tx, one.override, wish, zone)
        return showWhole(tx, id)
      }
      if (wish.bookingId !== undefined) throw invalidField('bookingId', 'belongs to the whole series')
      const later = (await listOverrides(tx, id)).filter(({ recurrenceId }) => recurrenceId >= one.start)
      const rest = await cut(tx, row, one.series, one.start)
      const after = movedAlong(rest, spread(rest, one.fields, wish, zone), {
        isRuleGiven: wish.recurrence !== undefined,
      })
      const made = await saving.insert(tx, after, {
        extra: continuedExtra(silencedExtra(row.extra, rest, after)),
      })
      await carryOver(tx, later, rest, after, made)
      await changeAlike(tx, one.override, wish, zone)
      return showWhole(tx, made)
    },

    async remove(
      tx: Db,
      id: number,
      { occurrence, scope = 'this' }: AimAtOne,
      ifMatch: string | undefined,
    ): Promise<void> {
      const row = await lockEvent(tx, id)
      requireMatch(ifMatch, versionOf(row))
      const { series, start, override } = await findOne(tx, row, occurrence)
      if (scope === 'all' || (scope === 'following' && isNothingBefore(series, start))) {
        await deleteEvent(tx, id)
        return saving.removed(tx, row)
      }
      if (scope === 'following') {
        for (const later of await listOverrides(tx, id))
          if (later.recurrenceId >= start) await deleteEvent(tx, later.id)
        await cut(tx, row, series, start)
        return
      }
      if (override) await deleteEvent(tx, override.id)
      const exdates = [...new Set([...series.exdates, start])].sort()
      const rdates = series.rdates.filter((date) => date !== start)
      const left = { ...series, exdates, rdates }
      if (isNothingBefore(left, NEVER)) {
        await deleteEvent(tx, id)
        return saving.removed(tx, row)
      }
      await saving.update(tx, row, left)
    },
  }
}
