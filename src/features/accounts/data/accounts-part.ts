import { sql } from 'kysely'
import Type from 'typebox'
import { ALL_ACCOUNTS } from '../../../database/all-accounts.ts'
import type { Db } from '../../../database/db.ts'
import type { Clock } from '../../../platform/clock.ts'
import { isId, type NumberIdTable } from '../../../platform/portable/references.ts'
import {
  added,
  countedAnew,
  idOrNull,
  instant,
  instantOrNull,
  integer,
  json,
  oneOf,
  own,
  portable,
  text,
  textId,
  textOrNull,
  without,
  zone,
} from '../../../platform/portable/table.ts'
import { type Random, randomId } from '../../../platform/random.ts'
import { digest } from '../../../platform/secrets/seal.ts'
import { WEEKDAYS } from '../../../platform/time.ts'
import { computeCommitment } from '../../auth/activity.ts'
import { insertLocalAccount, unclaimAccount } from '../../auth/local-account.ts'
import {
  blankActivity,
  claimLocalAccount,
  emailKeyOf,
  findOwner,
  insertMember,
  lockUser,
  updateUser,
} from '../../auth/repository.ts'
import { DEFAULT_WORKING_HOURS, type WorkingHours } from '../../auth/working-hours.ts'
import { checkPreferences } from '../profile/preferences.ts'
import { detectAvatar, MAX_AVATAR_BYTES } from '../profile/profile.ts'
import { Preferences } from '../schema.ts'
import type { DataPart } from './parts.ts'
import { SAMPLE_ZONE, type SampleContent } from './sample/content.ts'

export const SAMPLE_EMAIL = 'robin@sample.example'
/** The kind of the mark of the sample account itself. */
export const ACCOUNT_MARK = 'user'

const EXTENSIONS: Record<string, string> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' }

const DAY_MS = 86_400_000
/** A sample week of account activity: days ago, hour, action, details. */
const sampleWeek = (tokenName: string): [number, number, string, Record<string, unknown>][] => [
  [6, 8, 'account.registered', {}],
  [6, 8, 'session.started', {}],
  [6, 9, 'preferences.changed', { fields: ['timezone', 'workingHours'] }],
  [4, 14, 'token.created', { name: tokenName, scopes: ['calendar:read'] }],
  [3, 7, 'session.started', {}],
  [2, 18, 'profile.changed', { fields: ['name'] }],
  [1, 7, 'session.started', {}],
]

/** Creates the sample account with a week of activity, as the owner of an empty instance. Returns its id. */
export const insertSampleAccount = async (
  tx: Db,
  { now, passwordHash, content }: { now: Date; passwordHash: string; content: SampleContent },
): Promise<number> => {
  const at = (daysAgo: number, hour: number): string => {
    const day = new Date(now.getTime() - daysAgo * DAY_MS)
    day.setUTCHours(hour, 12, 0, 0)
    return day.toISOString()
  }
  const row = {
    email: SAMPLE_EMAIL,
    emailKey: emailKeyOf(SAMPLE_EMAIL),
    name: 'Robin Sample',
    passwordHash,
    timezone: SAMPLE_ZONE,
    locale: content.locale,
    weekStart: 'monday',
    workingHours: JSON.stringify(DEFAULT_WORKING_HOURS),
    avatarHash: null,
    twoFactorSecret: null,
    twoFactorEnabledAt: null,
    twoFactorStep: null,
    version: 1,
    createdAt: at(6, 8),
    updatedAt: at(2, 18),
  }
  const user = (await claimLocalAccount(tx, row)) ?? (await insertMember(tx, row))
  const visit = {
    ip: '127.0.0.1',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0',
  }
  for (const [daysAgo, hour, action, details] of sampleWeek(content.tokenName))
    await tx
      .insertInto('activity')
      .values({ userId: user.id, at: at(daysAgo, hour), action, ...visit, details: JSON.stringify(details) })
      .execute()
  return user.id
}

