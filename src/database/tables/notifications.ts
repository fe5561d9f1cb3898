import type { Generated } from 'kysely'
import type { TableKeys } from './keys.ts'

/** What a person is told of, and how. No row: as it is by default. */
export interface NotificationSettingsRow {
  userId: number
  /** JSON: what differs from the defaults. */
  chosen: string
  version: number
  updatedAt: string
}

export interface NotificationRow {
  id: Generated<number>
  userId: number
  /** The same for the same thing: nobody is told of it twice. It outlives what was cleared. */
  key: string
  kind: string
  title: string
  body: string
  /** Where in the console it leads. */
  link: string | null
  /** The action that it is about, which can be undone. */
  actionId: Generated<number | null>
  /** 0/1. */
  inConsole: number
  readAt: string | null
  /** Cleared by the person: the words are gone, the key stays for a while. */
  clearedAt: string | null
  version: number
  createdAt: string
}

/** That a person is told of something by another way than the console. */
export interface NotificationDeliveryRow {
  id: Generated<number>
  notificationId: number
  userId: number
  channel: 'email' | 'webhook'
  state: 'waiting' | 'mailing' | 'told' | 'failed' | 'uncertain'
  /** Why it was not told at once. */
  heldBy: 'quiet_hours' | 'digest' | null
  dueAt: string
  /** The mail that it is part of. */
  mailId: number | null
  error: string | null
  finishedAt: string | null
}

/** One mail with one or many notifications. What it says is made of them when it goes. */
export interface NotificationMailRow {
  id: Generated<number>
  userId: number
  messageId: string
  state: 'queued' | 'sending' | 'sent' | 'failed' | 'uncertain'
  /** Differs for each attempt: only the one that began may say how it went. */
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
