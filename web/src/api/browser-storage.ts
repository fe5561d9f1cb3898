/** Key-value storage that survives a reload (local storage). Does nothing when storage is blocked. */
export interface BrowserStorage {
  read(name: string): string | null
  /** Null deletes the entry. */
  write(name: string, value: string | null): void
  /** False when storage is blocked. */
  readonly works: boolean
}

const PREFIX = 'factotum.'

export const createBrowserStorage = (): BrowserStorage => {
  try {
    const storage = window.localStorage
    storage.getItem(PREFIX)
    return {
      works: true,
      read: (name) => storage.getItem(PREFIX + name),
      write(name, value) {
        try {
          if (value === null) storage.removeItem(PREFIX + name)
          else storage.setItem(PREFIX + name, value)
        } catch {
          // The storage is full or was blocked meanwhile.
        }
      },
    }
  } catch {
    return { works: false, read: () => null, write: () => {} }
  }
}
