import type { Generated } from 'kysely'
import type { TableKeys } from './keys.ts'

/** `other`: a server folder without a special use. */
export type Folder = 'inbox' | 'sent' | 'drafts' | 'archive' | 'trash' | 'junk' | 'other'

/** The flags that an email shares with its copies on a mail server. */
export const FLAG_COLUMNS = ['read', 'starred'] as const
export type FlagColumn = (typeof FLAG_COLUMNS)[number]
type FlagColumns = Record<FlagColumn, number>

/** Few emails have this flag. A partial index lists them. */
export const RARE_FLAG: FlagColumn = 'starred'

/** The list and search fields of an email. The bodies are in another table, so that lists stay compact. */
export interface EmailRow extends FlagColumns {
  id: Generated<number>
  /** The account that the email belongs to. */
  userId: number
  /** Position in time: the date in milliseconds times 2048, plus a counter within the millisecond. Unique. */
  position: number
  accountId: string | null
  /** Without angle brackets. */
  messageId: string | null
  /** The id of the first email of the thread, also after that email was deleted. */
  threadId: number
  folder: Folder
  /** The main server folder; null for emails without a copy on a server. */
  folderId: number | null
  /** JSON of `{id, role}`: the other server folders of the email. Null if there are none. Lists use `email_folders`. */
  otherFolders: string | null
  fromName: string
  fromAddress: string
  /** JSON of `{name, address}`, like the next three. */
  to: string
  cc: string
  bcc: string
  replyTo: string
  subject: string
  /** The normalized subject without reply and forward prefixes. */
  subjectKey: string
  inReplyTo: string | null
  /** JSON of message ids, oldest first. */
  references: string
  snippet: string
  date: string
  /** JSON; searches use `email_tags`. */
  tags: string
  /** JSON of `{id, filename, contentType, size}`. */
  attachments: string
  hasAttachments: number
  /** JSON. */
  analysis: string | null
  urgency: string | null
  deliveryStatus: string | null
  deliveryError: string | null
  /** Scheduled or actual time of sending; null if it was not sent from here. */
  deliveryAt: string | null
  /** The original message bytes. */
  rawBlob: string | null
  /** Identifies bodies and attachments. Null for emails without a message, and of older versions. */
  contentHash: string | null
  /** The id of the mailing list. */
  listId: string | null
  /** JSON of `{id, name, unsubscribe}`. */
  mailingList: string | null
  /** JSON of `{reason, hasRaw}` if the message could not be parsed; its text then says so. */
  unreadable: string | null
  /** The application version that failed to parse it. Another version tries again. */
  readerVersion: string | null
  /** Number of repeated parse attempts without a result. */
  readAttempts: Generated<number>
  /** Hidden from the inbox until then. */
  snoozedUntil: string | null
  /** If nobody answers until then, the email returns to the inbox. */
  followUpAt: string | null
  pinned: Generated<number>
  /** The position in the inbox after its return, from the time of the return. Unique for each account. */
  returnedPosition: number | null
  returnReason: 'snooze' | 'follow-up' | null
  /** JSON of `EmailSecurity`, if the message is signed or encrypted. */
  security: string | null
  /** The `SECURITY_VERSION` that checked the message. */
  securityVersion: Generated<number>
  version: number
  createdAt: string
  updatedAt: string
}

export interface EmailBodyRow {
  emailId: number
  text: string
  /** Sanitized. */
  html: string | null
  /** The `HTML_VERSION` that wrote the HTML. */
  htmlVersion: Generated<number>
}

/**
 * The version of the sanitizer. Raise it after a change that stored mail must follow: a job then sanitizes that mail
 * again, from its raw bytes if there are any.
 */
export const HTML_VERSION = 3

/** The version of the signature check. */
export const SECURITY_VERSION = 1

export interface EmailTagRow {
  userId: number
  tag: string
  position: number
  emailId: number
}

/** A server folder of an email besides its main one. */
export interface EmailFolderRow {
  userId: number
  emailId: number
  folderId: number
  folder: Folder
  position: number
  /** Unread and not snoozed. Triggers keep it, and the tallies of the folder. */
  unread: number
}

/** Every message id that an email has or refers to. These link threads, in any order of arrival. */
export interface EmailLinkRow {
  userId: number
  messageId: string
  emailId: number
}

