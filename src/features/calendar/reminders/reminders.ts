import type { Db } from '../../../database/db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { Changes } from '../../../platform/changes.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { type EventRecord, fieldsOf } from '../event.ts'
import { findEvent, lockAny, readChanged, updateEvent } from '../event-store.ts'
import { type Alarm, alarmsOf } from '../icalendar/other-alarms.ts'
import { isoOf } from '../times.ts'
import { REMIND } from '../work.ts'
import { findDue, findNextReminder } from './store.ts'
import { type DueReminder, remindersAfter } from './times.ts'

/** Of one event in one transaction; whatever else is due comes next. */
const MOST_AT_ONCE = 100

export type Reminders = ReturnType<typeof createReminders>

/**
 * `event.starting`, once for each reminder. Each event knows when it is to be told of next; telling it and moving on
 * is one transaction, so that neither a restart nor a clock that was turned back tells it twice. A clock that was
 * turned on, or a night that the machine slept through, is caught up with for whatever is not over yet.
 */
export const createReminders = (deps: {
  db: Db
  clock: Clock
  changes: Changes
  jobs: Pick<Jobs, 'enqueue'>
}) => {
  const { db, clock, changes, jobs } = deps

  const announce = (tx: Db, row: EventRecord, reminder: DueReminder): Promise<void> => {
    const { uid, title, location, meetingUrl, timezone, allDay } = fieldsOf(row)
    const { minutesBefore, start, end } = reminder
    // Whoever hears of it asks for the series: a changed occurrence has no address of its own.
    const id = row.seriesId ?? row.id
    const ofSeries = row.expandedFrom === null ? null : start
    const occurrenceStart = row.seriesId === null ? ofSeries : row.recurrenceId
    const when = { start, end, allDay, timezone, occurrenceStart, minutesBefore }
    return changes.record(tx, {
      type: 'event.starting',
      subject: String(id),
      data: { id, uid, title, location, meetingUrl, ...when },
    })
  }

  /** A moment that the series has as well is told by it. */
  const ownAlarms = async (tx: Db, { seriesId, extra }: EventRecord): Promise<Alarm[]> => {
    const alarms = alarmsOf(extra)
    if (seriesId === null || !alarms.some(({ of }) => of === 'once')) return alarms
    const series = await findEvent(tx, seriesId)
    const told = series && series.status !== 'cancelled' ? alarmsOf(series.extra) : []
    const moments = new Set(told.flatMap((alarm) => (alarm.of === 'once' ? [alarm.at] : [])))
    return alarms.filter((alarm) => alarm.of !== 'once' || !moments.has(alarm.at))
  }

  const tell = async (tx: Db, id: number, now: Date): Promise<void> => {
    const row = await lockAny(tx, id)
    // Whoever came first has told it, or it was changed in the meantime.
    if (!row?.nextReminderAt || row.nextReminderAt > now.toISOString()) return
    const changed = await readChanged(tx, row.id)
    // From just before the one that is due: it is among them unless its event is over.
    const since = isoOf(Date.parse(row.nextReminderAt) - 1)
    let told = 0
    let reached = ''
    let next: string | null = null
    const reminding = { ...fieldsOf(row), alarms: await ownAlarms(tx, row) }
    for (const reminder of remindersAfter(reminding, since, now, changed)) {
      next = reminder.at
      // Those of one moment are told together, or the first of them would be told again with the rest.
      if (next > now.toISOString() || (told >= MOST_AT_ONCE && next > reached)) break
      await announce(tx, row, reminder)
      told++
      reached = next
      next = null
    }
    await updateEvent(tx, row.id, { nextReminderAt: next })
  }

  return {
    /** Tells of everything that is due, and sees to it that the next is told of in time. */
    async tellDue(): Promise<void> {
      for (;;) {
        const now = clock.now()
        const id = await findDue(db, now.toISOString())
        if (id === undefined) break
        // One event at a time: who holds two rows may wait for someone who waits for one of them.
        await inTransaction(db, (tx) => tell(tx, id, now))
      }
      await inTransaction(db, async (tx) => {
        const at = await findNextReminder(tx)
        if (at !== undefined) await jobs.enqueue(tx, REMIND, {}, { key: at, runAt: new Date(at) })
      })
    },
  }
}
