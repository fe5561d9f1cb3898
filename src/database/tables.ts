import { type AccountsTables, accountsKeys } from './tables/accounts.ts'
import { type BackupsTables, backupsKeys } from './tables/backups.ts'
import {
  type CalendarAccountTables,
  type CalendarTables,
  calendarAccountKeys,
  calendarKeys,
} from './tables/calendar.ts'
import { type CommitmentsTables, commitmentsKeys } from './tables/commitments.ts'
import { type ContactsTables, contactsKeys } from './tables/contacts.ts'
import { type DavTables, davKeys } from './tables/dav.ts'
import { type ImportsTables, importsKeys } from './tables/imports.ts'
import {
  type ActionsTables,
  actionsKeys,
  type FrameTables,
  frameKeys,
  type JobsTables,
  jobsKeys,
} from './tables/instance.ts'
import {
  type AiTables,
  aiKeys,
  type BillingTables,
  type BookingsTables,
  billingKeys,
  bookingsKeys,
  type WebhooksTables,
  webhooksKeys,
} from './tables/integrations.ts'
import type { TableKeys } from './tables/keys.ts'
import { type MailAccountsTables, type MailTables, mailAccountsKeys, mailKeys } from './tables/mail.ts'
import { type NotificationsTables, notificationsKeys } from './tables/notifications.ts'
import { type ReservationsTables, reservationsKeys } from './tables/reservations.ts'
import { type SharingTables, sharingKeys } from './tables/shares.ts'
import { type StreamTables, streamKeys } from './tables/stream.ts'
import { type TasksTables, tasksKeys } from './tables/tasks.ts'

/*
 * The rows as both engines store them: integers and text, 0/1 for booleans, JSON as text, secrets sealed
 * (platform/secrets) or hashed. Instants are canonical UTC text with milliseconds (see platform/time.ts).
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
    NotificationsTables,
    SharingTables,
    ContactsTables,
    CommitmentsTables,
    ReservationsTables,
    ImportsTables,
    BackupsTables,
    DavTables {}

export const tableKeys: TableKeys<Tables> = {
  ...accountsKeys,
  ...frameKeys,
  ...jobsKeys,
  // Calendars refer to those of the calendar accounts.
  ...calendarAccountKeys,
  ...calendarKeys,
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
  ...sharingKeys,
  ...contactsKeys,
  ...importsKeys,
  ...commitmentsKeys,
  ...reservationsKeys,
  ...backupsKeys,
  ...davKeys,
}
