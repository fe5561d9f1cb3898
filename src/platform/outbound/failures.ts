import { AppError } from '../errors.ts'

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const TIMEOUT_CODES = ['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']

export const upstreamFailed = (message: string, cause?: unknown): AppError =>
  new AppError('upstream', 'upstream_failed', message, { cause })

export const upstreamTimeout = (host: string, cause?: unknown): AppError =>
  new AppError('upstream', 'upstream_timeout', `${host} did not respond in time.`, { cause })

/** Returns why the caller aborted: its deadline has passed, or its own reason. */
export const toAbortReason = (signal: AbortSignal, host: string): unknown => {
  const { reason } = signal
  return reason instanceof Error && reason.name === 'TimeoutError' ? upstreamTimeout(host, reason) : reason
}

/**
 * An error for a URL that must not be fetched. The resolved address goes into `cause`, because it would
 * reveal the internal network.
 */
export const refused = (message: string, cause?: unknown): AppError =>
  new AppError('invalid', 'validation_failed', message, { cause })

/** Converts an error of a library to an AppError. */
export const toFailure = (error: unknown, host: string): AppError => {
  if (error instanceof AppError) return error
  const code = codeOf(error)
  if (TIMEOUT_CODES.includes(code)) return upstreamTimeout(host, error)
  if (code === 'UND_ERR_INVALID_ARG')
    return refused('The request contains characters that HTTP does not allow.', error)
  if (code === 'UND_ERR_MAX_ORIGINS_REACHED')
    return new AppError('unavailable', 'unavailable', 'Too many requests to other hosts are in progress.', {
      cause: error,
    })
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return upstreamFailed(`DNS lookup for ${host} failed.`, error)
  if (code.startsWith('Z_') || code.startsWith('ERR__') || code.startsWith('ERR_BROTLI'))
    return upstreamFailed(`${host} sent a body that could not be decompressed.`, error)
  if (code.includes('CERT') || code.includes('SIGNATURE') || code.includes('TLS') || code.includes('SSL'))
    return upstreamFailed(`The TLS certificate of ${host} could not be verified.`, error)
  return upstreamFailed(`The connection to ${host} failed.`, error)
}
