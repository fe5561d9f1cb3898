import { SCOPE_NOTES } from '../access/caller.ts'
import type { RouteRules } from '../access/guard.ts'
import type { RouteEntry, RouteTable } from './route-table.ts'

type Schema = Record<string, unknown>

const isNull = (schema: unknown): boolean => (schema as Schema | undefined)?.type === 'null'

const convertAll = (schemas: Record<string, Schema>): Record<string, Schema> =>
  Object.fromEntries(Object.entries(schemas).map(([name, inner]) => [name, toOpenApiSchema(inner)]))

/**
 * Converts TypeBox's JSON Schema to the dialect of OpenAPI 3.0, which has `nullable` instead of a null type
 * and `enum` instead of `const`. The serializer takes the same dialect, and is much faster with `nullable`
 * than with unions.
 */
export const toOpenApiSchema = (schema: Schema): Schema => {
  const {
    anyOf,
    const: constant,
    examples,
    properties,
    patternProperties,
    items,
    additionalProperties,
    ...rest
  } = schema
  const result: Schema = { ...rest }
  if (properties) result.properties = convertAll(properties as Record<string, Schema>)
  if (items) result.items = toOpenApiSchema(items as Schema)
  if (additionalProperties !== undefined)
    result.additionalProperties =
      typeof additionalProperties === 'object'
        ? toOpenApiSchema(additionalProperties as Schema)
        : additionalProperties
  // A record: every property value has this schema.
  const [record] = Object.values((patternProperties ?? {}) as Record<string, Schema>)
  if (record) result.additionalProperties = toOpenApiSchema(record)
  if (Array.isArray(examples)) result.example = examples[0]
  if (constant !== undefined) Object.assign(result, { type: typeof constant, enum: [constant] })
  if (result.enum && !result.type) result.type = 'string'
  if (!Array.isArray(anyOf)) return result
  const members = anyOf.filter((member) => !isNull(member)).map((member) => toOpenApiSchema(member as Schema))
  const nullable = members.length < anyOf.length ? { nullable: true } : {}
  return members.length === 1
    ? { ...members[0], ...result, ...nullable }
    : { ...result, anyOf: members, ...nullable }
}

/** Builds a value that matches the schema from the examples of its parts. */
export const exampleOf = (schema: Schema): unknown => {
  if (schema.example !== undefined) return schema.example
  if (Array.isArray(schema.examples)) return schema.examples[0]
  if (schema.default !== undefined) return schema.default
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.anyOf)) return exampleOf(schema.anyOf[0] as Schema)
  if (schema.type === 'array') return [exampleOf(schema.items as Schema)]
  if (schema.type === 'object')
    return Object.fromEntries(
      Object.entries((schema.properties ?? {}) as Record<string, Schema>).map(([name, inner]) => [
        name,
        exampleOf(inner),
      ]),
    )
  return { string: 'text', integer: 1, number: 1, boolean: true }[schema.type as string] ?? null
}

