import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { NoResultError } from 'kysely'
import { whyUnavailable } from '../../database/unavailable.ts'
import { isForeignKeyViolation, isUniqueViolation } from '../../database/unique-violation.ts'
import { AppError, type ErrorKind, type FieldError, invalid } from '../errors.ts'

// An import would ask the module for all that it offers, and so load the HTTP client that comes with Node.
const { STATUS_CODES } = createRequire(import.meta.url)('node:http') as typeof import('node:http')

const STATUS: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition: 412,
  too_large: 413,
  unsupported: 415,
  rate_limited: 429,
  upstream: 502,
  unavailable: 503,
}

const TITLES: Record<number, string> = {
  400: 'The request is not valid',
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Request timeout',
  409: 'Conflict',
  412: 'Changed in the meantime',
  413: 'Too large',
  415: 'Unsupported media type',
  429: 'Too many requests',
  500: 'Internal error',
  502: 'Another service failed',
  503: 'Not available',
  504: 'Another service did not answer',
}

export const statusOf = (error: AppError): number =>
  error.code === 'upstream_timeout' ? 504 : STATUS[error.kind]

/** A route that takes something besides JSON describes each type by itself. */
const typesTakenBy = ({ schema }: FastifyRequest['routeOptions']): string => {
  const { content } = (schema?.body ?? {}) as { content?: Readonly<Record<string, unknown>> }
  return content === undefined ? 'application/json' : Object.keys(content).join(' or ')
}

/** What Fastify itself refuses, in our words. */
const FROM_FASTIFY: Record<string, (request: FastifyRequest) => AppError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new AppError('too_large', 'too_large', 'The body is too large.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ({ routeOptions }) =>
    new AppError('unsupported', 'unsupported_media_type', `Send the body as ${typesTakenBy(routeOptions)}.`),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => invalid('The body is not as long as Content-Length says.'),
  FST_ERR_BAD_URL: () => invalid('The path cannot be read.'),
  FST_ERR_MAX_PARAM_LENGTH: () => invalid('A part of the path is too long.'),
}

const UNAVAILABLE = {
  unreachable: { message: 'The database does not answer. Try again shortly.', retryAfterSeconds: 5 },
  full: { message: 'There is no room left where the data is kept.', retryAfterSeconds: 60 },
  'read-only': { message: 'The data can be read, but not written.', retryAfterSeconds: 60 },
  busy: {
    message: 'Other requests were changing the same data for too long. Try again.',
    retryAfterSeconds: 1,
  },
}

/**
 * Another request deleted or created a row between two statements of this one, and running the transaction again did
 * not help: the account itself may be gone.
 */
const refusedByRow = (error: unknown): AppError | undefined => {
  if (error instanceof NoResultError)
    return new AppError('not_found', 'not_found', 'It was deleted in the meantime.', { cause: error })
  const message = isForeignKeyViolation(error)
    ? 'Something that this request refers to was deleted in the meantime. Read it again, then repeat the request.'
    : isUniqueViolation(error)
      ? 'Another request created the same thing in the meantime. Read it again, then repeat the request.'
      : undefined
  return message === undefined ? undefined : new AppError('conflict', 'conflict', message, { cause: error })
}

/** The AppError behind anything thrown; undefined for a fault of our own. */
const asAppError = (
  error: FastifyError | AppError | null | undefined,
  request: FastifyRequest,
): AppError | undefined => {
  if (error === null || error === undefined) return undefined
  if (error instanceof AppError) return error
  // Who leaves in the middle of a request hears nothing; what Node throws then looks like a lost connection of ours.
  if (request.raw.destroyed && !request.raw.complete) return invalid('The request did not arrive whole.')
  const why = whyUnavailable(error)
  if (why) {
    const { message, retryAfterSeconds } = UNAVAILABLE[why]
    return new AppError('unavailable', 'unavailable', message, {
      cause: error,
      details: { retryAfterSeconds },
    })
  }
  const refused = refusedByRow(error)
  if (refused) return refused
  const known = FROM_FASTIFY[error.code]
  if (known) return known(request)
  return error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500
    ? invalid('The request cannot be read.')
    : undefined
}

