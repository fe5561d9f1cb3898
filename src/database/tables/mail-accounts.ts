import type { Generated } from 'kysely'
import type { TableKeys } from './keys.ts'

export interface MailAccountRow {
  id: string
  userId: number
  name: string
  address: string
  senderName: string
  /** JSON of a server: host, port, tls, certificate. Here and in `smtp`. */
  imap: string
  smtp: string
  signIn: 'password' | 'google' | 'microsoft'
  username: string
  /** Null when it is the same as for reading. */
  smtpUsername: string | null
  /** Sealed JSON: passwords, or tokens with their end. */
  secret: string
  enabled: number
  version: number
  createdAt: string
  updatedAt: string
}

/** How far an account is in step with its server, and which instance sees to it. */
export interface MailSyncRow {
  accountId: string
  status: 'waiting' | 'syncing' | 'live' | 'failing' | 'signed_out' | 'off'
  error: string | null
  lastSyncAt: string | null
  /** When someone asked for a look at once; null when that has been done. */
  requestedAt: string | null
  /** Who holds the account, and until when. */
  owner: string | null
  leaseUntil: string | null
  /** Counts the holders: what an earlier one still writes is refused. */
  epoch: number
}

export interface MailFolderRow {
  id: Generated<number>
  accountId: string
  path: string
  use: string | null
  /** What the numbers of its messages are good for; empty before the first look. */
  uidValidity: string
  /** Every message below this number is here. */
  uidNext: number
  highestModseq: string | null
  /** How many messages the server has. */
  total: number
}

/** Where on the server a message lies. */
export interface MailPlacementRow {
  id: Generated<number>
  accountId: string
  folderId: number
  uidValidity: string
  uid: number
  /** Null when it was deleted here: it stays known, so that it is not fetched again. */
  emailId: number | null
  /** A hash by which the same message is known again elsewhere. */
  identity: string
  read: number
  starred: number
  /** Since when it is no longer where it was; it may turn up in another folder. */
  goneAt: string | null
  /** How often reading the message has begun without a result. 0 once there is one; until then `emailId` is null. */
  attempts: Generated<number>
}

/** What was done here and must be told the server, the oldest first. */
export interface MailPushRow {
  id: Generated<number>
  accountId: string
  kind: 'flags' | 'move' | 'delete' | 'append'
  /** The e-mail; of one that was deleted, nothing but its placements is left. */
  emailId: number
  /** JSON. */
  wish: string
  attempts: number
  createdAt: string
}

export interface OutboxRow {
  emailId: number
  accountId: string
  state: 'queued' | 'sending' | 'sent' | 'failed' | 'uncertain' | 'cancelled'
  messageId: string
  /** JSON: `from` and `to`, bare addresses, blind copies among them; `calendar`, the part an answer to an invitation has. */
  envelope: string
  sendAt: string
  attempts: number
  /** Differs for each attempt: only the one that began may say how it went. */
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
  /** Of the cookie that the browser which began has, hashed. */
  browser: string
  provider: 'google' | 'microsoft'
  /** The account that signs in anew; null for a new one. */
  accountId: string | null
  /** Sealed: the PKCE verifier. */
  verifier: string
  expiresAt: string
}

export interface MailAccountsTables {
  mail_accounts: MailAccountRow
  mail_sync: MailSyncRow
  mail_folders: MailFolderRow
  mail_placements: MailPlacementRow
  mail_pushes: MailPushRow
  outbox: OutboxRow
  oauth_states: OauthStateRow
}

export const mailAccountsKeys: TableKeys<MailAccountsTables> = {
  mail_accounts: ['id'],
  mail_sync: ['accountId'],
  mail_folders: ['id'],
  mail_placements: ['id'],
  mail_pushes: ['id'],
  outbox: ['emailId'],
  oauth_states: ['state'],
}
