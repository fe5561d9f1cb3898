import type { Db } from '../../database/db.ts'

/** A mail that the service writes to a person. */
export interface NoticeMail {
  messageId: string
  to: { name: string; address: string }
  subject: string
  text: string
}

/** How it went; see the transport of the mail accounts. `no_account`: there is nothing to send with. */
export type PostResult =
  | { result: 'sent' | 'no_account' }
  | { result: 'postponed' | 'refused' | 'uncertain'; said: string }

/** A person's own way of sending mail. */
export interface PersonalPost {
  /** The address that it goes out from; undefined without an account to send with. */
  senderOf(db: Db, userId: number): Promise<string | undefined>
  /** `beforeData` is waited for before the server gets the first byte; when it throws, nothing is sent. */
  send(
    userId: number,
    mail: NoticeMail,
    beforeData: () => Promise<void>,
    signal: AbortSignal,
  ): Promise<PostResult>
}
