import { AppError } from '../errors.ts'

export const upstreamFailed = (message: string, cause?: unknown): AppError =>
  new AppError('upstream', 'upstream_failed', message, { cause })

export const upstreamTimeout = (host: string, cause?: unknown): AppError =>
  new AppError('upstream', 'upstream_timeout', `${host} did not answer in time.`, { cause })

/** Why the caller gave up: its patience is over, or a reason of its own. */
export const givenUp = (signal: AbortSignal, host: string): unknown => {
  const { reason } = signal
  return reason instanceof Error && reason.name === 'TimeoutError' ? upstreamTimeout(host, reason) : reason
}

/** The URL itself is the fault. What it resolved to goes into `cause`: it would tell outsiders about the network inside. */
export const refused = (message: string, cause?: unknown): AppError =>
  new AppError('invalid', 'validation_failed', message, { cause })

const TIMEOUT_CODES = ['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** What a library threw, in the caller's terms. */
export const toFailure = (error: unknown, host: string): AppError => {
  if (error instanceof AppError) return error
  const code = codeOf(error)
  if (TIMEOUT_CODES.includes(code)) return upstreamTimeout(host, error)
  if (code === 'UND_ERR_INVALID_ARG') return refused('The request has a part that HTTP cannot carry.', error)
  if (code === 'UND_ERR_MAX_ORIGINS_REACHED')
    return new AppError('unavailable', 'unavailable', 'Too many hosts are being called at once.', {
      cause: error,
    })
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return upstreamFailed(`${host} could not be found.`, error)
  if (code.startsWith('Z_') || code.startsWith('ERR__') || code.startsWith('ERR_BROTLI'))
    return upstreamFailed(`${host} sent a body that could not be decompressed.`, error)
  if (code.includes('CERT') || code.includes('SIGNATURE') || code.includes('TLS') || code.includes('SSL'))
    return upstreamFailed(`${host} could not prove who it is (TLS).`, error)
  return upstreamFailed(`The connection to ${host} failed.`, error)
}
