import { sql } from 'kysely'
import Type from 'typebox'
import { ALL_ACCOUNTS } from '../../../database/all-accounts.ts'
import { DAV_ACCESS, INVITATION_RULES } from '../../../platform/access/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
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
import { insertLocalAccount } from '../../auth/local-account.ts'
import { lockUser, updateUser } from '../../auth/repository.ts'
import type { WorkingHours } from '../../auth/working-hours.ts'
import { checkPreferences } from '../profile/preferences.ts'
import { detectAvatar, MAX_AVATAR_BYTES } from '../profile/profile.ts'
import { Preferences } from '../schema.ts'
import type { DataPart } from './parts.ts'

const EXTENSIONS: Record<string, string> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' }

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
    conferencingLink: added(textOrNull, null),
  },
  beside: 'added',
  // The import keeps the credentials of the importing account. It takes over the profile, but no password or
  // second factor.
  async put(tx, row, { userId }) {
    const { name, timezone, locale, weekStart, workingHours, remoteImages, imageSenders, conferencingLink } =
      row
    checkPreferences({ locale, workingHours: JSON.parse(workingHours) as WorkingHours[], conferencingLink })
    const user = await lockUser(tx, userId)
    const { createdAt, updatedAt } = row
    const change = {
      name,
      timezone,
      locale,
      weekStart,
      workingHours,
      remoteImages,
      imageSenders,
      conferencingLink,
      createdAt,
    }
    await updateUser(tx, user, change, updatedAt)
  },
})

const avatars = portable('avatars', {
  file: 'avatar.jsonl',
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

/** A password would be of no use in another instance: only its hash is known, and the apps have another address. */
const appPasswords = portable('app_passwords', {
  file: 'app-passwords.jsonl',
  isExportOnly: true,
  columns: {
    id: text,
    userId: own,
    name: text,
    hash: without(''),
    username: text,
    calendars: oneOf(...DAV_ACCESS),
    tasks: oneOf(...DAV_ACCESS),
    contacts: oneOf(...DAV_ACCESS),
    invitations: oneOf(...INVITATION_RULES),
    createdAt: instant,
    lastUsedAt: instantOrNull,
    version: integer,
  },
})

const sessions = portable('sessions', {
  file: 'sessions.jsonl',
  isExportOnly: true,
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

export const createAccountsPart = ({ random, clock }: { random: Random; clock: Clock }): DataPart => ({
  folder: 'account',
  tables: [
    profiles,
    avatars,
    accessTokens,
    feedTokens,
    appPasswords,
    sessions,
    invitations,
    activityWith(random),
  ],
  others: [
    'refresh_tokens',
    'backup_codes',
    'password_resets',
    'attempts',
    'activity_seal',
    'idempotency_keys',
    'changes',
    'job_schedules',
    'jobs',
    'job_progress',
    'restores',
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
    for (const table of [
      'users',
      'attempts',
      'idempotency_keys',
      'changes',
      'instance_settings',
      'backup_schedule',
      'backups',
    ] as const)
      await tx.deleteFrom(table).modifyEnd(ALL_ACCOUNTS).execute()
    await insertLocalAccount(tx, clock.now().toISOString())
  },
})
