import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../database/db.ts'
import { prepare } from '../../database/prepared.ts'
import type { AccessTokenRow, FeedTokenRow, InvitationRow } from '../../database/tables/accounts.ts'

export type AccessTokenRecord = Selectable<AccessTokenRow>
export type FeedTokenRecord = Selectable<FeedTokenRow>
export type InvitationRecord = Selectable<InvitationRow>

type Place = readonly [string, string] | undefined

const newestFirst = <T extends 'access_tokens' | 'feed_tokens' | 'invitations'>(
  db: Db,
  table: T,
  owner: { column: 'userId' | 'createdBy'; id: number },
  page: { limit: number; after: Place },
) =>
  db
    .selectFrom(table as 'access_tokens')
    .selectAll()
    .where(owner.column as 'userId', '=', owner.id)
    .$if(page.after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('createdAt', 'id'), '<', tuple(...(page.after as [string, string]))),
      ),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()

export const insertAccessToken = (tx: Db, row: Insertable<AccessTokenRow>): Promise<AccessTokenRecord> =>
  tx.insertInto('access_tokens').values(row).returningAll().executeTakeFirstOrThrow()

const selectByHash = prepare<{ hash: string }, AccessTokenRecord>((db, parameter) =>
  db.selectFrom('access_tokens').selectAll().where('hash', '=', parameter('hash')),
)

export const findAccessTokenByHash = async (db: Db, hash: string): Promise<AccessTokenRecord | undefined> =>
  (await selectByHash(db, { hash }))[0]

export const findAccessToken = (db: Db, userId: number, id: string): Promise<AccessTokenRecord | undefined> =>
  db
    .selectFrom('access_tokens')
    .selectAll()
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirst()

/** For a change that depends on what is there: others wait for it. */
export const lockAccessToken = async (tx: Db, id: string): Promise<void> => {
  await tx
    .updateTable('access_tokens')
    .set((row) => ({ version: row.ref('version') }))
    .where('id', '=', id)
    .execute()
}

export const updateAccessToken = (
  tx: Db,
  token: AccessTokenRecord,
  change: { name?: string; hash?: string; hint?: string },
): Promise<AccessTokenRecord> =>
  tx
    .updateTable('access_tokens')
    .set((row) => ({ ...change, version: row('version', '+', 1) }))
    .where('id', '=', token.id)
    .returningAll()
    .executeTakeFirstOrThrow()

export const touchAccessToken = async (db: Db, id: string, at: string): Promise<void> => {
  await db.updateTable('access_tokens').set({ lastUsedAt: at }).where('id', '=', id).execute()
}

export const deleteAccessToken = async (tx: Db, id: string): Promise<void> => {
  await tx.deleteFrom('access_tokens').where('id', '=', id).execute()
}

export const listAccessTokens = (db: Db, userId: number, page: { limit: number; after: Place }) =>
  newestFirst(db, 'access_tokens', { column: 'userId', id: userId }, page)

export const insertFeedToken = (tx: Db, row: Insertable<FeedTokenRow>): Promise<FeedTokenRecord> =>
  tx.insertInto('feed_tokens').values(row).returningAll().executeTakeFirstOrThrow()

export const findFeedTokenByHash = (db: Db, hash: string): Promise<FeedTokenRecord | undefined> =>
  db.selectFrom('feed_tokens').selectAll().where('hash', '=', hash).executeTakeFirst()

export const touchFeedToken = async (db: Db, id: string, at: string): Promise<void> => {
  await db.updateTable('feed_tokens').set({ lastUsedAt: at }).where('id', '=', id).execute()
}

export const findFeedToken = (db: Db, userId: number, id: string): Promise<FeedTokenRecord | undefined> =>
  db
    .selectFrom('feed_tokens')
    .selectAll()
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirst()

export const deleteFeedToken = async (tx: Db, userId: number, id: string): Promise<boolean> => {
  const query = tx.deleteFrom('feed_tokens').where('id', '=', id).where('userId', '=', userId)
  return (await query.executeTakeFirst()).numDeletedRows === 1n
}

export const listFeedTokens = (
  db: Db,
  userId: number,
  page: { limit: number; after: Place },
): Promise<FeedTokenRecord[]> =>
  newestFirst(db, 'feed_tokens', { column: 'userId', id: userId }, page) as unknown as Promise<
    FeedTokenRecord[]
  >

export const insertInvitation = (tx: Db, row: Insertable<InvitationRow>): Promise<InvitationRecord> =>
  tx.insertInto('invitations').values(row).returningAll().executeTakeFirstOrThrow()

/** Uses the invitation up. Of any number that try at once, one succeeds. */
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
  db
    .selectFrom('invitations')
    .selectAll()
    .where('id', '=', id)
    .where('createdBy', '=', userId)
    .executeTakeFirst()

export const deleteInvitation = async (tx: Db, userId: number, id: string): Promise<boolean> => {
  const query = tx.deleteFrom('invitations').where('id', '=', id).where('createdBy', '=', userId)
  return (await query.executeTakeFirst()).numDeletedRows === 1n
}

export const listInvitations = (
  db: Db,
  userId: number,
  page: { limit: number; after: Place },
): Promise<InvitationRecord[]> =>
  newestFirst(db, 'invitations', { column: 'createdBy', id: userId }, page) as unknown as Promise<
    InvitationRecord[]
  >

export const deleteOldInvitations = async (db: Db, expiredBefore: string): Promise<void> => {
  await db.deleteFrom('invitations').where('expiresAt', '<', expiredBefore).execute()
}
