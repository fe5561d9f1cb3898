import SQLite from 'better-sqlite3'

/** A lock that one process on a database holds at a time. It ends with the process, also after a crash. */
export interface ExclusiveLock {
  /** Aborts if the lock is lost, because its connection broke. */
  readonly signal: AbortSignal
  /** Fails if the lock is lost. */
  check(): Promise<void>
  release(): Promise<void>
}

/** SQLite locks the empty file, because Node cannot. The system releases the lock of a process that ends. */
export const tryFileLock = (file: string): ExclusiveLock | null => {
  const handle = new SQLite(file, { timeout: 0 })
  try {
    handle.exec('begin exclusive')
  } catch (error) {
    handle.close()
    if (error instanceof SQLite.SqliteError && error.code === 'SQLITE_BUSY') return null
    throw error
  }
  return {
    signal: new AbortController().signal,
    check: async () => {},
    release: async () => void handle.close(),
  }
}
