// Texts of the notification settings.
import type { Kind } from '../../api/notifications.ts'

export const about = 'Choose what you are notified about'
export const emailsFromTo = ({ from, to }: { from: string; to: string }) => `Emails go from ${from} to ${to}.`
export const emailsToYou = 'Emails go to your sign-in address.'
export const saved = 'Notification settings saved'
export const quietHoursSaved = 'Quiet hours saved'
export const digestSaved = 'Digest saved'

export const type = 'Type'
export const channels = { console: 'Console', email: 'Email', webhook: 'Webhook' }
export const inConsole = (label: string) => `${label}: in the console`
export const byEmail = (label: string) => `${label}: by email`
export const byWebhook = (label: string) => `${label}: by webhook`
export const emailTimes = { off: 'Off', now: 'Immediately', digest: 'In digest' }
export const savedTypesDiffer = 'The saved choices are different.'

export const kindGroups = {
  day: 'Today',
  mail: 'Mail',
  calendar: 'Calendar',
  bookings: 'Bookings',
  stream: 'Stream',
  service: 'Accounts and automation',
  account: 'Security',
}
export const kinds = {
  event_starting: 'Event starts soon',
  task_due: 'Task due',
  task_commented: 'Comment on a task',
  commitment_due: 'Promise due',
  action_waiting: 'Assistant needs your confirmation',
  mail_urgent: 'Urgent email',
  mail_due: 'Snooze ended, or no answer',
  mail_received: 'New email',
  mail_conflict: 'Email not moved on the server',
  share_offered: 'Calendar or task list shared with you',
  invitation_updated: 'Invitation changed or cancelled',
  invitation_answered: 'Reply to your invitation',
  calendar_conflict: 'Calendar server replaced your changes',
  booking_made: 'New booking',
  booking_changed: 'Booking rescheduled',
  booking_cancelled: 'Booking cancelled',
  milestone_reached: 'Goal reached',
  mail_account_failing: 'Email account not reachable',
  calendar_account_failing: 'Calendar account not reachable',
  webhook_disabled: 'Webhook turned off',
  job_parked: 'Background job failed',
  backup_failed: 'Backup failed',
  budget_reached: 'Budget reached',
  sign_in: 'Sign-in from a new device',
  security: 'Password, tokens and two-factor changes',
} satisfies Record<Kind, string>

export const noSender =
  'You have no email account to send with, so notifications appear in the console only. <link>Add an email account</link>'
export const noWebhook = 'No webhook receives notifications. <link>Choose a webhook</link>'

export const quietHours = 'Quiet hours'
export const quietHoursAbout = 'Emails and webhooks wait until quiet hours end'
export const quietHoursZone = (city: string) => `Time zone: ${city}`
export const enableQuietHours = 'Turn on quiet hours every day'
export const from = 'From'
export const until = 'Until'
export const alwaysSecurity = 'Always notify me about account security'
export const savedQuietHoursAre = ({ start, end }: { start: string; end: string }) =>
  `The saved quiet hours are ${start} to ${end}.`

export const digest = 'Digest'
export const digestAbout = 'One email with collected notifications'
export const frequency = 'Frequency'
export const frequencies = { off: 'Off (send immediately)', daily: 'Daily', weekly: 'Weekly' }
export const weekday = 'Day'
export const time = 'Time'
export const savedDigestIs = ({ frequency: often, time: at }: { frequency: string; time: string }) =>
  `The saved digest is: ${often}, ${at}.`
