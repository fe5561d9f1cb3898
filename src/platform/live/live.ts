import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../../database/database.ts'
import type { Proof } from '../access/caller.ts'
import { AppError, invalid } from '../errors.ts'
import type { Logger } from '../log.ts'
import { type Client, createClient, type Wants } from './client.ts'
import { placeFrame, spokenFrame } from './frames.ts'
import { followChanges, type Tail } from './tail.ts'

const MOST_CLIENTS = 5_000
const CHECK_EVERY_MS = 1_000
const BEAT_EVERY_MS = 15_000
const LONGEST_STUCK_MS = 30_000
/** How soon a browser comes back by itself. */
const COME_BACK_MS = 2_000

export interface ServeOptions {
  wants: Wants
  /** Told at once to whoever comes without a `Last-Event-ID`; what changes while it is made is told after it. */
  greeting?: () => Promise<readonly { type: string; data: unknown }[]>
}

/** Changes as they happen, as server-sent events, resumable from the log. */
export interface LiveEvents {
  /** Answers a request with a stream that ends when its credential does. */
  serve(request: FastifyRequest, reply: FastifyReply, options: ServeOptions): Promise<void>
  count(): number
  /** What all of them together have not read yet. */
  unreadBytes(): number
  close(): void
}

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // nginx would otherwise gather what should be told at once.
  'x-accel-buffering': 'no',
}

const lastEventIdOf = (request: FastifyRequest): number | undefined => {
  const header = request.headers['last-event-id']
  if (header === undefined || header === '') return undefined
  if (typeof header !== 'string' || !/^\d{1,15}$/.test(header))
    throw invalid('Last-Event-ID must be the id of an event that was told here.')
  return Number(header)
}

const unavailable = (message: string): AppError =>
  new AppError('unavailable', 'unavailable', message, { details: { retryAfterSeconds: 5 } })

export const createLiveEvents = ({ database, log }: { database: Database; log: Logger }): LiveEvents => {
  const clients = new Map<Client, Proof | null>()
  let tail: Tail | undefined
  let members = 0
  let isClosed = false

  /** The tail is followed while anyone is here, those included who are just coming in. */
  const enter = async (): Promise<Tail> => {
    members++
    tail ??= followChanges({ database, log })
    const entered = tail
    try {
      await entered.begun
      return entered
    } catch (error) {
      leave()
      // Whoever comes next begins anew.
      if (tail === entered) tail = undefined
      entered.stop()
      throw error
    }
  }

  const leave = (): void => {
    if (--members > 0) return
    tail?.stop()
    tail = undefined
  }

  const endThoseOf = (key: string): void => {
    for (const [client, proof] of clients) if (proof?.key === key) client.end()
  }

  /** A session's row, a token's row, the end of a JWT: asked again for each credential that is listening. */
  const checkProofs = async (): Promise<void> => {
    const proofs = new Map([...clients.values()].flatMap((proof) => (proof ? [[proof.key, proof]] : [])))
    for (const [key, proof] of proofs) if (!(await proof.identify())) endThoseOf(key)
  }

  let isChecking = false
  const check = async (): Promise<void> => {
    if (isChecking) return
    isChecking = true
    try {
      await checkProofs()
    } catch (error) {
      log.warn({ err: error }, 'the credentials of live streams could not be checked')
    }
    isChecking = false
  }

  const cutStuck = (): void => {
    for (const client of clients.keys()) if (client.stuckMs() > LONGEST_STUCK_MS) client.cut()
  }

  const timers = [
    setInterval(() => void check(), CHECK_EVERY_MS),
    setInterval(() => {
      cutStuck()
      for (const client of clients.keys()) client.beat()
    }, BEAT_EVERY_MS),
  ]
  for (const timer of timers) timer.unref()

  const serve: LiveEvents['serve'] = async (request, reply, { wants, greeting }) => {
    const since = lastEventIdOf(request)
    if (request.method === 'HEAD') return void reply.headers(HEADERS).send()
    if (isClosed) throw unavailable('This instance is stopping.')
    if (members >= MOST_CLIENTS) throw unavailable('Too many are listening already.')
    const current = await enter()
    const response = reply.raw
    try {
      const isWhole = since === undefined || (await current.reachesBackTo(since))
      const position = since !== undefined && isWhole ? since : current.head()
      const opening = [
        `retry: ${COME_BACK_MS}\n${placeFrame(position)}`,
        ...(isWhole ? [] : [spokenFrame('reset', {})]),
        ...(since !== undefined && isWhole ? [] : ((await greeting?.()) ?? [])).map(({ type, data }) =>
          spokenFrame(type, data),
        ),
      ]
      if (isClosed) throw unavailable('This instance is stopping.')
      reply.hijack()
      // Whoever hangs up while something is on its way to them.
      response.on('error', () => {})
      response.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...HEADERS })
      response.write(opening.join(''))
      const client = createClient({ response, tail: current, wants, position, log })
      clients.set(client, request.proof)
      const gone = (): void => {
        client.end()
        clients.delete(client)
        leave()
      }
      if (response.destroyed) return gone()
      response.once('close', gone)
      client.start()
    } catch (error) {
      leave()
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
