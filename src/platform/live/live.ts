import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  CHANGES_READ,
  type PlacedChange,
  placeChanges,
  readEnds,
  readPlaced,
  readPlacedOf,
} from '../../database/change-order.ts'
import type { Database } from '../../database/database.ts'
import type { Proof } from '../access/caller.ts'
import { AppError, invalid } from '../errors.ts'
import { isHead } from '../http/head-requests.ts'
import type { Logger } from '../log.ts'
import { createYielder } from '../yield.ts'

/** Builds the public form of a change, equal for all receivers. `data` is the JSON text of the log. */
export const toEventPayload = (change: {
  id: number
  type: string
  subject: string
  data: string
  at: string
}): string => {
  const { id, type, subject, data, at } = change
  return `{"id":${id},"type":${JSON.stringify(type)},"subject":${JSON.stringify(subject)},"timestamp":"${at}","data":${data}}`
}

/** An encoded event, created once for all clients. */
interface LiveEvent {
  readonly position: number
  readonly userId: number
  readonly type: string
  readonly frame: Buffer
}

const liveEventOf = (change: PlacedChange): LiveEvent => ({
  position: change.position,
  userId: change.userId,
  type: change.type,
  frame: Buffer.from(`id: ${change.position}\nevent: ${change.type}\ndata: ${toEventPayload(change)}\n\n`),
})

/** Encodes an event for a single client that is not part of the log. */
const formatEvent = (type: string, data: unknown): string =>
  `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`

/**
 * An id without data: a browser stores it and fires no event. It serves as heartbeat, and lets a reconnecting
 * client skip events that were not for it.
 */
const formatPosition = (position: number): string => `id: ${position}\n\n`

/**
 * Collects changes for this time before they get positions together, because assigning positions is a write.
 */
const BATCH_MS = 10
/** Polls as well, because a signal may be lost. */
const POLL_MS = 1_000
const MAX_CACHED_BYTES = 1024 * 1024

/** Caches the newest events, so that clients that reconnect at the same time do not all read the log. */
const createEventCache = () => {
  let events: LiveEvent[] = []
  let bytes = 0
  return {
    add(event: LiveEvent): void {
      events.push(event)
      bytes += event.frame.length
      if (bytes <= MAX_CACHED_BYTES) return
      const half = Math.ceil(events.length / 2)
      for (const { frame } of events.slice(0, half)) bytes -= frame.length
      events = events.slice(half)
    },
    /** Returns undefined if the event after `position` may no longer be cached. */
    since(position: number): readonly LiveEvent[] | undefined {
      const oldest = events[0]
      if (oldest === undefined || oldest.position > position + 1) return undefined
      const from = events.findIndex((event) => event.position > position)
      return from < 0 ? [] : events.slice(from, from + CHANGES_READ)
    },
  }
}

type Tail = ReturnType<typeof followChanges>

/**
 * Follows the end of the log once for all clients of an instance. Passes every event to `listeners`, in
 * order.
 */
const followChanges = ({ database, log }: { database: Database; log: Logger }) => {
  const { signals } = database
  const listeners = new Set<(event: LiveEvent) => void>()
  const recent = createEventCache()
  let head: number | undefined
  let isFollowing = true
  let isReading = false
  let isCalled = false

  const readOn = async (from: number): Promise<void> => {
    const yieldIfNeeded = createYielder()
    let at = from
    for (;;) {
      const changes = await readPlaced(database.db, at)
      for (const change of changes) {
        const event = liveEventOf(change)
        at = event.position
        head = at
        recent.add(event)
        for (const listener of listeners) listener(event)
        await yieldIfNeeded()
      }
      if (changes.length < CHANGES_READ) return
    }
  }

  const move = async (): Promise<void> => {
    isCalled = true
    if (isReading) return
    isReading = true
    while (isCalled && isFollowing && head !== undefined) {
      isCalled = false
      try {
        await placeChanges(database.db)
        await readOn(head)
      } catch (error) {
        if (isFollowing) log.warn({ err: error }, 'could not read the change log')
      }
      await wait(BATCH_MS)
    }
    isReading = false
  }

  const call = (): void => void move()
  const stopListening = signals.listen(call)
  const timer = setInterval(call, POLL_MS).unref()
  const begin = async (): Promise<void> => {
    await placeChanges(database.db)
    head = (await readEnds(database.db)).last
    call()
  }

  return {
    /** Resolves when `head` is known. */
    started: begin(),
    listeners,
    /** Position of the last event that was sent. */
    head: (): number => head ?? 0,
    /**
     * Returns the next events of an account after a position, from the cache if possible. There are no others of the
     * account up to the position `until`.
     */
    async since(userId: number, position: number): Promise<{ events: LiveEvent[]; until: number }> {
      const end = head ?? 0
      const cached = recent.since(position)
      if (cached)
        return {
          events: cached.filter((event) => event.userId === userId),
          until: cached.at(-1)?.position ?? end,
        }
      const changes = await readPlacedOf(database.db, userId, { after: position, until: end })
      const isComplete = changes.length < CHANGES_READ
      return {
        events: changes.map(liveEventOf),
        until: isComplete ? end : (changes.at(-1) as PlacedChange).position,
      }
    },
    /** Whether the log still contains everything after `position`. */
    async reachesBackTo(position: number): Promise<boolean> {
      const { first } = await readEnds(database.db)
      return position <= (head ?? 0) && position >= first - 1
    },
    stop(): void {
      isFollowing = false
      stopListening()
      clearInterval(timer)
    },
  }
}

