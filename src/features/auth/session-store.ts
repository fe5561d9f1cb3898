import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../database/db.ts'
import { prepare } from '../../database/prepared.ts'
import type { SessionRow } from '../../database/tables/accounts.ts'

export type Session = Selectable<SessionRow>

export const insertSession = async (tx: Db, row: Insertable<SessionRow>): Promise<void> => {
  await tx.insertInto('sessions').values(row).execute()
}

interface LiveSession {
  userId: number
  role: 'owner' | 'member'
  lastSeenAt: string
}

const selectLiveSession = prepare<{ id: string; now: string }, LiveSession>((db, parameter) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .select(['users.id as userId', 'users.role', 'sessions.lastSeenAt'])
    .where('sessions.id', '=', parameter('id'))
    .where('sessions.expiresAt', '>', parameter('now')),
)

export const findLiveSession = async (db: Db, id: string, now: string): Promise<LiveSession | undefined> =>
  (await selectLiveSession(db, { id, now }))[0]

export const touchSession = async (db: Db, id: string, at: string): Promise<void> => {
  await db.updateTable('sessions').set({ lastSeenAt: at }).where('id', '=', id).execute()
}

/**
 * Moves the expiry of a session. Also locks its row until the end of the transaction, so that refreshes of one session
 * run one after the other. False when the session is gone.
 */
export const slideSession = async (
  tx: Db,
  id: string,
  change: { lastSeenAt: string; expiresAt: string },
): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('sessions')
    .set(change)
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Removes the session with everything that hangs on it; undefined when there was none. */
export const deleteSession = (
  tx: Db,
  where: { id: string; userId?: number },
): Promise<{ id: string; userId: number } | undefined> =>
  tx
    .deleteFrom('sessions')
    .where('id', '=', where.id)
    .$if(where.userId !== undefined, (query) => query.where('userId', '=', where.userId as number))
    .returning(['id', 'userId'])
    .executeTakeFirst()

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
  await db.deleteFrom('sessions').where('expiresAt', '<=', now).execute()
}

export const listLiveSessions = (
  db: Db,
  userId: number,
  now: string,
  page: { limit: number; after: readonly [string, string] | undefined },
): Promise<Session[]> =>
  db
    .selectFrom('sessions')
    .selectAll()
    .where('userId', '=', userId)
    .where('expiresAt', '>', now)
    .$if(page.after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('createdAt', 'id'), '<', tuple(...(page.after as [string, string]))),
      ),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()

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

/** The highest generation among the tokens of a session. */
export const readNewestGeneration = async (tx: Db, sessionId: string): Promise<number> => {
  const { newest } = await tx
    .selectFrom('refresh_tokens')
    .select((row) => row.fn.max('generation').as('newest'))
    .where('sessionId', '=', sessionId)
    .executeTakeFirstOrThrow()
  return newest
}

export const findRefreshToken = (db: Db, hash: string) =>
  db
    .selectFrom('refresh_tokens')
    .innerJoin('sessions', 'sessions.id', 'refresh_tokens.sessionId')
    .select(['sessions.id as sessionId', 'sessions.userId', 'sessions.expiresAt', 'sessions.endsAt'])
    .select(['refresh_tokens.generation', 'refresh_tokens.usedAt'])
    .where('refresh_tokens.hash', '=', hash)
    .executeTakeFirst()
