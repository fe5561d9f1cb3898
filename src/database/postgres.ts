import {
  type Dialect,
  PostgresAdapter,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
} from 'kysely'
import pg from 'pg'
import type { AdapterWithAccess, EngineAccess } from './engine-access.ts'
import { currentLongRead } from './long-reads.ts'
import { isOutdatedStatement, retryConflicts } from './transaction.ts'

const STATEMENTS_NAMED = 300

/** The type of counts, sums and ids. As text, ids would not equal the numbers of requests; all fit a double. */
const BIGINT = pg.types.builtins.INT8
const types: pg.CustomTypesConfig = {
  getTypeParser: (type, format) => (type === BIGINT ? Number : pg.types.getTypeParser(type, format)),
}

type Result = Pick<pg.QueryResult<object>, 'command' | 'rowCount' | 'rows'>

/** Names statements, so that a connection parses and plans each once. */
interface Namer {
  run(client: pg.PoolClient, text: string, values: unknown[]): Promise<Result>
}

const createNamer = (maxNames: number): Namer => {
  const names = new Map<string, string>()
  let generation = 0
  /** The number of names is limited, because list filters combine in many ways. Further statements run unnamed. */
  const nameOf = (sql: string): string | undefined => {
    const known = names.get(sql)
    if (known !== undefined || names.size >= maxNames) return known
    // Searches stay unnamed, because the best plan depends on how common the words are.
    if (!/^\s*(select|insert|update|delete|with)\b/i.test(sql) || sql.includes('::tsquery')) return undefined
    const name = `factotum_${generation}_${names.size}`
    names.set(sql, name)
    return name
  }
  const send = (client: pg.PoolClient, text: string, values: unknown[]): Promise<Result> => {
    const name = nameOf(text)
    return client.query(name === undefined ? { text, values } : { name, text, values })
  }
  return {
    /** The retry uses a new name. Other connections have the same outdated statements, so all names change. */
    async run(client, text, values) {
      const used = generation
      try {
        return await send(client, text, values)
      } catch (error) {
        if (isOutdatedStatement(error) && used === generation) {
          generation++
          names.clear()
        }
        throw error
      }
    },
  }
}

/** A statement that runs longer than this gets no more statements behind it. */
const LONGEST_WAIT_MS = 5
const FEWEST_OTHERS = 2
/** More connections would mean more switches between processes, and fewer statements on the way together. */
const SHARED_CONNECTIONS = 2
/**
 * The reads of a snapshot fix their indexes, so one plan fits all values. PostgreSQL would plan them again each time,
 * because it cannot estimate the size of an unknown range.
 */
const BEGIN_SNAPSHOT =
  'start transaction isolation level repeatable read read only; set local plan_cache_mode = force_generic_plan'

/** A connection that many statements use at the same time, without waiting for each other's results. */
class SharedConnection {
  /** When each statement without a result was sent. */
  private readonly sentAt = new Set<{ at: number }>()
  private readonly pool: pg.Pool
  private readonly namer: Namer
  private client: pg.PoolClient | undefined
  private opening: Promise<void> | undefined

  constructor(pool: pg.Pool, namer: Namer) {
    this.pool = pool
    this.namer = namer
  }

  get load(): number {
    return this.sentAt.size
  }

  /** The server answers in order, so one slow statement delays those behind it. */
  get isUsable(): boolean {
    const [oldest] = this.sentAt
    return (
      this.client !== undefined && (oldest === undefined || performance.now() - oldest.at < LONGEST_WAIT_MS)
    )
  }

  async run(text: string, values: unknown[]): Promise<Result> {
    const sent = { at: performance.now() }
    this.sentAt.add(sent)
    try {
      return await this.namer.run(this.client as pg.PoolClient, text, values)
    } finally {
      this.sentAt.delete(sent)
    }
  }

  /** Runs the statements that `read` sends at once in one transaction. They see the same state. */
  runSnapshot<T>(read: () => Promise<T>): Promise<T> {
    const ignore = (): void => {}
    this.run(BEGIN_SNAPSHOT, []).catch(ignore)
    try {
      return read()
    } finally {
      // Sent at once as well. It also ends a transaction in which a statement failed.
      this.run('commit', []).catch(ignore)
    }
  }

  /** Connects in the background. Meanwhile, statements use other connections. */
  open(): void {
    if (this.client || this.opening) return
    this.opening = this.pool
      .connect()
      .then((client) => {
        this.client = client
        client.once('end', () => this.lose(client))
      })
      .catch(() => {})
      .finally(() => {
        this.opening = undefined
      })
  }

  async close(): Promise<void> {
    await this.opening
    this.client?.release()
    this.client = undefined
  }

  private lose(client: pg.PoolClient): void {
    if (this.client !== client) return
    this.client = undefined
    client.release(true)
  }
}

/** A short read, as the repositories write it. A lock would make the statements behind it wait. */
const isShortRead = (text: string): boolean =>
  /^\s*select\b(?! pg_)/.test(text) && !/\bfor (no key |key )?(update|share)\b|::tsquery/.test(text)

/**
 * Single reads share a few connections and are pipelined: several are on the way at the same time. That takes half
 * the CPU time of a connection for each. A transaction, a write or a long read has a connection of its own.
 */
