import { AppError } from '../../platform/errors.ts'

/** A failure of Stripe's library, as far as it is looked at: its texts may repeat what was sent. */
interface LibraryError {
  type?: unknown
  statusCode?: unknown
  code?: unknown
  decline_code?: unknown
  requestId?: unknown
  headers?: Record<string, string>
  detail?: unknown
}

const WORDS: Record<number, string> = {
  401: 'refused the key: check STRIPE_SECRET_KEY',
  403: 'does not let this key do that: check its permissions',
  409: 'is still at work on the same request',
  429: 'is asked too often',
}

const CODE = /^[a-z_]{1,60}$/
const codeOf = (value: unknown): string | undefined =>
  typeof value === 'string' && CODE.test(value) ? value : undefined

const failed = (message: string, cause?: unknown, retryAfterSeconds?: number): AppError =>
  new AppError('upstream', 'upstream_failed', message, {
    ...(cause !== undefined && { cause }),
    ...(retryAfterSeconds !== undefined && { details: { retryAfterSeconds } }),
  })

export const unreadable = (): AppError => failed('Stripe answered with something that cannot be read.')

const libraryErrorOf = (error: unknown): LibraryError => (error ?? {}) as LibraryError

/** For the log: which failure it was, and by which name Stripe knows it. */
const traceOf = ({ type, statusCode, code, requestId }: LibraryError): Error =>
  new Error(`Stripe: ${[type, statusCode, codeOf(code), requestId].filter(Boolean).join(' ')}`)

/** What was asked for does not exist there, or no longer. */
export const isMissing = (error: unknown): boolean => {
  const { statusCode, code } = libraryErrorOf(error)
  return statusCode === 404 || code === 'resource_missing'
}

/** The request itself was refused, whatever the reason. */
export const isRefusal = (error: unknown): boolean => libraryErrorOf(error).statusCode === 400

const paymentRefused = (error: LibraryError): AppError => {
  const reason = codeOf(error.decline_code) ?? codeOf(error.code)
  return new AppError(
    'conflict',
    'payment_refused',
    `The payment was refused${reason ? ` (${reason})` : ''}. Use another card or way to pay.`,
    { cause: traceOf(error) },
  )
}

const refusedWith = (error: LibraryError, status: number): AppError => {
  if (status === 402) return paymentRefused(error)
  const code = codeOf(error.code)
  const words = WORDS[status] ?? (status >= 500 ? 'failed' : `refused the request${code ? `: ${code}` : ''}`)
  const retryAfter = error.headers?.['retry-after'] ?? ''
  const seconds = /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : undefined
  return failed(`Stripe ${words} (${status}).`, traceOf(error), seconds)
}

/** What went wrong, in our words: a status and a code are told, nothing that Stripe or its library wrote. */
export const toFailure = (error: unknown): AppError => {
  if (error instanceof AppError) return error
  const known = libraryErrorOf(error)
  const { detail, statusCode } = known
  if (detail instanceof AppError)
    return detail.kind === 'upstream' || detail.kind === 'unavailable'
      ? detail
      : failed(detail.message, detail.cause)
  if (libraryErrorOf(detail).code === 'ETIMEDOUT')
    return new AppError('upstream', 'upstream_timeout', 'Stripe did not answer in time.', {
      cause: traceOf(known),
    })
  if (typeof statusCode === 'number' && statusCode >= 300) return refusedWith(known, statusCode)
  if (known.type === 'StripeConnectionError')
    return failed('The connection to Stripe failed.', traceOf(known))
  return unreadable()
}
