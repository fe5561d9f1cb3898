import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../../database/database.ts'
import type { Proof } from '../access/caller.ts'
import { AppError, invalid } from '../errors.ts'
import type { Logger } from '../log.ts'
import { type Client, createClient, type Wants } from './client.ts'
import { formatEvent, formatPosition } from './frames.ts'
import { followChanges, type Tail } from './tail.ts'

const MAX_CLIENTS = 5_000
const CHECK_EVERY_MS = 1_000
const HEARTBEAT_MS = 15_000
const MAX_STUCK_MS = 30_000
/** Reconnection delay of browsers. */
const RECONNECT_MS = 2_000

export interface ServeOptions {
  wants: Wants
  /** Events for clients without a `Last-Event-ID`. Changes that happen meanwhile are sent after them. */
  greeting?: () => Promise<readonly { type: string; data: unknown }[]>
}

/** Sends changes as server-sent events, resumable from the log. */
export interface LiveEvents {
  /** Answers a request with a stream that ends when its credential expires. */
  serve(request: FastifyRequest, reply: FastifyReply, options: ServeOptions): Promise<void>
  count(): number
  /** Total bytes that clients have not read yet. */
  unreadBytes(): number
  close(): void
}

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // nginx would otherwise buffer the events.
  'x-accel-buffering': 'no',
}

const lastEventIdOf = (request: FastifyRequest): number | undefined => {
  const header = request.headers['last-event-id']
  if (header === undefined || header === '') return undefined
  if (typeof header !== 'string' || !/^\d{1,15}$/.test(header))
    throw invalid('Last-Event-ID must be the id of an event of this instance.')
  return Number(header)
}

const unavailable = (message: string): AppError =>
  new AppError('unavailable', 'unavailable', message, { details: { retryAfterSeconds: 5 } })

export const createLiveEvents = ({ database, log }: { database: Database; log: Logger }): LiveEvents => {
  const clients = new Map<Client, Proof | null>()
  let tail: Tail | undefined
  let clientCount = 0
  let isClosed = false

  /** The tail is followed while there are clients, including those that are connecting. */
  const acquireTail = async (): Promise<Tail> => {
    clientCount++
    tail ??= followChanges({ database, log })
    const acquired = tail
    try {
      await acquired.started
      return acquired
    } catch (error) {
      releaseTail()
      // The next client starts a new tail.
      if (tail === acquired) tail = undefined
      acquired.stop()
      throw error
    }
  }

  const releaseTail = (): void => {
    if (--clientCount > 0) return
    tail?.stop()
    tail = undefined
  }

  const endStreamsOf = (key: string): void => {
    for (const [client, proof] of clients) if (proof?.key === key) client.end()
  }

  /**
   * Verifies again each credential with an open stream: the row of a session or token, the expiry of a JWT.
   */
  const checkProofs = async (): Promise<void> => {
    const proofs = new Map([...clients.values()].flatMap((proof) => (proof ? [[proof.key, proof]] : [])))
    for (const [key, proof] of proofs) if (!(await proof.identify())) endStreamsOf(key)
  }

  let isChecking = false
  const check = async (): Promise<void> => {
    if (isChecking) return
    isChecking = true
    try {
      await checkProofs()
    } catch (error) {
      log.warn({ err: error }, 'could not verify the credentials of live streams')
    }
    isChecking = false
  }

  const cutStuck = (): void => {
    for (const client of clients.keys()) if (client.stuckMs() > MAX_STUCK_MS) client.cut()
  }

  const timers = [
    setInterval(() => void check(), CHECK_EVERY_MS),
    setInterval(() => {
      cutStuck()
      for (const client of clients.keys()) client.sendHeartbeat()
    }, HEARTBEAT_MS),
  ]
  for (const timer of timers) timer.unref()

  const serve: LiveEvents['serve'] = async (request, reply, { wants, greeting }) => {
    const since = lastEventIdOf(request)
    if (request.method === 'HEAD') return void reply.headers(HEADERS).send()
    if (isClosed) throw unavailable('This instance is shutting down.')
    if (clientCount >= MAX_CLIENTS) throw unavailable('Too many clients are connected.')
    const current = await acquireTail()
    const response = reply.raw
    try {
      const isComplete = since === undefined || (await current.reachesBackTo(since))
      const position = since !== undefined && isComplete ? since : current.head()
      const opening = [
        `retry: ${RECONNECT_MS}\n${formatPosition(position)}`,
        ...(isComplete ? [] : [formatEvent('reset', {})]),
        ...(since !== undefined && isComplete ? [] : ((await greeting?.()) ?? [])).map(({ type, data }) =>
          formatEvent(type, data),
        ),
      ]
      if (isClosed) throw unavailable('This instance is shutting down.')
      reply.hijack()
      // A client may disconnect during a write.
      response.on('error', () => {})
      response.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...HEADERS })
      response.write(opening.join(''))
      const client = createClient({ response, tail: current, wants, position, log })
      clients.set(client, request.proof)
      const onClose = (): void => {
        client.end()
        clients.delete(client)
        releaseTail()
      }
      if (response.destroyed) return onClose()
      response.once('close', onClose)
      client.start()
    } catch (error) {
      releaseTail()
      throw error
    }
  }

  return {
    serve,
    count: () => clients.size,
    unreadBytes: () => [...clients.keys()].reduce((sum, client) => sum + client.unreadBytes(), 0),
    close() {
      isClosed = true
      for (const timer of timers) clearInterval(timer)
      for (const client of clients.keys()) client.end()
    },
  }
}
