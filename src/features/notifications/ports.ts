import type { Db } from '../../database/db.ts'

export const NO_ACCOUNT = 'No mail account can send mail.'

/** A mail from the service to a person. */
export interface NoticeMail {
  messageId: string
  to: { name: string; address: string }
  subject: string
  text: string
}

/**
 * The result of sending; see the transport of the mail accounts. `no_account` means that no account can send
 * mail.
 */
export type PostResult =
  | { result: 'sent' | 'no_account' }
  | { result: 'postponed' | 'refused' | 'uncertain'; response: string }

/** The notifications that a person wants about a calendar. `reminders` excludes news about its events. */
export type NotificationsOfCalendar = (
  tx: Db,
  userId: number,
  calendarId: number,
) => Promise<'all' | 'reminders' | 'none'>

/** Sends mail with a person's own mail account. */
export interface PersonalPost {
  /** Returns the sender address, or undefined if no account can send mail. */
  senderOf(db: Db, userId: number): Promise<string | undefined>
  /** Awaits `beforeData` before the first byte goes to the server. If it throws, nothing is sent. */
  send(
    userId: number,
    mail: NoticeMail,
    beforeData: () => Promise<void>,
    signal: AbortSignal,
  ): Promise<PostResult>
}
