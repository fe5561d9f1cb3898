import { whyUnavailable } from '../database/unavailable.ts'
import { AppError, type ErrorKind } from './errors.ts'

const TEMPORARY_KINDS: ReadonlySet<ErrorKind> = new Set([
  'upstream',
  'unavailable',
  'conflict',
  'rate_limited',
])

/**
 * PostgreSQL: a transaction that was rolled back (40), lack of resources (53), a lock that is not available (55P03),
 * an operator's intervention (57), a system error (58). SQLite: another process, or no memory.
 */
const TEMPORARY_CODES =
  /^(?:40\w{3}|53\w{3}|55P03|57\w{3}|58\w{3}|SQLITE_(?:LOCKED|NOMEM|INTERRUPT|PROTOCOL)\w*)$/

/** Whether a failure has to do with the surroundings (network, database, disk) and not with what was worked on. */
export const isTemporary = (error: unknown): boolean => {
  if (error instanceof AppError) return TEMPORARY_KINDS.has(error.kind)
  if (whyUnavailable(error) !== undefined) return true
  if (!(error instanceof Error)) return false
  if (error.name === 'AbortError' || 'syscall' in error) return true
  return 'code' in error && typeof error.code === 'string' && TEMPORARY_CODES.test(error.code)
}
