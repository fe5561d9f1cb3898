import { createStore } from './store.ts'

/** However long someone stays with the words that offer to take it back, by then it happens. */
const LATEST_MS = 60_000

/** Something that was deleted but can still be taken back: it is hidden, and not gone yet. */
interface Departure {
  kind: string
  what: unknown
}

/** `atOnce`: the page is being left, and nothing can be waited for any more. */
type Send = (atOnce: boolean) => Promise<void>

const NONE: readonly Departure[] = []

export type Leaving = ReturnType<typeof createLeaving>

/**
 * Deletions that wait until they can no longer be taken back. Until then nothing has happened, so that taking one back
 * brings back all of it, and nobody was told otherwise. They outlive the room they were made in; whoever leaves the page
 * or signs out meant them, and they are sent on the way.
 */
export const createLeaving = () => {
  const departures = createStore(NONE)
  const waiting = new Map<Departure, { send: Send; timer: ReturnType<typeof setTimeout> }>()
  const underWay = new Set<Promise<void>>()
  const show = (departure: Departure) =>
    departures.set(departures.get().filter((other) => other !== departure))

  /** The one place where a deletion stops waiting: it is sent or kept, and never both. */
  const take = (departure: Departure): Send | null => {
    const found = waiting.get(departure)
    if (!found) return null
    waiting.delete(departure)
    clearTimeout(found.timer)
    return found.send
  }
  const go = (departure: Departure, atOnce = false): void => {
    const send = take(departure)
    if (!send) return
    const sending = send(atOnce).finally(() => {
      underWay.delete(sending)
      show(departure)
    })
    underWay.add(sending)
  }
  const sendAll = async (atOnce = false): Promise<void> => {
    for (const departure of [...waiting.keys()]) go(departure, atOnce)
    await Promise.allSettled(underWay)
  }
  window.addEventListener('pagehide', () => void sendAll(true))

  return {
    departures,
    sendAll: () => sendAll(),
    begin(departure: Departure, send: Send) {
      const timer = setTimeout(() => go(departure), LATEST_MS)
      waiting.set(departure, { send, timer })
      departures.set([...departures.get(), departure])
      return {
        go: () => go(departure),
        /** Whether it came in time. */
        takeBack(): boolean {
          const isInTime = take(departure) !== null
          if (isInTime) show(departure)
          return isInTime
        },
      }
    },
    /** Somebody else is here now: what the one before meant is not theirs to do. */
    forget(): void {
      for (const departure of [...waiting.keys()]) take(departure)
      departures.set(NONE)
    },
  }
}
