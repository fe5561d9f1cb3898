import { setImmediate as nextIteration } from 'node:timers/promises'
import SQLite from 'better-sqlite3'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type LimitNode,
  type QueryResult,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { AdapterWithAccess, EngineAccess } from './engine-access.ts'
import { currentLongRead } from './long-reads.ts'
import { ReadThreads } from './read-threads.ts'
import {
  createStatementCache,
  emptyStatistics,
  type Handle,
  openHandle,
  openReader,
} from './sqlite-handle.ts'
import { isInTransaction } from './transaction.ts'

/** Maximum time that a finished turn waits for later turns, so that they share one disk flush. */
const MAX_WAIT_MS = 5
const MAX_TOGETHER = 64
/** Maximum number of deferred operations per turn. A longer turn runs them itself, to limit memory. */
const MAX_DEFERRED = 64
/** Maximum time that another process may hold the file, and the retry interval. */
const MAX_BUSY_MS = 5_000
const ASKED_AGAIN_MS = 5

export const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')

/** Exclusive use of the writing handle. The owner must end it exactly once. */
interface Turn {
  /** Resolves when the changes are on disk. */
  keep(): Promise<void>
  undo(): void
}

interface Waiting {
  resolve(): void
  reject(error: unknown): void
}

type Execute = (statement: string) => void

/**
 * Writers take turns, first come first served. Consecutive turns, and turns that arrive in the same event
 * loop iteration, share one transaction. Each turn after the first is a savepoint that can be rolled back
 * alone. All are answered after the commit. Many small writes then cost one disk flush instead of one each,
 * with the same durability.
 */
export class Turns {
  private readonly handle: Handle
  private readonly execute: Execute
  private readonly beginStatement: string
  private last = Promise.resolve()
  private beganAt = 0
  private turnBeganAt = 0
  private finished: Waiting[] = []
  private isTaken = false
  /** The current turn started the transaction, so it needs no savepoint for a rollback. */
  private isFirst = false
  private planned: NodeJS.Immediate | undefined
  /** Number of turns so far, and their number when the commit was last postponed. */
  private begun = 0
  private counted = 0
  /** Number of commits so far. Between two of them, all reads of this process see the same state. */
  commits = 0
  /** Operations that the current turn, and earlier ones, deferred until right before the commit. */
  private deferred: (() => void)[] = []
  private due: (() => void)[] = []

  constructor(handle: Handle, execute: Execute, beginStatement: string) {
    this.handle = handle
    this.execute = execute
    this.beginStatement = beginStatement
  }

  /** Runs synchronous work in its own turn. */
  async run<T>(work: () => T): Promise<T> {
    const leave = await this.enter()
    let result: T
    try {
      await this.begin()
      result = work()
    } catch (error) {
      this.undo(leave)
      throw error
    }
    await this.keep(leave)
    return result
  }

  async take(): Promise<Turn> {
    const leave = await this.enter()
    try {
      await this.begin()
    } catch (error) {
      this.pass(leave)
      throw error
    }
    let isOver = false
    return {
      keep: () => {
        isOver = true
        return this.keep(leave)
      },
      undo: () => {
        if (isOver) return
        isOver = true
        this.undo(leave)
      },
    }
  }

  /**
   * Defers work of the current turn until right before the commit, in the same transaction. A word index
   * rewrites its pages at every savepoint, so deferring it to the shared commit costs a fraction. The work
   * must not fail because of its data, because then all turns of the commit would fail.
   */
  beforeCommit(work: () => void): void {
    this.deferred.push(work)
    // Runs after the deferred work of earlier turns, because both may concern the same row.
    if (this.deferred.length < MAX_DEFERRED || this.due.length > 0) return
    for (const one of this.deferred) one()
    this.deferred = []
  }

  /** Waits for the current turn, and accepts no more. */
  async close(): Promise<() => void> {
    const leave = await this.enter()
    if (this.handle.inTransaction) this.commit()
    return leave
  }

  private async enter(): Promise<() => void> {
    const before = this.last
    let leave = () => {}
    this.last = new Promise((resolve) => {
      leave = resolve
    })
    await before
    this.isTaken = true
    this.turnBeganAt = performance.now()
    return leave
  }

  private settle(outcome: (waiting: Waiting) => void): void {
    const settled = this.finished
    this.finished = []
    for (const waiting of settled) outcome(waiting)
  }

