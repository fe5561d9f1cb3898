/** What this browser remembers between visits. Where storage is blocked it remembers nothing, and nothing breaks. */
export interface Memory {
  read(name: string): string | null
  /** Remembers `value`, or forgets with null. */
  write(name: string, value: string | null): void
  /** Whether it remembers at all. */
  readonly works: boolean
}

const PREFIX = 'factotum.'

export const createMemory = (): Memory => {
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
          // Full, or blocked meanwhile.
        }
      },
    }
  } catch {
    return { works: false, read: () => null, write: () => {} }
  }
}
