import { createHash } from 'node:crypto'
import type { Db } from '../../../database/db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { notFound } from '../../../platform/errors.ts'
import { requireMatch } from '../../../platform/http/etag.ts'
import { type EventRecord, fieldsOf, versionOf } from '../event.ts'
import { getEvent, listOverrides, lockEvent } from '../event-repository.ts'
import type { Saving } from '../event-writer.ts'
import { alarmsOf, type Alarm as ReadAlarm, withoutAlarms } from '../ical/alarms.ts'
import { alarmOfReminder } from '../reminders/times.ts'
import { isoOf } from '../times.ts'
import type { Alarm } from './schema.ts'

const MINUTE_MS = 60_000

/** Alarms with the same trigger have the same id. */
const idOf = (alarm: ReadAlarm): string =>
  createHash('sha256').update(JSON.stringify(alarm)).digest('hex').slice(0, 12)

const toAlarmView = (alarm: ReadAlarm): Alarm => ({
  id: idOf(alarm),
  ...(alarm.of === 'once'
    ? { relativeTo: null, minutesAfter: null, at: isoOf(alarm.at) }
    : { relativeTo: alarm.of, minutesAfter: alarm.after / MINUTE_MS, at: null }),
})

/** Excludes alarms that equal a reminder. */
const hiddenIn = (row: EventRecord): ReadAlarm[] => {
  const reminders = new Set(fieldsOf(row).reminders.map((reminder) => idOf(alarmOfReminder(reminder))))
  return alarmsOf(row.extra).filter((alarm) => !reminders.has(idOf(alarm)))
}

export type Alarms = ReturnType<typeof createAlarms>

/**
 * Lists and deletes the alarms of an event from calendar files and servers, apart from its reminders. For a
 * series this includes all its occurrences.
 */
export const createAlarms = ({ db, saving }: { db: Db; saving: Saving }) => ({
  async list(id: number): Promise<Alarm[]> {
    const rows = [await getEvent(db, id), ...(await listOverrides(db, id))]
    const alarms = rows.flatMap(hiddenIn).map(toAlarmView)
    return [...new Map(alarms.map((alarm) => [alarm.id, alarm])).values()]
  },

  async remove(id: number, alarmId: string, ifMatch: string | undefined): Promise<void> {
    await inTransaction(db, async (tx) => {
      const series = await lockEvent(tx, id)
      requireMatch(ifMatch, versionOf(series))
      const having = [series, ...(await listOverrides(tx, id))].filter((row) =>
        hiddenIn(row).some((alarm) => idOf(alarm) === alarmId),
      )
      if (having.length === 0) throw notFound('alarm')
      for (const row of having) {
        const extra = withoutAlarms(row.extra, (alarm) => alarm !== undefined && idOf(alarm) === alarmId)
        await saving.update(tx, row, fieldsOf(row), { extra })
      }
      if (!having.includes(series)) await saving.touch(tx, [series.id])
    })
  },
})
