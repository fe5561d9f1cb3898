import type { Db } from '../../../database/db.ts'
import type { Platform } from '../../../platform/platform.ts'
import { type EventRecord, fieldsOf, type Reminder } from '../event.ts'
import { findEvent, listOverrides } from '../event-repository.ts'
import { REMIND } from '../job-names.ts'
import { type DueReminder, remindersAfter } from '../reminder-times.ts'
import { isoOf } from '../times.ts'
import type { CalendarAccess } from './access.ts'
import { toMemberRow } from './redaction.ts'
import {
  deleteMemberReminders,
  lockMemberReminders,
  type MemberReminders,
  saveMemberReminders,
  setNextReminder,
} from './repository.ts'

interface Planned {
  due: { row: EventRecord; reminder: DueReminder }[]
  next: string | null
}

/** Finds the reminders of an event after `since`: those that are due, and the time of the next one. */
const planReminders = async (
  tx: Db,
  series: EventRecord,
  reminders: Reminder[],
  since: string,
  now: Date,
): Promise<Planned> => {
  const overrides = await listOverrides(tx, series.userId, series.id)
  const changed = new Set(overrides.map(({ recurrenceId }) => Date.parse(recurrenceId)))
  const due: Planned['due'] = []
  let next: string | null = null
  for (const row of [series, ...overrides])
    for (const reminder of remindersAfter(
      { ...fieldsOf(row), reminders, alarms: [] },
      since,
      now,
      row === series ? changed : undefined,
    )) {
      if (reminder.at <= now.toISOString()) due.push({ row: toMemberRow(row, series), reminder })
      else {
        if (next === null || reminder.at < next) next = reminder.at
        break
      }
    }
  return { due, next }
}

export type OwnReminders = ReturnType<typeof createOwnReminders>

/** The reminders that members of a shared calendar set for themselves. */
export const createOwnReminders = (
  deps: Pick<Platform, 'clock' | 'jobs'> & {
    access: CalendarAccess
  },
) => {
  const { clock, jobs, access } = deps
  return {
    /** Replaces the reminders of a member for an event or a series. */
    async save(tx: Db, userId: number, event: EventRecord, reminders: Reminder[]): Promise<void> {
      if (reminders.length === 0) return deleteMemberReminders(tx, userId, event.id)
      const now = clock.now()
      const { next } = await planReminders(tx, event, reminders, now.toISOString(), now)
      await saveMemberReminders(tx, {
        userId,
        eventId: event.id,
        reminders: JSON.stringify(reminders),
        nextReminderAt: next,
      })
      if (next !== null) await jobs.enqueue(tx, REMIND, {}, { key: next, runAt: new Date(next) })
    },

    /** Announces the due reminders of a member for one event, and stores the time of the next one. */
    async sendDue(
      tx: Db,
      found: Pick<MemberReminders, 'userId' | 'eventId'>,
      now: Date,
      announce: (row: EventRecord, reminder: DueReminder) => Promise<void>,
    ): Promise<void> {
      const stored = await lockMemberReminders(tx, found)
      if (!stored?.nextReminderAt || stored.nextReminderAt > now.toISOString()) return
      const share = await access.findReadable(tx, stored.userId, stored.eventId)
      const event = share && (await findEvent(tx, share.ownerId, stored.eventId))
      // The event was moved to a calendar that is not shared.
      if (!event) return deleteMemberReminders(tx, stored.userId, stored.eventId)
      const since = isoOf(Date.parse(stored.nextReminderAt) - 1)
      const reminders = JSON.parse(stored.reminders) as Reminder[]
      const { due, next } = await planReminders(tx, event, reminders, since, now)
      for (const { row, reminder } of due) await announce(row, reminder)
      await setNextReminder(tx, stored, next)
    },
  }
}
