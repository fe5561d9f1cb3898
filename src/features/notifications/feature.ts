import type { FeatureRoutes, Platform } from '../../platform/platform.ts'
import type { Activity } from '../auth/activity.ts'
import type { IsFamiliar } from '../auth/credentials.ts'
import { notificationsPart } from './data-part.ts'
import { createDeliveryRunner, createRescheduling } from './delivery.ts'
import { createDispatcher, insertPastNotification } from './dispatcher.ts'
import { createInbox } from './inbox.ts'
import { createParkedJobs, defineNotificationJobs } from './jobs.ts'
import { createMailSender } from './mail-delivery.ts'
import type { NotificationsOfCalendar, PersonalPost } from './ports.ts'
import { notificationRoutes, notificationSettingsRoutes } from './routes.ts'
import { type CountEndpoints, createNotificationSettings } from './settings.ts'

/**
 * Notifications: created with the change that causes them, then shown in the console, mailed and sent to
 * webhooks.
 */
export const createNotificationsFeature = (
  { db, clock, random, changes, jobs, baseUrl }: Platform,
  needs: {
    activity: Activity
    isFamiliar: IsFamiliar
    post: PersonalPost
    countEndpoints: CountEndpoints
    notificationsOf: NotificationsOfCalendar
  },
) => {
  const { activity, isFamiliar, post, countEndpoints, notificationsOf } = needs
  const dispatcher = createDispatcher({ clock, random, changes, jobs, post, isFamiliar, notificationsOf })
  const deliveryRunner = createDeliveryRunner({ db, clock, random, jobs, post, dispatcher })
  const send = createMailSender({ db, clock, random, post, deliveryRunner, baseUrl })
  const notifyOfParkedJobs = createParkedJobs({ db, clock, jobs, dispatcher })
  defineNotificationJobs(jobs, { deliveryRunner, send, notifyOfParkedJobs })
  const reschedule = createRescheduling({ clock, dispatcher, deliveryRunner })
  const settings = createNotificationSettings({ db, clock, activity, post, countEndpoints, reschedule })
  const inbox = createInbox({ db, clock, dispatcher })
  changes.accompany(dispatcher.onChanges)
  activity.accompany(async (tx, entry) => {
    await dispatcher.onActivity(tx, entry)
    // A new time zone moves the quiet hours and the digest.
    const { action, details } = entry
    const isMoved = Array.isArray(details.fields) && details.fields.includes('timezone')
    if (action === 'preferences.changed' && isMoved) await reschedule(tx, entry.userId)
  })
  const routes: FeatureRoutes[] = [
    { prefix: '/api/notifications', plugin: notificationRoutes(inbox) },
    { prefix: '/api/settings', plugin: notificationSettingsRoutes(settings) },
  ]
  return { inbox, insertPastNotification, part: notificationsPart, routes }
}
