const UNREACHABLE =
  /^(57P0[123]|08\w{3}|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTFOUND|SQLITE_(BUSY|IOERR|CANTOPEN)\w*)$/
const MESSAGES =
  /driver has already been destroyed|database connection is not open|Connection terminated|pool after calling end|timeout exceeded when trying to connect/
/** Also what a file system says: beside the database there are files. */
const FULL = /^(SQLITE_FULL|53100|ENOSPC|EDQUOT)$/
const READ_ONLY = /^(SQLITE_READONLY\w*|25006|EROFS)$/

/** Why nothing can be read or written now, as opposed to having refused what was asked. */
export const whyUnavailable = (error: unknown): 'unreachable' | 'full' | 'read-only' | undefined => {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (FULL.test(code)) return 'full'
  if (READ_ONLY.test(code)) return 'read-only'
  return UNREACHABLE.test(code) || MESSAGES.test(error.message) ? 'unreachable' : undefined
}
