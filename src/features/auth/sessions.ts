import type { KeyObject } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import { deviceOf, type Visit } from '../../platform/access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import { requireUntagged } from '../../platform/http/etag.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import type { Platform } from '../../platform/platform.ts'
import { randomId, randomSecret } from '../../platform/random.ts'
import { readByAge } from '../../platform/resources.ts'
import { digest } from '../../platform/secrets/seal.ts'
import { signJws, verifyJws } from '../../platform/secrets/signatures.ts'
import type { Activity } from './activity.ts'
import {
  deleteExpiredSessions,
  deleteOtherSessions,
  findRefreshToken,
  insertRefreshToken,
  readNewestGeneration,
  retireGeneration,
  sessionRows,
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

interface SessionNeeds {
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

/**
 * Browsers write cookies to disk every 30 s. After a crash, a browser sends a cookie that several page loads
 * have replaced since.
 */
const COOKIE_GRACE_MS = 120_000

const badRefreshToken = () =>
  new AppError(
    'unauthenticated',
    'invalid_refresh_token',
    'This refresh token is invalid or has expired. Sign in.',
  )

export type Sessions = ReturnType<typeof createSessions>

export const createSessions = ({ db, clock, random, changes }: Platform, needs: SessionNeeds) => {
  const { activity, accessTokens, refreshTtlMs, maxAgeMs } = needs
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
    return { token: accessTokens.sign({ userId, sessionId }), refreshToken }
  }

  const recordEnd = (tx: Db, userId: number, sessionId: string): Promise<void> =>
    changes.record(tx, { userId, type: 'session.ended', subject: sessionId, data: { userId } })

  return {
    /** Opens a session for a person who has just authenticated. */
    async start(tx: Db, userId: number, visit: Visit): Promise<SessionTokens> {
      const id = randomId(random)
      const endsAt = instantIn(maxAgeMs)
      await sessionRows.insert(tx, {
        id,
        userId,
        createdAt: instantIn(0),
        lastSeenAt: instantIn(0),
        expiresAt: instantIn(Math.min(refreshTtlMs, maxAgeMs)),
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
     * therefore work. A cookie of any generation does so until 120 s after its rotation. Any older token was
     * copied, so its session ends.
     */
    async refresh(refreshToken: string, visit: Visit, isCookie: boolean): Promise<SessionTokens> {
      const hash = digest(refreshToken)
      const outcome = await inTransaction(db, async (tx) => {
        const known = await findRefreshToken(tx, hash)
        if (!known || known.expiresAt <= instantIn(0)) return 'unknown'
        const { userId, sessionId, endsAt } = known
        const slid = instantIn(refreshTtlMs)
        const expiresAt = slid < endsAt ? slid : endsAt
        if (!(await slideSession(tx, { id: sessionId, userId }, { lastSeenAt: instantIn(0), expiresAt })))
          return 'unknown'
        // Read the token again under the lock, because another refresh may have retired it in the meantime.
        const token = await findRefreshToken(tx, hash)
        if (!token) return 'unknown'
        const newest = await readNewestGeneration(tx, sessionId)
        if (token.generation === newest) {
          await retireGeneration(tx, token, instantIn(0))
          return issue(tx, userId, sessionId, newest + 1)
        }
        const graceMs = isCookie ? COOKIE_GRACE_MS : token.generation === newest - 1 ? GRACE_MS : null
        const isInGrace = graceMs !== null && token.usedAt !== null && token.usedAt >= instantIn(-graceMs)
        if (isInGrace) return issue(tx, userId, sessionId, newest)
        await sessionRows.delete(tx, userId, sessionId)
        // The visit may be that of the thief. The person knows the device that was signed out.
        const device = deviceOf(known.userAgent).name.replace(' on ', ', ')
        await activity.record(tx, userId, visit, 'session.reuse_detected', { device })
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
        if (!(await sessionRows.delete(tx, userId, sessionId))) return
        await activity.record(tx, userId, visit, 'session.ended')
        await recordEnd(tx, userId, sessionId)
      })
    },

    async revoke(userId: number, sessionId: string, visit: Visit, ifMatch?: string): Promise<void> {
      await inTransaction(db, async (tx) => {
        if (!(await sessionRows.delete(tx, userId, sessionId))) throw notFound('session')
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

    async list(userId: number, currentId: string, request: PageRequest) {
      const live = sessionRows.select(db, userId).where('expiresAt', '>', instantIn(0))
      const { page, nextCursor } = await readByAge(live, request)
      const sessions = page.map((row) => ({
        ...row,
        device: deviceOf(row.userAgent),
        current: row.id === currentId,
      }))
      return { sessions, nextCursor }
    },

    prune: () => deleteExpiredSessions(db, instantIn(0)),
  }
}

/** Returns the value of a cookie (RFC 6265, section 4.2), or undefined if it was not sent. */
export const readCookie = (request: FastifyRequest, name: string): string | undefined =>
  (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)

/**
 * Decides whether cookies get the attribute Secure. Browsers drop such cookies on plain http, for example on
 * a home network.
 */
export const createIsSecure =
  (publicUrl: string | null) =>
  (request: FastifyRequest): boolean =>
    publicUrl?.startsWith('https:') ?? request.protocol === 'https'

const SESSION_COOKIE = 'factotum_refresh'

type IsSecure = ReturnType<typeof createIsSecure>

export type SessionCookie = ReturnType<typeof createSessionCookie>

/** Keeps the refresh token where no script of a page can read it. */
export const createSessionCookie = ({ maxAgeMs, isSecure }: { maxAgeMs: number; isSecure: IsSecure }) => {
  const put = (request: FastifyRequest, reply: FastifyReply, value: string, maxAge: number): void => {
    const attributes = `HttpOnly; Path=/api/auth; Max-Age=${maxAge}; SameSite=Strict${isSecure(request) ? '; Secure' : ''}`
    reply.header('set-cookie', `${SESSION_COOKIE}=${value}; ${attributes}`)
  }
  return {
    isWanted: (request: FastifyRequest): boolean => request.headers['x-session'] === 'cookie',
    read: (request: FastifyRequest) => readCookie(request, SESSION_COOKIE),
    set: (request: FastifyRequest, reply: FastifyReply, refreshToken: string): void =>
      put(request, reply, refreshToken, Math.floor(maxAgeMs / 1000)),
    clear: (request: FastifyRequest, reply: FastifyReply): void => put(request, reply, '', 0),
  }
}

/** Browsers keep a cookie for 400 days at most (RFC 6265bis). */
const VALID_MS = 400 * 86_400_000

interface Claims {
  userId: number
  browserId: string
  issuedAt: number
}

const browserCookieName = (userId: number): string => `factotum_browser_${userId}`

export type KnownBrowserCookie = ReturnType<typeof createKnownBrowserCookie>

/**
 * A cookie that proves that this browser has signed in to an account before (OWASP: "device cookie"). It
 * grants no access. Failed sign-ins from such a browser have their own limit, so guesses from elsewhere
 * cannot lock the person out.
 */
export const createKnownBrowserCookie = (
  { clock, random }: Platform,
  { key, isSecure }: { key: KeyObject; isSecure: IsSecure },
) => {
  const verify = (cookie: string): Claims | undefined => {
    const payload = verifyJws(cookie, key)
    return payload && (JSON.parse(payload.toString()) as Claims)
  }

  /** Returns the id of this browser if it has signed in to the account before. */
  const read = (request: FastifyRequest, userId: number): string | undefined => {
    const cookie = readCookie(request, browserCookieName(userId))
    const claims = cookie === undefined ? undefined : verify(cookie)
    const isValid = claims?.userId === userId && claims.issuedAt > clock.now().getTime() - VALID_MS
    return isValid ? claims.browserId : undefined
  }

  return {
    read,
    /** Returns the Set-Cookie header that marks the browser as known, or undefined if it is known already. */
    issue(request: FastifyRequest, userId: number): string | undefined {
      if (read(request, userId) !== undefined) return undefined
      const claims: Claims = { userId, browserId: randomId(random), issuedAt: clock.now().getTime() }
      const attributes = [
        `${browserCookieName(userId)}=${signJws(JSON.stringify(claims), key)}`,
        'HttpOnly',
        'Path=/api/auth/login',
        `Max-Age=${VALID_MS / 1000}`,
        'SameSite=Strict',
      ]
      if (isSecure(request)) attributes.push('Secure')
      return attributes.join('; ')
    },
  }
}

const RESET_COOKIE = 'factotum_reset'
const PATH = '/api/auth/password-reset'
const VALUE = /^[\w-]{43}$/

export type ResetCookie = ReturnType<typeof createResetCookie>

/** Binds a reset link to the browser that requested it. Other HTTP clients need a cookie jar. */
export const createResetCookie = (
  { random }: Platform,
  { maxAgeMs, isSecure }: { maxAgeMs: number; isSecure: IsSecure },
) => {
  const read = (request: FastifyRequest): string | undefined => {
    const value = readCookie(request, RESET_COOKIE)
    return value !== undefined && VALUE.test(value) ? value : undefined
  }
  const put = (request: FastifyRequest, reply: FastifyReply, value: string, maxAge: number): void => {
    const attributes = `HttpOnly; Path=${PATH}; Max-Age=${maxAge}; SameSite=Strict${isSecure(request) ? '; Secure' : ''}`
    reply.header('set-cookie', `${RESET_COOKIE}=${value}; ${attributes}`)
  }
  return {
    read,
    /** Returns the value. A browser that asks twice keeps its cookie, so that both links work in it. */
    set(request: FastifyRequest, reply: FastifyReply): string {
      const value = read(request) ?? randomSecret(random)
      put(request, reply, value, Math.floor(maxAgeMs / 1000))
      return value
    },
    clear: (request: FastifyRequest, reply: FastifyReply): void => put(request, reply, '', 0),
  }
}
