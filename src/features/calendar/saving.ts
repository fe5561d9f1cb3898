import type { Db } from '../../database/db.ts'
import { createBreather } from '../../platform/breather.ts'
import type { Changes } from '../../platform/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import { invalidField } from '../../platform/errors.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { type EventFields, type EventRecord, fieldsOf } from './event.ts'
import { type Bookkeeping, rowOf } from './event-row.ts'
import {
  countChanges,
  deleteOccurrences,
  findEvent,
  insertEvent,
  insertEvents,
  updateEvent,
} from './event-store.ts'
import { type Alarm, alarmsOf, withoutAlarms, withoutMoments } from './icalendar/other-alarms.ts'
import { namedIn } from './icalendar/recurrence-id.ts'
import { alarmOfReminder, nextReminder } from './reminders/times.ts'
import { endOf, isSeries } from './series.ts'
import { isoOf } from './times.ts'
import { EXPAND, REMIND } from './work.ts'

export interface SavingDeps {
  changes: Changes
  clock: Clock
  jobs: Pick<Jobs, 'enqueue'>
  /** Says whether an e-mail is there, and holds it until the transaction ends. */
  hasEmail: (tx: Db, id: number) => Promise<boolean>
}

/** iCalendar counts these as a new revision: whoever was invited has to look again. */
const REVISING = ['start', 'end', 'allDay', 'timezone', 'recurrence', 'exdates', 'rdates', 'status'] as const
/** Decides which occurrences there are. */
const TIMING = ['start', 'end', 'allDay', 'timezone', 'recurrence', 'exdates', 'rdates'] as const
/** Decides who is reminded when. */
const REMINDING = [...TIMING, 'status', 'reminders'] as const

const isAmong = (names: readonly (keyof EventFields)[], changed: readonly (keyof EventFields)[]): boolean =>
  changed.some((name) => names.includes(name))

/** When it is next to be told of. What is due and not yet told of is not passed over by a change just then. */
const reminderAfterChange = (
  row: EventRecord,
  after: EventFields,
  changed: readonly (keyof EventFields)[],
  { extra, now }: { extra: string | null; now: Date },
): string | null => {
  if (!isAmong(REMINDING, changed) && extra === row.extra) return row.nextReminderAt
  const at = now.toISOString()
  const isDue = row.nextReminderAt !== null && row.nextReminderAt <= at
  const since = isDue ? isoOf(Date.parse(row.nextReminderAt as string) - 1) : at
  return nextReminder({ ...after, alarms: alarmsOf(extra) }, since, now)
}

/**
 * Whoever takes a reminder off means every alarm of that moment, of which a file may have several; whoever wants none
 * wants no alarms either that only the file told of.
 */
