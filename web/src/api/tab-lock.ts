import type { BrowserStorage } from './browser-storage.ts'
import { type LeaseStorage, openLeaseStorage } from './lease-storage.ts'

/** Runs one task at a time across all tabs of this browser. */
export type TabLock = <T>(work: () => Promise<T>) => Promise<T>

const NAME = 'factotum.session'
const LEASE_MS = 6_000
const EXTEND_MS = 2_000
const RETRY_MS = 80

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/**
 * Fallback for plain http, where the Web Locks API is missing: tabs take a lease in turn. The lease is short
 * and extended during the work, so that a crashed tab does not block the others. A closed tab marks itself in
 * local storage, so that others can take its lease at once.
 */
const createLease = (browserStorage: BrowserStorage): TabLock => {
  const own = Array.from(crypto.getRandomValues(new Uint32Array(2)), (part) => part.toString(36)).join('')
  const storage: Promise<LeaseStorage | null> = openLeaseStorage().catch(() => null)
  const mine = () => ({ tab: own, until: Date.now() + LEASE_MS })
  // Local storage is synchronous. An IndexedDB write would not complete while the page unloads.
  window.addEventListener('pagehide', () => browserStorage.write('left-tab', own))

  const claim = (leaseStorage: LeaseStorage): Promise<boolean> =>
    leaseStorage.change((lease) => {
      const isTaken = lease && lease.until > Date.now() && lease.tab !== browserStorage.read('left-tab')
      return isTaken ? undefined : mine()
    })
  const extend = (leaseStorage: LeaseStorage) =>
    leaseStorage.change((lease) => (lease?.tab === own ? mine() : undefined))
  const release = (leaseStorage: LeaseStorage) =>
    leaseStorage.change((lease) => (lease?.tab === own ? null : undefined))

  const withLease = async <T>(leaseStorage: LeaseStorage, work: () => Promise<T>): Promise<T> => {
    while (!(await claim(leaseStorage))) await pause(RETRY_MS)
    const extending = setInterval(() => void extend(leaseStorage).catch(() => {}), EXTEND_MS)
    try {
      return await work()
    } finally {
      clearInterval(extending)
      await release(leaseStorage).catch(() => {})
    }
  }

  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const run = async () => {
      const leaseStorage = await storage
      return leaseStorage ? withLease(leaseStorage, work) : work()
    }
    const turn = last.then(run, run)
    last = turn.catch(() => {})
    return turn
  }
}

export const createTabLock = (browserStorage: BrowserStorage): TabLock => {
  // The DOM types declare `locks` as always present, but it is missing on plain http.
  const { locks } = navigator as { locks?: LockManager }
  if (!locks) return createLease(browserStorage)
  return async (work) => locks.request(NAME, work) as ReturnType<typeof work>
}
