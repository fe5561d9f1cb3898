import type { Db } from '../../database/db.ts'
import { spanClassOf } from '../../database/overlaps.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Change, ChangeData } from '../../platform/changes.ts'
import { conflict, invalidField } from '../../platform/errors.ts'
import { isSameJson } from '../../platform/fingerprint.ts'
import type { Platform } from '../../platform/platform.ts'
import { createYielder } from '../../platform/yield.ts'
import { occurrencesBetween } from '../../recurrence/series.ts'
import { ensureDefaultId } from './calendars/repository.ts'
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
  deleteEvent,
  deleteEvents,
  deleteOccurrences,
  findEvent,
  findUnexpanded,
  insertEvent,
  insertEvents,
  insertOccurrences,
  listByIds,
  listInAccount,
  listOfCalendar,
  lockAny,
  moveOverrides,
  readChanged,
  updateEvent,
} from './event-repository.ts'
import { type Alarm, alarmsOf, withoutAlarms, withoutMoments } from './ical/alarms.ts'
import { namedIn } from './ical/event-times.ts'
import { EXPAND, REMIND } from './job-names.ts'
import { isPrivateEvent, isPrivateRow } from './members/redaction.ts'
import { renewMemberReminders } from './members/repository.ts'
import { alarmOfReminder, nextReminder } from './reminder-times.ts'
import { endOf, isSeries, longestOf, seriesOf } from './series.ts'
import { EVER, isoOf, NEVER } from './times.ts'

export interface SavingDeps extends Pick<Platform, 'changes' | 'clock' | 'jobs'> {
  /** Returns whether the account has an email, and locks it until the transaction ends. */
  hasEmail: (tx: Db, userId: number, id: number) => Promise<boolean>
  /** The name of the member who makes the changes. Without it, the owner of the calendar makes them. */
  changedBy?: string | undefined
  /** Mirrored events follow their originals. Only the code that keeps them equal may change them. */
  writesMirrored?: boolean
}

/** The columns of a new event that the caller decides. */
type NewBookkeeping = Partial<Bookkeeping> & Pick<Bookkeeping, 'calendarId'>

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
  const isOf = (alarm: Alarm | undefined): boolean => gone.some((one) => isSameJson(one, alarm))
  return withoutAlarms(extra, (alarm) => left.size === 0 || isOf(alarm))
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export const changedFields = (before: EventFields, after: EventFields): EventField[] =>
  (Object.keys(after) as EventField[]).filter((name) => !isSameJson(before[name], after[name]))

type EventChangeName = 'event.created' | 'event.updated' | 'event.cancelled'

/** The data of change events that subscribers receive. `series` is that of a changed occurrence. */
const changeData = (
  id: number,
  fields: EventFields,
  {
    calendarId,
    changedBy = null,
    mirrorOf = null,
    extra = null,
  }: Pick<Bookkeeping, 'calendarId'> & Partial<Pick<Bookkeeping, 'changedBy' | 'mirrorOf' | 'extra'>>,
  series?: EventRecord,
): ChangeData<EventChangeName> => ({
  id,
  ...pickFields(fields, CHANGE_FIELDS),
  calendarId,
  changedBy,
  ...(mirrorOf !== null && { mirrorOf }),
  ...((isPrivateEvent(fields.tags, extra) || (series && isPrivateRow(series))) && { private: true as const }),
})