const PROBLEM: Schema = {
  title: 'Problem',
  type: 'object',
  description: 'The error as a problem document (RFC 9457)',
  required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
  properties: {
    type: { type: 'string', description: 'Documentation of the code' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'Message for a person' },
    code: { type: 'string', description: 'Stable code for a program' },
    requestId: { type: 'string', description: 'The id of this request in the log' },
    errors: {
      type: 'array',
      description: 'The invalid fields',
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
  'Retry-After': { description: 'Number of seconds to wait before a retry', schema: { type: 'integer' } },
}

const ERRORS: Record<string, Schema> = {
  304: { description: 'Not modified: If-None-Match has the current version' },
  400: problem(
    400,
    'The request is not valid',
    'validation_failed',
    'emial is unknown; did you mean email?.',
    [{ path: 'emial', message: 'is unknown; did you mean email?' }],
  ),
  401: problem(401, 'Not signed in', 'unauthorized', 'Sign in, or send a token.'),
  403: problem(403, 'Not allowed', 'forbidden', 'Only the owner of this instance may do this.'),
  404: problem(404, 'Not found', 'not_found', 'There is no such session.'),
  409: problem(
    409,
    'Conflict',
    'conflict',
    'The first request with this Idempotency-Key is still in progress.',
  ),
  412: problem(412, 'Changed in the meantime', 'precondition_failed', 'This was changed in the meantime.'),
  413: problem(413, 'Too large', 'too_large', 'The body is too large.'),
  415: problem(415, 'Unsupported media type', 'unsupported_media_type', 'Send the body as application/json.'),
  429: {
    ...problem(429, 'Too many requests', 'rate_limited', 'Too many attempts. Wait before you try again.'),
    headers: RETRY_AFTER,
  },
  500: problem(500, 'Internal error', 'internal', 'An internal error occurred.'),
  502: problem(502, 'Another service failed', 'upstream_failed', 'Stripe failed (500).'),
  503: {
    ...problem(503, 'Not available', 'unavailable', 'The database does not respond. Try again shortly.'),
    headers: RETRY_AFTER,
  },
  504: problem(504, 'Another service did not answer', 'upstream_timeout', 'Stripe did not answer in time.'),
  default: {
    ...problem(409, 'Conflict', 'conflict', 'This action is no longer pending: it was confirmed.'),
    description: 'Any other error',
  },
}

/** The response to an invalid request, for routes that document another 400 as well. */
export const INVALID_REQUEST = ERRORS[400]?.content as Schema

/** Single resources have a version; a page of a list has none. */
export const hasVersion = ({ method, schema, config }: RouteEntry): boolean => {
  if (method !== 'GET') return false
  const { properties = {} } = (schema.querystring ?? {}) as { properties?: object }
  const answer = (schema.response as Record<string, { content?: object }> | undefined)?.[200]
  return (
    config.mayAnswer?.includes(304) === true ||
    (!Object.hasOwn(properties, 'cursor') && answer !== undefined && answer.content === undefined)
  )
}

/** Changes and deletions can conflict with another change, so they take `If-Match`. */
export const asksForVersion = ({ method, config }: RouteEntry): boolean =>
  method === 'PATCH' || method === 'DELETE' || config.mayAnswer?.includes(412) === true

/** Lists the error responses of a route, based on its parameters and its access rules. */
export const errorsOf = (entry: RouteEntry, mode: 'open' | 'private'): Schema => {
  const { schema, config } = entry
  const { body, params } = schema
  const takesBody = body !== undefined
  const possible: Record<string, boolean> = {
    304: hasVersion(entry),
    // Every route rejects unknown parameters and invalid tokens.
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

export interface ApiDescription {
  title: string
  version: string
  description: string
  access: 'open' | 'private'
  /** Null: the address from which the document was fetched. */
  publicUrl: string | null
  tags: readonly { name: string; description: string }[]
}

export interface OpenApiDocument extends Schema {
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; securitySchemes: Schema }
}

export interface Operation extends Schema {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  parameters?: Schema[]
  requestBody?: { required: boolean; content: Record<string, Schema> }
  responses: Record<string, Schema>
  security: Record<string, string[]>[]
}

const SECURITY_SCHEMES: Schema = {
  session: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An access token, from login',
  },
  token: {
    type: 'http',
    scheme: 'bearer',
    description: `A personal access token, \`fct_…\`, that has the scope. ${SCOPE_NOTES}`,
  },
  feed: { type: 'apiKey', in: 'query', name: 'token', description: 'A read-only feed token' },
}

/** An empty alternative means that no credential is required. */
const securityOf = (rules: RouteRules, mode: 'open' | 'private'): Record<string, string[]>[] => {
  if (rules.access === 'public') return []
  const ways: Record<string, string[]>[] = [{ session: [] }]
  if (rules.access !== 'session' && rules.scope) ways.push({ token: [] })
  if (rules.purpose !== undefined) ways.push({ feed: [] })
  return rules.access === 'switched' && mode === 'open' ? [{}, ...ways] : ways
}

const parametersOf = (place: 'query' | 'path', schema: unknown): Schema[] => {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Schema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...converted } = toOpenApiSchema(property)
    return {
      name,
      in: place,
      required: place === 'path' || (required.includes(name) && property.default === undefined),
      ...(description !== undefined && { description }),
      schema: converted,
      example: exampleOf(converted),
    }
  })
}

const IDEMPOTENCY_KEY: Schema = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Makes retries of this request safe for 24 hours',
  schema: { type: 'string', maxLength: 255 },
  example: '5f0c7e4e-6a53-4d0e-9d6c-2b1f5a7c9d10',
}

const header = (name: string, description: string): Schema => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
  example: '"4711.3"',
})
const IF_NONE_MATCH = header('If-None-Match', 'The `ETag` of the version you have: 304 while it is current')
const IF_MATCH = header(
  'If-Match',
  'The `ETag` of the version you have: 412 if the resource has changed since',
)

const LOCATION: Schema = {
  Location: { description: 'The path of the new resource', schema: { type: 'string' } },
}

const mediaOf = (schema: Schema): Schema => {
  const converted = toOpenApiSchema(schema)
  return { schema: converted, example: exampleOf(converted) }
}

/** A schema means JSON. A response with other types declares them with OpenAPI's `content`. */
const contentOf = (schema: Schema): Record<string, Schema> => {
  const content = schema.content as Record<string, { schema: Schema }> | undefined
  if (!content) return { 'application/json': mediaOf(schema) }
  return Object.fromEntries(
    Object.entries(content).map(([type, media]) => [
      type,
      type === 'application/json' ? mediaOf(media.schema) : media,
    ]),
  )
}

