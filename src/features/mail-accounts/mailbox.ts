import type { MailTarget } from './servers.ts'

/** What RFC 6154 says a folder is for. */
export type FolderUse = 'inbox' | 'sent' | 'drafts' | 'archive' | 'all' | 'trash' | 'junk' | 'flagged'

export interface FolderListing {
  path: string
  use: FolderUse | null
  /** Whether it can hold messages at all. */
  selectable: boolean
}

/** A folder as it is when it is opened. Numbers that outgrow JavaScript's are text. */
export interface FolderState {
  uidValidity: string
  uidNext: number
  /** Null where the server keeps none (RFC 7162). */
  highestModseq: string | null
  exists: number
}

export interface MessageFlags {
  read: boolean
  starred: boolean
}

export interface MessageState extends MessageFlags {
  uid: number
}

/** What a message is told by without reading it. */
export interface MessageSketch extends MessageState {
  /** As it stands in the header, angle brackets included. */
  messageId: string | null
  size: number
  /** INTERNALDATE, ISO. */
  receivedAt: string
  /** Decoded by the adapter, and not checked further. */
  subject: string
  from: { name: string; address: string } | null
}

export interface FetchedMessage {
  uid: number
  raw: Buffer
}

export interface FolderChanges {
  changed: MessageState[]
  /** Null when the server does not tell which messages went (no QRESYNC). */
  vanished: number[] | null
}

/** An open connection to one account. One thing at a time; every failure is an `upstream` AppError. */
export interface Mailbox {
  /** Whether the server files what is submitted to it under Sent by itself. */
  readonly filesSentItself: boolean
  folders(): Promise<FolderListing[]>
  createFolder(path: string): Promise<void>
  /** Makes the folder the one that everything below is about. */
  open(path: string): Promise<FolderState>
  /** The same without opening it. */
  peek(path: string): Promise<FolderState>
  /** Ascending. */
  uids(from?: number): Promise<number[]>
  /** What changed after a HIGHESTMODSEQ; null where the server cannot say. */
  changesSince(modseq: string): Promise<FolderChanges | null>
  states(uids: readonly number[]): Promise<MessageState[]>
  sketches(uids: readonly number[]): Promise<MessageSketch[]>
  fetch(uids: readonly number[]): AsyncIterable<FetchedMessage>
  /** The first bytes of a message; undefined when it is gone. */
  fetchHead(uid: number, bytes: number): Promise<Buffer | undefined>
  setFlags(uid: number, flags: Partial<MessageFlags>): Promise<void>
  /** Where it lies afterwards; null when the server does not tell. */
  move(uid: number, to: string): Promise<{ uidValidity: string; uid: number } | null>
  append(
    path: string,
    message: { raw: Buffer; flags: MessageFlags; receivedAt: Date; draft: boolean },
  ): Promise<{ uidValidity: string; uid: number } | null>
  /** By Message-ID, in the open folder. */
  search(messageId: string): Promise<number[]>
  /** Waits for the server to say that the open folder has changed, `ms` at most, or until `signal`. */
  waitForChange(ms: number, signal: AbortSignal): Promise<'changed' | 'quiet'>
  close(): Promise<void>
}

export type OpenMailbox = (target: MailTarget, signal?: AbortSignal) => Promise<Mailbox>
