import fastify, { type FastifySchema, type HTTPMethods } from 'fastify'
import { SCOPE_NOTES } from '../access/caller.ts'
import type { RouteRules } from '../access/route-access.ts'
import type { ChangeDeclaration } from '../changes.ts'
import { isSameJson } from '../fingerprint.ts'
import { TITLES, TYPE_BASE } from './problem.ts'
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
  if (items)
    result.items = Array.isArray(items) ? items.map(toOpenApiSchema) : toOpenApiSchema(items as Schema)
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

/** Examples of strings that declare only their format. */
const STRING_EXAMPLES: Readonly<Record<string, string>> = {
  'date-time': '2026-03-01T09:00:00.000Z',
  date: '2026-03-01',
  uri: 'https://example.org/',
  email: 'ana@example.org',
}

/** Builds a value that matches the schema from the examples of its parts. */
const exampleOf = (schema: Schema): unknown => {
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
  if (schema.type === 'string') return STRING_EXAMPLES[schema.format as string] ?? 'text'
  return { integer: 1, number: 1, boolean: true }[schema.type as string] ?? null
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

const RETRY_AFTER: Schema = {
  'Retry-After': { description: 'Number of seconds to wait before a retry', schema: { type: 'integer' } },
}

const describeProblem = (status: number, code: string, detail: string): Schema => {
  const title = TITLES[status] as string
  const waits = status === 429 || status === 503
  const isInvalid = status === 400
  return {
    description: title,
    ...(waits && { headers: RETRY_AFTER }),
    content: {
      'application/problem+json': {
        schema: PROBLEM,
        example: {
          type: `${TYPE_BASE}${code}`,
          title,
          status,
          detail,
          code,
          requestId: 'm2x1-1a',
          ...(isInvalid && { errors: [{ path: 'emial', message: 'is unknown; did you mean email?' }] }),
        },
      },
    },
  }
}

/** The responses that operations share, by status. */
const ERRORS: Record<string, Schema> = {
  304: { description: 'Not modified: If-None-Match has the current version' },
  400: describeProblem(400, 'validation_failed', 'emial is unknown; did you mean email?.'),
  401: describeProblem(401, 'unauthorized', 'Sign in, or send a token.'),
  403: describeProblem(403, 'forbidden', 'Only the owner of this instance may do this.'),
  404: describeProblem(404, 'not_found', 'There is no such session.'),
  409: describeProblem(409, 'conflict', 'The first request with this Idempotency-Key is still in progress.'),
  412: describeProblem(412, 'precondition_failed', 'This was changed in the meantime.'),
  413: describeProblem(413, 'too_large', 'The body is too large.'),
  415: describeProblem(415, 'unsupported_media_type', 'Send the body as application/json.'),
  429: describeProblem(429, 'rate_limited', 'Too many attempts. Wait before you try again.'),
  500: describeProblem(500, 'internal', 'An internal error occurred.'),
  502: describeProblem(502, 'upstream_failed', 'Stripe failed (500).'),
  503: describeProblem(503, 'unavailable', 'The database does not respond. Try again shortly.'),
  504: describeProblem(504, 'upstream_timeout', 'Stripe did not answer in time.'),
  default: {
    ...describeProblem(409, 'conflict', 'This action is no longer pending: it was confirmed.'),
    description: 'Any other error',
  },
}

/** The response to an invalid request, for routes that document another 400 as well. */
export const INVALID_REQUEST = ERRORS[400]?.content as Schema

/** Single resources have a version; a page of a list has none. */
const hasVersion = ({ method, schema, config }: RouteEntry): boolean => {
  if (method !== 'GET') return false
  const { properties = {} } = (schema.querystring ?? {}) as { properties?: object }
  const answer = (schema.response as Record<string, { content?: object }> | undefined)?.[200]
  return (
    config.mayAnswer?.includes(304) === true ||
    (!Object.hasOwn(properties, 'cursor') && answer !== undefined && answer.content === undefined)
  )
}

/** Changes and deletions can conflict with another change, so they take `If-Match`. */
const asksForVersion = ({ method, config }: RouteEntry): boolean =>
  method === 'PATCH' || method === 'DELETE' || config.mayAnswer?.includes(412) === true

/** Lists the error statuses of a route, based on its parameters and its access rules. */
const errorStatusesOf = (entry: RouteEntry, mode: 'open' | 'private'): string[] => {
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
  return Object.keys(ERRORS).filter((status) => possible[status])
}

export interface ApiDescription {
  title: string
  version: string
  description: string
  access: 'open' | 'private'
  /** Null: the address from which the document was fetched. */
  publicUrl: string | null
  tags: readonly Tag[]
  /** Their changes that webhooks can subscribe to are requests to other servers. */
  catalogue: Readonly<Record<string, ChangeDeclaration>>
}

/** A group of operations. `paths` are the first parts of their paths below `/api`. */
interface Tag {
  name: string
  description: string
  paths: readonly string[]
}

export interface OpenApiDocument extends Schema {
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; responses: Record<string, Schema>; securitySchemes: Schema }
}

