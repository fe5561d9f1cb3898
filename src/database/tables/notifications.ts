import type { Generated } from 'kysely'
import type { TableKeys } from './keys.ts'

/** A user's notification settings. Without a row, the defaults apply. */
export interface NotificationSettingsRow {
  userId: number
  /** JSON: the differences from the defaults. */
  chosen: string
  version: number
  updatedAt: string
}

export interface NotificationRow {
  id: Generated<number>
  userId: number
  /** Deduplication key: one notification per key. It outlives cleared notifications. */
  key: string
  kind: string
  /** JSON: the facts of the kind. Null in rows of earlier versions. */
  data: Generated<string | null>
  /** The text of the creation, for versions that cannot render the data. */
  title: string
  body: string
  /** Link into the console. */
  link: string | null
  /** The action of the notification, which can be undone. */
  actionId: Generated<number | null>
  /** 0/1. */
  inConsole: number
  readAt: string | null
  /** Time at which the user cleared it: the text is deleted, the key stays for a while. */
  clearedAt: string | null
  version: number
  createdAt: string
}

/** A delivery of a notification outside the console. */
export interface NotificationDeliveryRow {
  id: Generated<number>
  notificationId: number
  userId: number
  channel: 'email' | 'webhook'
  state: 'waiting' | 'mailing' | 'told' | 'failed' | 'uncertain'
  /** The reason for a delay. */
  heldBy: 'quiet_hours' | 'digest' | null
  dueAt: string
  /** The email that contains it. */
  mailId: number | null
  error: string | null
  finishedAt: string | null
}

/** One email with one or more notifications. Its text is created when it is sent. */
export interface NotificationMailRow {
  id: Generated<number>
  userId: number
  messageId: string
  state: 'queued' | 'sending' | 'sent' | 'failed' | 'uncertain'
  /** Unique for each attempt. Only the current attempt may write the result. */
  attempt: string | null
  attempts: number
  error: string | null
  createdAt: string
  updatedAt: string
}

export interface NotificationsTables {
  notification_settings: NotificationSettingsRow
  notifications: NotificationRow
  notification_mails: NotificationMailRow
  notification_deliveries: NotificationDeliveryRow
}

export const notificationsKeys: TableKeys<NotificationsTables> = {
  notification_settings: ['userId'],
  notifications: ['id'],
  notification_mails: ['id'],
  notification_deliveries: ['id'],
}
