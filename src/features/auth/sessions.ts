import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import { deviceOf } from '../../platform/access/device.ts'
import type { Visit } from '../../platform/access/visit.ts'
import type { Changes } from '../../platform/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import { pageOf, readCursor } from '../../platform/http/cursor.ts'
import { requireUntagged } from '../../platform/http/etag.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import { type Random, randomId, randomSecret } from '../../platform/random.ts'
import { digest } from '../../platform/secrets/digest.ts'
import type { AccessTokens } from './access-jwt.ts'
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
} from './session-store.ts'

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

/** How long the tokens before the newest ones are accepted: the client may have lost the answer that replaced them. */
const GRACE_MS = 60_000

const badRefreshToken = () =>
  new AppError(
    'unauthenticated',
    'invalid_refresh_token',
    'This refresh token is not valid, or no longer. Sign in.',
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
    /** Opens a session for someone who has just proved who they are. */
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
     * Tokens of a session belong to numbered generations. A token of the newest generation starts the next one and
     * retires all tokens of its own. A token of the generation before gets a further token of the newest generation,
     * until 60 s after the rotation: several tabs, or retries after a lost answer, then hold equal tokens. Any older
     * token was copied, so its session ends.
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
        // Read again under the lock: another refresh may have retired this token meanwhile.
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

    /** All of them but one; where none is named, all. */
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