interface Operation extends Schema {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  parameters?: Schema[]
  requestBody?: { required: boolean; content: Record<string, Schema> }
  responses: Record<string, Schema>
  security: Record<string, string[]>[]
}

const LICENSE = { name: 'MIT', url: 'https://opensource.org/license/mit' }
/** The instance has no other address: its owner answers. */
const CONTACT = { name: 'The owner of this instance' }

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

const describeScope = (scope: RouteRules['scope']): string | undefined => {
  if (scope === 'any') return 'Accepts any personal access token. Its scopes limit the data and actions.'
  return scope && `Personal access tokens require the scope \`${scope}\`.`
}

const describeOperation = ({ schema, access, scope, ownerOnly }: RouteEntry): string =>
  [
    schema.description,
    describeScope(scope),
    access === 'session' && 'Requires a session.',
    access === 'switched' && scope === undefined && 'Rejects personal access tokens.',
    ownerOnly && 'Only the owner of the instance may call it.',
  ]
    .filter(Boolean)
    .join('\n\n')

/** @fastify/swagger makes a parameter of each property, and moves `examples` and `description` to it. */
const toParameters = (schema: unknown): Schema => {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, Schema>
    required?: string[]
  }
  const toParameter = (property: Schema): Schema => {
    const { example: _, ...converted } = toOpenApiSchema(property)
    return { ...converted, examples: [exampleOf(property)] }
  }
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, toParameter(property)]),
    ),
    required: required.filter((name) => properties[name]?.default === undefined),
  }
}

const IDEMPOTENCY_KEY: Schema = {
  description: 'Makes retries of this request safe for 24 hours',
  type: 'string',
  maxLength: 255,
  examples: ['5f0c7e4e-6a53-4d0e-9d6c-2b1f5a7c9d10'],
}
const IF_NONE_MATCH: Schema = {
  description: 'The `ETag` of the version you have: 304 while it is current',
  type: 'string',
  examples: ['"4711.3"'],
}
const IF_MATCH: Schema = {
  description: 'The `ETag` of the version you have: 412 if the resource has changed since',
  type: 'string',
  examples: ['"4711.3"'],
}

const requestHeadersOf = (entry: RouteEntry): Schema => ({
  type: 'object',
  properties: {
    ...(entry.config.idempotency && { 'Idempotency-Key': IDEMPOTENCY_KEY }),
    ...(hasVersion(entry) && { 'If-None-Match': IF_NONE_MATCH }),
    ...(asksForVersion(entry) && { 'If-Match': IF_MATCH }),
  },
})

const LOCATION: Schema = {
  Location: {
    description: 'The path of the new resource',
    type: 'string',
  },
}

/** A schema means JSON. A body with other types declares them with OpenAPI's `content`. */
const toContent = (schema: Schema): Record<string, Schema> => {
  const content = (schema.content ?? { 'application/json': { schema } }) as Record<string, { schema: Schema }>
  return Object.fromEntries(
    Object.entries(content).map(([type, media]) => {
      if (type !== 'application/json') return [type, media]
      const converted = toOpenApiSchema(media.schema)
      return [type, { schema: converted, example: exampleOf(converted) }]
    }),
  )
}

