import type { KeyObject } from 'node:crypto'
import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import { deviceOf, type Visit } from '../../platform/access/caller.ts'
import type { Changes } from '../../platform/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import { pageOf, readCursor, requireUntagged } from '../../platform/http/etag.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import { type Random, randomId, randomSecret } from '../../platform/random.ts'
import { digest } from '../../platform/secrets/seal.ts'
import { signJws, verifyJws } from '../../platform/secrets/signatures.ts'
import type { Activity } from './activity.ts'
import {
  deleteExpiredSessions,
  deleteOtherSessions,
  deleteSession,
  findRefreshToken,
  insertRefreshToken,
  insertSession,
  listLiveSessions,
  readNewestGeneration,
  retireGeneration,
  slideSession,
} from './repository.ts'

const ISSUER = 'factotum'
const AUDIENCE = 'factotum-api'
/** Tolerates small differences between the clocks of servers. */
const LEEWAY_SECONDS = 30
const MAX_CACHED = 1_000

export interface AccessClaims {
  userId: number
  sessionId: string
}

/** The short-lived token of a session. It is valid only while the row of the session exists. */
export interface AccessTokens {
  sign(claims: AccessClaims): string
  verify(token: string): AccessClaims | undefined
}

interface VerifiedClaims extends AccessClaims {
  issuedAt: number
  expiresAt: number
}

/**
 * Returns the claims of a token with a valid signature and all required claims. The caller checks the times.
 */
const readClaims = (token: string, key: KeyObject): VerifiedClaims | undefined => {
  const payload = verifyJws(token, key)
  if (!payload) return undefined
  let claims: unknown
  try {
    claims = JSON.parse(payload.toString('utf8'))
  } catch {
    return undefined
  }
  if (typeof claims !== 'object' || claims === null) return undefined
  const { iss, aud, sub, sid, iat, exp } = claims as Record<string, unknown>
  if (iss !== ISSUER || aud !== AUDIENCE || typeof sid !== 'string' || typeof sub !== 'string')
    return undefined
  if (typeof iat !== 'number' || typeof exp !== 'number') return undefined
  const userId = Number(sub)
  return Number.isSafeInteger(userId) ? { userId, sessionId: sid, issuedAt: iat, expiresAt: exp } : undefined
}

export const createAccessTokens = (deps: { key: KeyObject; ttlMs: number; clock: Clock }): AccessTokens => {
  const seconds = () => Math.floor(deps.clock.now().getTime() / 1000)
  /** Caches verified tokens, because a valid signature stays valid. */
  const verified = new Map<string, VerifiedClaims>()
  const readCached = (token: string): VerifiedClaims | undefined => {
    const known = verified.get(token)
    if (known) return known
    const claims = readClaims(token, deps.key)
    if (!claims) return undefined
    if (verified.size >= MAX_CACHED) verified.delete(verified.keys().next().value as string)
    verified.set(token, claims)
    return claims
  }
  return {
    sign({ userId, sessionId }) {
      const iat = seconds()
      const exp = iat + Math.ceil(deps.ttlMs / 1000)
      return signJws(
        JSON.stringify({ iss: ISSUER, aud: AUDIENCE, sub: String(userId), sid: sessionId, iat, exp }),
        deps.key,
      )
    },
    verify(token) {
      const claims = readCached(token)
      if (!claims) return undefined
      const now = seconds()
      return claims.expiresAt <= now || claims.issuedAt > now + LEEWAY_SECONDS ? undefined : claims
    },
  }
}

export interface SessionTokens {
  token: string
  refreshToken: string
}

export interface SessionDeps {
  db: Db
  clock: Clock
  random: Random
  changes: Changes
  activity: Activity
  accessTokens: AccessTokens
  refreshTtlMs: number
  maxAgeMs: number
}

/**
 * The previous tokens stay valid for this time, because the client may have lost the response with the new
 * ones.
 */
const GRACE_MS = 60_000

const badRefreshToken = () =>
  new AppError(
    'unauthenticated',
    'invalid_refresh_token',
    'This refresh token is invalid or has expired. Sign in.',
  )

export type Sessions = ReturnType<typeof createSessions>

