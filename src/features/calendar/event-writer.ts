import type { Db } from '../../database/db.ts'
import { EVER, NEVER, spanClassOf } from '../../database/spans.ts'
import { inTransaction } from '../../database/transaction.ts'
import { occurrencesBetween } from '../../nlu/recurrence/series.ts'
import type { Changes } from '../../platform/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import { invalidField } from '../../platform/errors.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { createYielder } from '../../platform/yield.ts'
import {
  type Bookkeeping,
  CHANGE_FIELDS,
  type EventField,
  type EventFields,
  type EventRecord,
  FULLY_EXPANDED,
  fieldsOf,
  NOT_EXPANDABLE,
  pickFields,
  rowOf,
} from './event.ts'
import {
  countChanges,
  deleteOccurrences,
  findEvent,
  insertEvent,
  insertEvents,
  insertOccurrences,
  lockAny,
  readChanged,
  updateEvent,
} from './event-repository.ts'
import { type Alarm, alarmsOf, withoutAlarms, withoutMoments } from './ical/alarms.ts'
import { namedIn } from './ical/event-times.ts'
import { EXPAND, REMIND } from './jobs.ts'
import { alarmOfReminder, nextReminder } from './reminders.ts'
import { endOf, isSeries, longestOf, seriesOf } from './series.ts'
import { isoOf } from './times.ts'

export interface SavingDeps {
  changes: Changes
  clock: Clock
  jobs: Pick<Jobs, 'enqueue'>
  /** Returns whether an email exists, and locks it until the transaction ends. */
  hasEmail: (tx: Db, id: number) => Promise<boolean>
}

/** Changes to these fields increment SEQUENCE (RFC 5545), so that attendees must reply again. */
const REVISION_FIELDS = [
  'start',
  'end',
  'allDay',
  'timezone',
  'recurrence',
  'exdates',
  'rdates',
  'status',
] as const
/** These fields decide which occurrences exist. */
const TIMING_FIELDS = ['start', 'end', 'allDay', 'timezone', 'recurrence', 'exdates', 'rdates'] as const
/** These fields decide when reminders are sent. */
const REMINDER_FIELDS = [...TIMING_FIELDS, 'status', 'reminders'] as const

const includesAny = (names: readonly EventField[], changed: readonly EventField[]): boolean =>
  changed.some((name) => names.includes(name))

/** Returns the next reminder after a change. A reminder that is due but not yet sent is kept. */
const reminderAfterChange = (
  row: EventRecord,
  after: EventFields,
  changed: readonly EventField[],
  { extra, now }: { extra: string | null; now: Date },
): string | null => {
  if (!includesAny(REMINDER_FIELDS, changed) && extra === row.extra) return row.nextReminderAt
  const at = now.toISOString()
  const isDue = row.nextReminderAt !== null && row.nextReminderAt <= at
  const since = isDue ? isoOf(Date.parse(row.nextReminderAt as string) - 1) : at
  return nextReminder({ ...after, alarms: alarmsOf(extra) }, since, now)
}

/**
 * Removing a reminder also removes all imported alarms at the same time. Removing all reminders removes all
 * imported alarms.
 */