const toResponse = (status: string, schema: Schema): Schema => ({
  description: schema.description ?? (status === '204' ? 'Done' : 'The response'),
  ...(status === '201' && { headers: LOCATION }),
  ...(schema.type === 'null' ? { type: 'null' } : { content: toContent(schema) }),
})

const tagOf = ({ method, url }: RouteEntry, tags: readonly Tag[]): string => {
  const [, part = ''] = /^\/(?:api\/)?([^/]+)/.exec(url) ?? []
  const tag = tags.find(({ paths }) => paths.includes(part))
  if (!tag) throw new Error(`${method} ${url} belongs to no tag. Add “${part}” to a tag in docs/api-info.ts.`)
  return tag.name
}

/** The schema of a route for @fastify/swagger: in the dialect of OpenAPI, with the access rules in words. */
const toSwaggerSchema = (entry: RouteEntry, tag: string): FastifySchema => {
  const { operationId, summary, body, querystring, params, response = {} } = entry.schema
  if (!operationId || !summary)
    throw new Error(`${entry.method} ${entry.url} needs an operationId and a summary.`)
  return {
    operationId,
    summary,
    description: describeOperation(entry),
    tags: [tag],
    headers: requestHeadersOf(entry),
    response: Object.fromEntries(
      Object.entries(response as Record<string, Schema>).map(([status, schema]) => [
        status,
        toResponse(status, schema),
      ]),
    ),
    ...(params !== undefined && { params: toParameters(params) }),
    ...(querystring !== undefined && { querystring: toParameters(querystring) }),
    ...(body !== undefined && { body: { content: toContent(body as Schema) } }),
  }
}

/** OpenAPI 3.0.3 has no null type, and `nullable` works only beside a `type`. */
const NULL: Schema = { type: 'object', nullable: true, enum: [null] }

const spellOutNull = (schema: Schema): Schema => {
  if (schema.nullable !== true || schema.type !== undefined || !Array.isArray(schema.anyOf)) return schema
  const { nullable: _, anyOf, ...rest } = schema
  return { ...rest, anyOf: [...anyOf, NULL] }
}

/** OpenAPI 3.0 has a flag for exclusive bounds, and one schema for all items of an array. */
const convertBoundsAndTuples = (schema: Schema): Schema => {
  const { exclusiveMinimum, exclusiveMaximum, items } = schema
  const result = { ...schema }
  if (typeof exclusiveMinimum === 'number')
    Object.assign(result, { minimum: exclusiveMinimum, exclusiveMinimum: true })
  if (typeof exclusiveMaximum === 'number')
    Object.assign(result, { maximum: exclusiveMaximum, exclusiveMaximum: true })
  if (Array.isArray(items)) {
    result.items = { anyOf: items }
    delete result.additionalItems
  }
  return result
}

