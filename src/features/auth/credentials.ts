import type { Db } from '../../database/db.ts'
import type { Credentials, Scope } from '../../platform/access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Logger } from '../../platform/log.ts'
import { digest } from '../../platform/secrets/digest.ts'
import type { AccessTokens } from './access-jwt.ts'
import { findLiveSession, touchSession } from './session-store.ts'
import {
  findAccessTokenByHash,
  findFeedTokenByHash,
  touchAccessToken,
  touchFeedToken,
} from './token-store.ts'
import { TOKEN_PREFIX } from './tokens.ts'
import { findOwner } from './user-store.ts'

/** "Last seen" is for people: to the minute will do, and a read stays a read. */
const SEEN_EVERY_MS = 60_000

/**
 * Who a token stands for. A signature alone is never enough: the session's row must be there too, so that
 * deleting the row ends the token at once, on every instance that shares the database.
 */
export const createCredentials = (deps: {
  db: Db
  clock: Clock
  log: Logger
  accessTokens: AccessTokens
}): Credentials => {
  const { db, clock, log, accessTokens } = deps

  const noteUse = (
    lastAt: string | null,
    now: Date,
    touch: (db: Db, id: string, at: string) => Promise<void>,
    id: string,
  ): void => {
    if (lastAt !== null && now.getTime() - Date.parse(lastAt) < SEEN_EVERY_MS) return
    touch(db, id, now.toISOString()).catch((error: unknown) => log.warn({ err: error }, 'use was not noted'))
  }

  const identifySession = async (token: string) => {
    const claims = accessTokens.verify(token)
    if (!claims) return undefined
    const now = clock.now()
    const session = await findLiveSession(db, claims.sessionId, now.toISOString())
    if (!session || session.userId !== claims.userId) return undefined
    noteUse(session.lastSeenAt, now, touchSession, claims.sessionId)
    const { userId, sessionId } = claims
    return { kind: 'session', userId, sessionId, isOwner: session.role === 'owner' } as const
  }

  const identifyToken = async (secret: string) => {
    const token = await findAccessTokenByHash(db, digest(secret))
    const now = clock.now()
    if (!token || (token.expiresAt !== null && token.expiresAt <= now.toISOString())) return undefined
    noteUse(token.lastUsedAt, now, touchAccessToken, token.id)
    const scopes = JSON.parse(token.scopes) as Scope[]
    return { kind: 'token', userId: token.userId, tokenId: token.id, scopes } as const
  }

  return {
    identify: (bearer) => (bearer.startsWith(TOKEN_PREFIX) ? identifyToken(bearer) : identifySession(bearer)),
    async identifyFeed(secret, purpose) {
      const feed = await findFeedTokenByHash(db, digest(secret))
      if (!feed || feed.purpose !== purpose) return undefined
      noteUse(feed.lastUsedAt, clock.now(), touchFeedToken, feed.id)
      return { kind: 'feed', userId: feed.userId, feedId: feed.id, purpose }
    },
    hasAccounts: async () => (await findOwner(db)) !== undefined,
  }
}