/** A mailing list that the user unsubscribed from. */
export interface UnsubscriptionRow {
  userId: number
  listId: string
  at: string
  by: 'one-click' | 'mail'
  /** The host or address that received the request. */
  recipient: string
  /** The email that sent the request, while it exists. */
  emailId: number | null
}

/** A rule for incoming mail. */
export interface MailRuleRow {
  id: Generated<number>
  userId: number
  name: string
  enabled: number
  /** The condition in search syntax. */
  q: string
  /** JSON of `RuleEffects`. */
  does: string
  version: number
  createdAt: string
  updatedAt: string
}

/** A text for new mail. Its fields, such as `{{name}}`, are replaced when it is inserted. */
export interface MailTemplateRow {
  id: Generated<number>
  userId: number
  name: string
  subject: string
  /** Sanitized. */
  html: string
  version: number
  createdAt: string
  updatedAt: string
}

/** A search that the user saved under a name. */
export interface SavedSearchRow {
  id: Generated<number>
  userId: number
  name: string
  q: string
  version: number
  createdAt: string
  updatedAt: string
}

export interface AttachmentRow {
  id: string
  /** The account that uploaded the file, or that the email belongs to. */
  userId: number
  /** Null for an upload that is not yet part of an email. */
  emailId: number | null
  filename: string
  contentType: string
  size: number
  blob: string
  /** The id for `cid:` references. */
  contentId: string | null
  createdAt: string
}

/** Bytes that are stored once for all references. platform/blobs implements the storage. */
export interface BlobRow {
  /** SHA-256 of the bytes, in hex. */
  hash: string
  size: number
  /** Time since which nothing refers to it. It will be removed. */
  unusedSince: string | null
}

/** PostgreSQL only: the bytes. The only table with a type other than numbers and text. */
export interface BlobChunkRow {
  hash: string
  number: number
  content: Buffer
}

/** The search index: derived from the emails, and rebuilt after a restore. */
export interface EmailWordsRow {
  rowid: number
}

/** A part of a counter that is expensive to compute. Rows of the same name are merged from time to time. */
export interface TallyRow {
  id: Generated<number>
  name: string
  amount: number
}

export interface MailTables {
  tallies: TallyRow
  email_words: EmailWordsRow
  blobs: BlobRow
  blob_chunks: BlobChunkRow
  emails: EmailRow
  email_bodies: EmailBodyRow
  email_tags: EmailTagRow
  email_folders: EmailFolderRow
  email_links: EmailLinkRow
  unsubscriptions: UnsubscriptionRow
  mail_rules: MailRuleRow
  mail_templates: MailTemplateRow
  saved_searches: SavedSearchRow
  attachments: AttachmentRow
}

export const mailKeys: TableKeys<MailTables> = {
  email_words: null,
  blobs: ['hash'],
  blob_chunks: null,
  emails: ['id'],
  email_bodies: ['emailId'],
  email_tags: ['userId', 'tag', 'position'],
  email_folders: ['emailId', 'folderId'],
  email_links: ['userId', 'messageId', 'emailId'],
  unsubscriptions: ['userId', 'listId'],
  mail_rules: ['id'],
  mail_templates: ['id'],
  saved_searches: ['id'],
  attachments: ['id'],
  // After the emails, because their triggers add rows. A restore replaces those rows.
  tallies: ['id'],
}

export interface MailAccountRow {
  id: string
  userId: number
  name: string
  address: string
  senderName: string
  /** JSON of a server: host, port, tls, certificate. Also in `smtp`. */
  imap: string
  smtp: string
  signIn: 'password' | 'google' | 'microsoft'
  username: string
  /** Null if it equals the IMAP user name. */
  smtpUsername: string | null
  /** Sealed JSON: passwords, or tokens with their expiry. */
  secret: string
  enabled: number
  /** Sanitized HTML. */
  signature: Generated<string | null>
  /** JSON of `{name, address}`: further senders of the account. */
  identities: Generated<string>
  /** Whether new mail starts as plain text. */
  plainText: Generated<number>
  /** The SIZE limit of the SMTP server (RFC 1870); null while unknown. */
  maxMessageBytes: Generated<number | null>
  /** Whether the SMTP server offers SMTPUTF8 (RFC 6531); null while unknown. */
  acceptsUtf8: Generated<number | null>
  version: number
  createdAt: string
  updatedAt: string
}

