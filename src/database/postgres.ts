import { type Dialect, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { isOutdatedStatement, retryConflicts } from './transaction.ts'

const STATEMENTS_NAMED = 300
const INT8 = 20

/** Ids fit a double. As text they would not equal the numbers of requests. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

/**
 * Names each statement, so that a connection parses and plans it once. The number of names is limited,
 * because list filters combine in many ways. Further statements run unnamed.
 */
const nameStatements = (pool: pg.Pool, maxNames: number): PostgresPool => {
  const names = new Map<string, string>()
  let generation = 0
  const nameOf = (sql: string): string | undefined => {
    const known = names.get(sql)
    if (known !== undefined || names.size >= maxNames) return known
    const name = `factotum_${generation}_${names.size}`
    names.set(sql, name)
    return name
  }
  /**
   * Names prepared statements. Searches stay unnamed, because the best plan depends on how common the words
   * are.
   */
  const describe = (text: string, values: unknown[]): pg.QueryConfig => {
    const isPrepared = /^(select|insert|update|delete|with)\b/i.test(text) && !text.includes('::tsquery')
    const name = isPrepared ? nameOf(text) : undefined
    return name === undefined ? { text, values } : { name, text, values }
  }
  /** The retry uses a new name. Other connections have the same outdated statements, so all names change. */
  const run = async (client: pg.PoolClient, text: string, values: unknown[]) => {
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
  }
  return {
    async connect() {
      const client = await pool.connect()
      let isInTransaction = false
      return {
        async query(text: string, values: unknown[]) {
          if (/^(begin|start transaction)\b/.test(text)) isInTransaction = true
          // A statement inside a transaction is not retried: `inTransaction` retries the whole transaction.
          return isInTransaction ? run(client, text, values) : retryConflicts(() => run(client, text, values))
        },
        release: (error?: boolean) => client.release(error),
      } as unknown as PostgresPoolClient
    },
    end: () => pool.end(),
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
  const pool = new pg.Pool({ connectionString: url, max: poolSize, types, connectionTimeoutMillis: 10_000 })
  // Also for checked-out clients: without an error listener, a lost connection would end the process.
  pool.on('connect', (client) => client.on('error', onIdleError))
  pool.on('error', () => {})
  return {
    dialect: new PostgresDialect({ pool: nameStatements(pool, isTransactionPooled ? 0 : STATEMENTS_NAMED) }),
    readPool: () => ({
      limit: poolSize,
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
  }
}
