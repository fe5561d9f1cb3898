import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Scope, Visit } from '../../platform/access/caller.ts'
import { invalidField, notFound } from '../../platform/errors.ts'
import { requireMatch } from '../../platform/http/etag.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import type { Platform } from '../../platform/platform.ts'
import { type Random, randomId, randomSecret } from '../../platform/random.ts'
import { readByAge } from '../../platform/resources.ts'
import { digest } from '../../platform/secrets/seal.ts'
import type { Activity } from './activity.ts'
import { type AccessTokenRecord, accessTokenRows, type FeedTokenRecord, feedTokenRows } from './repository.ts'

/** The prefix of personal access tokens. It lets secret scanners recognize them. */
export const TOKEN_PREFIX = 'fct_'

const newSecret = (random: Random, prefix: string) => {
  const secret = `${prefix}${randomSecret(random)}`
  return { secret, hash: digest(secret), hint: `…${secret.slice(-4)}` }
}

const viewOf = ({ hash: _, scopes, ...token }: AccessTokenRecord) => ({
  ...token,
  scopes: JSON.parse(scopes) as Scope[],
  extra: token.lastUsedAt,
})

export type PersonalTokens = ReturnType<typeof createPersonalTokens>

/** Personal access tokens. The API returns the secret once and stores only its hash. */
export const createPersonalTokens = ({ db, clock, random }: Platform, activity: Activity) => ({
  async create(
    tx: Db,
    userId: number,
    input: { name: string; scopes: readonly Scope[]; expiresAt: string | null },
    visit: Visit,
  ) {
    const now = clock.now().toISOString()
    if (input.expiresAt !== null && input.expiresAt <= now)
      throw invalidField('expiresAt', 'must be in the future')
    const { secret, hash, hint } = newSecret(random, TOKEN_PREFIX)
    const token = await accessTokenRows.insert(tx, {
      id: randomId(random),
      userId,
      name: input.name,
      hash,
      hint,
      scopes: JSON.stringify([...new Set(input.scopes)]),
      createdAt: now,
      expiresAt: input.expiresAt,
      lastUsedAt: null,
      version: 1,
    })
    await activity.record(tx, userId, visit, 'token.created', { name: input.name, scopes: input.scopes })
    return { ...viewOf(token), token: secret }
  },

  async list(userId: number, request: PageRequest) {
    const { page, nextCursor } = await readByAge(accessTokenRows.select(db, userId), request)
    return { tokens: page.map(viewOf), nextCursor }
  },

  get: async (userId: number, id: string) => viewOf(await accessTokenRows.get(db, userId, id)),

  rename: (userId: number, id: string, name: string, ifMatch: string | undefined) =>
    inTransaction(db, async (tx) => {
      const token = await accessTokenRows.getLocked(tx, userId, id, ifMatch)
      return viewOf(await accessTokenRows.update(tx, token, { name }))
    }),

  /** Creates a new secret with the same name and scopes. The old secret becomes invalid at once. */
  async rotate(tx: Db, userId: number, id: string, visit: Visit) {
    const token = await accessTokenRows.get(tx, userId, id)
    const { secret, hash, hint } = newSecret(random, TOKEN_PREFIX)
    await activity.record(tx, userId, visit, 'token.rotated', { name: token.name })
    return { ...viewOf(await accessTokenRows.update(tx, token, { hash, hint })), token: secret }
  },

  revoke: (userId: number, id: string, visit: Visit, ifMatch: string | undefined) =>
    inTransaction(db, async (tx) => {
      const token = await accessTokenRows.remove(tx, userId, id, ifMatch)
      await activity.record(tx, userId, visit, 'token.revoked', { name: token.name })
    }),
})

/** A feed token never changes, so its version is constant. */
const feedViewOf = ({ hash: _, ...token }: FeedTokenRecord) => ({
  ...token,
  version: 1,
  extra: token.lastUsedAt,
})

export type FeedTokens = ReturnType<typeof createFeedTokens>

/** Read-only tokens in a URL, for programs that accept nothing else: calendar clients and browser sources. */
export const createFeedTokens = (
  { db, clock, random }: Platform,
  activity: Activity,
  canSubscribe: (tx: Db, userId: number, calendarId: number) => Promise<boolean>,
) => ({
  create: (
    userId: number,
    {
      calendarId = null,
      ...given
    }: { name: string; purpose: 'calendar' | 'overlay'; calendarId?: number | null },
    visit: Visit,
  ) =>
    inTransaction(db, async (tx) => {
      const input = { ...given, calendarId }
      if (calendarId !== null && input.purpose !== 'calendar')
        throw invalidField('calendarId', 'can only be set with the purpose calendar')
      if (calendarId !== null && !(await canSubscribe(tx, userId, calendarId)))
        throw invalidField('calendarId', 'names a calendar that does not exist')
      const { secret, hash, hint } = newSecret(random, '')
      const createdAt = clock.now().toISOString()
      const created = await feedTokenRows.insert(tx, {
        id: randomId(random),
        userId,
        ...input,
        hash,
        hint,
        createdAt,
        lastUsedAt: null,
      })
      await activity.record(tx, userId, visit, 'feed_token.created', { ...given })
      return { ...feedViewOf(created), token: secret }
    }),

  async list(userId: number, request: PageRequest) {
    const { page, nextCursor } = await readByAge(feedTokenRows.select(db, userId), request)
    return { feedTokens: page.map(feedViewOf), nextCursor }
  },

  get: async (userId: number, id: string) => feedViewOf(await feedTokenRows.get(db, userId, id)),

  revoke: (userId: number, id: string, visit: Visit, ifMatch: string | undefined) =>
    inTransaction(db, async (tx) => {
      requireMatch(ifMatch, feedViewOf(await feedTokenRows.get(tx, userId, id)))
      if (!(await feedTokenRows.delete(tx, userId, id))) throw notFound('feed token')
      await activity.record(tx, userId, visit, 'feed_token.revoked')
    }),
})