export const silencedExtra = (
  extra: string | null,
  before: EventFields,
  after: EventFields,
): string | null => {
  const left = new Set(after.reminders.map(({ minutesBefore }) => minutesBefore))
  const gone = before.reminders.filter(({ minutesBefore }) => !left.has(minutesBefore)).map(alarmOfReminder)
  if (gone.length === 0) return extra
  const isOf = (alarm: Alarm | undefined): boolean => gone.some((one) => isEqual(one, alarm))
  return withoutAlarms(extra, (alarm) => left.size === 0 || isOf(alarm))
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const isEqual = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

export const changedFields = (before: EventFields, after: EventFields): EventField[] =>
  (Object.keys(after) as EventField[]).filter((name) => !isEqual(before[name], after[name]))

/** The data of change events that subscribers receive. */
const changeData = (id: number, fields: EventFields) => ({ id, ...pickFields(fields, CHANGE_FIELDS) })

const newRow = (fields: EventFields, kept: Partial<Bookkeeping>, now: Date) => {
  const at = now.toISOString()
  return rowOf(fields, {
    seriesId: null,
    recurrenceId: '',
    sequence: 0,
    extra: null,
    revisedAt: null,
    nextReminderAt: nextReminder({ ...fields, alarms: alarmsOf(kept.extra ?? null) }, at, now),
    createdAt: at,
    updatedAt: at,
    version: 1,
    ...kept,
  })
}

const changedRow = (
  row: EventRecord,
  { before, after, fields }: { before: EventFields; after: EventFields; fields: readonly EventField[] },
  kept: Partial<Bookkeeping>,
  now: Date,
) => {
  const { extra = silencedExtra(row.extra, before, after) } = kept
  return rowOf(after, {
    seriesId: row.seriesId,
    recurrenceId: row.recurrenceId,
    createdAt: row.createdAt,
    sequence: row.sequence + (includesAny(REVISION_FIELDS, fields) ? 1 : 0),
    revisedAt: null,
    nextReminderAt: reminderAfterChange(row, after, fields, { extra, now }),
    ...kept,
    extra,
    updatedAt: now.toISOString(),
    version: row.version + 1,
  })
}

interface NewEventData {
  fields: EventFields
  kept: Partial<Bookkeeping>
}

/** A changed occurrence is a change of its series. */
const insertionChange = (id: number, { fields, kept }: NewEventData) => {
  const { seriesId, recurrenceId: occurrenceStart } = kept
  if (!seriesId) return { type: 'event.created', subject: String(id), data: changeData(id, fields) }
  const type = fields.status === 'cancelled' ? 'event.cancelled' : 'event.updated'
  return { type, subject: String(seriesId), data: { ...changeData(seriesId, fields), occurrenceStart } }
}

export type Saving = ReturnType<typeof createSaving>

/** Creates, updates and removes events. Also schedules expansion and reminders, and records changes. */
export const createSaving = ({ changes, clock, jobs, hasEmail }: SavingDeps) => {
  /** The reminder job sends all reminders due by then and schedules the next one; see reminders.ts. */
  const scheduleJobs = async (tx: Db, hasSeries: boolean, at: string | null): Promise<void> => {
    if (hasSeries) await jobs.enqueue(tx, EXPAND, {}, { key: EXPAND })
    if (at !== null) await jobs.enqueue(tx, REMIND, {}, { key: at, runAt: new Date(at) })
  }

  const recordChange = (tx: Db, what: string, id: number, data: Record<string, unknown>): Promise<void> =>
    changes.record(tx, { type: `event.${what}`, subject: String(id), data })

  /** The database removes the link when the email is deleted (migration 0020). */
  const requireOrigin = async (
    tx: Db,
    { emailId }: Pick<EventFields, 'emailId'>,
    before: number | null = null,
  ): Promise<void> => {
    if (emailId !== null && emailId !== before && !(await hasEmail(tx, emailId)))
      throw invalidField('emailId', 'names an email that does not exist')
  }

  return {
    requireOrigin,

    /** Builds the row of an event that is about to be inserted. */
    newRow: (fields: EventFields, kept: Partial<Bookkeeping> = {}) => newRow(fields, kept, clock.now()),

    async created(tx: Db, id: number, row: ReturnType<typeof rowOf>, fields: EventFields): Promise<void> {
      await scheduleJobs(tx, isSeries(fields), row.nextReminderAt ?? null)
      await recordChange(tx, 'created', id, changeData(id, fields))
    },

    /**
     * Inserts many events in the order of their UIDs. The fixed order prevents deadlocks between two imports
     * of the same events.
     */
    async insertAll(tx: Db, given: readonly NewEventData[]) {
      const many = given.toSorted((a, b) => compare(a.fields.uid, b.fields.uid))
      for (const emailId of new Set(many.map(({ fields }) => fields.emailId)))
        await requireOrigin(tx, { emailId })
      const breathe = createYielder()
      const rows: ReturnType<typeof rowOf>[] = []
      for (const { fields, kept } of many) {
        rows.push(this.newRow(fields, kept))
        await breathe()
      }
      const made = await insertEvents(tx, rows)
      const ids = new Map(made.map(({ id, uid, recurrenceId }) => [`${recurrenceId} ${uid}`, id]))
      const records = many.map((one) =>
        insertionChange(ids.get(`${one.kept.recurrenceId ?? ''} ${one.fields.uid}`) as number, one),
      )
      await changes.recordAll(tx, records)
      await countChanges(tx, [...new Set(many.flatMap(({ kept }) => kept.seriesId ?? []))])
      const reminders = rows.flatMap(({ nextReminderAt }) => nextReminderAt ?? []).sort()
      const hasSeries = many.some(({ fields }) => isSeries(fields))
      await scheduleJobs(tx, hasSeries, reminders[0] ?? null)
      return made
    },

    async insert(tx: Db, fields: EventFields, kept: Partial<Bookkeeping> = {}): Promise<number> {
      await requireOrigin(tx, fields)
      const row = this.newRow(fields, kept)
      const id = await insertEvent(tx, row)
      await this.created(tx, id, row, fields)
      return id
    },

    /** Writes the changed fields, and returns whether anything changed. */
    async update(
      tx: Db,
      row: EventRecord,
      after: EventFields,
      kept: Partial<Bookkeeping> = {},
    ): Promise<boolean> {
      const before = fieldsOf(row)
      const fields = changedFields(before, after)
      if (fields.length === 0 && Object.keys(kept).length === 0) return false
      await requireOrigin(tx, after, before.emailId)
      const isRetimed = includesAny(TIMING_FIELDS, fields)
      const next = changedRow(row, { before, after, fields }, kept, clock.now())
      const expanded = { expandedFrom: row.expandedFrom, expandedUntil: row.expandedUntil }
      await updateEvent(tx, row.id, isRetimed ? next : { ...next, ...expanded })
      if (isRetimed) await deleteOccurrences(tx, row.id)
      if (isRetimed || next.nextReminderAt !== row.nextReminderAt)
        await scheduleJobs(tx, isSeries(after), next.nextReminderAt ?? null)
      const id = row.seriesId ?? row.id
      const what = after.status === 'cancelled' && before.status !== 'cancelled' ? 'cancelled' : 'updated'
      const occurrence = row.seriesId === null ? {} : { occurrenceStart: row.recurrenceId }
      await recordChange(tx, what, id, { ...changeData(id, after), ...occurrence, fields })
      return true
    },

    /** Stores a changed occurrence of a series as a row of its own. */
    async detach(
      tx: Db,
      series: EventRecord,
      occurrenceStart: string,
      after: EventFields,
      kept: Partial<Bookkeeping> = {},
    ): Promise<void> {
      await requireOrigin(tx, after, series.emailId)
      const { id: seriesId, sequence } = series
      const before = fieldsOf(series)
      const sourceExtra = kept.extra === undefined ? series.extra : kept.extra
      const extra = namedIn(
        withoutMoments(silencedExtra(sourceExtra, before, after)),
        before,
        occurrenceStart,
      )
      const row = this.newRow(after, { sequence, ...kept, seriesId, recurrenceId: occurrenceStart, extra })
      await insertEvent(tx, row)
      await scheduleJobs(tx, isSeries(after), row.nextReminderAt ?? null)
      const what = after.status === 'cancelled' && series.status !== 'cancelled' ? 'cancelled' : 'updated'
      await recordChange(tx, what, series.id, { ...changeData(series.id, after), occurrenceStart })
    },

    /** Increments the version of series whose occurrences were changed. */
    touch: countChanges,

    /** Records that a changed occurrence was deleted and the original one is back. */
    async restored(tx: Db, { seriesId, recurrenceId }: EventRecord): Promise<void> {
      const series = seriesId === null ? undefined : await findEvent(tx, seriesId)
      if (!series) return
      await countChanges(tx, [series.id])
      const fields = fieldsOf(series)
      const when = { start: recurrenceId, end: isoOf(endOf(fields, Date.parse(recurrenceId))) }
      const data = { ...changeData(series.id, fields), ...when, occurrenceStart: recurrenceId }
      await recordChange(tx, 'updated', series.id, data)
    },

    /** Schedules the expansion of series. */
    async expand(tx: Db): Promise<void> {
      await jobs.enqueue(tx, EXPAND, {}, { key: EXPAND })
    },

    /** Expands a series from the start again, after its changed occurrences have changed. */
    async expandAnew(tx: Db, seriesId: number): Promise<void> {
      const series = await findEvent(tx, seriesId)
      if (!series || series.expandedFrom === null) return
      await deleteOccurrences(tx, seriesId)
      await updateEvent(tx, seriesId, { expandedFrom: series.start, expandedUntil: series.start })
      await this.expand(tx)
    },

    removed: (tx: Db, row: EventRecord): Promise<void> =>
      recordChange(tx, 'cancelled', row.id, { ...changeData(row.id, fieldsOf(row)), deleted: true }),
  }
}

/** The range around now for which occurrences are stored. */
const BEHIND_MS = 400 * 86_400_000
const AHEAD_MS = 400 * 86_400_000

/** A series is expanded again when less than this is stored ahead of now. */
const LEAST_AHEAD_MS = 370 * 86_400_000

/** A series with more occurrences in that range is expanded with each query instead. */
const MOST = 1000

export type Expansion = ReturnType<typeof createExpansion>

/** Stores the occurrences of series in advance. Windows are correct without this, but slower. */
export const createExpansion = ({ db, clock }: { db: Db; clock: Clock }) => {
  const expand = (id: number): Promise<void> =>
    inTransaction(db, async (tx) => {
      const row = await lockAny(tx, id)
      if (!row || row.expandedFrom === null) return
      const fields = fieldsOf(row)
      const series = seriesOf(fields)
      const now = clock.now().getTime()
      const changed = await readChanged(tx, id)
      const rowsBetween = (from: number, until: number) =>
        occurrencesBetween(series, from, until)
          .filter((start) => !changed.has(start))
          .map((startMs) => {
            const [start, end] = [isoOf(startMs), isoOf(endOf(fields, startMs))]
            return { seriesId: id, start, end, spanClass: spanClassOf(start, end) }
          })
          .take(MOST + 1)
          .toArray()

      await deleteOccurrences(tx, id)
      const whole =
        row.lastEnd === NEVER
          ? undefined
          : rowsBetween(Math.min(series.start, ...series.added), Date.parse(NEVER))
      if (whole !== undefined && whole.length <= MOST) {
        await insertOccurrences(tx, whole)
        return updateEvent(tx, id, FULLY_EXPANDED)
      }
      const [from, until] = [now - BEHIND_MS, now + AHEAD_MS]
      const rows = rowsBetween(from - longestOf(fields), until)
      if (rows.length > MOST) return updateEvent(tx, id, NOT_EXPANDABLE)
      await insertOccurrences(
        tx,
        rows.filter(({ end }) => Date.parse(end) > from),
      )
      await updateEvent(tx, id, { expandedFrom: isoOf(from), expandedUntil: isoOf(until) })
    })

  return {
    /** Expands one series that needs it. Returns false if none does. */
    async expandNext(): Promise<boolean> {
      const due = await db
        .selectFrom('events')
        .select('id')
        .where('expandedUntil', '>', EVER)
        .where('expandedUntil', '<', isoOf(clock.now().getTime() + LEAST_AHEAD_MS))
        .orderBy('expandedUntil')
        .limit(1)
        .executeTakeFirst()
      if (due) await expand(due.id)
      return due !== undefined
    },
  }
}
