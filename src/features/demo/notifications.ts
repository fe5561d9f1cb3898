import type { InsertPastNotification } from '../notifications/dispatcher.ts'
import type { MarkedSample } from './marks.ts'
import type { Sample } from './sample.ts'

export interface NotificationServices {
  insertPastNotification: InsertPastNotification
}

const HOUR_MS = 3_600_000
const DAY_HOURS = 24

/** The sample of the calendar, tasks and mail must exist. */
const listOccurrences = async ({ tx, userId, content }: Sample) => {
  const booking = await tx
    .selectFrom('events')
    .select(['title', 'start', 'timezone'])
    .where('userId', '=', userId)
    .where('title', '=', content.events.portfolio[0])
    .executeTakeFirstOrThrow()
  const task = await tx
    .selectFrom('tasks')
    .select(['id as taskId', 'title', 'dueAt', 'dueDay'])
    .where('userId', '=', userId)
    .where('title', '=', content.tasks.offer[0])
    .executeTakeFirstOrThrow()
  const email = await tx
    .selectFrom('emails')
    .select(['id as emailId', 'subject', 'fromName as from'])
    .where('userId', '=', userId)
    .where('subject', '=', content.mails.signature.subject as string)
    .executeTakeFirstOrThrow()
  const token = { action: 'token.created', name: content.tokenName, ip: '127.0.0.1', device: null }
  return [
    { hoursAgo: 50, kind: 'security', key: 'security:sample', data: token },
    { hoursAgo: 27, kind: 'booking_made', key: 'booking_made:sample', data: { ...booking, allDay: false } },
    { hoursAgo: 20, kind: 'task_due', key: `task_due:sample:${task.taskId}`, data: task },
    // The analysis of the email must not notify again.
    { hoursAgo: 3, kind: 'mail_urgent', key: `mail_urgent:${email.emailId}`, data: email },
  ] as const
}

export const fillNotifications = async (
  sample: Sample,
  { insertPastNotification }: NotificationServices,
): Promise<void> => {
  const { tx, userId, now } = sample
  // The sample calendar may have notified of its booking, which depends on the weekday.
  await tx.deleteFrom('notifications').where('userId', '=', userId).execute()
  for (const { hoursAgo, ...occurrence } of await listOccurrences(sample)) {
    const at = new Date(now.getTime() - hoursAgo * HOUR_MS)
    const id = await insertPastNotification(tx, occurrence, { userId, at, isRead: hoursAgo > DAY_HOURS })
    await sample.mark('notification', id)
  }
}

export const removeNotifications = (sample: MarkedSample): Promise<void> =>
  sample.deleteRows('notifications', 'notification')
