import { setTimeout as wait } from 'node:timers/promises'
import { CHANGES_READ, placeChanges, readEnds, readPlaced } from '../../database/change-order.ts'
import type { Database } from '../../database/database.ts'
import type { Logger } from '../log.ts'
import { createBreather } from '../yield.ts'
import { type LiveEvent, liveEventOf } from './frames.ts'

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

export type Tail = ReturnType<typeof followChanges>

/**
 * Follows the end of the log once for all clients of an instance. Passes every event to `listeners`, in
 * order.
 */
export const followChanges = ({ database, log }: { database: Database; log: Logger }) => {
  const { signals } = database
  const listeners = new Set<(event: LiveEvent) => void>()
  const recent = createEventCache()
  let head: number | undefined
  let isFollowing = true
  let isReading = false
  let isCalled = false

  const readOn = async (from: number): Promise<void> => {
    const yieldIfNeeded = createBreather()
    let at = from
    for (;;) {
      const changes = await readPlaced(database, at)
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
        await placeChanges(database)
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
    await placeChanges(database)
    head = (await readEnds(database)).last
    call()
  }

  return {
    /** Resolves when `head` is known. */
    started: begin(),
    listeners,
    /** Position of the last event that was sent. */
    head: (): number => head ?? 0,
    /** Returns the next events after a position, from the cache if possible. */
    since: async (position: number): Promise<readonly LiveEvent[]> =>
      recent.since(position) ?? (await readPlaced(database, position)).map(liveEventOf),
    /** Whether the log still contains everything after `position`. */
    async reachesBackTo(position: number): Promise<boolean> {
      const { first } = await readEnds(database)
      return position <= (head ?? 0) && position >= first - 1
    },
    stop(): void {
      isFollowing = false
      stopListening()
      clearInterval(timer)
    },
  }
}
