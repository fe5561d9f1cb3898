import { setTimeout as wait } from 'node:timers/promises'
import { CHANGES_READ, placeChanges, readEnds, readPlaced } from '../../database/change-order.ts'
import type { Database } from '../../database/database.ts'
import { createBreather } from '../breather.ts'
import type { Logger } from '../log.ts'
import { type LiveEvent, liveEventOf } from './frames.ts'

/** How long changes are gathered before they are put in order together: giving places is a write. */
const GATHERED_MS = 10
/** A signal may be lost. */
const LOOK_EVERY_MS = 1_000
const MOST_KEPT_BYTES = 1024 * 1024

/** The newest events, so that those who come back together after a short while do not all read the log. */
const createRecent = () => {
  let events: LiveEvent[] = []
  let bytes = 0
  return {
    add(event: LiveEvent): void {
      events.push(event)
      bytes += event.frame.length
      if (bytes <= MOST_KEPT_BYTES) return
      const half = Math.ceil(events.length / 2)
      for (const { frame } of events.slice(0, half)) bytes -= frame.length
      events = events.slice(half)
    },
    /** Undefined when the next one after `position` may no longer be here. */
    since(position: number): readonly LiveEvent[] | undefined {
      const oldest = events[0]
      if (oldest === undefined || oldest.position > position + 1) return undefined
      const from = events.findIndex((event) => event.position > position)
      return from < 0 ? [] : events.slice(from, from + CHANGES_READ)
    },
  }
}

export type Tail = ReturnType<typeof followChanges>

/** Follows the end of the log, once for all clients of an instance: tells `listeners` every event, in order. */
export const followChanges = ({ database, log }: { database: Database; log: Logger }) => {
  const { signals } = database
  const listeners = new Set<(event: LiveEvent) => void>()
  const recent = createRecent()
  let head: number | undefined
  let isFollowing = true
  let isMoving = false
  let isCalled = false

  const readOn = async (from: number): Promise<void> => {
    const breathe = createBreather()
    let at = from
    for (;;) {
      const changes = await readPlaced(database, at)
      for (const change of changes) {
        const event = liveEventOf(change)
        at = event.position
        head = at
        recent.add(event)
        for (const listener of listeners) listener(event)
        await breathe()
      }
      if (changes.length < CHANGES_READ) return
    }
  }

  const move = async (): Promise<void> => {
    isCalled = true
    if (isMoving) return
    isMoving = true
    while (isCalled && isFollowing && head !== undefined) {
      isCalled = false
      try {
        await placeChanges(database)
        await readOn(head)
      } catch (error) {
        if (isFollowing) log.warn({ err: error }, 'the log of changes could not be read')
      }
      await wait(GATHERED_MS)
    }
    isMoving = false
  }

  const call = (): void => void move()
  const stopListening = signals.listen(call)
  const timer = setInterval(call, LOOK_EVERY_MS).unref()
  const begin = async (): Promise<void> => {
    await placeChanges(database)
    head = (await readEnds(database)).last
    call()
  }

  return {
    /** Until then there is no `head`. */
    begun: begin(),
    listeners,
    /** The place of the event that was told last. */
    head: (): number => head ?? 0,
    /** The next events after a place, from memory if they are there. */
    since: async (position: number): Promise<readonly LiveEvent[]> =>
      recent.since(position) ?? (await readPlaced(database, position)).map(liveEventOf),
    /** Whether everything after `position` is still in the log. */
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