const newRow = (userId: number, fields: EventFields, kept: NewBookkeeping, now: Date) => {
  const at = now.toISOString()
  return rowOf(fields, {
    userId,
    seriesId: null,
    recurrenceId: '',
    sequence: 0,
    extra: null,
    revisedAt: null,
    changedBy: null,
    mirrorOf: null,
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
    userId: row.userId,
    calendarId: row.calendarId,
    changedBy: null,
    mirrorOf: row.mirrorOf,
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

/** The number of events of a calendar that are moved or deleted at once. */
const CALENDAR_BATCH = 500

interface NewEventData {
  fields: EventFields
  kept: Partial<Bookkeeping>
}

/** A changed occurrence is a change of its series. */
const insertionChange = (
  userId: number,
  id: number,
  { fields, kept }: { fields: EventFields; kept: NewBookkeeping },
  series: EventRecord | undefined,
): Change<EventChangeName> => {
  const { seriesId, recurrenceId: occurrenceStart } = kept
  if (!seriesId)
    return { userId, type: 'event.created', subject: String(id), data: changeData(id, fields, kept) }
  const type = fields.status === 'cancelled' ? 'event.cancelled' : 'event.updated'
  return {
    userId,
    type,
    subject: String(seriesId),
    data: {
      ...changeData(seriesId, fields, kept, series),
      ...(occurrenceStart !== undefined && { occurrenceStart }),
    },
  }
}

/** Rejects a change of an event that is only shown in its calendar. */
export const requireOriginal = ({ mirrorOf }: Pick<EventRecord, 'mirrorOf'>): void => {
  if (mirrorOf !== null)
    throw conflict(
      'This event is shown from another calendar, so it is read-only. Change the original event.',
    )
}

export type Saving = ReturnType<typeof createSaving>

/** Creates, updates and removes events. Also schedules expansion and reminders, and records changes. */
export const createSaving = ({
  changes,
  clock,
  jobs,
  hasEmail,
  changedBy,
  writesMirrored = false,
}: SavingDeps) => {
  const by = changedBy === undefined ? {} : { changedBy }

  const requireOwn = (row: EventRecord): void => {
    if (!writesMirrored) requireOriginal(row)
  }

  /** The reminder job sends all reminders due by then and schedules the next one; see reminders.ts. */
  const scheduleJobs = async (tx: Db, hasSeries: boolean, at: string | null): Promise<void> => {
    if (hasSeries) await jobs.enqueue(tx, EXPAND, {}, { key: EXPAND })
    if (at !== null) await jobs.enqueue(tx, REMIND, {}, { key: at, runAt: new Date(at) })
  }

  const recordChange = (
    tx: Db,
    userId: number,
    type: EventChangeName,
    data: ChangeData<EventChangeName>,
    movedFrom?: number,
  ): Promise<void> => changes.record(tx, { userId, type, subject: String(data.id), data, movedFrom })

  /** The job calculates the reminders of members again. */
  const renewReminders = async (tx: Db, eventId: number): Promise<void> => {
    const now = clock.now()
    if (await renewMemberReminders(tx, eventId, now.toISOString()))
      await scheduleJobs(tx, false, now.toISOString())
  }

  /** A trigger removes the link when the email is deleted (migrations/baseline/links.ts). */
  const requireOrigin = async (
    tx: Db,
    userId: number,
    { emailId }: Pick<EventFields, 'emailId'>,
    before: number | null = null,
  ): Promise<void> => {
    if (emailId !== null && emailId !== before && !(await hasEmail(tx, userId, emailId)))
      throw invalidField('emailId', 'names an email that does not exist')
  }

  /** Deletes events with their changed occurrences. */
  const deleteRows = async (tx: Db, rows: readonly EventRecord[]): Promise<void> => {
    const [first] = rows
    if (!first) return
    await deleteEvents(
      tx,
      first.userId,
      rows.map(({ id }) => id),
    )
    await changes.recordAll(
      tx,
      rows
        .filter(({ seriesId }) => seriesId === null)
        .map((row) => ({
          userId: row.userId,
          type: 'event.cancelled',
          subject: String(row.id),
          data: { ...changeData(row.id, fieldsOf(row), row), deleted: true },
        })),
    )
  }

  /** Mirrored events are deleted instead: only their calendar shows them. */
  const moveRows = async (tx: Db, given: readonly EventRecord[], calendarId: number): Promise<void> => {
    await deleteRows(
      tx,
      given.filter(({ mirrorOf }) => mirrorOf !== null),
    )
    const rows = given.filter(({ mirrorOf }) => mirrorOf === null)
    const [first] = rows
    if (!first) return
    const updatedAt = clock.now().toISOString()
    const ids = rows.map(({ id }) => id)
    await countChanges(tx, first.userId, ids, { calendarId, updatedAt, changedBy: null })
    await changes.recordAll(
      tx,
      rows
        .filter(({ seriesId }) => seriesId === null)
        .map((row) => ({
          userId: row.userId,
          type: 'event.updated',
          subject: String(row.id),
          data: {
            ...changeData(row.id, fieldsOf(row), { calendarId, extra: row.extra }),
            fields: ['calendarId'],
          },
          movedFrom: row.calendarId,
        })),
    )
  }

  const recordRestored = async (
    tx: Db,
    { userId, recurrenceId }: EventRecord,
    seriesId: number,
  ): Promise<void> => {
    const series = await findEvent(tx, userId, seriesId)
    if (!series) return
    await countChanges(tx, userId, [series.id])
    await renewReminders(tx, series.id)
    const fields = fieldsOf(series)
    const when = { start: recurrenceId, end: isoOf(endOf(fields, Date.parse(recurrenceId))) }
    const data = { ...changeData(series.id, fields, series), ...when, occurrenceStart: recurrenceId }
    await recordChange(tx, userId, 'event.updated', data)
  }

  return {
    requireOrigin,

    hasEmail,

    /** Builds the row of an event that is about to be inserted. */
    newRow: (userId: number, fields: EventFields, kept: NewBookkeeping) =>
      newRow(userId, fields, { ...by, ...kept }, clock.now()),

    async created(tx: Db, id: number, row: ReturnType<typeof rowOf>, fields: EventFields): Promise<void> {
      await scheduleJobs(tx, isSeries(fields), row.nextReminderAt ?? null)
      await recordChange(tx, row.userId, 'event.created', changeData(id, fields, row))
    },

    /**
     * Inserts many events in the order of their UIDs. The fixed order prevents deadlocks between two imports
     * of the same events.
     */
    async insertAll(tx: Db, userId: number, given: readonly NewEventData[]) {
      const unplaced = given.filter(({ kept }) => kept.calendarId === undefined)
      const calendarId =
        unplaced.length === 0 ? 0 : await ensureDefaultId(tx, userId, clock.now().toISOString())
      const seriesIds = [...new Set(given.flatMap(({ kept }) => kept.seriesId ?? []))]
      const series = new Map((await listByIds(tx, userId, seriesIds)).map((row) => [row.id, row]))
      // A restored occurrence is in the calendar of its series.
      const calendarOf = ({ calendarId: given, seriesId }: Partial<Bookkeeping>): number =>
        given ?? series.get(seriesId ?? 0)?.calendarId ?? calendarId
      const many = given
        .map(({ fields, kept }) => ({ fields, kept: { ...kept, calendarId: calendarOf(kept) } }))
        .sort((a, b) => compare(a.fields.uid, b.fields.uid))
      for (const emailId of new Set(many.map(({ fields }) => fields.emailId)))
        await requireOrigin(tx, userId, { emailId })
      const yieldIfNeeded = createYielder()
      const rows: ReturnType<typeof rowOf>[] = []
      for (const { fields, kept } of many) {
        rows.push(this.newRow(userId, fields, kept))
        await yieldIfNeeded()
      }
      const made = await insertEvents(tx, rows)
      const ids = new Map(made.map(({ id, uid, recurrenceId }) => [`${recurrenceId} ${uid}`, id]))
      const records = many.map((one) =>
        insertionChange(
          userId,
          ids.get(`${one.kept.recurrenceId ?? ''} ${one.fields.uid}`) as number,
          one,
          series.get(one.kept.seriesId ?? 0),
        ),
      )
      await changes.recordAll(tx, records)
      await countChanges(tx, userId, seriesIds)
      const reminders = rows.flatMap(({ nextReminderAt }) => nextReminderAt ?? []).sort()
      const hasSeries = many.some(({ fields }) => isSeries(fields))
      await scheduleJobs(tx, hasSeries, reminders[0] ?? null)
      return made
    },

    async insert(
      tx: Db,
      userId: number,
      fields: EventFields,
      kept: Partial<Bookkeeping> = {},
    ): Promise<number> {
      await requireOrigin(tx, userId, fields)
      const calendarId = kept.calendarId ?? (await ensureDefaultId(tx, userId, clock.now().toISOString()))
      const row = this.newRow(userId, fields, { ...kept, calendarId })
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
      requireOwn(row)
      const before = fieldsOf(row)
      const fields = changedFields(before, after)
      const { calendarId = row.calendarId, ...others } = kept
      const isMoved = calendarId !== row.calendarId
      if (fields.length === 0 && !isMoved && Object.keys(others).length === 0) return false
      await requireOrigin(tx, row.userId, after, before.emailId)
      const isRetimed = includesAny(TIMING_FIELDS, fields)
      const next = changedRow(row, { before, after, fields }, { ...by, ...kept, calendarId }, clock.now())
      const expanded = { expandedFrom: row.expandedFrom, expandedUntil: row.expandedUntil }
      await updateEvent(tx, row.userId, row.id, isRetimed ? next : { ...next, ...expanded })
      if (isMoved && row.seriesId === null) await moveOverrides(tx, row.userId, row.id, calendarId)
      if (isRetimed) await deleteOccurrences(tx, row.userId, row.id)
      if (isRetimed || next.nextReminderAt !== row.nextReminderAt)
        await scheduleJobs(tx, isSeries(after), next.nextReminderAt ?? null)
      const id = row.seriesId ?? row.id
      const type =
        after.status === 'cancelled' && before.status !== 'cancelled' ? 'event.cancelled' : 'event.updated'
      const occurrence = row.seriesId === null ? {} : { occurrenceStart: row.recurrenceId }
      if (includesAny(REMINDER_FIELDS, fields)) await renewReminders(tx, id)
      const series = row.seriesId === null ? undefined : await findEvent(tx, row.userId, row.seriesId)
      const data = {
        ...changeData(id, after, next, series),
        ...occurrence,
        fields: isMoved ? [...fields, 'calendarId'] : fields,
      }
      await recordChange(tx, row.userId, type, data, isMoved ? row.calendarId : undefined)
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
      requireOwn(series)
      const { id: seriesId, userId, sequence, calendarId } = series
      await requireOrigin(tx, userId, after, series.emailId)
      const before = fieldsOf(series)
      const sourceExtra = kept.extra === undefined ? series.extra : kept.extra
      const extra = namedIn(
        withoutMoments(silencedExtra(sourceExtra, before, after)),
        before,
        occurrenceStart,
      )
      const row = this.newRow(userId, after, {
        sequence,
        ...kept,
        calendarId,
        seriesId,
        recurrenceId: occurrenceStart,
        extra,
      })
      await insertEvent(tx, row)
      await scheduleJobs(tx, isSeries(after), row.nextReminderAt ?? null)
      await renewReminders(tx, seriesId)
      const type =
        after.status === 'cancelled' && series.status !== 'cancelled' ? 'event.cancelled' : 'event.updated'
      await recordChange(tx, userId, type, {
        ...changeData(series.id, after, row, series),
        occurrenceStart,
      })
    },

    /** Increments the version of series whose occurrences were changed. */
    touch: countChanges,

    /** Expands a series from the start again, after its changed occurrences have changed. */
    async expandAnew(tx: Db, userId: number, seriesId: number): Promise<void> {
      const series = await findEvent(tx, userId, seriesId)
      if (!series || series.expandedFrom === null) return
      await deleteOccurrences(tx, userId, seriesId)
      await updateEvent(tx, userId, seriesId, { expandedFrom: series.start, expandedUntil: series.start })
      await scheduleJobs(tx, true, null)
    },

    /** Deletes an event or a series. After a changed occurrence, the original one is back. */
    async remove(tx: Db, row: EventRecord): Promise<void> {
      requireOwn(row)
      await deleteEvent(tx, row.userId, row.id)
      if (row.seriesId !== null) return recordRestored(tx, row, row.seriesId)
      await recordChange(tx, row.userId, 'event.cancelled', {
        ...changeData(row.id, fieldsOf(row), { ...row, changedBy: null, ...by }),
        deleted: true,
      })
    },

    /** Moves all events of a calendar to another one. */
    async moveAll(tx: Db, userId: number, from: number, to: number): Promise<void> {
      for (;;) {
        const rows = await listOfCalendar(tx, userId, from, undefined, CALENDAR_BATCH)
        if (rows.length === 0) return
        await moveRows(tx, rows, to)
      }
    },

    /** Makes the given events local that are in a calendar of an account which is being removed. */
    async releaseAll(
      tx: Db,
      userId: number,
      accountId: string,
      uids: readonly string[],
      to: number,
    ): Promise<void> {
      await moveRows(tx, await listInAccount(tx, userId, accountId, uids), to)
    },

    /** Deletes all events of a calendar. */
    async removeAll(tx: Db, userId: number, calendarId: number): Promise<void> {
      for (;;) {
        const rows = await listOfCalendar(tx, userId, calendarId, undefined, CALENDAR_BATCH)
        if (rows.length === 0) return
        await deleteRows(tx, rows)
      }
    },
  }
}

/** The range before and after now for which occurrences are stored. */
const RANGE_MS = 400 * 86_400_000

/** A series is expanded again when less than this is stored ahead of now. */
const MIN_AHEAD_MS = 370 * 86_400_000

/** A series with more occurrences in that range is expanded with each query instead. */
const MAX_STORED = 1000

/** Stores the occurrences of series in advance. Windows are correct without this, but slower. */
export const createExpansion = ({ db, clock }: Pick<Platform, 'db' | 'clock'>) => {
  const expand = ({ userId, id }: Pick<EventRecord, 'userId' | 'id'>): Promise<void> =>
    inTransaction(db, async (tx) => {
      const row = await lockAny(tx, userId, id)
      if (!row || row.expandedFrom === null) return
      const fields = fieldsOf(row)
      const series = seriesOf(fields)
      const now = clock.now().getTime()
      const changed = await readChanged(tx, userId, id)
      const rowsBetween = (from: number, until: number) =>
        occurrencesBetween(series, from, until)
          .filter((start) => !changed.has(start))
          .map((startMs) => {
            const [start, end] = [isoOf(startMs), isoOf(endOf(fields, startMs))]
            return { userId, seriesId: id, start, end, spanClass: spanClassOf(start, end) }
          })
          .take(MAX_STORED + 1)
          .toArray()

      await deleteOccurrences(tx, userId, id)
      const whole =
        row.lastEnd === NEVER
          ? undefined
          : rowsBetween(Math.min(series.start, ...series.added), Date.parse(NEVER))
      if (whole !== undefined && whole.length <= MAX_STORED) {
        await insertOccurrences(tx, whole)
        return updateEvent(tx, userId, id, FULLY_EXPANDED)
      }
      const [from, until] = [now - RANGE_MS, now + RANGE_MS]
      const rows = rowsBetween(from - longestOf(fields), until)
      if (rows.length > MAX_STORED) return updateEvent(tx, userId, id, NOT_EXPANDABLE)
      await insertOccurrences(
        tx,
        rows.filter(({ end }) => Date.parse(end) > from),
      )
      await updateEvent(tx, userId, id, { expandedFrom: isoOf(from), expandedUntil: isoOf(until) })
    })

  return {
    /** Expands one series that needs it. Returns false if none does. */
    async expandNext(): Promise<boolean> {
      const before = isoOf(clock.now().getTime() + MIN_AHEAD_MS)
      const due = await findUnexpanded(db, { after: EVER, before })
      if (due) await expand(due)
      return due !== undefined
    },
  }
}
