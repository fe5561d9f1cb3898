import type { Generated } from 'kysely'

/*
 * The rows as both engines hold them: integers and text, 0/1 for yes and no, JSON as text, instants as canonical
 * UTC text with milliseconds (see platform/time.ts), secrets sealed (platform/secrets) or hashed.
 */

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
  usedAt: string | null
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

export interface ActivityRow {
  id: Generated<number>
  userId: number
  at: string
  action: string
  ip: string
  userAgent: string
  details: string
}

/** A try at a secret that counts against a limit until it is old or was right. */
export interface AttemptRow {
  id: Generated<number>
  kind: string
  subject: string
  at: string
}

export interface IdempotencyKeyRow {
  /** Caller, method, path and key, hashed. */
  scope: string
  bodyHash: string
  /** Who is at work on it; another may take over once `claimedUntil` has passed. */
  claim: string
  claimedUntil: string
  /** Null while the first request is in flight. */
  answer: string | null
  expiresAt: string
}

export interface ChangeRow {
  id: Generated<number>
  type: string
  subject: string
  data: string
  at: string
}

export interface SampleRow {
  kind: string
  reference: string
}

export interface JobRow {
  id: string
  name: string
  /** JSON. */
  payload: string
  state: 'waiting' | 'running' | 'parked' | 'done'
  /** When it was asked to run, or is to be tried again. */
  runAt: string
  /** From when a worker may take it: `runAt` while it waits, the end of its lease while it runs, else null. */
  dueAt: string | null
  /** How often it was started; being handed back does not count. */
  attempts: number
  /** One value for each lease: whoever does not know it can no longer settle the job. */
  leaseOwner: string | null
  /** Why the last attempt failed. */
  error: string | null
  createdAt: string
  finishedAt: string | null
  /** At most one waiting or running job of a name may carry a given key. */
  singletonKey: string | null
}

export interface JobProgressRow {
  jobId: string
  done: number
  total: number | null
  note: string
  updatedAt: string
}

export interface JobScheduleRow {
  name: string
  /** Every tick up to here has been taken care of. */
  tickedAt: string
}

export interface Tables {
  users: UserRow
  avatars: AvatarRow
  sessions: SessionRow
  refresh_tokens: RefreshTokenRow
  backup_codes: BackupCodeRow
  access_tokens: AccessTokenRow
  feed_tokens: FeedTokenRow
  invitations: InvitationRow
  activity: ActivityRow
  attempts: AttemptRow
  idempotency_keys: IdempotencyKeyRow
  changes: ChangeRow
  samples: SampleRow
  jobs: JobRow
  job_progress: JobProgressRow
  job_schedules: JobScheduleRow
}

/**
 * What a backup copies: each table with the key by which it is read page by page, parents before their children.
 * Null for the queue's own, which differ between the engines: jobs are copied through their port.
 */
export const tableKeys: {
  readonly [T in keyof Tables]: readonly (keyof Tables[T] & string)[] | null
} = {
  users: ['id'],
  avatars: ['userId'],
  sessions: ['id'],
  refresh_tokens: ['hash'],
  backup_codes: ['id'],
  access_tokens: ['id'],
  feed_tokens: ['id'],
  invitations: ['id'],
  activity: ['id'],
  attempts: ['id'],
  idempotency_keys: ['scope'],
  changes: ['id'],
  samples: ['kind', 'reference'],
  jobs: null,
  job_progress: null,
  job_schedules: ['name'],
}
