import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { ALL_ACCOUNTS } from '../../database/all-accounts.ts'
import type { Db } from '../../database/db.ts'
import { prepare } from '../../database/prepared.ts'
import type {
  AccessTokenRow,
  ActivityRow,
  AppPasswordRow,
  FeedTokenRow,
  InvitationRow,
  UserRow,
} from '../../database/tables/accounts.ts'
import { notFound } from '../../platform/errors.ts'
import { ownedRows, versionedRows } from '../../platform/resources.ts'

export type User = Selectable<UserRow>

/** Normalizes an email for comparison, so that different spellings of one mailbox have one account. */
export const emailKeyOf = (email: string): string => email.normalize('NFC').toLowerCase()

type NewUser = Omit<Insertable<UserRow>, 'role'>

/** Adds a member with the default storage limit. The first account is not added: it takes over the local one. */
export const insertMember = (tx: Db, row: NewUser): Promise<User> =>
  tx
    .insertInto('users')
    .values((values) => ({
      ...row,
      role: 'member',
      storageQuotaBytes: values.selectFrom('instance_settings').select('defaultStorageQuotaBytes'),
    }))
    .returningAll()
    .executeTakeFirstOrThrow()

/**
 * Makes the local account the owner's, with all its data. Returns undefined if somebody has registered before. Of two
 * concurrent calls, one gets it.
 */
export const claimLocalAccount = (tx: Db, row: NewUser): Promise<User | undefined> =>
  tx
    .updateTable('users')
    .set({ ...row, role: 'owner' })
    .where('role', '=', sql.lit('local'))
    .returningAll()
    .executeTakeFirst()

export const findUser = (db: Db, id: number): Promise<User | undefined> =>
  db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()

/**
 * The columns of an account that its profile needs. Every request of the console reads them, so the list is
 * short and the query is prepared.
 */
export type ProfileRow = Pick<
  User,
  | 'id'
  | 'email'
  | 'name'
  | 'avatarHash'
  | 'timezone'
  | 'role'
  | 'twoFactorEnabledAt'
  | 'createdAt'
  | 'version'
>

const selectProfile = prepare<{ id: number }, ProfileRow>((db, values) =>
  db
    .selectFrom('users')
    .select([
      'id',
      'email',
      'name',
      'avatarHash',
      'timezone',
      'role',
      'twoFactorEnabledAt',
      'createdAt',
      'version',
    ])
    .where('id', '=', values.id),
)

export const getProfile = async (db: Db, id: number): Promise<ProfileRow> => {
  const [profile] = await selectProfile(db, { id })
  if (!profile) throw notFound('account')
  return profile
}

export const getUser = async (db: Db, id: number): Promise<User> => {
  const user = await findUser(db, id)
  if (!user) throw notFound('account')
  return user
}

export const findUserByEmail = (db: Db, email: string): Promise<User | undefined> =>
  db.selectFrom('users').selectAll().where('emailKey', '=', emailKeyOf(email)).executeTakeFirst()

export const findOwner = (db: Db): Promise<User | undefined> =>
  db.selectFrom('users').selectAll().where('role', '=', sql.lit('owner')).executeTakeFirst()

