import type { EmailFlags } from '../messages/email.ts'

/** Special-use attributes of folders (RFC 6154). */
export type FolderUse = 'inbox' | 'sent' | 'drafts' | 'archive' | 'all' | 'trash' | 'junk' | 'flagged'

export interface FolderListing {
  /** Decoded, with the namespace prefix and the delimiter of the server. */
  path: string
  /** The last part of the path. */
  name: string
  /** The path of the containing folder. Null at the top level of the personal namespace. */
  parentPath: string | null
  use: FolderUse | null
  subscribed: boolean
  /** False for folders that only contain other folders. */
  selectable: boolean
  /** Null if the server reports none, for example because the account may not read the folder. */
  state: FolderState | null
}

/** The state of a folder when it was opened. Numbers that exceed the safe integer range are strings. */
export interface FolderState {
  uidValidity: string
  uidNext: number
  /** Null if the server does not support it (RFC 7162). */
  highestModseq: string | null
  exists: number
}

export interface MessageState extends EmailFlags {
  uid: number
  /** Flags without a backslash (RFC 3501, section 2.3.2), as the server spells them. */
  keywords: string[]
}

/** Keywords to set and to clear. */
export interface KeywordChange {
  add: readonly string[]
  remove: readonly string[]
}

/** Metadata that identifies a message without downloading its content. */
export interface MessageSketch extends MessageState {
  /** Copied from the header, including the angle brackets. */
  messageId: string | null
  size: number
  /** INTERNALDATE as ISO 8601. */
  receivedAt: string
  /** EMAILID (RFC 8474) or X-GM-MSGID: the same for all copies of a message. Null if the server has none. */
  objectId: string | null
  /** Decoded by the adapter, but not validated. */
  subject: string
  from: { name: string; address: string } | null
}

export interface FetchedMessage {
  uid: number
  raw: Buffer
}

export interface FolderChanges {
  changed: MessageState[]
  /** Null if the server does not report removed messages (no QRESYNC). */
  vanished: number[] | null
}

/**
 * An open connection to one account. It runs one command at a time. Every failure is an `upstream` AppError.
 */
export interface Mailbox {
  /** Whether the server itself stores submitted messages in the Sent folder. */
  readonly filesSentItself: boolean
  /** Separates the parts of a path. Null if the server has no hierarchy. */
  readonly delimiter: string | null
  folders(): Promise<FolderListing[]>
  /** Creates and subscribes a folder, unless it exists. Returns its path. */
  createFolder(name: string, parentPath?: string | null): Promise<string>
  /** Renames or moves a folder with its subfolders. Returns its new path. */
  renameFolder(path: string, name: string, parentPath: string | null): Promise<string>
  deleteFolder(path: string): Promise<void>
  /** Selects the folder that the methods below work on. */
  open(path: string): Promise<FolderState>
  /** Reads the state of a folder without selecting it. */
  peek(path: string): Promise<FolderState>
  /** In ascending order. */
  uids(from?: number): Promise<number[]>
  /** Changes after a HIGHESTMODSEQ. Null if the server does not support it. */
  changesSince(modseq: string): Promise<FolderChanges | null>
  states(uids: readonly number[]): Promise<MessageState[]>
  sketches(uids: readonly number[]): Promise<MessageSketch[]>
  fetch(uids: readonly number[]): AsyncIterable<FetchedMessage>
  /** The first bytes of a message. Undefined if the message no longer exists. */
  fetchHead(uid: number, bytes: number): Promise<Buffer | undefined>
  setFlags(uid: number, flags: Partial<EmailFlags>): Promise<void>
  /** Ignores keywords that the folder does not permit (PERMANENTFLAGS). */
  setKeywords(uid: number, change: KeywordChange): Promise<void>
  /** Returns the new position, or null if the server does not report it. */
  move(uid: number, to: string): Promise<{ uidValidity: string; uid: number } | null>
  /** Moves all messages of the selected folder. Returns the new UIDs by the old ones, if the server reports them. */
  moveAll(to: string): Promise<{ uidValidity: string; uids: ReadonlyMap<number, number> } | null>
  append(
    path: string,
    message: { raw: Buffer; flags: EmailFlags; receivedAt: Date },
  ): Promise<{ uidValidity: string; uid: number } | null>
  /** Finds messages of the selected folder by Message-ID. */
  search(messageId: string): Promise<number[]>
  /** Waits until the server reports a change of the selected folder, `ms` have passed, or `signal` aborts. */
  waitForChange(ms: number, signal: AbortSignal): Promise<'changed' | 'quiet'>
  close(): Promise<void>
}

export type OpenMailbox = (target: MailTarget, signal?: AbortSignal) => Promise<Mailbox>

/** An SMTP server that accepts mail for delivery. Every `MailTarget` is one. */
export interface SubmissionTarget {
  server: Omit<MailServer, 'tls'> & {
    /** `opportunistic` uses STARTTLS if the server offers it, and no encryption otherwise. */
    tls: MailServer['tls'] | 'opportunistic'
  }
  /** Null for a server that requires no authentication. */
  login: MailLogin | null
}

export interface Submission {
  /** An address without a display name. */
  from: string
  to: readonly string[]
  raw: Buffer
  /** Awaited after the server has accepted the envelope and before the first byte of the message is sent. */
  beforeData(): Promise<void>
}

/**
 * The outcome of a submission. `postponed`: not sent, a retry makes sense. `refused`: not sent, and a retry
 * would fail again. `uncertain`: the complete message was transmitted, but the server did not reply.
 */
export type SubmissionResult = ServerLimits &
  (
    | { result: 'sent'; refused: { address: string; response: string | null }[] }
    | { result: 'postponed' | 'refused' | 'uncertain'; response: string }
  )

/** Limits that the server announces. */
export interface ServerLimits {
  /** SIZE of RFC 1870; null if the server announces none, undefined if there was no connection. */
  maxMessageBytes?: number | null
  /** SMTPUTF8 of RFC 6531; undefined if there was no connection. */
  acceptsUtf8?: boolean
}

export interface Transport {
  /** Connects and signs in. A failure is an `upstream` AppError that names the failed step. */
  verify(target: SubmissionTarget): Promise<ServerLimits>
  submit(target: SubmissionTarget, submission: Submission, signal?: AbortSignal): Promise<SubmissionResult>
}

/** The address of a server and the encryption of the connection. */
export interface MailServer {
  host: string
  port: number
  /** `implicit`: TLS from the first byte. `starttls`: STARTTLS before any other command, or no connection. */
  tls: 'implicit' | 'starttls' | 'none'
  /** The only certificate (PEM) to trust, for servers with a self-signed certificate. */
  certificate: string | null
}

export type ServerAddress = Pick<MailServer, 'host' | 'port' | 'certificate'>

export type MailLogin =
  | { kind: 'password'; user: string; password: string }
  | { kind: 'oauth'; user: string; accessToken: string }

/** Server and credentials for one connection. */
export interface MailTarget {
  server: MailServer
  login: MailLogin
}