  private commit(): void {
    clearImmediate(this.planned)
    this.planned = undefined
    try {
      for (const work of this.due) work()
      this.execute('commit')
      this.commits++
      this.settle(({ resolve }) => resolve())
    } catch (error) {
      // A failed commit leaves the transaction open. It must not include the next writer's changes.
      if (this.handle.inTransaction) this.execute('rollback')
      this.settle(({ reject }) => reject(error))
    }
    this.due = []
  }

  /** Some failures (a full disk) end the whole transaction, and with it the changes of other turns. */
  private rejectAll(): void {
    this.due = []
    this.settle(({ reject }) => reject(new Error('The database ended the transaction.')))
  }

  private isDue(): boolean {
    return performance.now() - this.beganAt > MAX_WAIT_MS || this.finished.length >= MAX_TOGETHER
  }

  private plan(): void {
    this.counted = this.begun
    this.planned = setImmediate(() => this.commitOnceQuiet())
  }

  /**
   * Clients that just got an answer often send the next request at once. While each poll of the network
   * brings another turn, the commit waits for another poll. The turn that is active then commits for all.
   */
  private commitOnceQuiet(): void {
    this.planned = undefined
    if (this.isTaken || !this.handle.inTransaction) return
    if (this.begun === this.counted || this.isDue()) this.commit()
    else this.plan()
  }

  private pass(leave: () => void): void {
    this.isTaken = false
    if (!this.handle.inTransaction) this.rejectAll()
    else if (this.isDue()) this.commit()
    else if (!this.planned) this.plan()
    // Consecutive long turns, such as the steps of a job, would otherwise block the event loop until the last
    // one ends.
    if (performance.now() - this.turnBeganAt > MAX_WAIT_MS) setImmediate(leave)
    else leave()
  }

  /** Another process may be writing. Waits for it without blocking this process. */
  private async beginWhenFree(): Promise<void> {
    for (const since = performance.now(); ; )
      try {
        return this.execute(this.beginStatement)
      } catch (error) {
        if (!isBusy(error) || performance.now() - since > MAX_BUSY_MS) throw error
        await new Promise((resolve) => setTimeout(resolve, ASKED_AGAIN_MS))
      }
  }

  private async begin(): Promise<void> {
    this.deferred = []
    this.begun++
    this.isFirst = !this.handle.inTransaction
    if (!this.isFirst) return this.execute('savepoint turn')
    await this.beginWhenFree()
    this.beganAt = performance.now()
  }

  private keep(leave: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      try {
        if (!this.isFirst) this.execute('release turn')
        this.due.push(...this.deferred)
        this.finished.push({ resolve, reject })
      } catch (error) {
        reject(error)
      }
      this.pass(leave)
    })
  }

  private undo(leave: () => void): void {
    if (this.handle.inTransaction && this.isFirst) this.execute('rollback')
    else if (this.handle.inTransaction) {
      this.execute('rollback to turn')
      this.execute('release turn')
    }
    this.pass(leave)
  }
}

/** Runs SQL on one handle, and prepares each statement once. */
const createRunner = (handle: Handle) => {
  const prepare = createStatementCache(handle)
  return {
    handle,
    /** Whether the statement changes nothing. */
    isRead: (sql: string): boolean => prepare(sql).readonly,
    run<R>(sql: string, parameters: readonly unknown[]): QueryResult<R> {
      const statement = prepare(sql)
      if (statement.reader) return { rows: statement.all(parameters) as R[] }
      const { changes, lastInsertRowid } = statement.run(parameters)
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
    },
  }
}
type Runner = ReturnType<typeof createRunner>

type ReadNow = <R>(sql: string, parameters: readonly unknown[]) => R[]
type Read = <R>(sql: string, parameters: readonly unknown[]) => R[] | Promise<R[]>

interface SqliteConnection extends DatabaseConnection {
  begin(): Promise<void>
  commit(): Promise<void>
  rollback(): void
}

const isSelect = ({ query, sql }: CompiledQuery): boolean =>
  query.kind === 'SelectQueryNode' || (query.kind === 'RawNode' && /^\s*(select|with)\b/i.test(sql))

/**
 * Outside a transaction, reads use a separate handle. They neither wait for a writer nor see its uncommitted
 * changes. Writes take turns on the single writing handle. Inside a transaction everything uses the writing
 * handle.
 */