/** The sync state of an account, and the instance that syncs it. */
export interface MailSyncRow {
  accountId: string
  status: 'waiting' | 'syncing' | 'live' | 'paused' | 'failing' | 'signed_out' | 'off'
  error: string | null
  lastSyncAt: string | null
  /** Time of an explicit sync request; null when it was fulfilled. */
  requestedAt: string | null
  /** The instance that syncs the account, and the end of its lease. */
  owner: string | null
  leaseUntil: string | null
  /** Number of owners so far. Writes of an earlier owner are rejected. */
  epoch: number
}

export interface MailFolderRow {
  id: Generated<number>
  userId: number
  accountId: string
  /** Decoded, with the delimiter of the server. */
  path: string
  /** The last part of the path. */
  name: Generated<string>
  /** The folder that contains it; null at the top level. */
  parentId: number | null
  /** 0 for folders that only contain other folders. */
  selectable: Generated<number>
  subscribed: Generated<number>
  use: string | null
  /** Validity of the UIDs of the folder; empty before the first sync. */
  uidValidity: string
  /** All messages with a lower UID are synced. */
  uidNext: number
  highestModseq: string | null
  /** Number of messages on the server. */
  total: number
}

/** The location of a message on the server. */
export interface MailPlacementRow extends FlagColumns {
  id: Generated<number>
  accountId: string
  folderId: number
  uidValidity: string
  uid: number
  /** Null if it was deleted here. The row stays, so that the message is not fetched again. */
  emailId: number | null
  /** Hash that identifies the same message in another folder. */
  identity: string
  /** JSON of the keywords that the server had at the last sync. */
  keywords: Generated<string>
  /** Time at which it disappeared from its folder; it may appear in another one. */
  goneAt: string | null
  /** Number of attempts to parse the message. 0 after a success; until then `emailId` is null. */
  attempts: Generated<number>
  /** INTERNALDATE, which a move and a copy keep. Null in rows of older versions. */
  receivedAt: string | null
  /** EMAILID (RFC 8474) or X-GM-MSGID: the same for all copies of a message. Null if the server has none. */
  objectId: string | null
  /**
   * Set if an older version linked the message without comparing its content: 1, plus the number of started checks. 0
   * after a check.
   */
  unchecked: Generated<number>
}

/** A local change that must be sent to the server, oldest first. */
export interface MailPushRow {
  id: Generated<number>
  accountId: string
  kind: 'flags' | 'move' | 'delete' | 'append' | 'keywords'
  /** The email; after a deletion, only its placements are left. */
  emailId: number
  /** JSON. */
  payload: string
  attempts: number
  createdAt: string
}

export interface OutboxRow {
  emailId: number
  accountId: string
  state: 'queued' | 'sending' | 'sent' | 'failed' | 'uncertain' | 'cancelled'
  messageId: string
  /** JSON: `from` and `to`, plain addresses including Bcc; `calendar`, the part of an invitation reply. */
  envelope: string
  sendAt: string
  attempts: number
  /** Unique for each attempt. Only the current attempt may write the result. */
  attempt: string | null
  error: string | null
  createdAt: string
  updatedAt: string
}

export interface OauthStateRow {
  /** Hashed. */
  state: string
  sessionId: string
  userId: number
  /** Hash of the cookie of the browser that started the sign-in. */
  browser: string
  provider: 'google' | 'microsoft'
  /** The account that signs in again; null for a new one. */
  accountId: string | null
  /** Sealed: the PKCE verifier. */
  verifier: string
  /** Whether the calendars of the provider are connected too. */
  calendar: Generated<number>
  expiresAt: string
}

/** The OAuth client of the instance for one provider. It belongs to no account. */
export interface OauthClientRow {
  provider: 'google' | 'microsoft'
  clientId: string
  /** Sealed: the client secret. */
  secret: string
  updatedAt: string
}

export interface MailAccountsTables {
  mail_accounts: MailAccountRow
  mail_sync: MailSyncRow
  mail_folders: MailFolderRow
  mail_placements: MailPlacementRow
  mail_pushes: MailPushRow
  outbox: OutboxRow
  oauth_states: OauthStateRow
  oauth_clients: OauthClientRow
}

export const mailAccountsKeys: TableKeys<MailAccountsTables> = {
  mail_accounts: ['id'],
  mail_sync: ['accountId'],
  mail_folders: ['id'],
  mail_placements: ['id'],
  mail_pushes: ['id'],
  outbox: ['emailId'],
  oauth_states: ['state'],
  oauth_clients: ['provider'],
}