/** Makes a component of every schema that has a title, so that generated clients have a named type for it. */
const createComponents = () => {
  const schemas = new Map<string, Schema>()
  const replace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replace)
    if (typeof value !== 'object' || value === null) return value
    const replaced: Schema = Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, replace(inner)]),
    )
    if (typeof replaced.title !== 'string' || replaced.type !== 'object')
      return spellOutNull(convertBoundsAndTuples(replaced))
    const { nullable, ...schema } = replaced
    // Two schemas with one title would share one component.
    const known = schemas.get(replaced.title)
    if (known !== undefined && !isSameJson(known, schema))
      throw new Error(`Two different schemas have the title ${replaced.title}.`)
    schemas.set(replaced.title, schema)
    const reference = { $ref: `#/components/schemas/${replaced.title}` }
    return nullable === true ? { anyOf: [reference, NULL] } : reference
  }
  return {
    replace: <T>(value: T): T => replace(value) as T,
    list: () => Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/** A missing body is treated as an empty object. */
const mayBeMissing = (body: Schema): boolean =>
  body.type === 'object' && !(body.required as string[] | undefined)?.length && !body.minProperties

/**
 * Adds what @fastify/swagger cannot express: shared responses, optional bodies, examples of references. It
 * would also leave out a query parameter that has the name of a security scheme's parameter.
 */
const completeOperation = (operation: Operation, entry: RouteEntry, mode: 'open' | 'private'): void => {
  const errors = errorStatusesOf(entry, mode).map((status) => [
    status,
    { $ref: `#/components/responses/${status}` },
  ])
  operation.security = securityOf(entry, mode)
  operation.responses = { ...Object.fromEntries(errors), ...operation.responses }
  const { requestBody } = operation
  if (requestBody === undefined) return
  const body = entry.schema.body as Schema
  requestBody.required = !mayBeMissing(body)
  for (const [type, { example }] of Object.entries(toContent(body)))
    if (example !== undefined) Object.assign(requestBody.content[type] as Schema, { example })
}

const describeWebhook = (name: string, { payload, live }: ChangeDeclaration): Schema => {
  const receivers = live === 'session' ? 'sessions' : `sessions and tokens with the scope \`${live}\``
  const body: Schema = {
    type: 'object',
    properties: {
      id: { type: 'integer', examples: [42] },
      type: { type: 'string', enum: [name], examples: [name] },
      subject: { type: 'string', description: 'The id of the item', examples: ['7'] },
      timestamp: { type: 'string', format: 'date-time', examples: ['2026-03-02T09:00:00.000Z'] },
      data: payload,
    },
    required: ['id', 'type', 'subject', 'timestamp', 'data'],
  }
  return {
    post: {
      operationId: `receive${name.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
      summary: name,
      description: `Sent to webhooks that subscribe to \`${name}\`. A live event has the same body, for ${receivers}.`,
      tags: ['Webhooks'],
      // The signature authenticates the request: it has no credential.
      security: [],
      requestBody: { required: true, content: toContent(body) },
      responses: {
        '2XX': { description: 'Received' },
        '4XX': { description: 'Not received: the request is repeated. 410 disables the webhook' },
      },
    },
  }
}

/** OpenAPI 3.1 calls them `webhooks`. In 3.0 they are an extension, which Scalar and Redoc show. */
const describeWebhooks = (catalogue: ApiDescription['catalogue']): Schema =>
  Object.fromEntries(
    Object.entries(catalogue)
      .filter(([, { webhook }]) => webhook)
      .map(([name, declaration]) => [name, describeWebhook(name, declaration)]),
  )

const isDocumented = ({ method, config }: RouteEntry): boolean =>
  !config.page && method !== 'HEAD' && method !== 'OPTIONS'

/**
 * Builds the OpenAPI 3.0.3 document from the routes. @fastify/swagger reads them from a second server, which
 * never listens: registered with the real one, the library would lengthen every start.
 */
export const describeApi = async (table: RouteTable, about: ApiDescription): Promise<OpenApiDocument> => {
  const { default: swagger } = await import('@fastify/swagger')
  const { title, version, description, access, publicUrl } = about
  const entries = table.entries().filter(isDocumented)
  const used = new Set(entries.map((entry) => tagOf(entry, about.tags)))
  const components = createComponents()
  const app = fastify({ exposeHeadRoutes: false })
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => () => '')
  await app.register(swagger, {
    openapi: {
      openapi: '3.0.3',
      info: { title, version, description, license: LICENSE, contact: CONTACT },
      servers: [{ url: publicUrl ?? '/' }],
      tags: about.tags
        .filter(({ name }) => used.has(name))
        .map(({ name, description }) => ({ name, description })),
      components: { securitySchemes: SECURITY_SCHEMES as never },
    },
    stripBasePath: false,
  })
  for (const entry of entries)
    app.route({
      method: entry.method as HTTPMethods,
      url: entry.url,
      schema: components.replace(toSwaggerSchema(entry, tagOf(entry, about.tags))),
      handler: () => {},
    })
  await app.ready()
  const document = app.swagger() as unknown as OpenApiDocument
  for (const entry of entries) {
    const path = entry.url.replace(/:([^/]+)/g, '{$1}')
    const operation = document.paths[path]?.[entry.method.toLowerCase()] as Operation
    completeOperation(operation, entry, access)
  }
  const responses = components.replace(ERRORS)
  document['x-webhooks'] = components.replace(describeWebhooks(about.catalogue))
  document.components = {
    securitySchemes: SECURITY_SCHEMES,
    responses,
    schemas: components.list(),
  }
  return document
}