const createConnection = ({ reader, writer, turns, read }: Handles): SqliteConnection => {
  let turn: Turn | undefined
  let pausedAt = 0
  /** Statements run synchronously. A long transaction lets other requests read between them. */
  const pause = async (): Promise<void> => {
    if (performance.now() - pausedAt < MAX_WAIT_MS) return
    await nextIteration()
    pausedAt = performance.now()
  }
  return {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      if (turn) {
        const result = writer.run<R>(query.sql, query.parameters)
        await pause()
        return result
      }
      if (isSelect(query) && reader.isRead(query.sql))
        return { rows: await read<R>(query.sql, query.parameters) }
      // The write would wait for its own transaction, a deadlock.
      if (isInTransaction()) throw new Error('A write inside a transaction must use the transaction.')
      return turns.run(() => writer.run<R>(query.sql, query.parameters))
    },
    async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
      yield await Promise.reject(new Error('Streaming is not supported. Read pages by key instead.'))
    },
    async begin() {
      turn = await turns.take()
      pausedAt = performance.now()
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
  threads: ReadThreads
  /** Reads outside a transaction: in a thread if the read may take long. */
  read: Read
}

const openHandles = (file: string, readonly: boolean): Handles => {
  const writer = createRunner(openHandle(file, readonly))
  const execute = (statement: string): void => {
    writer.run(statement, [])
  }
  const turns = new Turns(writer.handle, execute, readonly ? 'begin' : 'begin immediate')
  const reader = readonly ? writer : createRunner(openReader(file))
  const threads = new ReadThreads(file)
  const read: Read = <R>(sql: string, parameters: readonly unknown[]) => {
    const longRead = currentLongRead()
    return longRead ? threads.run<R>({ sql, parameters }, longRead) : reader.run<R>(sql, parameters).rows
  }
  return { writer, turns, reader, threads, read }
}

const createDriver = (handles: Handles): Driver => {
  const { reader, writer, turns, threads } = handles
  const idle: SqliteConnection[] = []
  return {
    async init() {},
    async acquireConnection() {
      return idle.pop() ?? createConnection(handles)
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
      await threads.close()
      reader.handle.close()
      writer.handle.close()
      leave()
    },
  }
}

/**
 * DDL is transactional in SQLite, so all migrations of a start succeed together or not at all. The driver
 * serializes its users, so Kysely does not need to.
 */
const createAdapter = (access: EngineAccess): SqliteAdapter & AdapterWithAccess =>
  Object.defineProperties(new SqliteAdapter(), {
    supportsTransactionalDdl: { value: true },
    supportsMultipleConnections: { value: true },
    access: { value: access },
  })

const ROW_LOCKS: ReadonlySet<string | undefined> = new Set([
  'ForUpdate',
  'ForNoKeyUpdate',
  'ForShare',
  'ForKeyShare',
])

const createQueryCompiler = (): SqliteQueryCompiler => {
  class Compiler extends SqliteQueryCompiler {
    /** SQLite knows no row locks, and needs none: it has no other writer while a transaction is open. */
    protected override visitSelectModifier(node: SelectModifierNode): void {
      if (!ROW_LOCKS.has(node.modifier)) super.visitSelectModifier(node)
    }

    /**
     * SQLite plans a statement again for every value of a bare parameter in LIMIT, which costs more than most
     * queries. The value of an expression does not cause that.
     */
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
  const { read } = handles
  const runInTurn: ReadNow = <R>(sql: string, parameters: readonly unknown[]) => {
    if (!handles.writer.handle.inTransaction) throw new Error('This transaction is over.')
    return handles.writer.run<R>(sql, parameters).rows
  }
  const runBeforeCommit = (sql: string, parameters: readonly unknown[]): void =>
    handles.turns.beforeCommit(() => void runInTurn(sql, parameters))
  const countCommits = (): number => handles.turns.commits
  return {
    createDriver: () => createDriver(handles),
    createQueryCompiler,
    createAdapter: () => createAdapter({ read, runInTurn, runBeforeCommit, countCommits }),
    read,
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}

/**
 * Runs a checkpoint and truncates the write-ahead log, so that neither file holds deleted content. Does not
 * wait: returns false while another connection writes or reads an older snapshot. Also empties the statistics.
 */
export const emptyLog = (file: string): boolean => {
  const handle = new SQLite(file, { timeout: 0 })
  try {
    handle.pragma('secure_delete = ON')
    emptyStatistics(handle)
    const [answer] = handle.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
    return answer?.busy === 0
  } catch (error) {
    if ((error as { code?: unknown }).code === 'SQLITE_BUSY') return false
    throw error
  } finally {
    handle.close()
  }
}
