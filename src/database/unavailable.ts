const CODES =
  /^(57P0[123]|08\w{3}|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTFOUND|SQLITE_(BUSY|IOERR|CANTOPEN|FULL)\w*)$/
const MESSAGES =
  /driver has already been destroyed|database connection is not open|Connection terminated|pool after calling end|timeout exceeded when trying to connect/

/** Whether the database could not be reached or written to, as opposed to having refused what was asked. */
export const isDatabaseUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return CODES.test(code) || MESSAGES.test(error.message)
}
