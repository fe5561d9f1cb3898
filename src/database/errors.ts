import { READ_BUSY, READ_TIMEOUT } from './read-threads.ts'
import { CONFLICT_CODES } from './transaction.ts'

/**
 * Classes 08 and 57 of PostgreSQL's codes except a cancelled query (57014), too many connections, socket
 * errors, and SQLite errors.
 */
const UNREACHABLE =
  /^(57P0\d|08\w{3}|53300|ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ERR_STREAM_(DESTROYED|WRITE_AFTER_END)|SQLITE_(BUSY|IOERR|CANTOPEN)\w*)$/
/**
 * Errors of pg, pg-pool and Kysely without a code: the connection was lost before, during or after a
 * statement.
 */
const MESSAGES =
  /driver has already been destroyed|database connection is not open|Connection terminated|pool after calling end|timeout exceeded when trying to connect|timeout expired|Query read timeout|is not queryable|connection has been discarded|ended the transaction by itself/
/** Also file system errors, because blobs are files. */
const FULL = /^(SQLITE_FULL|53100|ENOSPC|EDQUOT|EFBIG)$/
const READ_ONLY = /^(SQLITE_READONLY\w*|25006|EROFS)$/

export type Unavailability = 'unreachable' | 'full' | 'read-only' | 'busy' | 'slow'

/** Returns why the database is unavailable; undefined if it rejected the statement itself. */
export const whyUnavailable = (error: unknown): Unavailability | undefined => {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (FULL.test(code)) return 'full'
  if (READ_ONLY.test(code)) return 'read-only'
  if (CONFLICT_CODES.includes(code)) return 'busy'
  if (code === READ_TIMEOUT || code === READ_BUSY) return 'slow'
  return UNREACHABLE.test(code) || MESSAGES.test(error.message) ? 'unreachable' : undefined
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined

/** Whether a write violated a unique key. */
export const isUniqueViolation = (error: unknown): boolean => {
  const code = codeOf(error)
  return code === '23505' || code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY'
}

/** Whether a write violated a foreign key. */
export const isForeignKeyViolation = (error: unknown): boolean =>
  codeOf(error) === '23503' || codeOf(error) === 'SQLITE_CONSTRAINT_FOREIGNKEY'

/**
 * Whether the database rejected the values of a row: a duplicate key, a missing reference, or an invalid
 * value.
 */
export const isRejectedRow = (error: unknown): boolean => {
  const code = String((error as { code?: unknown } | null)?.code ?? '')
  return code.startsWith('SQLITE_CONSTRAINT') || code === 'SQLITE_MISMATCH' || /^2[23]\w{3}$/.test(code)
}