/** Makes the oldest remaining account the owner. */
const passOwnership = async (tx: Db): Promise<void> => {
  if (await findOwner(tx)) return
  const oldest = await tx
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'member')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (oldest) await tx.updateTable('users').set({ role: 'owner' }).where('id', '=', oldest.id).execute()
}

const ofUser = (userId: number) => [sql<boolean>`${sql.ref('userId')} = ${userId}`]

const profiles = portable('users', {
  file: 'profile.jsonl',
  of: (userId) => [sql<boolean>`id = ${userId}`],
  columns: {
    id: { ...integer, read: own.read },
    email: text,
    emailKey: without(''),
    name: text,
    passwordHash: without(''),
    role: oneOf('owner', 'member'),
    timezone: zone,
    locale: text,
    weekStart: oneOf(...WEEKDAYS),
    workingHours: json(Preferences.properties.workingHours),
    avatarHash: without(null),
    twoFactorSecret: without(null),
    twoFactorEnabledAt: instantOrNull,
    twoFactorStep: without(null),
    version: integer,
    createdAt: instant,
    updatedAt: instant,
    disabledAt: without(null),
    storageQuotaBytes: without(null),
    remoteImages: added(oneOf('ask', 'never'), 'ask'),
    imageSenders: added(json(Preferences.properties.imageSenders), '[]'),
  },
  beside: 'added',
  // The import keeps the credentials of the importing account. It takes over the profile, but no password or
  // second factor.
  async put(tx, row, { userId }) {
    const { name, timezone, locale, weekStart, workingHours, remoteImages, imageSenders } = row
    checkPreferences({ locale, workingHours: JSON.parse(workingHours) as WorkingHours[] })
    const user = await lockUser(tx, userId)
    const { createdAt, updatedAt } = row
    const change = { name, timezone, locale, weekStart, workingHours, remoteImages, imageSenders, createdAt }
    await updateUser(tx, user, change, updatedAt)
  },
})

const avatars = portable('avatars', {
  file: 'avatar.jsonl',
  of: ofUser,
  columns: { userId: own, contentType: text, content: text },
  async put(tx, row, { userId }) {
    const { contentType, content } = detectAvatar(Buffer.from(row.content, 'base64'))
    if (content.length > MAX_AVATAR_BYTES) throw new Error('content is too large')
    await tx
      .insertInto('avatars')
      .values({ userId, contentType, content: content.toString('base64') })
      .execute()
    await tx
      .updateTable('users')
      .set({ avatarHash: digest(content) })
      .where('id', '=', userId)
      .execute()
  },
})

/**
 * Replaces the hash of an imported token. No token has this hash, so the token is invalid until it is
 * rotated.
 */
const unusableHash = (id: string): string => `imported:${id}`

const accessTokens = portable('access_tokens', {
  file: 'tokens.jsonl',
  of: ofUser,
  columns: {
    id: textId('access_tokens'),
    userId: own,
    name: text,
    hash: without(''),
    hint: text,
    scopes: json(Type.Array(Type.String())),
    createdAt: instant,
    expiresAt: instantOrNull,
    lastUsedAt: instantOrNull,
    version: integer,
  },
  complete: (row) => ({ ...row, hash: unusableHash(row.id) }),
})

const feedTokens = portable('feed_tokens', {
  file: 'feed-tokens.jsonl',
  of: ofUser,
  columns: {
    id: textId('feed_tokens'),
    userId: own,
    name: text,
    purpose: oneOf('calendar', 'overlay'),
    calendarId: added(idOrNull('calendars'), null),
    hash: without(''),
    hint: text,
    createdAt: instant,
    lastUsedAt: instantOrNull,
  },
  complete: (row) => ({ ...row, hash: unusableHash(row.id) }),
})

const sessions = portable('sessions', {
  file: 'sessions.jsonl',
  isExportOnly: true,
  of: ofUser,
  columns: {
    id: text,
    userId: own,
    createdAt: instant,
    lastSeenAt: instant,
    expiresAt: instant,
    endsAt: instant,
    ip: text,
    userAgent: text,
  },
})

