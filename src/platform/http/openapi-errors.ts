import type { RouteEntry } from './route-table.ts'

type Schema = Record<string, unknown>

const PROBLEM: Schema = {
  title: 'Problem',
  type: 'object',
  description: 'What went wrong, as RFC 9457 has it',
  required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
  properties: {
    type: { type: 'string', description: 'Where the code is explained' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'For a person' },
    code: { type: 'string', description: 'For a program' },
    requestId: { type: 'string', description: 'Names this request in the log' },
    errors: {
      type: 'array',
      description: 'Each field that is wrong',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
}

const problem = (status: number, title: string, code: string, detail: string, errors?: unknown): Schema => ({
  description: title,
  content: {
    'application/problem+json': {
      schema: PROBLEM,
      example: {
        type: `/docs#error-${code}`,
        title,
        status,
        detail,
        code,
        requestId: 'm2x1-1a',
        ...(errors ? { errors } : {}),
      },
    },
  },
})

const RETRY_AFTER: Schema = {
  'Retry-After': { description: 'After how many seconds to try again', schema: { type: 'integer' } },
}

const ERRORS: Record<string, Schema> = {
  304: { description: 'Still the version that If-None-Match names' },
  400: problem(
    400,
    'The request is not valid',
    'validation_failed',
    'emial is not known here; did you mean email?.',
    [{ path: 'emial', message: 'is not known here; did you mean email?' }],
  ),
  401: problem(401, 'Not signed in', 'unauthorized', 'Sign in, or send a token.'),
  403: problem(403, 'Not allowed', 'forbidden', 'Only the owner of this instance may do this.'),
  404: problem(404, 'Not found', 'not_found', 'There is no such session.'),
  409: problem(409, 'Conflict', 'conflict', 'The first request with this Idempotency-Key is still at work.'),
  412: problem(412, 'Changed in the meantime', 'precondition_failed', 'This was changed in the meantime.'),
  413: problem(413, 'Too large', 'too_large', 'The body is too large.'),
  415: problem(415, 'Unsupported media type', 'unsupported_media_type', 'Send the body as application/json.'),
  429: {
    ...problem(429, 'Too many requests', 'rate_limited', 'Too many tries. Wait a while.'),
    headers: RETRY_AFTER,
  },
  500: problem(500, 'Internal error', 'internal', 'Something went wrong here.'),
  502: problem(502, 'Another service failed', 'upstream_failed', 'Stripe failed (500).'),
  503: {
    ...problem(503, 'Not available', 'unavailable', 'The database does not answer. Try again shortly.'),
    headers: RETRY_AFTER,
  },
  504: problem(504, 'Another service did not answer', 'upstream_timeout', 'Stripe did not answer in time.'),
  default: {
    ...problem(409, 'Conflict', 'conflict', 'This action is no longer waiting: it is done.'),
    description: 'Any other refusal',
  },
}

/** How a request that is not valid is refused, for routes that have a way of their own besides. */
export const INVALID_REQUEST = ERRORS[400]?.content as Schema

/** What there is one of has a version; a page of a list has none. */
export const hasVersion = ({ method, schema, config }: RouteEntry): boolean => {
  if (method !== 'GET') return false
  const { properties = {} } = (schema.querystring ?? {}) as { properties?: object }
  const answer = (schema.response as Record<string, { content?: object }> | undefined)?.[200]
  return (
    config.mayAnswer?.includes(304) === true ||
    (!Object.hasOwn(properties, 'cursor') && answer !== undefined && answer.content === undefined)
  )
}

/** What is changed or removed may have been changed by another meanwhile. */
export const asksForVersion = ({ method, config }: RouteEntry): boolean =>
  method === 'PATCH' || method === 'DELETE' || config.mayAnswer?.includes(412) === true

/** What else a route can answer with, going by what it takes and who may call it. */
export const errorsOf = (entry: RouteEntry, mode: 'open' | 'private'): Schema => {
  const { schema, config } = entry
  const { body, params } = schema
  const takesBody = body !== undefined
  const possible: Record<string, boolean> = {
    304: hasVersion(entry),
    // An unknown parameter is refused, and a token that is sent is looked at, everywhere.
    400: true,
    401: true,
    403: true,
    404: params !== undefined,
    409: config.idempotency !== undefined,
    412: asksForVersion(entry),
    413: takesBody,
    415: takesBody,
    429: mode === 'private' || config.secret === true,
    500: true,
    503: true,
    default: true,
  }
  for (const status of config.mayAnswer ?? []) possible[status] = true
  return Object.fromEntries(Object.entries(ERRORS).filter(([status]) => possible[status]))
}
