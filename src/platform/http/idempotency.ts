import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteHandlerMethod,
} from 'fastify'
import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import { callerKey } from '../access/caller.ts'
import type { Clock } from '../clock.ts'
import { AppError, conflict, invalidField } from '../errors.ts'
import { type Random, randomId } from '../random.ts'
import { digest } from '../secrets/digest.ts'
import { etagOf, isVersioned } from './etag.ts'
import { statusOf } from './problem.ts'

const KEPT_MS = 24 * 3_600_000
/** How long a request may be at work before another may take its place: its process is gone by then. */
const CLAIM_MS = 60_000

type Mode = NonNullable<FastifyContextConfig['idempotency']>

interface Answer {
  status: number
  headers: Record<string, string>
  body: string | null
  error?: { kind: AppError['kind']; code: string; message: string; details: AppError['details'] }
}

interface Claim {
  scope: string
  claim: string
}

export interface IdempotencyDeps {
  db: Db
  clock: Clock
  random: Random
}

const createKeys = ({ db, clock, random }: IdempotencyDeps) => ({
  /** Takes the key for this request, or finds the answer that was given before. */
  async claim(scope: string, bodyHash: string): Promise<{ claim: Claim } | { answer: Answer }> {
    const now = clock.now().getTime()
    const at = (ms: number) => new Date(now + ms).toISOString()
    const fresh = { bodyHash, claim: randomId(random), claimedUntil: at(CLAIM_MS), expiresAt: at(KEPT_MS) }
    const taken = await db
      .insertInto('idempotency_keys')
      .values({ scope, ...fresh, answer: null })
      .onConflict((existing) =>
        existing
          .column('scope')
          .doUpdateSet({ ...fresh, answer: null })
          .where((row) =>
            row.or([
              row('idempotency_keys.expiresAt', '<=', at(0)),
              row.and([
                row('idempotency_keys.answer', 'is', null),
                row('idempotency_keys.claimedUntil', '<=', at(0)),
                row('idempotency_keys.bodyHash', '=', bodyHash),
              ]),
            ]),
          ),
      )
      .returning('claim')
      .executeTakeFirst()
    if (taken) return { claim: { scope, claim: taken.claim } }
    const held = await db
      .selectFrom('idempotency_keys')
      .select(['bodyHash', 'answer', 'claimedUntil'])
      .where('scope', '=', scope)
      .executeTakeFirst()
    if (held && held.bodyHash !== bodyHash)
      throw conflict('This Idempotency-Key was used for another request.', 'idempotency_mismatch')
    if (!held?.answer)
      throw new AppError(
        'conflict',
        'conflict',
        'The first request with this Idempotency-Key is still at work.',
        {
          details: { retryAfterSeconds: 1 },
        },
      )
    return { answer: JSON.parse(held.answer) as Answer }
  },
  /** Keeps the answer; refuses when another request has taken the claim over, so that its change is the only one. */
  async keep(tx: Db, { scope, claim }: Claim, answer: Answer): Promise<void> {
    const { numUpdatedRows } = await tx
      .updateTable('idempotency_keys')
      .set({ answer: JSON.stringify(answer) })
      .where('scope', '=', scope)
      .where('claim', '=', claim)
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) throw conflict('Another request with this Idempotency-Key has taken over.')
  },
  /** What takes longer than a claim lasts goes on claiming. */
  async renew({ scope, claim }: Claim): Promise<void> {
    const claimedUntil = new Date(clock.now().getTime() + CLAIM_MS).toISOString()
    await db
      .updateTable('idempotency_keys')
      .set({ claimedUntil })
      .where('scope', '=', scope)
      .where('claim', '=', claim)
      .execute()
  },
  async release({ scope, claim }: Claim): Promise<void> {
    await db
      .deleteFrom('idempotency_keys')
      .where('scope', '=', scope)
      .where('claim', '=', claim)
      .where('answer', 'is', null)
      .execute()
  },
})

const keyOf = (request: FastifyRequest): string | undefined => {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key))
    throw invalidField('Idempotency-Key', 'must be 1 to 255 visible characters')
  return key
}

