/** Who may work now, and until when. */
export interface Lease {
  tab: string
  until: number
}

/** The one place that all tabs read and write in turn. */
export interface LeaseShelf {
  /** Replaces the lease by what `decide` makes of it; undefined leaves it as it is. Tells whether it was replaced. */
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
 * In IndexedDB, whose read-write transactions exclude each other across tabs. Local storage would not do: what one
 * tab writes there reaches the others late, and then two hold the same lease.
 */
export const openLeaseShelf = async (): Promise<LeaseShelf> => {
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
