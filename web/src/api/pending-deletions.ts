import { createStore } from './store.ts'

/**
 * Upper limit for the undo period. A toast under the pointer or the focus would otherwise stay open forever.
 */
const MAX_UNDO_MS = 60_000

/** A deletion that can still be undone. The item is hidden but not deleted yet. */
interface PendingDeletion {
  kind: string
  target: unknown
}

/** `isUnloading`: the page is unloading, so the request must use `keepalive` and its result is lost. */
type Send = (isUnloading: boolean) => Promise<void>

const NONE: readonly PendingDeletion[] = []

export type PendingDeletions = ReturnType<typeof createPendingDeletions>

/**
 * Deletions that wait until they can no longer be undone. Undo only has to drop the request, so that nothing
 * is lost and nobody is notified. They survive navigation inside the console. Leaving the page or signing out
 * sends them at once.
 */
export const createPendingDeletions = () => {
  const deletions = createStore(NONE)
  const waiting = new Map<PendingDeletion, { send: Send; timer: ReturnType<typeof setTimeout> }>()
  const running = new Set<Promise<void>>()
  const unhide = (deletion: PendingDeletion) =>
    deletions.set(deletions.get().filter((other) => other !== deletion))

  /** The only place that takes a deletion out of the queue: each is either sent or cancelled, never both. */
  const take = (deletion: PendingDeletion): Send | null => {
    const found = waiting.get(deletion)
    if (!found) return null
    waiting.delete(deletion)
    clearTimeout(found.timer)
    return found.send
  }
  const commit = (deletion: PendingDeletion, isUnloading = false): void => {
    const send = take(deletion)
    if (!send) return
    const sending = send(isUnloading).finally(() => {
      running.delete(sending)
      unhide(deletion)
    })
    running.add(sending)
  }
  const commitAll = async (isUnloading = false): Promise<void> => {
    for (const deletion of [...waiting.keys()]) commit(deletion, isUnloading)
    await Promise.allSettled(running)
  }
  window.addEventListener('pagehide', () => void commitAll(true))

  return {
    deletions,
    commitAll: () => commitAll(),
    schedule(deletion: PendingDeletion, send: Send) {
      const timer = setTimeout(() => commit(deletion), MAX_UNDO_MS)
      waiting.set(deletion, { send, timer })
      deletions.set([...deletions.get(), deletion])
      return {
        commit: () => commit(deletion),
        /** Returns false when the deletion was already sent. */
        cancel(): boolean {
          const isInTime = take(deletion) !== null
          if (isInTime) unhide(deletion)
          return isInTime
        },
      }
    },
    /** Drops the deletions of the previous user without sending them. */
    discardAll(): void {
      for (const deletion of [...waiting.keys()]) take(deletion)
      deletions.set(NONE)
    },
  }
}
