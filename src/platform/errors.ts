/** Everything that can go wrong for a reason the caller should hear about. HTTP maps a kind to a status, jobs to retry or park. */
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

/** How far the way to a server went, for one who must find out why it went no further. */
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
  /** The other side's own words. */
  said: string | null
}

export interface ErrorDetails {
  /** Which fields are wrong, and how. */
  errors?: FieldError[]
  /** When trying again makes sense. */
  retryAfterSeconds?: number
  /** The methods a path does take. */
  allow?: string[]
  /** Where on the way to another server it failed. Not told as it is: rooms turn it into words. */
  failure?: StepFailure
}

export class AppError extends Error {
  readonly kind: ErrorKind
  readonly code: string
  readonly details: ErrorDetails

  /** `message` is public; `options.cause` is only ever logged. */
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

/** The request itself is wrong; `errors` names each field. */
export const invalid = (message: string, errors: FieldError[] = []): AppError =>
  new AppError('invalid', 'validation_failed', message, { details: { errors } })

/** What is wrong with a field, as a sentence; one that ends with a question has its mark already. */
export const sentenceOf = ({ path, message }: FieldError, whole = 'The body'): string =>
  `${path === '' ? whole : path} ${message}${/[.?!]$/.test(message) ? '' : '.'}`

/** One field is wrong. */
export const invalidField = (path: string, message: string): AppError =>
  invalid(sentenceOf({ path, message }), [{ path, message }])

export const notFound = (what: string): AppError =>
  new AppError('not_found', 'not_found', `There is no such ${what}.`)

export const forbidden = (message: string, code = 'forbidden'): AppError =>
  new AppError('forbidden', code, message)

export const conflict = (message: string, code = 'conflict'): AppError =>
  new AppError('conflict', code, message)
