import { createHash } from 'node:crypto'
import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import { notFound } from '../../platform/errors.ts'
import { requireMatch } from '../../platform/http/etag.ts'
import type { Platform } from '../../platform/platform.ts'
import { type EventRecord, fieldsOf, pickFields, REMINDER_FIELDS, versionOf } from './event.ts'
import {
  findDue,
  findEvent,
  findNextReminder,
  getEvent,
  listOverrides,
  lockAny,
  lockEvent,
  readChanged,
  updateEvent,
} from './event-repository.ts'
import { requireOriginal, type Saving } from './event-writer.ts'
import { type Alarm, alarmsOf, withoutAlarms } from './ical/alarms.ts'
import { REMIND } from './job-names.ts'
import type { CalendarAccess } from './members/access.ts'
import type { OwnReminders } from './members/member-reminders.ts'
import { findDueMember } from './members/repository.ts'
import type { DueReminder } from './reminder-times.ts'
import { alarmOfReminder, MINUTE_MS, remindersAfter } from './reminder-times.ts'
import type { Alarm as ServedAlarm } from './schema.ts'
import { isoOf } from './times.ts'

/** Limit of reminders of one event per transaction. The rest follows in the next one. */
const MAX_PER_TRANSACTION = 100

/**
 * Records `event.starting` once for each reminder. Each event stores the time of its next reminder. One
 * transaction records the reminder and advances that time, so neither a restart nor a clock that is set back
 * repeats it. After a clock jump or system sleep, missed reminders of events that are not over are sent.
 */
export const createReminders = (
  deps: Pick<Platform, 'db' | 'clock' | 'changes' | 'jobs'> & {
    ownReminders: OwnReminders
  },
) => {
  const { db, clock, changes, jobs, ownReminders } = deps

  const announce = (tx: Db, userId: number, row: EventRecord, reminder: DueReminder): Promise<void> => {
    const { minutesBefore, start, end } = reminder
    // Refer to the series: a changed occurrence has no resource of its own.
    const id = row.seriesId ?? row.id
    const ofSeries = row.expandedFrom === null ? null : start
    const occurrenceStart = row.seriesId === null ? ofSeries : row.recurrenceId
    return changes.record(tx, {
      userId,
      type: 'event.starting',
      subject: String(id),
      data: {
        id,
        ...pickFields(fieldsOf(row), REMINDER_FIELDS),
        start,
        end,
        occurrenceStart,
        minutesBefore,
        calendarId: row.calendarId,
      },
    })
  }

  /** Excludes fixed-time alarms that the series also has, so that they fire once. */
  const ownAlarms = async (tx: Db, { userId, seriesId, extra }: EventRecord): Promise<Alarm[]> => {
    const alarms = alarmsOf(extra)
    if (seriesId === null || !alarms.some(({ of }) => of === 'once')) return alarms
    const series = await findEvent(tx, userId, seriesId)
    const seriesAlarms = series && series.status !== 'cancelled' ? alarmsOf(series.extra) : []
    const moments = new Set(seriesAlarms.flatMap((alarm) => (alarm.of === 'once' ? [alarm.at] : [])))
    return alarms.filter((alarm) => alarm.of !== 'once' || !moments.has(alarm.at))
  }

  const sendReminders = async (
    tx: Db,
    { userId, id }: Pick<EventRecord, 'userId' | 'id'>,
    now: Date,
  ): Promise<void> => {
    const row = await lockAny(tx, userId, id)
    // Another process has sent the reminder, or the event was changed meanwhile.
    if (!row?.nextReminderAt || row.nextReminderAt > now.toISOString()) return
    const changed = await readChanged(tx, userId, id)
    // Start just before the due reminder, so that it is included unless its event is over.
    const since = isoOf(Date.parse(row.nextReminderAt) - 1)
    let sent = 0
    let reached = ''
    let next: string | null = null
    const reminding = { ...fieldsOf(row), alarms: await ownAlarms(tx, row) }
    for (const reminder of remindersAfter(reminding, since, now, changed)) {
      next = reminder.at
      // Reminders of the same time belong in one transaction. Otherwise the first ones would be sent again
      // with the rest.
      if (next > now.toISOString() || (sent >= MAX_PER_TRANSACTION && next > reached)) break
      await announce(tx, userId, row, reminder)
      sent++
      reached = next
      next = null
    }
    await updateEvent(tx, userId, id, { nextReminderAt: next })
  }

  return {
    /** Sends all due reminders and schedules the job for the next one. */
    async sendDue(): Promise<void> {
      for (;;) {
        const now = clock.now()
        const due = await findDue(db, now.toISOString())
        if (due === undefined) break
        // Lock one event at a time to prevent deadlocks.
        await inTransaction(db, (tx) => sendReminders(tx, due, now))
      }
      for (;;) {
        const now = clock.now()
        const due = await findDueMember(db, now.toISOString())
        if (due === undefined) break
        await inTransaction(db, (tx) =>
          ownReminders.sendDue(tx, due, now, (row, reminder) => announce(tx, due.userId, row, reminder)),
        )
      }
      await inTransaction(db, async (tx) => {
        const [at] = [await findNextReminder(tx), await findNextReminder(tx, 'event_reminders')]
          .filter((next) => next !== undefined)
          .sort()
        if (at !== undefined) await jobs.enqueue(tx, REMIND, {}, { key: at, runAt: new Date(at) })
      })
    },
  }
}

