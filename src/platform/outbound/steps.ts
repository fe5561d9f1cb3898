import { AppError, type StepFailure } from '../errors.ts'
import type { Outbound } from './port.ts'

const MAX_WORDS_LENGTH = 300

/** Makes text of another server safe to display: one line, no control characters, limited length. */
export const quote = (text: string | null | undefined): string | null => {
  const line = (text ?? '')
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
  return line === '' ? null : line.slice(0, MAX_WORDS_LENGTH).toWellFormed()
}

/** Creates the error for a failed connection of a protocol other than HTTP, with the step that failed. */
export const failedAt = (
  host: string,
  failure: Omit<StepFailure, 'response'> & { response?: string | null },
  cause?: unknown,
): AppError => {
  const response = quote(failure.response)
  const code = failure.reason === 'timeout' ? 'upstream_timeout' : 'upstream_failed'
  const message = `${host}: ${failure.step} failed (${failure.reason.replaceAll('_', ' ')}).`
  return new AppError('upstream', code, message, {
    cause,
    details: { failure: { step: failure.step, reason: failure.reason, response } },
  })
}

const CERTIFICATE_REASONS: Record<string, StepFailure['reason']> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'wrong_name',
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'expired',
}
const UNTRUSTED = /SELF_SIGNED|UNABLE_TO|CERT_|ISSUER|CHAIN/

/** Maps a Node error of a socket or TLS handshake to a step and a reason; undefined for other errors. */
export const socketFailure = (error: {
  code?: string | undefined
  message?: string | undefined
}): Pick<StepFailure, 'step' | 'reason'> | undefined => {
  const code = error.code ?? ''
  const certificate = CERTIFICATE_REASONS[code]
  if (certificate) return { step: 'tls', reason: certificate }
  if (UNTRUSTED.test(code)) return { step: 'tls', reason: 'untrusted' }
  if (
    code === 'ECONNREFUSED' ||
    code === 'EHOSTUNREACH' ||
    code === 'ENETUNREACH' ||
    code === 'EADDRNOTAVAIL'
  )
    return { step: 'connect', reason: 'refused' }
  if (code === 'ETIMEDOUT' || code === 'CONNECT_TIMEOUT') return { step: 'connect', reason: 'timeout' }
  if (/^ERR_SSL_WRONG_VERSION|^ERR_SSL_PACKET/.test(code)) return { step: 'tls', reason: 'not_tls' }
  if (/^ERR_(SSL|TLS)|^EPROTO/.test(code)) return { step: 'tls', reason: 'other' }
  if (/^ECONN(RESET|ABORTED)$|^EPIPE$/.test(code)) return { step: 'greeting', reason: 'closed' }
  return undefined
}

/** Resolves a host that a user named, and checks the addresses against the operator's rules. */
export const resolveAsStep = async (
  resolve: Outbound['resolve'],
  host: string,
  port: number,
): Promise<string[]> => {
  try {
    return (await resolve(host, 'typed', port)).map(({ address }) => address)
  } catch (error) {
    const known = error instanceof AppError ? error : undefined
    const reason =
      known?.kind === 'invalid'
        ? 'forbidden_address'
        : known?.code === 'upstream_timeout'
          ? 'timeout'
          : 'unknown_host'
    throw failedAt(host, { step: 'dns', reason }, error)
  }
}

/** The same for HTTP: adds the failed step to an error of the guarded client if it is known. */
export const failureOfFetch = (error: unknown, host: string): unknown => {
  if (!(error instanceof AppError)) return error
  if (error.kind === 'invalid') return failedAt(host, { step: 'dns', reason: 'forbidden_address' }, error)
  if (error.code === 'upstream_timeout') return failedAt(host, { step: 'connect', reason: 'timeout' }, error)
  const cause = (error.cause ?? {}) as { code?: string; message?: string }
  if (cause.code === 'ENOTFOUND' || cause.code === 'EAI_AGAIN')
    return failedAt(host, { step: 'dns', reason: 'unknown_host' }, error)
  const failure =
    cause.code === 'UND_ERR_SOCKET' ? ({ step: 'command', reason: 'closed' } as const) : socketFailure(cause)
  return failure ? failedAt(host, failure, error) : error
}
