/** The tab that holds the lock, and when its lease expires. */
export interface Lease {
  tab: string
  until: number
}

/** Shared storage with mutual exclusion across tabs. */
export interface LeaseStorage {
  /**
   * Replaces the lease with the result of `decide`. Null deletes the lease, undefined leaves it unchanged.
   * Resolves to whether the lease changed.
   */
  change(decide: (lease: Lease | undefined) => Lease | null | undefined): Promise<boolean>
}

const STORE = 'leases'
const KEY = 'session'

const open = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open('factotum', 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/**
 * Uses IndexedDB, because its read-write transactions exclude each other across tabs. Local storage writes
 * reach other tabs late, so two tabs could hold the same lease.
 */
export const openLeaseStorage = async (): Promise<LeaseStorage> => {
  const database = await open()
  return {
    change: (decide) =>
      new Promise((resolve, reject) => {
        const transaction = database.transaction(STORE, 'readwrite')
        const store = transaction.objectStore(STORE)
        const reading = store.get(KEY) as IDBRequest<Lease | undefined>
        let isReplaced = false
        reading.onsuccess = () => {
          const next = decide(reading.result)
          isReplaced = next !== undefined
          if (next === null) store.delete(KEY)
          else if (next) store.put(next, KEY)
        }
        transaction.oncomplete = () => resolve(isReplaced)
        transaction.onabort = () => reject(transaction.error)
      }),
  }
}