class Connections {
  private readonly pool: pg.Pool
  private readonly namer: Namer
  private readonly shared: readonly SharedConnection[]
  private readonly shortReads = new Map<string, boolean>()
  /** Set while a snapshot starts its reads. */
  private snapshot: SharedConnection | undefined

  constructor(pool: pg.Pool, namer: Namer, isPipelined: boolean) {
    this.pool = pool
    this.namer = namer
    const count = isPipelined
      ? Math.min(SHARED_CONNECTIONS, Math.max(0, (pool.options.max ?? 0) - FEWEST_OTHERS))
      : 0
    this.shared = Array.from({ length: count }, () => new SharedConnection(pool, namer))
  }

  /** Reads outside a transaction. */
  read(text: string, values: unknown[]): Promise<object[]> {
    const { snapshot } = this
    return snapshot ? this.readIn(snapshot, text, values) : retryConflicts(() => this.readOnce(text, values))
  }

  /** See `EngineAccess`. */
  readSnapshot<T>(read: () => Promise<T>): Promise<T> | undefined {
    const place = this.findUsable()
    if (!place || currentLongRead() !== undefined) return undefined
    return retryConflicts(() => {
      this.snapshot = place
      try {
        return place.runSnapshot(read)
      } finally {
        this.snapshot = undefined
      }
    })
  }

  /** Returns the pool that Kysely uses. */
  toPool(): PostgresPool {
    return {
      connect: async () => this.createClient(),
      end: () => this.end(),
      options: this.pool.options,
    } as unknown as PostgresPool
  }

  private async end(): Promise<void> {
    await Promise.all(this.shared.map((each) => each.close()))
    await this.pool.end()
  }

  private async readIn(place: SharedConnection, text: string, values: unknown[]): Promise<object[]> {
    return (await place.run(text, values)).rows
  }

  private async readOnce(text: string, values: unknown[]): Promise<object[]> {
    const place = this.findShared(text)
    if (place) return this.readIn(place, text, values)
    const client = await this.pool.connect()
    try {
      return (await this.namer.run(client, text, values)).rows
    } finally {
      client.release()
    }
  }

  private canShare(text: string): boolean {
    if (currentLongRead() !== undefined) return false
    const known = this.shortReads.get(text)
    if (known !== undefined) return known
    const isShort = isShortRead(text)
    if (this.shortReads.size < STATEMENTS_NAMED) this.shortReads.set(text, isShort)
    return isShort
  }

  private findShared(text: string): SharedConnection | undefined {
    return this.shared.length > 0 && this.canShare(text) ? this.findUsable() : undefined
  }

  private findUsable(): SharedConnection | undefined {
    let best: SharedConnection | undefined
    for (const each of this.shared) {
      each.open()
      if (each.isUsable && (best === undefined || each.load < best.load)) best = each
    }
    return best
  }

  private createClient() {
    let own: pg.PoolClient | undefined
    let isInTransaction = false
    const runOwn = async (text: string, values: unknown[]) => {
      own ??= await this.pool.connect()
      return this.namer.run(own, text, values)
    }
    return {
      query: async (text: string, values: unknown[]) => {
        if (/^(begin|start transaction)\b/.test(text)) isInTransaction = true
        // A statement inside a transaction is not retried: `inTransaction` retries the whole transaction.
        if (isInTransaction) return runOwn(text, values)
        const place = this.findShared(text)
        return retryConflicts(() => (place?.isUsable ? place.run(text, values) : runOwn(text, values)))
      },
      release: (error?: boolean) => own?.release(error),
    } as unknown as PostgresPoolClient
  }
}

export interface PostgresOptions {
  url: string
  poolSize: number
  /**
   * Whether a pooler may give every transaction another session. A named statement exists only in the session that
   * prepared it.
   */
  isTransactionPooled: boolean
  onIdleError: (error: Error) => void
}

/** The connections of this process. `waiting` counts statements that wait for a connection. */
export interface PoolFigures {
  limit: number
  open: number
  idle: number
  waiting: number
}

export const createPostgresDialect = (
  options: PostgresOptions,
): { dialect: Dialect; readPool: () => PoolFigures } => {
  const { url, poolSize, isTransactionPooled, onIdleError } = options
  const isPipelined = !isTransactionPooled
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 10_000,
    pipeline: isPipelined,
    types,
  })
  // Also for checked-out clients: without an error listener, a lost connection would end the process.
  pool.on('connect', (client) => {
    client.on('error', onIdleError)
    // Compiling a plan takes longer than any of our statements.
    if (isPipelined) client.query('set jit = off').catch(() => {})
  })
  pool.on('error', () => {})
  const namer = createNamer(isTransactionPooled ? 0 : STATEMENTS_NAMED)
  const connections = new Connections(pool, namer, isPipelined)
  class PipelinedDialect extends PostgresDialect {
    override createAdapter(): PostgresAdapter & AdapterWithAccess {
      const access: EngineAccess = {
        read: <R>(text: string, values: readonly unknown[]) =>
          connections.read(text, values as unknown[]) as Promise<R[]>,
        readSnapshot: (read) => connections.readSnapshot(read),
      }
      return Object.assign(new PostgresAdapter(), { access })
    }
  }
  return {
    dialect: new PipelinedDialect({ pool: connections.toPool() }),
    readPool: () => ({
      limit: poolSize,
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
  }
}