/** Alarms with the same trigger have the same id. */
const idOf = (alarm: Alarm): string => {
  const trigger = alarm.of === 'once' ? { of: alarm.of, at: alarm.at } : { of: alarm.of, after: alarm.after }
  return createHash('sha256').update(JSON.stringify(trigger)).digest('hex').slice(0, 12)
}

const toAlarmView = (alarm: Alarm): ServedAlarm => ({
  id: idOf(alarm),
  ...(alarm.of === 'once'
    ? { relativeTo: null, minutesAfter: null, at: isoOf(alarm.at) }
    : { relativeTo: alarm.of, minutesAfter: alarm.after / MINUTE_MS, at: null }),
})

/** Excludes alarms that equal a reminder. */
const hiddenIn = (row: EventRecord): Alarm[] => {
  const reminders = new Set(fieldsOf(row).reminders.map((reminder) => idOf(alarmOfReminder(reminder))))
  return alarmsOf(row.extra).filter((alarm) => !reminders.has(idOf(alarm)))
}

export type Alarms = ReturnType<typeof createAlarms>

/**
 * Lists and deletes the alarms of an event from calendar files and servers, apart from its reminders. For a
 * series this includes all its occurrences.
 */
export const createAlarms = ({
  db,
  saving,
  access,
}: Pick<Platform, 'db'> & { saving: Saving; access: CalendarAccess }) => ({
  async list(userId: number, id: number): Promise<ServedAlarm[]> {
    // Alarms are those of the owner. A member has reminders of their own.
    const isOwn = (await findEvent(db, userId, id)) !== undefined
    if (!isOwn && (await access.findReadable(db, userId, id))) return []
    const rows = [await getEvent(db, userId, id), ...(await listOverrides(db, userId, id))]
    const alarms = rows.flatMap(hiddenIn).map(toAlarmView)
    return [...new Map(alarms.map((alarm) => [alarm.id, alarm])).values()]
  },

  async remove(userId: number, id: number, alarmId: string, ifMatch: string | undefined): Promise<void> {
    await inTransaction(db, async (tx) => {
      const series = await lockEvent(tx, userId, id)
      requireMatch(ifMatch, versionOf(series))
      requireOriginal(series)
      const having = [series, ...(await listOverrides(tx, userId, id))].filter((row) =>
        hiddenIn(row).some((alarm) => idOf(alarm) === alarmId),
      )
      if (having.length === 0) throw notFound('alarm')
      for (const row of having) {
        const extra = withoutAlarms(row.extra, (alarm) => alarm !== undefined && idOf(alarm) === alarmId)
        await saving.update(tx, row, fieldsOf(row), { extra })
      }
      if (!having.includes(series)) await saving.touch(tx, userId, [series.id])
    })
  },
})
