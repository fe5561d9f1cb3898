import { type Dialect, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { currentLongRead } from './long-reads.ts'
import { isOutdatedStatement, retryConflicts } from './transaction.ts'

const STATEMENTS_NAMED = 300
const INT8 = 20
const NO_ROWS = { command: 'BEGIN', rowCount: null, rows: [] }

/** Ids fit a double. As text they would not equal the numbers of requests. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

/** Names statements, so that a connection parses and plans each once. */
interface Namer {
  /** The number of names is limited, because list filters combine in many ways. Further statements run unnamed. */
  describe(text: string, values: unknown[]): pg.QueryConfig
  /** Runs a statement. */
  run(client: pg.ClientBase, text: string, values: unknown[]): Promise<pg.QueryResult>
}

const createNamer = (maxNames: number): Namer => {
  const names = new Map<string, string>()
  let generation = 0
  const nameOf = (sql: string): string | undefined => {
    const known = names.get(sql)
    if (known !== undefined || names.size >= maxNames) return known
    // Searches stay unnamed, because the best plan depends on how common the words are.
    if (!/^\s*(select|insert|update|delete|with)\b/i.test(sql) || sql.includes('::tsquery')) return undefined
    const name = `factotum_${generation}_${names.size}`
    names.set(sql, name)
    return name
  }
  const describe = (text: string, values: unknown[]): pg.QueryConfig => {
    const name = nameOf(text)
    return name === undefined ? { text, values } : { name, text, values }
  }
  return {
    describe,
    /** The retry uses a new name. Other connections have the same outdated statements, so all names change. */
    async run(client, text, values) {
      const used = generation
      try {
        return await client.query(describe(text, values))
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
/** More connections would mean more switches between processes, and fewer statements on the way together. */
const SHARED_CONNECTIONS = 2
const FEWEST_OTHERS = 2

/** A connection that many statements use at the same time, without waiting for each other's results. */
class SharedConnection {
  /** When each statement without a result was sent. */
  private readonly sentAt = new Set<{ at: number }>()
  private readonly pool: pg.Pool
  private client: pg.PoolClient | undefined
  private opening: Promise<void> | undefined

  constructor(pool: pg.Pool) {
    this.pool = pool
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

  async run<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const sent = { at: performance.now() }
    this.sentAt.add(sent)
    try {
      return await work(this.client as pg.PoolClient)
    } finally {
      this.sentAt.delete(sent)
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
const shareConnections = (pool: pg.Pool, namer: Namer, isPipelined: boolean): PostgresPool => {
  const count = isPipelined
    ? Math.min(SHARED_CONNECTIONS, Math.max(0, (pool.options.max ?? 0) - FEWEST_OTHERS))
    : 0
  const shared = Array.from({ length: count }, () => new SharedConnection(pool))
  const shortReads = new Map<string, boolean>()
  const canShare = (text: string): boolean => {
    if (currentLongRead() !== undefined) return false
    const known = shortReads.get(text)
    if (known !== undefined) return known
    const isShort = isShortRead(text)
    if (shortReads.size < STATEMENTS_NAMED) shortReads.set(text, isShort)
    return isShort
  }
  const findShared = (text: string): SharedConnection | undefined => {
    if (count === 0 || !canShare(text)) return undefined
    let best: SharedConnection | undefined
    for (const each of shared) {
      each.open()
      if (each.isUsable && (best === undefined || each.load < best.load)) best = each
    }
    return best
  }
  const createClient = () => {
    let own: pg.PoolClient | undefined
    let isInTransaction = false
    let beginning: Promise<unknown> | undefined
    const runOwn = async (text: string, values: unknown[]) => {
      own ??= await pool.connect()
      return namer.run(own, text, values)
    }
    const begin = async (text: string) => {
      own ??= await pool.connect()
      isInTransaction = true
      beginning = namer.run(own, text, [])
      if (!isPipelined) await beginning
      // The first statement follows at once, and reports the failure.
      beginning.catch(() => {})
      return NO_ROWS
    }
    const runInTransaction = async (text: string, values: unknown[]) => {
      const result = runOwn(text, values)
      if (beginning) await Promise.all([beginning, result])
      beginning = undefined
      return result
    }
    return {
      async query(text: string, values: unknown[]) {
        if (/^(begin|start transaction)\b/.test(text)) return begin(text)
        // A statement inside a transaction is not retried: `inTransaction` retries the whole transaction.
        if (isInTransaction) return runInTransaction(text, values)
        const place = findShared(text)
        return retryConflicts(() =>
          place?.isUsable ? place.run((client) => namer.run(client, text, values)) : runOwn(text, values),
        )
      },
      release: (error?: boolean) => own?.release(error),
    } as unknown as PostgresPoolClient
  }
  return {
    connect: async () => createClient(),
    async end() {
      await Promise.all(shared.map((each) => each.close()))
      await pool.end()
    },
    options: pool.options,
  } as unknown as PostgresPool
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
  const settings: pg.PoolConfig & { pipeline: boolean } = {
    connectionString: url,
    max: poolSize,
    types,
    connectionTimeoutMillis: 10_000,
    pipeline: isPipelined,
  }
  const pool = new pg.Pool(settings)
  // Also for checked-out clients: without an error listener, a lost connection would end the process.
  pool.on('connect', (client) => {
    client.on('error', onIdleError)
    // Compiling a plan takes longer than any of our statements.
    if (isPipelined) client.query('set jit = off').catch(() => {})
  })
  pool.on('error', () => {})
  return {
    dialect: new PostgresDialect({
      pool: shareConnections(pool, createNamer(isTransactionPooled ? 0 : STATEMENTS_NAMED), isPipelined),
    }),
    readPool: () => ({
      limit: poolSize,
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
  }
}