const TYPE_BASE = '/docs#error-'

const INVALID = 'validation_failed'

/** What is wrong with the request as a whole has no path. */
const fieldErrorsOf = (
  code: string,
  detail: string,
  errors: FieldError[] = [],
): { errors?: FieldError[] } => {
  if (errors.length > 0) return { errors }
  return code === INVALID ? { errors: [{ path: '', message: detail }] } : {}
}

/** RFC 9457. */
const problemOf = (error: AppError | undefined, requestId: string) => {
  const status = error ? statusOf(error) : 500
  const code = error?.code ?? 'internal'
  const detail =
    error?.message ?? 'Something went wrong here. It has been logged with the id of this request.'
  return {
    type: `${TYPE_BASE}${code}`,
    title: TITLES[status] ?? 'Error',
    status,
    detail,
    code,
    requestId,
    ...fieldErrorsOf(code, detail, error?.details.errors),
  }
}

/** What somebody whose body is refused may still send: more than the largest upload, and not without end. */
const MOST_HEARD = 256 * 1024 * 1024

/**
 * Fastify closes the connection on who is still sending, and most clients then tell of a broken pipe and never read the
 * answer. So they are heard out; what they send is thrown away. Whose connection ends with the answer gets it after that.
 */
const hearOut = ({ raw }: FastifyRequest, reply: FastifyReply, answer: () => void): void => {
  let heard = 0
  raw.on('data', (bytes: Buffer) => {
    heard += bytes.length
    if (heard > MOST_HEARD) raw.socket.destroy()
  })
  if (reply.raw.shouldKeepAlive) answer()
  else raw.once('end', answer)
}

const isStillSending = ({ raw, headers }: FastifyRequest): boolean => {
  const announced = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : 1
  // Who asks before they send listens while they do.
  return !raw.complete && announced > 0 && announced <= MOST_HEARD && headers.expect === undefined
}

export const sendProblem = (
  thrown: FastifyError | AppError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply => {
  const error = asAppError(thrown, request)
  const problem = problemOf(error, request.id)
  if (!error) request.log.error({ requestId: request.id, err: thrown }, 'request failed')
  else if (error.kind === 'upstream' || error.kind === 'unavailable' || refusedByRow(error.cause))
    request.log.error({ requestId: request.id, err: error, code: error.code }, 'request could not be served')
  else if (problem.status === 401 || problem.status === 403 || problem.status === 429)
    request.log.warn({ requestId: request.id, code: error.code, ip: request.ip }, 'request refused')
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer')
  const { retryAfterSeconds, allow } = error?.details ?? {}
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(Math.ceil(retryAfterSeconds)))
  if (allow) reply.header('allow', allow.join(', '))
  const answer = (): FastifyReply =>
    reply
      .code(problem.status)
      .header('content-type', 'application/problem+json; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(JSON.stringify(problem))
  if (!isStillSending(request)) return answer()
  if (thrown.code?.startsWith('FST_ERR_CTP_')) reply.removeHeader('connection')
  hearOut(request, reply, answer)
  return reply
}

const BROKEN: Record<string, [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time. Send it again.'],
}

/** What is no HTTP never reaches a route. */
export const answerBrokenRequest = (error: Error & { code?: string }, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  // Browsers open connections in reserve. An answer there would be taken for the answer to the first request.
  if (socket.bytesRead === 0) return void socket.destroy()
  const [status, detail] = BROKEN[error.code ?? ''] ?? [400, 'The request is not HTTP.']
  const body = JSON.stringify({
    type: `${TYPE_BASE}${INVALID}`,
    title: TITLES[status] ?? 'The request is not valid',
    status,
    detail,
    code: INVALID,
    ...fieldErrorsOf(INVALID, detail),
  })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroySoon()
}
