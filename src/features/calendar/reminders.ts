import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Changes } from '../../platform/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { fieldsOf } from './event.ts'
import { lockAny, readOverridden, updateEvent } from './event-store.ts'
import { findNextReminder, listDue } from './reminder-store.ts'
import { remindersAfter } from './reminder-times.ts'
import { isoOf } from './times.ts'
import { REMIND } from './work.ts'

const AT_ONCE = 50

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

  const tell = async (tx: Db, id: number, now: Date): Promise<void> => {
    const row = await lockAny(tx, id)
    // Whoever came first has told it, or it was changed in the meantime.
    if (!row?.nextReminderAt || row.nextReminderAt > now.toISOString()) return
    const fields = fieldsOf(row)
    const reached = row.nextReminderAt
    const skipped = (await readOverridden(tx, [row.id])).get(row.id)
    // From just before the one that is due: it is among them unless its event is over.
    const upcoming = remindersAfter(fields, isoOf(Date.parse(reached) - 1), now, skipped)
    const shownId = row.seriesId ?? row.id
    for (const reminder of upcoming.filter(({ at }) => at <= now.toISOString())) {
      const { minutesBefore, start, end } = reminder
      const occurrenceStart =
        row.seriesId !== null ? row.recurrenceId : row.expandedFrom === null ? null : start
      const { uid, title, location, meetingUrl, timezone, allDay } = fields
      await changes.record(tx, {
        type: 'event.starting',
        subject: String(shownId),
        data: {
          id,
          uid,
          title,
          location,
          meetingUrl,
          start,
          end,
          allDay,
          timezone,
          occurrenceStart,
          minutesBefore,
        },
      })
    }
    const later = upcoming.filter(({ at }) => at > now.toISOString())
    const nextReminderAt =
      later[0]?.at ?? remindersAfter(fields, now.toISOString(), now, skipped)[0]?.at ?? null
    await updateEvent(tx, row.id, { nextReminderAt })
  }

  return {
    /** Tells of everything that is due, and sees to it that the next is told of in time. */
    async tellDue(): Promise<void> {
      for (;;) {
        const done = await inTransaction(db, async (tx) => {
          const now = clock.now()
          const rows = await listDue(tx, now.toISOString(), AT_ONCE)
          for (const { id } of rows) await tell(tx, id, now)
          return rows.length < AT_ONCE
        })
        if (done) break
      }
      await inTransaction(db, async (tx) => {
        const at = await findNextReminder(tx)
        if (at !== undefined) await jobs.enqueue(tx, REMIND, {}, { key: at, runAt: new Date(at) })
      })
    },
  }
}