const invitations = portable('invitations', {
  file: 'invitations.jsonl',
  isExportOnly: true,
  of: (userId) => [sql<boolean>`${sql.ref('createdBy')} = ${userId}`],
  columns: {
    id: text,
    createdBy: own,
    email: textOrNull,
    hash: without(''),
    createdAt: instant,
    expiresAt: instant,
    acceptedAt: instantOrNull,
  },
})

/** Imports the entries unsealed. The chain then continues with them after the entry `data.imported`. */
const activityWith = (random: Random) =>
  portable('activity', {
    file: 'activity.jsonl',
    of: ofUser,
    beside: 'added',
    columns: {
      id: countedAnew,
      userId: own,
      at: instant,
      action: text,
      ip: text,
      userAgent: text,
      details: json(Type.Object({})),
      salt: without(''),
      commitment: without(''),
      position: without(null),
      hash: without(null),
    },
    complete(row) {
      const salt = randomId(random)
      return { ...row, salt, commitment: computeCommitment(salt, row) }
    },
  })

/** The marked tables. Other marks name a day. */
const SAMPLE_TABLES: Readonly<Record<string, NumberIdTable>> = {
  email: 'emails',
  event: 'events',
  task: 'tasks',
  task_list: 'task_lists',
  stream: 'streams',
  milestone: 'milestones',
}

/** Marks of sample rows. The importing account is not part of a sample, and notifications get new ids. */
const samples = portable('samples', {
  file: 'sample.jsonl',
  of: (userId) => [
    sql<boolean>`${sql.ref('userId')} = ${userId} and kind not in (${ACCOUNT_MARK}, 'notification')`,
  ],
  columns: { userId: own, kind: text, reference: text },
  translate(row, ids) {
    const table = SAMPLE_TABLES[row.kind]
    if (!table) return row
    const marked = Number(row.reference)
    return isId(marked) ? { ...row, reference: String(ids.number(table, marked)) } : undefined
  },
})

export const createAccountsPart = ({ random, clock }: { random: Random; clock: Clock }): DataPart => ({
  folder: 'account',
  tables: [profiles, avatars, accessTokens, feedTokens, sessions, invitations, activityWith(random), samples],
  others: [
    ...(['refresh_tokens', 'backup_codes', 'password_resets', 'attempts', 'activity_seal'] as const),
    ...(['idempotency_keys', 'changes', 'job_schedules', 'jobs', 'job_progress', 'restores'] as const),
    'instance_settings',
    'backup_schedule',
    'backups',
    'shares',
  ],

  files: {
    names: /^avatar\.(png|jpg|webp)$/,
    async add(add, view, userId) {
      const avatar = await view
        .selectFrom('avatars')
        .selectAll()
        .where('userId', '=', userId)
        .executeTakeFirst()
      const extension = EXTENSIONS[avatar?.contentType ?? '']
      if (avatar && extension) await add(`avatar.${extension}`, [Buffer.from(avatar.content, 'base64')])
    },
  },

  async wipe(tx) {
    // Deleting a user cascades to its rows. The personal data of the activity log has been blanked before.
    for (const table of ['users', 'attempts', 'idempotency_keys', 'changes', 'samples'] as const)
      await tx.deleteFrom(table).modifyEnd(ALL_ACCOUNTS).execute()
    await tx.deleteFrom('instance_settings').execute()
    await tx.deleteFrom('backup_schedule').execute()
    await tx.deleteFrom('backups').execute()
    await insertLocalAccount(tx, clock.now().toISOString())
  },

  fillSample: (_tx, { userId, mark }) => mark(ACCOUNT_MARK, userId),

  async removeSample(tx, { userId, marked, isLeaving }) {
    if (!(await marked(ACCOUNT_MARK)).includes(String(userId))) return
    await blankActivity(tx, userId)
    if (isLeaving) await tx.deleteFrom('users').where('id', '=', userId).execute()
    else await unclaimAccount(tx, userId, clock.now().toISOString())
    await passOwnership(tx)
  },
})