/** Writes the change and increments the version. */
export const updateUser = (db: Db, user: User, change: Updateable<UserRow>, at: string): Promise<User> =>
  db
    .updateTable('users')
    .set({ ...change, version: user.version + 1, updatedAt: at })
    .where('id', '=', user.id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Locks the row for a read-modify-write change. SQLite has only one writer anyway. */
export const lockUser = async (tx: Db, id: number): Promise<User> => {
  await tx
    .updateTable('users')
    .set((row) => ({ version: row.ref('version') }))
    .where('id', '=', id)
    .execute()
  const user = await tx.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
  if (!user) throw notFound('account')
  return user
}

export const sessionRows = ownedRows('sessions', 'session')

interface LiveSession {
  userId: number
  role: User['role']
  lastSeenAt: string
}

/** Every request of a signed-in user runs it. */
const selectLiveSession = prepare<{ id: string; now: string }, LiveSession>((db, values) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .select(['users.id as userId', 'users.role', 'sessions.lastSeenAt'])
    .where('sessions.id', '=', values.id)
    .where('sessions.expiresAt', '>', values.now)
    .where('users.disabledAt', 'is', null),
)

export const findLiveSession = async (db: Db, id: string, now: string): Promise<LiveSession | undefined> =>
  (await selectLiveSession(db, { id, now }))[0]

/** A session or token. */
interface CredentialKey {
  id: string
  userId: number
}

export const touchSession = async (db: Db, { id, userId }: CredentialKey, at: string): Promise<void> => {
  await db
    .updateTable('sessions')
    .set({ lastSeenAt: at })
    .where('id', '=', id)
    .where('userId', '=', userId)
    .execute()
}

/**
 * Extends the expiry of a session. Returns false if the session no longer exists. The update also locks the
 * row, so that refreshes of one session run one after the other.
 */
export const slideSession = async (
  tx: Db,
  { id, userId }: CredentialKey,
  change: { lastSeenAt: string; expiresAt: string },
): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('sessions')
    .set(change)
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const deleteOtherSessions = (
  tx: Db,
  userId: number,
  keepId: string | null,
): Promise<{ id: string }[]> =>
  tx
    .deleteFrom('sessions')
    .where('userId', '=', userId)
    .$if(keepId !== null, (query) => query.where('id', '!=', keepId as string))
    .returning('id')
    .execute()

export const deleteExpiredSessions = async (db: Db, now: string): Promise<void> => {
  await db.deleteFrom('sessions').where('expiresAt', '<=', now).modifyEnd(ALL_ACCOUNTS).execute()
}

export const insertRefreshToken = async (
  tx: Db,
  row: { hash: string; sessionId: string; createdAt: string; generation: number },
): Promise<void> => {
  await tx
    .insertInto('refresh_tokens')
    .values({ ...row, usedAt: null })
    .execute()
}

/** Marks every token of a generation as used. */
export const retireGeneration = async (
  tx: Db,
  { sessionId, generation }: { sessionId: string; generation: number },
  at: string,
): Promise<void> => {
  await tx
    .updateTable('refresh_tokens')
    .set({ usedAt: at })
    .where('sessionId', '=', sessionId)
    .where('generation', '=', generation)
    .execute()
}

/** Returns the highest generation among the tokens of a session. */
export const readNewestGeneration = async (tx: Db, sessionId: string): Promise<number> => {
  const { newest } = await tx
    .selectFrom('refresh_tokens')
    .select((row) => row.fn.max('generation').as('newest'))
    .where('sessionId', '=', sessionId)
    .executeTakeFirstOrThrow()
  return newest
}

/** The token proves whose session it is. */
export const findRefreshToken = (db: Db, hash: string) =>
  db
    .selectFrom('refresh_tokens')
    .innerJoin('sessions', 'sessions.id', 'refresh_tokens.sessionId')
    .select(['sessions.id as sessionId', 'sessions.userId', 'sessions.expiresAt', 'sessions.endsAt'])
    .select(['sessions.userAgent', 'refresh_tokens.generation', 'refresh_tokens.usedAt'])
    .where('refresh_tokens.hash', '=', hash)
    .modifyEnd(ALL_ACCOUNTS)
    .executeTakeFirst()

export type AccessTokenRecord = Selectable<AccessTokenRow>
export type FeedTokenRecord = Selectable<FeedTokenRow>
export type InvitationRecord = Selectable<InvitationRow>

export const accessTokenRows = versionedRows('access_tokens', 'token')
export const feedTokenRows = ownedRows('feed_tokens', 'feed token')

/** Tokens of a disabled account are refused. */
const isEnabled = sql<boolean>`not exists (
  select 1 from users where users.id = "userId" and users."disabledAt" is not null)`

export const findAccessTokenByHash = (db: Db, hash: string): Promise<AccessTokenRecord | undefined> =>
  db.selectFrom('access_tokens').selectAll().where('hash', '=', hash).where(isEnabled).executeTakeFirst()

export type AppPasswordRecord = Selectable<AppPasswordRow>
export const appPasswordRows = versionedRows('app_passwords', 'app password')

type AppPasswordOfUser = AppPasswordRecord & { emailKey: string }

/** Every request of a calendar, task or contact app runs it. */
const selectAppPassword = prepare<{ hash: string }, AppPasswordOfUser>((db, values) =>
  db
    .selectFrom('app_passwords')
    .innerJoin('users', 'users.id', 'app_passwords.userId')
    .selectAll('app_passwords')
    .select('users.emailKey')
    .where('app_passwords.hash', '=', values.hash)
    .where('users.disabledAt', 'is', null),
)

export const findAppPassword = async (db: Db, hash: string): Promise<AppPasswordOfUser | undefined> =>
  (await selectAppPassword(db, { hash }))[0]

type AccessTokenOfUser = AccessTokenRecord & { emailKey: string }

const selectTokenOfUser = prepare<{ hash: string }, AccessTokenOfUser>((db, values) =>
  db
    .selectFrom('access_tokens')
    .innerJoin('users', 'users.id', 'access_tokens.userId')
    .selectAll('access_tokens')
    .select('users.emailKey')
    .where('access_tokens.hash', '=', values.hash)
    .where('users.disabledAt', 'is', null),
)

/** Finds a token with the account that it belongs to, for apps that send a user name. */
export const findTokenOfUser = async (db: Db, hash: string): Promise<AccessTokenOfUser | undefined> =>
  (await selectTokenOfUser(db, { hash }))[0]

export const touchToken = async (
  db: Db,
  table: 'access_tokens' | 'feed_tokens' | 'app_passwords',
  { id, userId }: CredentialKey,
  lastUsedAt: string,
): Promise<void> => {
  await db.updateTable(table).set({ lastUsedAt }).where('id', '=', id).where('userId', '=', userId).execute()
}

export const findFeedTokenByHash = (db: Db, hash: string): Promise<FeedTokenRecord | undefined> =>
  db.selectFrom('feed_tokens').selectAll().where('hash', '=', hash).where(isEnabled).executeTakeFirst()

export const insertInvitation = (tx: Db, row: Insertable<InvitationRow>): Promise<InvitationRecord> =>
  tx.insertInto('invitations').values(row).returningAll().executeTakeFirstOrThrow()

/** Marks the invitation as used. Of several concurrent calls, only one succeeds. */
export const acceptInvitation = async (
  tx: Db,
  invitation: { hash: string; emailKey: string; now: string },
): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('invitations')
    .set({ acceptedAt: invitation.now })
    .where('hash', '=', invitation.hash)
    .where('acceptedAt', 'is', null)
    .where('expiresAt', '>', invitation.now)
    .where((row) => row.or([row('email', 'is', null), row('email', '=', invitation.emailKey)]))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const findInvitation = (db: Db, userId: number, id: string): Promise<InvitationRecord | undefined> =>
  selectInvitations(db, userId).where('id', '=', id).executeTakeFirst()

export const deleteInvitation = async (tx: Db, userId: number, id: string): Promise<boolean> => {
  const query = tx.deleteFrom('invitations').where('id', '=', id).where('createdBy', '=', userId)
  return (await query.executeTakeFirst()).numDeletedRows === 1n
}

export const selectInvitations = (db: Db, userId: number) =>
  db.selectFrom('invitations').selectAll().where('createdBy', '=', userId)

export const deleteOldInvitations = async (db: Db, expiredBefore: string): Promise<void> => {
  await db.deleteFrom('invitations').where('expiresAt', '<', expiredBefore).execute()
}

export type ActivityRecord = Selectable<ActivityRow>

export interface ActivityFilter {
  action?: string | undefined
  since?: string | undefined
  until?: string | undefined
}

export const insertActivity = async (tx: Db, row: Insertable<ActivityRow>): Promise<void> => {
  await tx.insertInto('activity').values(row).execute()
}

export const listActivity = (
  db: Db,
  userId: number,
  { action, since, until }: ActivityFilter,
  after: readonly [string, number] | undefined,
  limit: number,
): Promise<Pick<ActivityRecord, 'id' | 'at' | 'action' | 'ip' | 'userAgent' | 'details'>[]> =>
  db
    .selectFrom('activity')
    .select(['id', 'at', 'action', 'ip', 'userAgent', 'details'])
    .where('userId', '=', userId)
    .$if(action !== undefined, (query) => query.where('action', '=', action as string))
    .$if(since !== undefined, (query) => query.where('at', '>=', since as string))
    .$if(until !== undefined, (query) => query.where('at', '<', until as string))
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('at', 'id'), '<', tuple(...(after as [string, number]))),
      ),
    )
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/**
 * Locks the row that stores the end of the chain. Only the holder of this lock may extend or shorten the
 * chain.
 */
