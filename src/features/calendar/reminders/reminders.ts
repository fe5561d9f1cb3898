import type { Db } from '../../../database/db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { Changes } from '../../../platform/changes.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { type EventRecord, fieldsOf, pickFields, REMINDER_FIELDS } from '../event.ts'
import { findEvent, lockAny, readChanged, updateEvent } from '../event-repository.ts'
import { type Alarm, alarmsOf } from '../ical/alarms.ts'
import { REMIND } from '../jobs.ts'
import { isoOf } from '../times.ts'
import { findDue, findNextReminder } from './repository.ts'
import { type DueReminder, remindersAfter } from './times.ts'

/** Limit of reminders of one event per transaction. The rest follows in the next one. */
const MAX_PER_TRANSACTION = 100

export type Reminders = ReturnType<typeof createReminders>

/**
 * Records `event.starting` once for each reminder. Each event stores the time of its next reminder. One
 * transaction records the reminder and advances that time, so neither a restart nor a clock that is set back
 * repeats it. After a clock jump or system sleep, missed reminders of events that are not over are sent.
 */
export const createReminders = (deps: {
  db: Db
  clock: Clock
  changes: Changes
  jobs: Pick<Jobs, 'enqueue'>
}) => {
  const { db, clock, changes, jobs } = deps

  const announce = (tx: Db, row: EventRecord, reminder: DueReminder): Promise<void> => {
    const { minutesBefore, start, end } = reminder
    // Refer to the series: a changed occurrence has no resource of its own.
    const id = row.seriesId ?? row.id
    const ofSeries = row.expandedFrom === null ? null : start
    const occurrenceStart = row.seriesId === null ? ofSeries : row.recurrenceId
    return changes.record(tx, {
      type: 'event.starting',
      subject: String(id),
      data: {
        id,
        ...pickFields(fieldsOf(row), REMINDER_FIELDS),
        start,
        end,
        occurrenceStart,
        minutesBefore,
      },
    })
  }

  /** Excludes fixed-time alarms that the series also has, so that they fire once. */
  const ownAlarms = async (tx: Db, { seriesId, extra }: EventRecord): Promise<Alarm[]> => {
    const alarms = alarmsOf(extra)
    if (seriesId === null || !alarms.some(({ of }) => of === 'once')) return alarms
    const series = await findEvent(tx, seriesId)
    const seriesAlarms = series && series.status !== 'cancelled' ? alarmsOf(series.extra) : []
    const moments = new Set(seriesAlarms.flatMap((alarm) => (alarm.of === 'once' ? [alarm.at] : [])))
    return alarms.filter((alarm) => alarm.of !== 'once' || !moments.has(alarm.at))
  }

  const sendReminders = async (tx: Db, id: number, now: Date): Promise<void> => {
    const row = await lockAny(tx, id)
    // Another process has sent the reminder, or the event was changed meanwhile.
    if (!row?.nextReminderAt || row.nextReminderAt > now.toISOString()) return
    const changed = await readChanged(tx, row.id)
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
      await announce(tx, row, reminder)
      sent++
      reached = next
      next = null
    }
    await updateEvent(tx, row.id, { nextReminderAt: next })
  }

  return {
    /** Sends all due reminders and schedules the job for the next one. */
    async tellDue(): Promise<void> {
      for (;;) {
        const now = clock.now()
        const id = await findDue(db, now.toISOString())
        if (id === undefined) break
        // Lock one event at a time to prevent deadlocks.
        await inTransaction(db, (tx) => sendReminders(tx, id, now))
      }
      await inTransaction(db, async (tx) => {
        const at = await findNextReminder(tx)
        if (at !== undefined) await jobs.enqueue(tx, REMIND, {}, { key: at, runAt: new Date(at) })
      })
    },
  }
}
