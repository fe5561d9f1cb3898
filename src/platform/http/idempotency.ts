import { setTimeout } from 'node:timers/promises'
import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteHandlerMethod,
} from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../../database/db.ts'
import { whyUnavailable } from '../../database/errors.ts'
import type { ProcessLock } from '../../database/process-lock.ts'
import { inTransaction } from '../../database/transaction.ts'
import { callerKey } from '../access/caller.ts'
import type { Clock } from '../clock.ts'
import { AppError, conflict, invalidField } from '../errors.ts'
import { fingerprint } from '../fingerprint.ts'
import type { Logger } from '../log.ts'
import { type Random, randomId } from '../random.ts'
import { digest } from '../secrets/seal.ts'
import { etagOf, isVersioned } from './etag.ts'
import { statusOf } from './problem.ts'

const STORED_MS = 24 * 3_600_000
/** Interval of retries if the result of a finished request could not be written. */
const SETTLE_RETRY_MS = 500

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
  /** The hash of the body, and the one that version 0.2.0 may have stored. */
  bodyHashes: readonly [string, string]
}

export interface IdempotencyDeps {
  db: Db
  processLock: ProcessLock
  clock: Clock
  random: Random
  log: Logger
}

const inProgress = (): AppError =>
  new AppError('conflict', 'conflict', 'The first request with this Idempotency-Key is still in progress.', {
    details: { retryAfterSeconds: 1 },
  })

const createKeys = ({ db, processLock, clock }: IdempotencyDeps) => {
  /** Inserts a claim. Replaces a claim that has expired or, with `ifVoid`, whose process has ended. */
  const take = async ({ scope, claim, bodyHashes }: Claim, ifVoid: boolean): Promise<boolean> => {
    const now = clock.now().getTime()
    const expiresAt = new Date(now + STORED_MS).toISOString()
    const fresh = { bodyHash: bodyHashes[0], claim, processId: processLock.id, expiresAt, answer: null }
    const taken = await db
      .insertInto('idempotency_keys')
      .values({ scope, ...fresh })
      .onConflict((existing) =>
        existing
          .column('scope')
          .doUpdateSet(fresh)
          .where((row) => {
            const isExpired = row('idempotency_keys.expiresAt', '<=', new Date(now).toISOString())
            if (!ifVoid) return isExpired
            return row.or([
              isExpired,
              row.and([
                row('idempotency_keys.answer', 'is', null),
                row('idempotency_keys.bodyHash', 'in', bodyHashes),
                row.not(processLock.isHeld(sql.ref('idempotency_keys.processId'))),
              ]),
            ])
          }),
      )
      .returning('claim')
      .executeTakeFirst()
    return taken !== undefined
  }

  const find = async ({ scope, bodyHashes }: Claim) => {
    const held = await db
      .selectFrom('idempotency_keys')
      .select(['bodyHash', 'answer'])
      .select(processLock.isHeld(sql.ref('idempotency_keys.processId')).as('isAlive'))
      .where('scope', '=', scope)
      .executeTakeFirst()
    if (held && !bodyHashes.includes(held.bodyHash))
      throw conflict('This Idempotency-Key was used for another request.', 'idempotency_mismatch')
    return held
  }

  return {
    /** Claims the key for this request, or returns the stored response of an earlier one. */
    async claim(claim: Claim): Promise<Answer | undefined> {
      await processLock.acquire()
      if (await take(claim, false)) return undefined
      let held = await find(claim)
      if (held && held.answer === null && !held.isAlive) {
        // The process of the claim has ended, or has lost its connection and regains its lock within this
        // time.
        await setTimeout(processLock.recoveryMs)
        if (await take(claim, true)) return undefined
        held = await find(claim)
      }
      if (!held?.answer) throw inProgress()
      return JSON.parse(held.answer) as Answer
    },
    /**
     * Stores the response. Throws if another request has taken over the claim, so that only one change is
     * committed.
     */
    async keep(tx: Db, { scope, claim }: Claim, answer: Answer): Promise<void> {
      const { numUpdatedRows } = await tx
        .updateTable('idempotency_keys')
        .set({ answer: JSON.stringify(answer) })
        .where('scope', '=', scope)
        .where('claim', '=', claim)
        .executeTakeFirst()
      if (numUpdatedRows !== 1n) throw conflict('Another request with this Idempotency-Key took over.')
    },
    async release({ scope, claim }: Claim): Promise<void> {
      await db
        .deleteFrom('idempotency_keys')
        .where('scope', '=', scope)
        .where('claim', '=', claim)
        .where('answer', 'is', null)
        .execute()
    },
  }
}

