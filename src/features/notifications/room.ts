import type { Door, Platform } from '../../platform/platform.ts'
import type { Activity } from '../auth/activity.ts'
import type { IsFamiliar } from '../auth/familiar-visits.ts'
import { notificationsPart } from './data-part.ts'
import { createDelivering } from './delivering.ts'
import { createInbox } from './inbox.ts'
import { defineNotificationJobs } from './jobs.ts'
import { createMailing } from './mailing.ts'
import { createParkedJobs } from './parked-jobs.ts'
import type { PersonalPost } from './post.ts'
import { createRescheduling } from './rescheduling.ts'
import { notificationRoutes } from './routes.ts'
import { type CountEndpoints, createNotificationSettings } from './settings.ts'
import { notificationSettingsRoutes } from './settings-routes.ts'
import { createTelling } from './telling.ts'

/** What people are told of: made with what happens, shown in the console, mailed, and told their endpoints. */
export const createNotificationsRoom = (
  { db, clock, random, changes, jobs, baseUrl }: Platform,
  needs: { activity: Activity; isFamiliar: IsFamiliar; post: PersonalPost; countEndpoints: CountEndpoints },
) => {
  const { activity, isFamiliar, post, countEndpoints } = needs
  const telling = createTelling({ clock, random, changes, jobs, post, isFamiliar })
  const delivering = createDelivering({ db, clock, random, jobs, post, telling })
  const send = createMailing({ db, clock, random, post, delivering, baseUrl })
  const tellOfParkedJobs = createParkedJobs({ db, clock, jobs, telling })
  defineNotificationJobs(jobs, { delivering, send, tellOfParkedJobs })
  const reschedule = createRescheduling({ clock, telling, delivering })
  const settings = createNotificationSettings({ db, clock, activity, post, countEndpoints, reschedule })
  const inbox = createInbox({ db, clock, telling })
  changes.accompany(telling.ofChanges)
  activity.accompany(async (tx, entry) => {
    await telling.ofActivity(tx, entry)
    // Another zone has its quiet hours and its digest at other times.
    const { action, details } = entry
    const isMoved = Array.isArray(details.fields) && details.fields.includes('timezone')
    if (action === 'preferences.changed' && isMoved) await reschedule(tx, entry.userId)
  })
  const doors: Door[] = [
    { prefix: '/api/notifications', routes: notificationRoutes(inbox) },
    { prefix: '/api/settings', routes: notificationSettingsRoutes(settings) },
  ]
  return { inbox, part: notificationsPart, doors }
}
