import { type AccountsTables, accountsKeys } from './tables/accounts.ts'
import { type ActionsTables, actionsKeys } from './tables/actions.ts'
import { type AiTables, aiKeys } from './tables/ai.ts'
import { type BillingTables, billingKeys } from './tables/billing.ts'
import { type BookingsTables, bookingsKeys } from './tables/bookings.ts'
import { type CalendarTables, calendarKeys } from './tables/calendar.ts'
import { type CalendarAccountTables, calendarAccountKeys } from './tables/calendar-accounts.ts'
import { type FrameTables, frameKeys } from './tables/frame.ts'
import { type JobsTables, jobsKeys } from './tables/jobs.ts'
import type { TableKeys } from './tables/keys.ts'
import { type MailTables, mailKeys } from './tables/mail.ts'
import { type MailAccountsTables, mailAccountsKeys } from './tables/mail-accounts.ts'
import { type NotificationsTables, notificationsKeys } from './tables/notifications.ts'
import { type StreamTables, streamKeys } from './tables/stream.ts'
import { type TasksTables, tasksKeys } from './tables/tasks.ts'
import { type WebhooksTables, webhooksKeys } from './tables/webhooks.ts'

/*
 * The rows as both engines hold them: integers and text, 0/1 for yes and no, JSON as text, instants as canonical
 * UTC text with milliseconds (see platform/time.ts), secrets sealed (platform/secrets) or hashed.
 */

export interface Tables
  extends AccountsTables,
    FrameTables,
    JobsTables,
    CalendarTables,
    CalendarAccountTables,
    TasksTables,
    ActionsTables,
    MailTables,
    MailAccountsTables,
    AiTables,
    WebhooksTables,
    BookingsTables,
    BillingTables,
    StreamTables,
    NotificationsTables {}

export const tableKeys: TableKeys<Tables> = {
  ...accountsKeys,
  ...frameKeys,
  ...jobsKeys,
  ...calendarKeys,
  ...calendarAccountKeys,
  ...tasksKeys,
  ...actionsKeys,
  ...mailKeys,
  ...mailAccountsKeys,
  ...aiKeys,
  ...webhooksKeys,
  ...bookingsKeys,
  ...billingKeys,
  ...streamKeys,
  ...notificationsKeys,
}
