import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { NoResultError } from 'kysely'
import { isForeignKeyViolation, isUniqueViolation, whyUnavailable } from '../../database/errors.ts'
import { AppError, type ErrorKind, type FieldError, invalid } from '../errors.ts'

// `import` would read all exports of the module, and so load Node's HTTP client.
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

export const TITLES: Record<number, string> = {
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

/** A route that accepts other types than JSON describes each type. */
const acceptedTypesOf = ({ schema }: FastifyRequest['routeOptions']): string => {
  const { content } = (schema?.body ?? {}) as { content?: Readonly<Record<string, unknown>> }
  return content === undefined ? 'application/json' : Object.keys(content).join(' or ')
}

/** Maps Fastify's errors to errors of this API. */
const FROM_FASTIFY: Record<string, (request: FastifyRequest) => AppError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new AppError('too_large', 'too_large', 'The body is too large.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ({ routeOptions }) =>
    new AppError(
      'unsupported',
      'unsupported_media_type',
      `Send the body as ${acceptedTypesOf(routeOptions)}.`,
    ),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => invalid('The length of the body differs from Content-Length.'),
  FST_ERR_BAD_URL: () => invalid('The path is not valid.'),
  FST_ERR_MAX_PARAM_LENGTH: () => invalid('A part of the path is too long.'),
}

const UNAVAILABLE = {
  unreachable: { message: 'The database does not respond. Try again shortly.', retryAfterSeconds: 5 },
  full: { message: 'The disk is full. The operator must free space.', retryAfterSeconds: 60 },
  'read-only': { message: 'The data storage is read-only.', retryAfterSeconds: 60 },
  busy: {
    message: 'The request conflicted with other changes of the same data. Try again.',
    retryAfterSeconds: 1,
  },
  slow: {
    message:
      'The search took too long. Narrow it, for example with a date (after:2026-01-01) or another word.',
    retryAfterSeconds: 10,
  },
}

/**
 * Another request deleted or created a row between two statements of this one, and a retry of the transaction
 * did not help. The account itself may have been deleted.
 */
const toConflict = (error: unknown): AppError | undefined => {
  if (error instanceof NoResultError)
    return new AppError('not_found', 'not_found', 'The resource was deleted in the meantime.', {
      cause: error,
    })
  const message = isForeignKeyViolation(error)
    ? 'A resource that this request refers to was deleted in the meantime. Fetch it again, then repeat the request.'
    : isUniqueViolation(error)
      ? 'Another request created the same resource in the meantime. Fetch it again, then repeat the request.'
      : undefined
  return message === undefined ? undefined : new AppError('conflict', 'conflict', message, { cause: error })
}

/** Converts anything thrown to an AppError; undefined for an internal error. */
export const toAppError = (
  error: FastifyError | AppError | null | undefined,
  request: FastifyRequest,
): AppError | undefined => {
  if (error === null || error === undefined) return undefined
  if (error instanceof AppError) return error
  // A client that disconnects during a request gets no response. Node's error would look like a lost
  // connection to the database.
  if (request.raw.destroyed && !request.raw.complete) return invalid('The request is incomplete.')
  const why = whyUnavailable(error)
  if (why) {
    const { message, retryAfterSeconds } = UNAVAILABLE[why]
    return new AppError('unavailable', 'unavailable', message, {
      cause: error,
      details: { retryAfterSeconds },
    })
  }
  const refused = toConflict(error)
  if (refused) return refused
  const known = FROM_FASTIFY[error.code]
  if (known) return known(request)
  return error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500
    ? invalid('The request is malformed.')
    : undefined
}

/** The reference explains each code at this address. */
export const TYPE_BASE = '/docs#error-'

const INVALID = 'validation_failed'

/** An error of the request as a whole has no field path. */
const fieldErrorsOf = (
  code: string,
  detail: string,
  errors: FieldError[] = [],
): { errors?: FieldError[] } => {
  if (errors.length > 0) return { errors }
  return code === INVALID ? { errors: [{ path: '', message: detail }] } : {}
}

/** RFC 9457. */
const problemOf = (error: AppError | undefined, request: FastifyRequest) => {
  const status = error ? statusOf(error) : 500
  const code = error?.code ?? 'internal'
  const detail =
    error?.message ?? 'An internal error occurred. The log contains it with the id of this request.'
  return {
    type: `${request.server.basePath}${TYPE_BASE}${code}`,
    title: TITLES[status] ?? 'Error',
    status,
    detail,
    code,
    requestId: request.id,
    ...fieldErrorsOf(code, detail, error?.details.errors),
  }
}

/**
 * Number of bytes that a client with a rejected body may still send: more than the largest upload, but
 * limited.
 */
const MAX_DISCARDED_BYTES = 256 * 1024 * 1024

/**
 * Reads and discards the rest of a rejected body. Fastify closes the connection while the client still sends.
 * Most clients then report a broken pipe and never read the response. If the connection closes with the
 * response, the client gets the response after the body.
 */
const discardBody = ({ raw }: FastifyRequest, reply: FastifyReply, answer: () => void): void => {
  let discardedBytes = 0
  raw.on('data', (bytes: Buffer) => {
    discardedBytes += bytes.length
    if (discardedBytes > MAX_DISCARDED_BYTES) raw.socket.destroy()
  })
  if (reply.raw.shouldKeepAlive) answer()
  else raw.once('end', answer)
}

const isStillSending = ({ raw, headers }: FastifyRequest): boolean => {
  const announced = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : 1
  // A client that sends `Expect` waits for the response before it sends.
  return !raw.complete && announced > 0 && announced <= MAX_DISCARDED_BYTES && headers.expect === undefined
}

export const sendProblem = (
  thrown: FastifyError | AppError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply => {
  const error = toAppError(thrown, request)
  const problem = problemOf(error, request)
  if (!error) request.log.error({ requestId: request.id, err: thrown }, 'request failed')
  else if (error.kind === 'upstream' || error.kind === 'unavailable' || toConflict(error.cause))
    request.log.error(
      { requestId: request.id, err: error, code: error.code },
      'request failed because a service is unavailable',
    )
  else if (problem.status === 401 || problem.status === 403 || problem.status === 429)
    request.log.warn({ requestId: request.id, code: error.code, ip: request.ip }, 'request rejected')
  if (problem.status === 401 && !reply.hasHeader('www-authenticate'))
    reply.header('www-authenticate', 'Bearer')
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
  discardBody(request, reply, answer)
  return reply
}

const BROKEN: Record<string, [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time. Send it again.'],
}

/** Answers input that is not HTTP, which never reaches a route. */
export const answerBrokenRequest = (error: Error & { code?: string }, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  // Browsers open spare connections. They would take a response there for the response to their first
  // request.
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
