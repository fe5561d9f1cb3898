import { type Dialect, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { retryConflicts } from './transaction-conflict.ts'

const STATEMENTS_NAMED = 300
const INT8 = 20

/** Ids fit a double; as text they would not compare equal to the numbers that came in. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

/**
 * Names each statement so that a connection parses and plans it once. The number of names is bounded:
 * a list's filters can be combined in many ways, and what comes after the bound runs unnamed.
 */
const nameStatements = (pool: pg.Pool): PostgresPool => {
  const names = new Map<string, string>()
  const nameOf = (sql: string): string | undefined => {
    const known = names.get(sql)
    if (known !== undefined || names.size >= STATEMENTS_NAMED) return known
    const name = `factotum_${names.size}`
    names.set(sql, name)
    return name
  }
  /** Names what is prepared. A search is not: how common its words are decides which plan is short. */
  const describe = (text: string, values: unknown[]): pg.QueryConfig => {
    const isPrepared = /^(select|insert|update|delete|with)\b/i.test(text) && !text.includes('::tsquery')
    const name = isPrepared ? nameOf(text) : undefined
    return name === undefined ? { text, values } : { name, text, values }
  }
  return {
    async connect() {
      const client = await pool.connect()
      let isInTransaction = false
      return {
        async query(text: string, values: unknown[]) {
          if (/^(begin|start transaction)\b/.test(text)) isInTransaction = true
          const query = describe(text, values)
          // A statement in a transaction is not tried again: `inTransaction` runs all of them again.
          return isInTransaction ? client.query(query) : retryConflicts(() => client.query(query))
        },
        release: (error?: boolean) => client.release(error),
      } as unknown as PostgresPoolClient
    },
    end: () => pool.end(),
    options: pool.options,
  } as unknown as PostgresPool
}

export const createPostgresDialect = (url: string, onIdleError: (error: Error) => void): Dialect => {
  const pool = new pg.Pool({ connectionString: url, max: 10, types, connectionTimeoutMillis: 10_000 })
  // Also while it is lent out: without a listener of its own, a lost connection would end the process.
  pool.on('connect', (client) => client.on('error', onIdleError))
  pool.on('error', () => {})
  return new PostgresDialect({ pool: nameStatements(pool) })
}
