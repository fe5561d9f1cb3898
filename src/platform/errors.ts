import { whyUnavailable } from '../database/errors.ts'

/**
 * Kinds of errors that the caller should know about. HTTP maps a kind to a status; jobs map it to retry or
 * park.
 */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'precondition'
  | 'too_large'
  | 'unsupported'
  | 'rate_limited'
  | 'upstream'
  | 'unavailable'

export interface FieldError {
  path: string
  message: string
}

/** The step of a connection to another server that failed, for diagnosis. */
export interface StepFailure {
  step: 'dns' | 'connect' | 'tls' | 'greeting' | 'login' | 'select' | 'command'
  reason:
    | 'unknown_host'
    | 'forbidden_address'
    | 'refused'
    | 'timeout'
    | 'closed'
    | 'untrusted'
    | 'wrong_name'
    | 'expired'
    | 'no_starttls'
    | 'not_tls'
    | 'credentials'
    | 'signed_out'
    | 'missing'
    | 'other'
  /** The error message of the other server. */
  response: string | null
}

export interface ErrorDetails {
  /** The invalid fields with a message each. */
  errors?: FieldError[]
  /** Delay after which a retry makes sense. */
  retryAfterSeconds?: number
  /** The allowed methods of a path. */
  allow?: string[]
  /**
   * The step that failed on the way to another server. Features convert it to a message; it is not sent as it
   * is.
   */
  failure?: StepFailure
}

export class AppError extends Error {
  readonly kind: ErrorKind
  readonly code: string
  readonly details: ErrorDetails

  /** `message` is public; `options.cause` is only logged. */
  constructor(
    kind: ErrorKind,
    code: string,
    message: string,
    options: { cause?: unknown; details?: ErrorDetails } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.kind = kind
    this.code = code
    this.details = options.details ?? {}
  }
}

/** The request is invalid; `errors` names each field. */
export const invalid = (message: string, errors: FieldError[] = []): AppError =>
  new AppError('invalid', 'validation_failed', message, { details: { errors } })

/** Formats a field error as a sentence. A message that ends with a question mark gets no period. */
export const sentenceOf = ({ path, message }: FieldError, whole = 'The body'): string =>
  `${path === '' ? whole : path} ${message}${/[.?!]$/.test(message) ? '' : '.'}`

export const invalidField = (path: string, message: string): AppError =>
  invalid(sentenceOf({ path, message }), [{ path, message }])

export const notFound = (what: string): AppError =>
  new AppError('not_found', 'not_found', `There is no such ${what}.`)

export const forbidden = (message: string, code = 'forbidden'): AppError =>
  new AppError('forbidden', code, message)

export const conflict = (message: string, code = 'conflict'): AppError =>
  new AppError('conflict', code, message)

const TEMPORARY_KINDS: ReadonlySet<ErrorKind> = new Set([
  'upstream',
  'unavailable',
  'conflict',
  'rate_limited',
])

/**
 * PostgreSQL: a rolled-back transaction (40), lack of resources (53), an unavailable lock (55P03), operator
 * intervention (57), a system error (58). SQLite: a lock of another process, or no memory.
 */
const TEMPORARY_CODES =
  /^(?:40\w{3}|53\w{3}|55P03|57\w{3}|58\w{3}|SQLITE_(?:LOCKED|NOMEM|INTERRUPT|PROTOCOL)\w*)$/

/** Whether a failure comes from the environment (network, database, disk) and not from the input. */
export const isTemporary = (error: unknown): boolean => {
  if (error instanceof AppError) return TEMPORARY_KINDS.has(error.kind)
  if (whyUnavailable(error) !== undefined) return true
  if (!(error instanceof Error)) return false
  if (error.name === 'AbortError' || 'syscall' in error) return true
  return 'code' in error && typeof error.code === 'string' && TEMPORARY_CODES.test(error.code)
}

/** Explains to the user why a message could not be read or stored. */
export const toUnreadableReason = (error: unknown): string => {
  if (error instanceof AppError) return error.message
  const isFromDatabase = error instanceof Error && 'code' in error && typeof error.code === 'string'
  return isFromDatabase ? 'The database rejected its contents.' : 'The parser failed on its contents.'
}
