import type { Db } from '../../database/db.ts'
import type { Folder } from '../../database/tables/mail.ts'

/** A message as a mailbox hands it over. */
export interface Arrival {
  /** As it came; or what `read` made of it, which is better done outside the transaction. */
  raw: Buffer | ReadMessage
  accountId: string | null
  folder: Folder
  read: boolean
  starred: boolean
  /** When the server got it (IMAP's INTERNALDATE, ISO): stands in for a date that the message does not tell. */
  receivedAt: string
}

/** A message that was read and whose bytes lie ready; filed or forgotten, it may be used once. */
export interface ReadMessage {
  readonly messageId: string | null
}

/** What a mailbox has to know of an e-mail. */
export interface FiledEmail {
  id: number
  accountId: string | null
  messageId: string | null
  folder: Folder
  read: boolean
  starred: boolean
}

/** What someone here did to an e-mail: its server should hear of it. */
export interface LocalChange {
  kind: 'flags' | 'moved' | 'removed'
  /** As it is now; as it last was when it has been removed. */
  email: FiledEmail
  /** As it was before. */
  before: FiledEmail
}

/** Called in the transaction of the change, so that what it writes exists exactly when the change does. */
export type LocalChangeListener = (tx: Db, change: LocalChange) => Promise<void>

/**
 * The e-mails, as a mailbox that is kept in step with a server uses them. None of these tells `onLocalChange`:
 * they are the server's own changes.
 */
export interface MailFiling {
  /** Parses it and puts its bytes on the disk; before, and outside of, the transaction that files it. */
  read(raw: Buffer): Promise<ReadMessage>
  /** The same message of the same account twice is one e-mail: then `created` is false and nothing is changed. */
  file(tx: Db, arrival: Arrival): Promise<{ id: number; created: boolean }>
  /** False when there is no such e-mail. */
  setFlags(tx: Db, id: number, flags: { read?: boolean; starred?: boolean }): Promise<boolean>
  move(tx: Db, id: number, folder: Folder): Promise<boolean>
  remove(tx: Db, id: number): Promise<boolean>
  find(db: Db, id: number): Promise<FiledEmail | undefined>
  findByMessageId(db: Db, accountId: string | null, messageId: string): Promise<FiledEmail[]>
  /** How sending it went, for the answer's `delivery`. */
  setDelivery(tx: Db, id: number, delivery: { status: string; error: string | null } | null): Promise<boolean>
  /** The message as it came or was composed; undefined when none is kept. */
  readRaw(db: Db, id: number): Promise<Buffer | undefined>
  /** At the wiring, before anything is changed. */
  onLocalChange(listener: LocalChangeListener): void
}
