import type { Db } from '../../database/db.ts'
import { getLocalUserId } from '../../database/local-account.ts'
import type { Credentials, DavAuthentication, Scope, Visit } from '../../platform/access/caller.ts'
import type { Platform } from '../../platform/platform.ts'
import { digest } from '../../platform/secrets/seal.ts'
import { networkOf } from './login-attempts.ts'
import {
  findAccessTokenByHash,
  findFeedTokenByHash,
  findLiveSession,
  findOwner,
  listActivity,
  touchSession,
  touchToken,
} from './repository.ts'
import type { AccessTokens } from './sessions.ts'
import { TOKEN_PREFIX } from './tokens.ts'

/** Updating "last seen" once a minute is enough. Otherwise every read would cause a write. */
const LAST_SEEN_INTERVAL_MS = 60_000

/** Updates the last use of a credential while the request goes on. */
export const createUseRecorder =
  ({ log }: Pick<Platform, 'log'>) =>
  (lastAt: string | null, now: Date, touch: (at: string) => Promise<void>): void => {
    if (lastAt !== null && now.getTime() - Date.parse(lastAt) < LAST_SEEN_INTERVAL_MS) return
    touch(now.toISOString()).catch((error: unknown) =>
      log.warn({ err: error }, 'could not record the last use of a credential'),
    )
  }

/**
 * Resolves a bearer token to its caller. A valid signature is not enough: the row of the session must exist
 * too. Deleting the row therefore invalidates the token at once, on every instance that shares the database.
 */
export const createCredentials = (
  platform: Pick<Platform, 'db' | 'clock' | 'log'>,
  accessTokens: AccessTokens,
  dav: DavAuthentication,
): Credentials => {
  const { db, clock } = platform
  const recordUse = createUseRecorder(platform)

  const identifySession = async (token: string) => {
    const claims = accessTokens.verify(token)
    if (!claims) return undefined
    const now = clock.now()
    const session = await findLiveSession(db, claims.sessionId, now.toISOString())
    if (!session || session.userId !== claims.userId) return undefined
    const { userId, sessionId } = claims
    recordUse(session.lastSeenAt, now, (at) => touchSession(db, { id: sessionId, userId }, at))
    return { kind: 'session', userId, sessionId, isOwner: session.role === 'owner' } as const
  }

  const identifyToken = async (secret: string) => {
    const token = await findAccessTokenByHash(db, digest(secret))
    const now = clock.now()
    if (!token || (token.expiresAt !== null && token.expiresAt <= now.toISOString())) return undefined
    recordUse(token.lastUsedAt, now, (at) => touchToken(db, 'access_tokens', token, at))
    const scopes = JSON.parse(token.scopes) as Scope[]
    return { kind: 'token', userId: token.userId, tokenId: token.id, scopes } as const
  }

  return {
    identify: (bearer) => (bearer.startsWith(TOKEN_PREFIX) ? identifyToken(bearer) : identifySession(bearer)),
    async identifyFeed(secret, purpose) {
      const feed = await findFeedTokenByHash(db, digest(secret))
      if (!feed || feed.purpose !== purpose) return undefined
      recordUse(feed.lastUsedAt, clock.now(), (at) => touchToken(db, 'feed_tokens', feed, at))
      const { userId, id: feedId, calendarId } = feed
      return { kind: 'feed', userId, feedId, purpose, calendarId }
    },
    dav,
    localUserId: () => getLocalUserId(db),
    hasAccounts: async () => (await findOwner(db)) !== undefined,
  }
}

const FAMILIAR_FOR_MS = 90 * 86_400_000
const MAX_ENTRIES = 500
/** A person who has just registered needs no notice of a new sign-in. */
const JUST_REGISTERED_MS = 60_000

/** Removes the version numbers, because they change every few weeks. */
const programOf = (userAgent: string): string => userAgent.replace(/[\d._]+/g, '')

/** The network and user agent of a visit, in the form in which visits are compared. */
export const visitKeyOf = ({ ip, userAgent }: Visit): string => `${networkOf(ip)} ${programOf(userAgent)}`

export const createFamiliarVisits = ({ clock }: Platform) => {
  /** True if the person has signed in from this network with this user agent before. */
  const hasVisited = async (db: Db, userId: number, visit: Visit): Promise<boolean> => {
    const since = new Date(clock.now().getTime() - FAMILIAR_FOR_MS).toISOString()
    const before = await listActivity(
      db,
      userId,
      { action: 'session.started', since },
      undefined,
      MAX_ENTRIES,
    )
    return before.some((earlier) => visitKeyOf(earlier) === visitKeyOf(visit))
  }

  /** True if the person needs no notice of this sign-in. */
  const isFamiliar = async (
    tx: Db,
    user: { id: number; createdAt: string },
    visit: Visit,
  ): Promise<boolean> => {
    const isJustRegistered = clock.now().getTime() - Date.parse(user.createdAt) < JUST_REGISTERED_MS
    return isJustRegistered || hasVisited(tx, user.id, visit)
  }

  return { hasVisited, isFamiliar }
}

type FamiliarVisits = ReturnType<typeof createFamiliarVisits>
export type HasVisited = FamiliarVisits['hasVisited']
export type IsFamiliar = FamiliarVisits['isFamiliar']