export const createSessions = (deps: SessionDeps) => {
  const { db, clock, random, changes, activity } = deps
  const instantIn = (ms: number) => new Date(clock.now().getTime() + ms).toISOString()

  const issue = async (
    tx: Db,
    userId: number,
    sessionId: string,
    generation: number,
  ): Promise<SessionTokens> => {
    const refreshToken = randomSecret(random)
    await insertRefreshToken(tx, {
      hash: digest(refreshToken),
      sessionId,
      createdAt: instantIn(0),
      generation,
    })
    return { token: deps.accessTokens.sign({ userId, sessionId }), refreshToken }
  }

  const recordEnd = (tx: Db, userId: number, sessionId: string): Promise<void> =>
    changes.record(tx, { type: 'session.ended', subject: sessionId, data: { userId } })

  return {
    /** Opens a session for a person who has just authenticated. */
    async start(tx: Db, userId: number, visit: Visit): Promise<SessionTokens> {
      const id = randomId(random)
      const endsAt = instantIn(deps.maxAgeMs)
      await insertSession(tx, {
        id,
        userId,
        createdAt: instantIn(0),
        lastSeenAt: instantIn(0),
        expiresAt: instantIn(Math.min(deps.refreshTtlMs, deps.maxAgeMs)),
        endsAt,
        ip: visit.ip,
        userAgent: visit.userAgent,
      })
      await activity.record(tx, userId, visit, 'session.started')
      return issue(tx, userId, id, 0)
    },

    /**
     * Exchanges a refresh token for new tokens.
     *
     * The tokens of a session belong to numbered generations. A token of the newest generation starts the
     * next one and retires all tokens of its own. A token of the previous generation gets another token of
     * the newest generation, until 60 s after the rotation. Several tabs, or retries after a lost response,
     * therefore work. Any older token was copied, so its session ends.
     */
    async refresh(refreshToken: string, visit: Visit): Promise<SessionTokens> {
      const hash = digest(refreshToken)
      const outcome = await inTransaction(db, async (tx) => {
        const known = await findRefreshToken(tx, hash)
        if (!known || known.expiresAt <= instantIn(0)) return 'unknown'
        const { userId, sessionId, endsAt } = known
        const slid = instantIn(deps.refreshTtlMs)
        const expiresAt = slid < endsAt ? slid : endsAt
        if (!(await slideSession(tx, sessionId, { lastSeenAt: instantIn(0), expiresAt }))) return 'unknown'
        // Read the token again under the lock, because another refresh may have retired it in the meantime.
        const token = await findRefreshToken(tx, hash)
        if (!token) return 'unknown'
        const newest = await readNewestGeneration(tx, sessionId)
        if (token.generation === newest) {
          await retireGeneration(tx, token, instantIn(0))
          return issue(tx, userId, sessionId, newest + 1)
        }
        const isInGrace =
          token.generation === newest - 1 && token.usedAt !== null && token.usedAt >= instantIn(-GRACE_MS)
        if (isInGrace) return issue(tx, userId, sessionId, newest)
        await deleteSession(tx, { id: sessionId })
        await activity.record(tx, userId, visit, 'session.reuse_detected')
        await recordEnd(tx, userId, sessionId)
        return 'reused'
      })
      if (outcome === 'unknown') throw badRefreshToken()
      if (outcome === 'reused')
        throw new AppError(
          'unauthenticated',
          'refresh_token_reused',
          'This refresh token was used before, so its session has been ended. Sign in.',
        )
      return outcome
    },

    /** Ends the caller's own session. */
    async end(userId: number, sessionId: string, visit: Visit): Promise<void> {
      await inTransaction(db, async (tx) => {
        if (!(await deleteSession(tx, { id: sessionId, userId }))) return
        await activity.record(tx, userId, visit, 'session.ended')
        await recordEnd(tx, userId, sessionId)
      })
    },

    async revoke(userId: number, sessionId: string, visit: Visit, ifMatch?: string): Promise<void> {
      await inTransaction(db, async (tx) => {
        if (!(await deleteSession(tx, { id: sessionId, userId }))) throw notFound('session')
        requireUntagged(ifMatch)
        await activity.record(tx, userId, visit, 'session.revoked', { sessions: 1 })
        await recordEnd(tx, userId, sessionId)
      })
    },

    /** Ends all sessions except `keepId`, or all if `keepId` is null. */
    revokeOthers: (userId: number, keepId: string | null, visit: Visit): Promise<number> =>
      inTransaction(db, async (tx) => {
        const ended = await deleteOtherSessions(tx, userId, keepId)
        for (const { id } of ended) await recordEnd(tx, userId, id)
        if (ended.length > 0)
          await activity.record(tx, userId, visit, 'session.revoked', { sessions: ended.length })
        return ended.length
      }),

    async list(userId: number, currentId: string, page: PageRequest) {
      const after = readCursor(page.cursor, 'instant', 'text')
      const rows = await listLiveSessions(db, userId, instantIn(0), { limit: page.limit, after })
      const found = pageOf(rows, page.limit, (row) => [row.createdAt, row.id])
      return {
        sessions: found.page.map((row) => ({
          ...row,
          device: deviceOf(row.userAgent),
          current: row.id === currentId,
        })),
        nextCursor: found.nextCursor,
      }
    },

    prune: () => deleteExpiredSessions(db, instantIn(0)),
  }
}