export const lockSeal = async (tx: Db): Promise<string | null> => {
  await tx
    .insertInto('activity_seal')
    .values({ id: 1, sealed: '' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await tx
    .updateTable('activity_seal')
    .set((seal) => ({ sealed: seal.ref('sealed') }))
    .returning('sealed')
    .executeTakeFirst()
  return row?.sealed ?? null
}

export const findSeal = async (db: Db): Promise<string | null> =>
  (await db.selectFrom('activity_seal').select('sealed').executeTakeFirst())?.sealed ?? null

export const writeSeal = async (tx: Db, sealed: string): Promise<void> => {
  await tx.updateTable('activity_seal').set({ sealed }).execute()
}

export const listUnsealed = (tx: Db, limit: number): Promise<ActivityRecord[]> =>
  tx.selectFrom('activity').selectAll().where('position', 'is', null).orderBy('id').limit(limit).execute()

export const writeLink = async (tx: Db, id: number, position: number, hash: string): Promise<void> => {
  await tx.updateTable('activity').set({ position, hash }).where('id', '=', id).execute()
}

export const listSealed = (db: Db, after: number, limit: number): Promise<ActivityRecord[]> =>
  db
    .selectFrom('activity')
    .selectAll()
    .where('position', '>', after)
    .orderBy('position')
    .limit(limit)
    .execute()

export const deleteSealed = async (tx: Db, until: number): Promise<void> => {
  await tx.deleteFrom('activity').where('position', '<=', until).execute()
}

const BLANK = { userId: null, salt: '', ip: '', userAgent: '', details: '{}' } as const

export const blankEntry = async (tx: Db, id: number): Promise<void> => {
  await tx.updateTable('activity').set(BLANK).where('id', '=', id).execute()
}

/** Removes the personal data of older entries, user by user, because the index starts with the user id. */
export const blankOld = async (tx: Db, before: string): Promise<void> => {
  for (const { id } of await tx.selectFrom('users').select('id').execute())
    await tx.updateTable('activity').set(BLANK).where('userId', '=', id).where('at', '<', before).execute()
}

/** Removes the personal data of a user's entries, or of all entries if no user is given. */
export const blankActivity = async (tx: Db, userId?: number): Promise<void> => {
  await tx
    .updateTable('activity')
    .set(BLANK)
    .$if(userId !== undefined, (query) => query.where('userId', '=', userId as number))
    .execute()
}
