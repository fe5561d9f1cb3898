import { AppError } from '../../platform/errors.ts'

/** An error of Stripe's library. Its messages are not read, because they may contain request data. */
interface LibraryError {
  type?: unknown
  statusCode?: unknown
  code?: unknown
  decline_code?: unknown
  requestId?: unknown
  headers?: Record<string, string>
  detail?: unknown
}

const MESSAGES: Record<number, string> = {
  401: 'refused the key: check STRIPE_SECRET_KEY',
  403: 'refused the request: check the permissions of the key',
  409: 'is still processing the same request',
  429: 'limits the request rate',
}

const CODE = /^[a-z_]{1,60}$/
const codeOf = (value: unknown): string | undefined =>
  typeof value === 'string' && CODE.test(value) ? value : undefined

const failed = (message: string, cause?: unknown, retryAfterSeconds?: number): AppError =>
  new AppError('upstream', 'upstream_failed', message, {
    ...(cause !== undefined && { cause }),
    ...(retryAfterSeconds !== undefined && { details: { retryAfterSeconds } }),
  })

export const unreadable = (): AppError => failed('Stripe sent a response that could not be parsed.')

const libraryErrorOf = (error: unknown): LibraryError => (error ?? {}) as LibraryError

/** Builds an error for the log with the type of failure and Stripe's request id. */
const toLogError = ({ type, statusCode, code, requestId }: LibraryError): Error =>
  new Error(`Stripe: ${[type, statusCode, codeOf(code), requestId].filter(Boolean).join(' ')}`)

/** True if the object does not exist in Stripe, or was deleted. */
export const isMissing = (error: unknown): boolean => {
  const { statusCode, code } = libraryErrorOf(error)
  return statusCode === 404 || code === 'resource_missing'
}

/** True if Stripe rejected the request as invalid. */
export const isRefusal = (error: unknown): boolean => libraryErrorOf(error).statusCode === 400

const paymentRefused = (error: LibraryError): AppError => {
  const reason = codeOf(error.decline_code) ?? codeOf(error.code)
  return new AppError(
    'conflict',
    'payment_refused',
    `The payment was refused${reason ? ` (${reason})` : ''}. Use another card or payment method.`,
    { cause: toLogError(error) },
  )
}

const refusedWith = (error: LibraryError, status: number): AppError => {
  if (status === 402) return paymentRefused(error)
  const code = codeOf(error.code)
  const words =
    MESSAGES[status] ?? (status >= 500 ? 'failed' : `refused the request${code ? `: ${code}` : ''}`)
  const retryAfter = error.headers?.['retry-after'] ?? ''
  const seconds = /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : undefined
  return failed(`Stripe ${words} (${status}).`, toLogError(error), seconds)
}

/** Converts an error to our own message, with status and code, but without text of Stripe. */
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
      cause: toLogError(known),
    })
  if (typeof statusCode === 'number' && statusCode >= 300) return refusedWith(known, statusCode)
  if (known.type === 'StripeConnectionError')
    return failed('The connection to Stripe failed.', toLogError(known))
  return unreadable()
}
