import type { Generated } from 'kysely'
import type { TableKeys } from './keys.ts'

export interface UserRow {
  id: Generated<number>
  email: string
  /** The e-mail as it is compared: one account per mailbox whatever its spelling. */
  emailKey: string
  name: string
  passwordHash: string
  role: 'owner' | 'member'
  timezone: string
  locale: string
  weekStart: string
  workingHours: string
  avatarHash: string | null
  /** Sealed. Set by set-up; in force once `twoFactorEnabledAt` is. */
  twoFactorSecret: string | null
  twoFactorEnabledAt: string | null
  /** The last TOTP step that was accepted: no step is accepted twice. */
  twoFactorStep: number | null
  version: number
  createdAt: string
  updatedAt: string
}

export interface AvatarRow {
  userId: number
  contentType: string
  /** Base64. */
  content: string
}

export interface SessionRow {
  id: string
  userId: number
  createdAt: string
  lastSeenAt: string
  /** Slides with each refresh, never beyond `endsAt`. */
  expiresAt: string
  endsAt: string
  ip: string
  userAgent: string
}

export interface RefreshTokenRow {
  hash: string
  sessionId: string
  createdAt: string
  /** When its generation was replaced by the next one. */
  usedAt: string | null
  /** Counts the rotations of the session. */
  generation: number
}

export interface BackupCodeRow {
  id: Generated<number>
  userId: number
  hash: string
  usedAt: string | null
}

export interface AccessTokenRow {
  id: string
  userId: number
  name: string
  hash: string
  hint: string
  scopes: string
  createdAt: string
  expiresAt: string | null
  lastUsedAt: string | null
  version: number
}

export interface FeedTokenRow {
  id: string
  userId: number
  name: string
  purpose: 'calendar' | 'overlay'
  hash: string
  hint: string
  createdAt: string
  lastUsedAt: string | null
}

export interface InvitationRow {
  id: string
  createdBy: number
  email: string | null
  hash: string
  createdAt: string
  expiresAt: string
  acceptedAt: string | null
}

export interface PasswordResetRow {
  hash: string
  userId: number
  createdAt: string
  expiresAt: string
  usedAt: string | null
  /** Hash of the cookie of the browser that asked. Null only for links of an older version, which no longer work. */
  browserHash: string | null
  /** When a sync kept the mail with the link out of the connected mailbox that it was sent to. */
  withheldAt: string | null
}

export interface ActivityRow {
  id: Generated<number>
  /** Null once the account is gone. */
  userId: number | null
  at: string
  action: string
  ip: string
  userAgent: string
  details: string
  /** Empty once the personal part was blanked; see features/auth/activity-chain.ts. */
  salt: Generated<string>
  commitment: Generated<string>
  /** Its place in the chain, once it is sealed. */
  position: Generated<number | null>
  hash: Generated<string | null>
}

/** Where the chain of activity ends: one row. */
export interface ActivitySealRow {
  id: number
  sealed: string
}

/** A try at a secret that counts against a limit until it is old or was right. */
export interface AttemptRow {
  id: Generated<number>
  kind: string
  subject: string
  at: string
}

export interface AccountsTables {
  users: UserRow
  avatars: AvatarRow
  sessions: SessionRow
  refresh_tokens: RefreshTokenRow
  backup_codes: BackupCodeRow
  access_tokens: AccessTokenRow
  feed_tokens: FeedTokenRow
  invitations: InvitationRow
  password_resets: PasswordResetRow
  activity: ActivityRow
  activity_seal: ActivitySealRow
  attempts: AttemptRow
}

export const accountsKeys: TableKeys<AccountsTables> = {
  users: ['id'],
  avatars: ['userId'],
  sessions: ['id'],
  refresh_tokens: ['hash'],
  backup_codes: ['id'],
  access_tokens: ['id'],
  feed_tokens: ['id'],
  invitations: ['id'],
  password_resets: ['hash'],
  activity: ['id'],
  activity_seal: ['id'],
  attempts: ['id'],
}