/**
 * Limit of unread bytes in memory per client. Later events are read from the log when the client reads again.
 */
const MAX_UNREAD_BYTES = 64 * 1024

/** Selects the events of the caller's account that a client receives. */
export type Wants = (event: { readonly type: string }) => boolean

/** A connected client of the event stream. */
type Client = ReturnType<typeof createClient>

/**
 * Writes events to one response, each once and in order, starting at `position`. A client is `behind` if its
 * events must come from the log: after a reconnect, or if it reads slower than changes happen.
 */
const createClient = (deps: {
  response: ServerResponse
  tail: Tail
  userId: number
  wants: Wants
  position: number
  log: Logger
}) => {
  const { response, tail, userId, wants, log } = deps
  let position = deps.position
  let isBehind = true
  let stuckSince: number | undefined

  const unreadBytes = (): number => response.writableLength
  const isFull = (): boolean => unreadBytes() > MAX_UNREAD_BYTES

  const write = (event: LiveEvent): void => {
    position = event.position
    if (event.userId === userId && wants(event)) response.write(event.frame)
  }

  const fallBehind = (): void => {
    isBehind = true
    stuckSince = performance.now()
    response.once('drain', () => {
      stuckSince = undefined
      catchUp()
    })
  }

  const readOn = async (): Promise<void> => {
    while (position < tail.head()) {
      const { events, until } = await tail.since(userId, position)
      if (response.writableEnded || response.destroyed) return
      for (const event of events) {
        write(event)
        if (isFull()) return fallBehind()
      }
      position = until
    }
    isBehind = false
  }

  const catchUp = (): void => {
    readOn().catch((error: unknown) => {
      // The client reconnects with the id of the last event that it received.
      log.warn({ err: error }, 'could not read the log for a live stream')
      response.destroy()
    })
  }

  const offer = (event: LiveEvent): void => {
    if (isBehind || event.position <= position) return
    write(event)
    if (isFull()) fallBehind()
  }

  return {
    start(): void {
      tail.listeners.add(offer)
      catchUp()
    },
    /** Sends a heartbeat, unless data is already waiting. */
    sendHeartbeat(): void {
      if (!isBehind) response.write(formatPosition(position))
    },
    /** Returns how long the client has not read although data is waiting. */
    stuckMs: (): number => (stuckSince === undefined ? 0 : performance.now() - stuckSince),
    unreadBytes,
    end(): void {
      tail.listeners.delete(offer)
      response.end()
    },
    cut(): void {
      tail.listeners.delete(offer)
      response.destroy()
    },
  }
}

const MAX_CLIENTS = 5_000
/** One account must not use up the clients of all. The console closes the streams of hidden tabs. */
const MAX_CLIENTS_PER_ACCOUNT = 50
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
  /** Answers a request with the changes of its account. The stream ends when its credential expires. */
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

const tooManyStreams = (): AppError =>
  new AppError(
    'rate_limited',
    'rate_limited',
    `This account already has ${MAX_CLIENTS_PER_ACCOUNT} open event streams. Close one of them, then try again.`,
    { details: { retryAfterSeconds: 30 } },
  )

const unavailable = (message: string): AppError =>
  new AppError('unavailable', 'unavailable', message, { details: { retryAfterSeconds: 5 } })

export const createLiveEvents = ({ database, log }: { database: Database; log: Logger }): LiveEvents => {
  const clients = new Map<Client, Proof | null>()
  let tail: Tail | undefined
  /** Streams by account, including those that are connecting. */
  const countOf = new Map<number, number>()
  let clientCount = 0
  let isClosed = false

  /** The tail is followed while there are clients, including those that are connecting. */
  const acquireTail = async (userId: number): Promise<Tail> => {
    clientCount++
    countOf.set(userId, (countOf.get(userId) ?? 0) + 1)
    tail ??= followChanges({ database, log })
    const acquired = tail
    try {
      await acquired.started
      return acquired
    } catch (error) {
      releaseTail(userId)
      // The next client starts a new tail.
      if (tail === acquired) tail = undefined
      acquired.stop()
      throw error
    }
  }

  const releaseTail = (userId: number): void => {
    const left = (countOf.get(userId) ?? 1) - 1
    if (left > 0) countOf.set(userId, left)
    else countOf.delete(userId)
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
    const userId = request.user
    const since = lastEventIdOf(request)
    if (isHead(request)) return void reply.headers(HEADERS).send()
    if (isClosed) throw unavailable('This instance is shutting down.')
    if (clientCount >= MAX_CLIENTS) throw unavailable('Too many clients are connected.')
    // Programs on one's own machine need no credential, and have no limit.
    if (request.proof && (countOf.get(userId) ?? 0) >= MAX_CLIENTS_PER_ACCOUNT) throw tooManyStreams()
    const current = await acquireTail(userId)
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
      const client = createClient({ response, tail: current, userId, wants, position, log })
      clients.set(client, request.proof)
      const onClose = (): void => {
        client.end()
        clients.delete(client)
        releaseTail(userId)
      }
      if (response.destroyed) return onClose()
      response.once('close', onClose)
      client.start()
    } catch (error) {
      releaseTail(userId)
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
