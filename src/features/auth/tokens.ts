import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Scope } from '../../platform/access/caller.ts'
import type { Visit } from '../../platform/access/visit.ts'
import type { Clock } from '../../platform/clock.ts'
import { invalidField, notFound } from '../../platform/errors.ts'
import { pageOf, readCursor } from '../../platform/http/cursor.ts'
import { requireMatch } from '../../platform/http/etag.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import { type Random, randomId, randomSecret } from '../../platform/random.ts'
import { digest } from '../../platform/secrets/digest.ts'
import type { Activity } from './activity.ts'
import {
  type AccessTokenRecord,
  deleteAccessToken,
  deleteFeedToken,
  type FeedTokenRecord,
  findAccessToken,
  findFeedToken,
  insertAccessToken,
  insertFeedToken,
  listAccessTokens,
  listFeedTokens,
  lockAccessToken,
  updateAccessToken,
} from './token-store.ts'

/** What begins every personal access token, so that one found somewhere is recognised for what it is. */
export const TOKEN_PREFIX = 'fct_'

const newSecret = (random: Random, prefix: string) => {
  const secret = `${prefix}${randomSecret(random)}`
  return { secret, hash: digest(secret), hint: `…${secret.slice(-4)}` }
}

const viewOf = ({ hash: _, scopes, ...token }: AccessTokenRecord) => ({
  ...token,
  scopes: JSON.parse(scopes) as Scope[],
  shown: token.lastUsedAt,
})

export type PersonalTokens = ReturnType<typeof createPersonalTokens>

/** Tokens for programs: shown once, kept hashed, good for what they were made for. */
export const createPersonalTokens = (deps: { db: Db; clock: Clock; random: Random; activity: Activity }) => {
  const { db, clock, random, activity } = deps
  const get = async (tx: Db, userId: number, id: string): Promise<AccessTokenRecord> => {
    const token = await findAccessToken(tx, userId, id)
    if (!token) throw notFound('token')
    return token
  }
  return {
    async create(
      tx: Db,
      userId: number,
      wish: { name: string; scopes: readonly Scope[]; expiresAt: string | null },
      visit: Visit,
    ) {
      const now = clock.now().toISOString()
      if (wish.expiresAt !== null && wish.expiresAt <= now)
        throw invalidField('expiresAt', 'must be in the future')
      const { secret, hash, hint } = newSecret(random, TOKEN_PREFIX)
      const token = await insertAccessToken(tx, {
        id: randomId(random),
        userId,
        name: wish.name,
        hash,
        hint,
        scopes: JSON.stringify([...new Set(wish.scopes)]),
        createdAt: now,
        expiresAt: wish.expiresAt,
        lastUsedAt: null,
        version: 1,
      })
      await activity.record(tx, userId, visit, 'token.created', { name: wish.name, scopes: wish.scopes })
      return { ...viewOf(token), token: secret }
    },

    async list(userId: number, { limit, cursor }: PageRequest) {
      const rows = await listAccessTokens(db, userId, { limit, after: readCursor(cursor, 'instant', 'text') })
      const { page, nextCursor } = pageOf(rows, limit, (row) => [row.createdAt, row.id])
      return { tokens: page.map(viewOf), nextCursor }
    },

    get: async (userId: number, id: string) => viewOf(await get(db, userId, id)),

    rename: (userId: number, id: string, name: string, ifMatch: string | undefined) =>
      inTransaction(db, async (tx) => {
        await lockAccessToken(tx, id)
        const token = await get(tx, userId, id)
        requireMatch(ifMatch, token)
        return viewOf(await updateAccessToken(tx, token, { name }))
      }),

    /** A new secret under the same name and scopes; the old one is worth nothing from then on. */
    async rotate(tx: Db, userId: number, id: string, visit: Visit) {
      const token = await get(tx, userId, id)
      const { secret, hash, hint } = newSecret(random, TOKEN_PREFIX)
      await activity.record(tx, userId, visit, 'token.rotated', { name: token.name })
      return { ...viewOf(await updateAccessToken(tx, token, { hash, hint })), token: secret }
    },

    revoke: (userId: number, id: string, visit: Visit, ifMatch: string | undefined) =>
      inTransaction(db, async (tx) => {
        await lockAccessToken(tx, id)
        const token = await get(tx, userId, id)
        requireMatch(ifMatch, token)
        await deleteAccessToken(tx, id)
        await activity.record(tx, userId, visit, 'token.revoked', { name: token.name })
      }),
  }
}

/** Nobody changes one: it is made, used and revoked. */
const feedViewOf = ({ hash: _, ...token }: FeedTokenRecord) => ({
  ...token,
  ...{ version: 1, shown: token.lastUsedAt },
})

export type FeedTokens = ReturnType<typeof createFeedTokens>

/** Read-only tokens that stand in an address, for programs that can only be given one: calendars, browser sources. */
export const createFeedTokens = (deps: { db: Db; clock: Clock; random: Random; activity: Activity }) => {
  const { db, clock, random, activity } = deps
  const get = async (tx: Db, userId: number, id: string): Promise<FeedTokenRecord> => {
    const token = await findFeedToken(tx, userId, id)
    if (!token) throw notFound('feed token')
    return token
  }
  return {
    create: (userId: number, wish: { name: string; purpose: 'calendar' | 'overlay' }, visit: Visit) =>
      inTransaction(db, async (tx) => {
        const { secret, hash, hint } = newSecret(random, '')
        const createdAt = clock.now().toISOString()
        const made = await insertFeedToken(tx, {
          id: randomId(random),
          userId,
          ...wish,
          hash,
          hint,
          createdAt,
          lastUsedAt: null,
        })
        await activity.record(tx, userId, visit, 'feed_token.created', { ...wish })
        return { ...feedViewOf(made), token: secret }
      }),

    async list(userId: number, { limit, cursor }: PageRequest) {
      const rows = await listFeedTokens(db, userId, { limit, after: readCursor(cursor, 'instant', 'text') })
      const { page, nextCursor } = pageOf(rows, limit, (row) => [row.createdAt, row.id])
      return { feedTokens: page.map(feedViewOf), nextCursor }
    },

    get: async (userId: number, id: string) => feedViewOf(await get(db, userId, id)),

    revoke: (userId: number, id: string, visit: Visit, ifMatch: string | undefined) =>
      inTransaction(db, async (tx) => {
        requireMatch(ifMatch, feedViewOf(await get(tx, userId, id)))
        if (!(await deleteFeedToken(tx, userId, id))) throw notFound('feed token')
        await activity.record(tx, userId, visit, 'feed_token.revoked')
      }),
  }
}