export const silencedExtra = (
  extra: string | null,
  before: EventFields,
  after: EventFields,
): string | null => {
  const left = new Set(after.reminders.map(({ minutesBefore }) => minutesBefore))
  const gone = before.reminders.filter(({ minutesBefore }) => !left.has(minutesBefore)).map(alarmOfReminder)
  if (gone.length === 0) return extra
  const isOf = (alarm: Alarm | undefined): boolean => gone.some((one) => same(one, alarm))
  return withoutAlarms(extra, (alarm) => left.size === 0 || isOf(alarm))
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const same = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

export const changedFields = (before: EventFields, after: EventFields): (keyof EventFields)[] =>
  (Object.keys(after) as (keyof EventFields)[]).filter((name) => !same(before[name], after[name]))

/** What subscribers are told about an event. */
const told = (id: number, fields: EventFields) => ({
  id,
  uid: fields.uid,
  title: fields.title,
  start: fields.start,
  end: fields.end,
  allDay: fields.allDay,
  status: fields.status,
  source: fields.source,
  bookingId: fields.bookingId,
})

export type Saving = ReturnType<typeof createSaving>

/** How an event comes to be, changes and goes: its row, what is worked out from it, and word of it. */
export const createSaving = ({ changes, clock, jobs, hasEmail }: SavingDeps) => {
  /** The job for it finds whatever is due by then, and awaits the next: see reminders.ts. */
  const awaitReminder = async (tx: Db, at: string): Promise<void> => {
    await jobs.enqueue(tx, REMIND, {}, { key: at, runAt: new Date(at) })
  }

  const follow = async (tx: Db, fields: EventFields, nextReminderAt: string | null): Promise<void> => {
    if (isSeries(fields)) await jobs.enqueue(tx, EXPAND, {}, { key: EXPAND })
    if (nextReminderAt !== null) await awaitReminder(tx, nextReminderAt)
  }

  const announce = (tx: Db, what: string, id: number, data: Record<string, unknown>): Promise<void> =>
    changes.record(tx, { type: `event.${what}`, subject: String(id), data })

  /** When the e-mail goes, so does the link to it: the database sees to that (migration 0020). */
  const requireOrigin = async (
    tx: Db,
    { emailId }: Pick<EventFields, 'emailId'>,
    before: number | null = null,
  ): Promise<void> => {
    if (emailId !== null && emailId !== before && !(await hasEmail(tx, emailId)))
      throw invalidField('emailId', 'names an e-mail that is not there')
  }

  return {
    requireOrigin,

    /** Of what is about to be inserted. */
    newRow(fields: EventFields, kept: Partial<Bookkeeping> = {}) {
      const now = clock.now()
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
    },

    async created(tx: Db, id: number, row: ReturnType<typeof rowOf>, fields: EventFields): Promise<void> {
      await follow(tx, fields, row.nextReminderAt ?? null)
      await announce(tx, 'created', id, told(id, fields))
    },

    /**
     * Many at once, each named by its own uid, and in the order of these: two who bring in the same wait for each
     * other then, where in other orders each could hold what the other waits for.
     */
    async insertAll(tx: Db, given: readonly { fields: EventFields; kept: Partial<Bookkeeping> }[]) {
      const many = given.toSorted((a, b) => compare(a.fields.uid, b.fields.uid))
      for (const emailId of new Set(many.map(({ fields }) => fields.emailId)))
        await requireOrigin(tx, { emailId })
      const breathe = createBreather()
      const rows: ReturnType<typeof rowOf>[] = []
      for (const { fields, kept } of many) {
        rows.push(this.newRow(fields, kept))
        await breathe()
      }
      const made = await insertEvents(tx, rows)
      const ids = new Map(made.map(({ id, uid, recurrenceId }) => [`${recurrenceId} ${uid}`, id]))
      const announced = many.map(({ fields, kept }) => {
        const id = ids.get(`${kept.recurrenceId ?? ''} ${fields.uid}`) as number
        const { seriesId, recurrenceId: occurrenceStart } = kept
        if (!seriesId) return { type: 'event.created', subject: String(id), data: told(id, fields) }
        const type = fields.status === 'cancelled' ? 'event.cancelled' : 'event.updated'
        return { type, subject: String(seriesId), data: { ...told(seriesId, fields), occurrenceStart } }
      })
      await changes.recordAll(tx, announced)
      await countChanges(tx, [...new Set(many.flatMap(({ kept }) => kept.seriesId ?? []))])
      const reminders = rows.flatMap(({ nextReminderAt }) => nextReminderAt ?? []).sort()
      if (many.some(({ fields }) => isSeries(fields))) await jobs.enqueue(tx, EXPAND, {}, { key: EXPAND })
      if (reminders[0] !== undefined) await awaitReminder(tx, reminders[0])
      return made
    },

    async insert(tx: Db, fields: EventFields, kept: Partial<Bookkeeping> = {}): Promise<number> {
      await requireOrigin(tx, fields)
      const row = this.newRow(fields, kept)
      const id = await insertEvent(tx, row)
      await this.created(tx, id, row, fields)
      return id
    },

    /** Writes what is different, and says whether anything was. */
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
      const now = clock.now()
      const retimed = isAmong(TIMING, fields)
      const { extra = silencedExtra(row.extra, before, after) } = kept
      const next = rowOf(after, {
        seriesId: row.seriesId,
        recurrenceId: row.recurrenceId,
        createdAt: row.createdAt,
        sequence: row.sequence + (isAmong(REVISING, fields) ? 1 : 0),
        revisedAt: null,
        nextReminderAt: reminderAfterChange(row, after, fields, { extra, now }),
        ...kept,
        extra,
        updatedAt: now.toISOString(),
        version: row.version + 1,
      })
      const expanded = { expandedFrom: row.expandedFrom, expandedUntil: row.expandedUntil }
      await updateEvent(tx, row.id, retimed ? next : { ...next, ...expanded })
      if (retimed) await deleteOccurrences(tx, row.id)
      if (retimed || next.nextReminderAt !== row.nextReminderAt)
        await follow(tx, after, next.nextReminderAt ?? null)
      const id = row.seriesId ?? row.id
      const what = after.status === 'cancelled' && before.status !== 'cancelled' ? 'cancelled' : 'updated'
      const occurrence = row.seriesId === null ? {} : { occurrenceStart: row.recurrenceId }
      await announce(tx, what, id, { ...told(id, after), ...occurrence, fields })
      return true
    },

    /** Makes an occurrence of a series stand for itself. */
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
      const said = kept.extra === undefined ? series.extra : kept.extra
      const extra = namedIn(withoutMoments(silencedExtra(said, before, after)), before, occurrenceStart)
      const row = this.newRow(after, { sequence, ...kept, seriesId, recurrenceId: occurrenceStart, extra })
      await insertEvent(tx, row)
      await follow(tx, after, row.nextReminderAt ?? null)
      const what = after.status === 'cancelled' && series.status !== 'cancelled' ? 'cancelled' : 'updated'
      await announce(tx, what, series.id, { ...told(series.id, after), occurrenceStart })
    },

    /** Occurrences of these series were changed: a series counts that, and no more. */
    touch: countChanges,

    /** A changed occurrence is gone, and what the series has in its place is back. */
    async restored(tx: Db, { seriesId, recurrenceId }: EventRecord): Promise<void> {
      const series = seriesId === null ? undefined : await findEvent(tx, seriesId)
      if (!series) return
      await countChanges(tx, [series.id])
      const fields = fieldsOf(series)
      const when = { start: recurrenceId, end: isoOf(endOf(fields, Date.parse(recurrenceId))) }
      const said = { ...told(series.id, fields), ...when, occurrenceStart: recurrenceId }
      await announce(tx, 'updated', series.id, said)
    },

    /** Something is to be worked out anew. */
    async expand(tx: Db): Promise<void> {
      await jobs.enqueue(tx, EXPAND, {}, { key: EXPAND })
    },

    /** Of a series whose changed occurrences are others now: all are worked out with the rest again. */
    async expandAnew(tx: Db, seriesId: number): Promise<void> {
      const series = await findEvent(tx, seriesId)
      if (!series || series.expandedFrom === null) return
      await deleteOccurrences(tx, seriesId)
      await updateEvent(tx, seriesId, { expandedFrom: series.start, expandedUntil: series.start })
      await this.expand(tx)
    },

    removed: (tx: Db, row: EventRecord): Promise<void> =>
      announce(tx, 'cancelled', row.id, { ...told(row.id, fieldsOf(row)), deleted: true }),
  }
}
