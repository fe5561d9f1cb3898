import { type LeaseShelf, openLeaseShelf } from './lease-shelf.ts'
import type { Memory } from './memory.ts'

/** Runs one piece of work at a time across all tabs of this browser. */
export type TabLock = <T>(work: () => Promise<T>) => Promise<T>

const NAME = 'factotum.session'
const LEASE_MS = 6_000
const EXTEND_MS = 2_000
const RETRY_MS = 80

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/**
 * Browsers offer locks to secure pages only, and an instance at home may well be plain http: there tabs take a lease
 * in turn. It is short and extended while the work goes on, so that a tab that died does not keep the others waiting;
 * one that was left says so at once.
 */
const createLease = (memory: Memory): TabLock => {
  const own = Array.from(crypto.getRandomValues(new Uint32Array(2)), (part) => part.toString(36)).join('')
  const shelf: Promise<LeaseShelf | null> = openLeaseShelf().catch(() => null)
  const mine = () => ({ tab: own, until: Date.now() + LEASE_MS })
  // Written at once, unlike anything in a database, which a page that goes away does not live to see.
  window.addEventListener('pagehide', () => memory.write('left-tab', own))

  const claim = (place: LeaseShelf): Promise<boolean> =>
    place.change((lease) => {
      const isTaken = lease && lease.until > Date.now() && lease.tab !== memory.read('left-tab')
      return isTaken ? undefined : mine()
    })
  const extend = (place: LeaseShelf) => place.change((lease) => (lease?.tab === own ? mine() : undefined))
  const release = (place: LeaseShelf) => place.change((lease) => (lease?.tab === own ? null : undefined))

  const withLease = async <T>(place: LeaseShelf, work: () => Promise<T>): Promise<T> => {
    while (!(await claim(place))) await pause(RETRY_MS)
    const extending = setInterval(() => void extend(place).catch(() => {}), EXTEND_MS)
    try {
      return await work()
    } finally {
      clearInterval(extending)
      await release(place).catch(() => {})
    }
  }

  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const run = async () => {
      const place = await shelf
      return place ? withLease(place, work) : work()
    }
    const turn = last.then(run, run)
    last = turn.catch(() => {})
    return turn
  }
}

export const createTabLock = (memory: Memory): TabLock => {
  // Typed as always there, and missing on plain http.
  const { locks } = navigator as { locks?: LockManager }
  if (!locks) return createLease(memory)
  return async (work) => locks.request(NAME, work) as ReturnType<typeof work>
}
