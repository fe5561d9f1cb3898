import type { ServerResponse } from 'node:http'
import type { Logger } from '../log.ts'
import { type LiveEvent, placeFrame } from './frames.ts'
import type { Tail } from './tail.ts'

/** What one client may leave unread in our memory; what comes after is read from the log when it reads again. */
const MOST_UNREAD_BYTES = 64 * 1024

/** Which events someone is told. */
export type Wants = (event: { readonly type: string; readonly subject: string }) => boolean

/** One who listens. */
export type Client = ReturnType<typeof createClient>

/**
 * Writes events to one response, each once and in order, from `position` on. A client is `behind` when it has to be
 * read to from the log: when it comes back, and when it reads slower than things happen.
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
  const isFull = (): boolean => unreadBytes() > MOST_UNREAD_BYTES

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
      // It comes back with the id of what it has seen.
      log.warn({ err: error }, 'a live stream could not be read from the log')
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
    /** Shows that the line is alive, unless there is plenty to read already. */
    beat(): void {
      if (!isBehind) response.write(placeFrame(position))
    },
    /** For how long it has read nothing though there was something to read. */
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