const keyOf = (request: FastifyRequest): string | undefined => {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key))
    throw invalidField('Idempotency-Key', 'must be 1 to 255 visible characters')
  return key
}

/** Hashes a body for comparison: bytes as they are, other bodies by their value. */
const hashesOf = (key: string, body: unknown): Claim['bodyHashes'] => {
  const content = Buffer.isBuffer(body) ? digest(body) : (body ?? null)
  const former = Buffer.isBuffer(body) ? digest(body) : JSON.stringify(body ?? null)
  return [fingerprint([key, content]), digest(`${key}\n${former}`)]
}

/** Serializes the response as it is sent. If the route offers several types, the JSON form is stored. */
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

/** Internal errors, and errors that disappear without a change of the request, are not stored. */
const isKept = (error: AppError): boolean =>
  statusOf(error) < 500 && error.kind !== 'rate_limited' && error.code !== 'storage_full'

const replay = (reply: FastifyReply, { status, headers, body, error }: Answer): FastifyReply => {
  reply.header('idempotency-replayed', 'true')
  if (error) throw new AppError(error.kind, error.code, error.message, { details: error.details })
  reply.code(status).headers(headers)
  return body === null ? reply.send() : reply.type('application/json; charset=utf-8').send(body)
}

/**
 * Implements `Idempotency-Key` for every POST route that declares it. The handler runs inside the transaction
 * that stores its response, so no crash can leave a change without its response or the reverse. If a handler
 * waits for other systems or has its own transactions, its response is stored afterwards (`noted`). A
 * response with a secret is never stored. A claim lasts as long as its process, whose lock other processes
 * can see.
 */
export const addIdempotency = (app: FastifyInstance, deps: IdempotencyDeps): void => {
  const keys = createKeys(deps)
  let isClosed = false
  app.addHook('onClose', async () => {
    isClosed = true
  })

  /**
   * Writes the result of a request. While the database is down, retries continue in the background. The claim
   * of a live process is never void, so otherwise every retry would get "still in progress".
   */
  const settle = async (write: () => Promise<void>): Promise<void> => {
    try {
      await write()
    } catch (error) {
      if (!whyUnavailable(error)) throw error
      void settleLater(write)
    }
  }
  const settleLater = async (write: () => Promise<void>): Promise<void> => {
    while (!isClosed)
      try {
        await setTimeout(SETTLE_RETRY_MS, undefined, { ref: false })
        return await write()
      } catch (error) {
        if (whyUnavailable(error)) continue
        return deps.log.warn({ err: error }, 'could not store the response to an Idempotency-Key')
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
      const claim = { scope, claim: randomId(deps.random), bodyHashes: hashesOf(key, request.body) }
      const kept = await keys.claim(claim).catch((error: unknown) => {
        // The claim may be committed although the connection was lost.
        if (whyUnavailable(error)) void settleLater(() => keys.release(claim))
        throw error
      })
      if (kept) return replay(reply, kept)
      try {
        await prepare?.(request, reply)
        if (mode !== 'kept') {
          const payload = await handler.call(this, request, reply)
          const answer = mode === 'held' ? undefined : answerOf(reply, payload)
          await settle(() => (answer ? keys.keep(deps.db, claim, answer) : keys.release(claim)))
          return payload
        }
        return await inTransaction(deps.db, async (tx) => {
          const payload = await handler.call(this, request, reply)
          if (reply.sent)
            throw new Error(
              'A handler with a stored response must return it, because it is sent after the commit.',
            )
          await keys.keep(tx, claim, answerOf(reply, payload))
          return payload
        })
      } catch (error) {
        if (mode !== 'held' && error instanceof AppError && isKept(error)) {
          const { kind, code, message, details } = error
          const answer = { status: 0, headers: {}, body: null, error: { kind, code, message, details } }
          await settle(() => keys.keep(deps.db, claim, answer))
        } else await settle(() => keys.release(claim))
        throw error
      }
    }

  app.addHook('onRoute', (route) => {
    const { idempotency, prepare } = route.config ?? {}
    if (idempotency) route.handler = wrap(route.handler, idempotency, prepare)
  })
}
