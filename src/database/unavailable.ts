import { CONFLICT_CODES } from './transaction-conflict.ts'

/**
 * Classes 08 and 57 of PostgreSQL's codes without a cancelled query (57014), too many connections, errors of sockets
 * and of SQLite.
 */
const UNREACHABLE =
  /^(57P0\d|08\w{3}|53300|ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ERR_STREAM_(DESTROYED|WRITE_AFTER_END)|SQLITE_(BUSY|IOERR|CANTOPEN)\w*)$/
/** Errors of pg, pg-pool and Kysely that have no code: the connection was lost before, during or after a statement. */
const MESSAGES =
  /driver has already been destroyed|database connection is not open|Connection terminated|pool after calling end|timeout exceeded when trying to connect|timeout expired|Query read timeout|is not queryable|connection has been discarded|ended the transaction by itself/
/** Also what a file system says: beside the database there are files. */
const FULL = /^(SQLITE_FULL|53100|ENOSPC|EDQUOT|EFBIG)$/
const READ_ONLY = /^(SQLITE_READONLY\w*|25006|EROFS)$/

export type Unavailability = 'unreachable' | 'full' | 'read-only' | 'busy'

/** Why nothing can be read or written now, as opposed to having refused what was asked. */
export const whyUnavailable = (error: unknown): Unavailability | undefined => {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (FULL.test(code)) return 'full'
  if (READ_ONLY.test(code)) return 'read-only'
  if (CONFLICT_CODES.includes(code)) return 'busy'
  return UNREACHABLE.test(code) || MESSAGES.test(error.message) ? 'unreachable' : undefined
}
