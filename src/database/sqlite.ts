import SQLite from 'better-sqlite3'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type LimitNode,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { createTurns, type Turn, type Turns } from './sqlite-turns.ts'
import { isInTransaction } from './transaction.ts'

const STATEMENTS_KEPT = 500
const BUSY_TIMEOUT_MS = 5_000
/** Size of the write-ahead log before a checkpoint: 16 MB, because most pages are rewritten before that. */
const PAGES_LOGGED = 4_000

type Handle = SQLite.Database

const openHandle = (file: string, readonly: boolean): Handle => {
  const handle = new SQLite(file, { readonly, timeout: BUSY_TIMEOUT_MS })
  if (!readonly) {
    handle.pragma('journal_mode = WAL')
    handle.pragma(`wal_autocheckpoint = ${PAGES_LOGGED}`)
    // Writers wait for other processes without blocking this one: see sqlite-turns.ts.
    handle.pragma('busy_timeout = 0')
    // Overwrites deleted content, so that free pages and gaps within pages keep nothing of it.
    handle.pragma('secure_delete = ON')
  }
  handle.pragma('synchronous = FULL')
  handle.pragma('foreign_keys = ON')
  handle.pragma('cache_size = -16000')
  return handle
}

/** Runs SQL on one handle, and prepares each statement once. */
const createRunner = (handle: Handle) => {
  const statements = new Map<string, SQLite.Statement>()
  const prepare = (sql: string): SQLite.Statement => {
    const kept = statements.get(sql)
    if (kept) return kept
    const fresh = handle.prepare(sql)
    if (statements.size >= STATEMENTS_KEPT) {
      const oldest = statements.keys().next().value
      if (oldest !== undefined) statements.delete(oldest)
    }
    statements.set(sql, fresh)
    return fresh
  }
  return {
    handle,
    run<R>(sql: string, parameters: readonly unknown[]): QueryResult<R> {
      const statement = prepare(sql)
      if (statement.reader) return { rows: statement.all(parameters) as R[] }
      const { changes, lastInsertRowid } = statement.run(parameters)
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
    },
  }
}
type Runner = ReturnType<typeof createRunner>

interface SqliteConnection extends DatabaseConnection {
  begin(): Promise<void>
  commit(): Promise<void>
  rollback(): void
}

/**
 * Outside a transaction, reads use a separate handle. They neither wait for a writer nor see its uncommitted
 * changes. Writes take turns on the single writing handle. Inside a transaction everything uses the writing
 * handle.
 */
const createConnection = (reader: Runner, writer: Runner, turns: Turns): SqliteConnection => {
  let turn: Turn | undefined
  return {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      if (turn) return writer.run<R>(query.sql, query.parameters)
      if (query.query.kind === 'SelectQueryNode') return reader.run<R>(query.sql, query.parameters)
      // The write would wait for its own transaction, a deadlock.
      if (isInTransaction()) throw new Error('A write inside a transaction must use the transaction.')
      return turns.run(() => writer.run<R>(query.sql, query.parameters))
    },
    async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
      yield await Promise.reject(new Error('Streaming is not supported. Read pages by key instead.'))
    },
    async begin() {
      turn = await turns.take()
    },
    async commit() {
      const own = turn
      turn = undefined
      await own?.keep()
    },
    rollback() {
      turn?.undo()
      turn = undefined
    },
  }
}

interface Handles {
  reader: Runner
  writer: Runner
  turns: Turns
}

const openHandles = (file: string, readonly: boolean): Handles => {
  const writer = createRunner(openHandle(file, readonly))
  const execute = (statement: string): void => {
    writer.run(statement, [])
  }
  const turns = createTurns(writer.handle, execute, readonly ? 'begin' : 'begin immediate')
  return { writer, turns, reader: readonly ? writer : createRunner(openHandle(file, true)) }
}

const createDriver = ({ reader, writer, turns }: Handles): Driver => {
  const idle: SqliteConnection[] = []
  return {
    async init() {},
    async acquireConnection() {
      return idle.pop() ?? createConnection(reader, writer, turns)
    },
    async releaseConnection(connection) {
      idle.push(connection as SqliteConnection)
    },
    beginTransaction: (connection) => (connection as SqliteConnection).begin(),
    commitTransaction: (connection) => (connection as SqliteConnection).commit(),
    async rollbackTransaction(connection) {
      ;(connection as SqliteConnection).rollback()
    },
    async destroy() {
      const leave = await turns.close()
      reader.handle.close()
      writer.handle.close()
      leave()
    },
  }
}

type Read = <R>(sql: string, parameters: readonly unknown[]) => R[]

/** Direct access for `prepare`: runs statements without Kysely's executor. */
export interface DirectAccess {
  direct?: {
    read: Read
    /** Only inside a transaction: uses the handle of the current turn. */
    runInTurn: Read
    /** The same, but runs right before the commit. The transaction does not see the result. */
    runBeforeCommit(sql: string, parameters: readonly unknown[]): void
  }
}

/**
 * DDL is transactional in SQLite, so all migrations of a start succeed together or not at all. The driver
 * serializes its users, so Kysely does not need to.
 */
const createAdapter = (direct: NonNullable<DirectAccess['direct']>): SqliteAdapter & DirectAccess =>
  Object.defineProperties(new SqliteAdapter(), {
    supportsTransactionalDdl: { value: true },
    supportsMultipleConnections: { value: true },
    direct: { value: direct },
  })

/**
 * SQLite plans a statement again for every value of a bare parameter in LIMIT, which costs more than most
 * queries. The value of an expression does not cause that.
 */
const createQueryCompiler = (): SqliteQueryCompiler => {
  class Compiler extends SqliteQueryCompiler {
    protected override visitLimit(node: LimitNode): void {
      this.append('limit cast(')
      this.visitNode(node.limit)
      this.append(' as integer)')
    }
  }
  return new Compiler()
}

export const createSqliteDialect = (
  file: string,
  options: { readonly?: boolean } = {},
): Dialect & { read: Read } => {
  const { readonly = false } = options
  const handles = openHandles(file, readonly)
  const read: Read = <R>(sql: string, parameters: readonly unknown[]) =>
    handles.reader.run<R>(sql, parameters).rows
  const runInTurn: Read = <R>(sql: string, parameters: readonly unknown[]) => {
    if (!handles.writer.handle.inTransaction) throw new Error('This transaction is over.')
    return handles.writer.run<R>(sql, parameters).rows
  }
  const runBeforeCommit = (sql: string, parameters: readonly unknown[]): void =>
    handles.turns.beforeCommit(() => void runInTurn(sql, parameters))
  return {
    createDriver: () => createDriver(handles),
    createQueryCompiler,
    createAdapter: () => createAdapter({ read, runInTurn, runBeforeCommit }),
    read,
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}

/**
 * Runs a checkpoint and truncates the write-ahead log, so that neither file holds deleted content. Does not
 * wait: returns false while another connection writes or reads an older snapshot.
 */
export const emptyLog = (file: string): boolean => {
  const handle = new SQLite(file, { timeout: 0 })
  try {
    const [answer] = handle.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
    return answer?.busy === 0
  } catch (error) {
    if ((error as { code?: unknown }).code === 'SQLITE_BUSY') return false
    throw error
  } finally {
    handle.close()
  }
}
