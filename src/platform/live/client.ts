import type { ServerResponse } from 'node:http'
import type { Logger } from '../log.ts'
import { formatPosition, type LiveEvent } from './frames.ts'
import type { Tail } from './tail.ts'

/**
 * Limit of unread bytes in memory per client. Later events are read from the log when the client reads again.
 */
const MAX_UNREAD_BYTES = 64 * 1024

/** Selects the events that a client receives. */
export type Wants = (event: { readonly type: string; readonly subject: string }) => boolean

/** A connected client of the event stream. */
export type Client = ReturnType<typeof createClient>

/**
 * Writes events to one response, each once and in order, starting at `position`. A client is `behind` if its
 * events must come from the log: after a reconnect, or if it reads slower than changes happen.
 */
export const createClient = (deps: {
  response: ServerResponse
  tail: Tail
  wants: Wants
  position: number
  log: Logger
}) => {
  const { response, tail, wants, log } = deps
  let position = deps.position
  let isBehind = true
  let stuckSince: number | undefined

  const unreadBytes = (): number => response.writableLength
  const isFull = (): boolean => unreadBytes() > MAX_UNREAD_BYTES

  const write = (event: LiveEvent): void => {
    position = event.position
    if (wants(event)) response.write(event.frame)
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
      for (const event of await tail.since(position)) {
        if (response.writableEnded || response.destroyed) return
        write(event)
        if (isFull()) return fallBehind()
      }
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