const responsesOf = (responses: Record<string, Schema>): Record<string, Schema> =>
  Object.fromEntries(
    Object.entries(responses).map(([status, schema]) => {
      const description =
        (schema.description as string | undefined) ?? (status === '204' ? 'Done' : 'The response')
      const headers = status === '201' && { headers: LOCATION }
      const content = schema.type !== 'null' && { content: contentOf(schema) }
      return [status, { description, ...headers, ...content }]
    }),
  )

/** A missing body is treated as an empty object. */
const mayBeMissing = (body: Schema): boolean =>
  body.type === 'object' && !(body.required as string[] | undefined)?.length && !body.minProperties

const describeScope = (scope: RouteRules['scope']): string | undefined => {
  if (scope === 'any') return 'Accepts any personal access token. Its scopes limit the data and actions.'
  return scope && `Personal access tokens require the scope \`${scope}\`.`
}

const operationOf = (entry: RouteEntry, mode: 'open' | 'private'): Operation => {
  const { operationId, summary, description, tags, body, querystring, params, response } = entry.schema
  if (!operationId || !summary || !tags?.length)
    throw new Error(`${entry.method} ${entry.url} needs an operationId, a summary and a tag.`)
  const parameters = [
    ...parametersOf('path', params),
    ...parametersOf('query', querystring),
    ...(entry.config.idempotency ? [IDEMPOTENCY_KEY] : []),
    ...(hasVersion(entry) ? [IF_NONE_MATCH] : []),
    ...(asksForVersion(entry) ? [IF_MATCH] : []),
  ]
  const text = [
    description,
    describeScope(entry.scope),
    entry.ownerOnly && 'While access is private, only the owner may call it.',
  ]
  return {
    operationId,
    summary,
    description: text.filter(Boolean).join('\n\n'),
    tags: [...tags],
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: { required: !mayBeMissing(body as Schema), content: contentOf(body as Schema) },
    }),
    responses: {
      ...(errorsOf(entry, mode) as Record<string, Schema>),
      ...responsesOf((response ?? {}) as Record<string, Schema>),
    },
    security: securityOf(entry, mode),
  }
}

/** OpenAPI 3.0.3 has no null type, and `nullable` works only beside a `type`. */
const NULL: Schema = { type: 'object', nullable: true, enum: [null] }

const spellOutNull = (schema: Schema): Schema => {
  if (schema.nullable !== true || schema.type !== undefined || !Array.isArray(schema.anyOf)) return schema
  const { nullable: _, anyOf, ...rest } = schema
  return { ...rest, anyOf: [...anyOf, NULL] }
}

/** Makes a component of every schema that has a title, so that generated clients have a named type for it. */
const nameComponents = (paths: Schema): { paths: Schema; schemas: Record<string, Schema> } => {
  const schemas = new Map<string, Schema>()
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit)
    if (typeof value !== 'object' || value === null) return value
    const visited: Schema = Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, visit(inner)]),
    )
    if (typeof visited.title !== 'string' || visited.type !== 'object') return spellOutNull(visited)
    const { nullable, ...schema } = visited
    // Two schemas with one title would share one component.
    const known = schemas.get(visited.title)
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`Two different schemas have the title ${visited.title}.`)
    schemas.set(visited.title, schema)
    const reference = { $ref: `#/components/schemas/${visited.title}` }
    return nullable === true ? { anyOf: [reference, NULL] } : reference
  }
  const named = visit(paths) as Schema
  return { paths: named, schemas: Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))) }
}

/** Builds the OpenAPI 3.0.3 document from the routes. */
export const describeApi = (table: RouteTable, about: ApiDescription): OpenApiDocument => {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const entry of table.entries()) {
    if (entry.config.page || entry.method === 'HEAD' || entry.method === 'OPTIONS') continue
    const path = entry.url.replace(/:([^/]+)/g, '{$1}')
    paths[path] = { ...paths[path], [entry.method.toLowerCase()]: operationOf(entry, about.access) }
  }
  const named = nameComponents(paths)
  const used = new Set(
    Object.values(paths).flatMap((operations) => Object.values(operations).flatMap(({ tags }) => tags)),
  )
  return {
    openapi: '3.0.3',
    info: { title: about.title, version: about.version, description: about.description },
    servers: [{ url: about.publicUrl ?? '/' }],
    tags: about.tags.filter(({ name }) => used.has(name)),
    paths: named.paths as OpenApiDocument['paths'],
    components: { securitySchemes: SECURITY_SCHEMES, schemas: named.schemas },
  }
}