/** What makes one body another: bytes as they are, everything else by what it says. */
const contentOf = (body: unknown): string =>
  Buffer.isBuffer(body) ? digest(body) : JSON.stringify(body ?? null)

/** As it goes out: also where the route answers in several forms, of which JSON is the one to keep. */
const textOf = (reply: FastifyReply, payload: unknown): string => {
  const write = reply.getSerializationFunction(String(reply.statusCode), 'application/json')
  return String(write ? write(payload as Record<string, unknown>) : reply.serialize(payload))
}

const answerOf = (reply: FastifyReply, payload: unknown): Answer => {
  const location = reply.getHeader('location')
  return {
    status: reply.statusCode,
    headers: {
      ...(location !== undefined && { location: String(location) }),
      ...(isVersioned(payload) && { etag: etagOf(payload) }),
    },
    body: payload === undefined || payload === null ? null : textOf(reply, payload),
  }
}

/** A fault, or a refusal that waiting mends, is no answer to keep. */
const isKept = (error: AppError): boolean => statusOf(error) < 500 && error.kind !== 'rate_limited'

const replay = (reply: FastifyReply, { status, headers, body, error }: Answer): FastifyReply => {
  reply.header('idempotency-replayed', 'true')
  if (error) throw new AppError(error.kind, error.code, error.message, { details: error.details })
  reply.code(status).headers(headers)
  return body === null ? reply.send() : reply.type('application/json; charset=utf-8').send(body)
}

/**
 * `Idempotency-Key` on every POST that declares it: the handler runs inside the transaction that keeps its answer,
 * so a change without its answer, or an answer without its change, cannot survive any crash. Where a handler waits for
 * others or has transactions of its own, its answer is kept after it (`noted`); where it holds a secret, not at all.
 */
export const addIdempotency = (app: FastifyInstance, deps: IdempotencyDeps): void => {
  const keys = createKeys(deps)

  const whileClaimed = async <T>(claim: Claim, work: () => Promise<T>): Promise<T> => {
    const timer = setInterval(() => keys.renew(claim).catch(() => undefined), CLAIM_MS / 3)
    try {
      return await work()
    } finally {
      clearInterval(timer)
    }
  }

  const wrap = (
    handler: RouteHandlerMethod,
    mode: Mode,
    prepare: FastifyContextConfig['prepare'],
  ): RouteHandlerMethod =>
    async function (this: FastifyInstance, request, reply) {
      const key = keyOf(request)
      if (key === undefined) {
        await prepare?.(request, reply)
        return handler.call(this, request, reply)
      }
      const scope = digest([callerKey(request.caller), request.method, request.url, key].join('\n'))
      const claimed = await keys.claim(scope, digest(`${key}\n${contentOf(request.body)}`))
      if ('answer' in claimed) return replay(reply, claimed.answer)
      const { claim } = claimed
      try {
        await prepare?.(request, reply)
        if (mode !== 'kept') {
          const payload = await whileClaimed(claim, async () => handler.call(this, request, reply))
          if (mode === 'held') await keys.release(claim)
          else await keys.keep(deps.db, claim, answerOf(reply, payload))
          return payload
        }
        return await inTransaction(deps.db, async (tx) => {
          const payload = await handler.call(this, request, reply)
          if (reply.sent)
            throw new Error('A handler whose answer is kept must return it: it goes out after the commit.')
          await keys.keep(tx, claim, answerOf(reply, payload))
          return payload
        })
      } catch (error) {
        if (mode !== 'held' && error instanceof AppError && isKept(error)) {
          const { kind, code, message, details } = error
          await keys.keep(deps.db, claim, {
            status: 0,
            headers: {},
            body: null,
            error: { kind, code, message, details },
          })
        } else await keys.release(claim)
        throw error
      }
    }

  app.addHook('onRoute', (route) => {
    const { idempotency, prepare } = route.config ?? {}
    if (idempotency) route.handler = wrap(route.handler, idempotency, prepare)
  })
}
