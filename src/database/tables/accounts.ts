import type { Generated } from 'kysely'
import type { TableKeys } from './keys.ts'

export interface UserRow {
  id: Generated<number>
  email: string
  /** Normalized email for comparison: one account per mailbox, whatever the spelling. */
  emailKey: string
  name: string
  passwordHash: string
  /**
   * `local` is the account of calls without a token while nobody has registered. The first registration takes it over
   * and becomes the owner.
   */
  role: 'owner' | 'member' | 'local'
  timezone: string
  locale: string
  weekStart: string
  workingHours: string
  avatarHash: string | null
  /** Sealed. Written by the setup; active when `twoFactorEnabledAt` is set. */
  twoFactorSecret: string | null
  twoFactorEnabledAt: string | null
  /** The last accepted TOTP step. No step is accepted twice. */
  twoFactorStep: number | null
  version: number
  createdAt: string
  updatedAt: string
  /** Set by the owner of the instance. The account cannot sign in, and its tokens are refused. */
  disabledAt: Generated<string | null>
  /** Limit of the storage. Null: no limit. */
  storageQuotaBytes: Generated<number | null>
  /** `ask`: per email or per sender. `never`: the console does not offer it. */
  remoteImages: Generated<'ask' | 'never'>
  /** JSON of addresses in lower case. Their remote images always load, unless `remoteImages` is `never`. */
  imageSenders: Generated<string>
  /** A link for video calls. `{random}` becomes a random text. */
  conferencingLink: Generated<string | null>
}

/** The id of the only row of `instance_settings`. */
export const THE_ONE = 1

export interface InstanceSettingsRow {
  id: number
  /** Null while the owner has not chosen. */
  registration: 'open' | 'first' | 'invite' | null
  /** The limit of the storage of new accounts. Null: no limit. */
  defaultStorageQuotaBytes: Generated<number | null>
  /** The owner's mail account that sends the mail of the service. Null: the oldest one. */
  mailAccountId: Generated<string | null>
  version: number
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
  /** Extended by each refresh, but never beyond `endsAt`. */
  expiresAt: string
  endsAt: string
  ip: string
  userAgent: string
}

export interface RefreshTokenRow {
  hash: string
  sessionId: string
  createdAt: string
  /** Time at which the next generation replaced this token. */
  usedAt: string | null
  /** Number of rotations of the session. */
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
  /** The only calendar that the token gives access to; null for the whole calendar of the account. */
  calendarId: number | null
  hash: string
  hint: string
  createdAt: string
  lastUsedAt: string | null
}

/** The password of one calendar, task or contact app. */
export interface AppPasswordRow {
  id: string
  userId: number
  name: string
  hash: string
  /** The email of the account when the password was created. The app keeps using it as the user name. */
  username: string
  calendars: AppAccess
  tasks: AppAccess
  contacts: AppAccess
  /** Whether events that the app stores invite their guests: never, after a confirmation, or at once. */
  invitations: 'no' | 'ask' | 'yes'
  createdAt: string
  lastUsedAt: string | null
  version: number
}

type AppAccess = 'none' | 'read' | 'write'

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
  /** Hash of the cookie of the requesting browser. Always set: the column is nullable because it was added later. */
  browserHash: string | null
  /** Time at which a sync excluded the mail with the link from the connected mailbox. */
  withheldAt: string | null
}

export interface ActivityRow {
  id: Generated<number>
  /** Null after the account was deleted. */
  userId: number | null
  at: string
  action: string
  ip: string
  userAgent: string
  details: string
  /** Empty after the personal part was erased; see features/auth/activity.ts. */
  salt: Generated<string>
  commitment: Generated<string>
  /** Position in the chain, set when the entry is sealed. */
  position: Generated<number | null>
  hash: Generated<string | null>
}

/** The end of the activity chain: one row. */
export interface ActivitySealRow {
  id: number
  sealed: string
}

/** A failed login or code entry. It counts against a limit until it is old or an attempt succeeds. */
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
  app_passwords: AppPasswordRow
  invitations: InvitationRow
  password_resets: PasswordResetRow
  activity: ActivityRow
  activity_seal: ActivitySealRow
  attempts: AttemptRow
  instance_settings: InstanceSettingsRow
}

export const accountsKeys: TableKeys<AccountsTables> = {
  users: ['id'],
  avatars: ['userId'],
  sessions: ['id'],
  refresh_tokens: ['hash'],
  backup_codes: ['id'],
  access_tokens: ['id'],
  feed_tokens: ['id'],
  app_passwords: ['id'],
  invitations: ['id'],
  password_resets: ['hash'],
  activity: ['id'],
  activity_seal: ['id'],
  attempts: ['id'],
  instance_settings: ['id'],
}
