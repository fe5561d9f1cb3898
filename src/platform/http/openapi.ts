import { SCOPE_NOTES } from '../access/caller.ts'
import type { RouteRules } from '../access/route-access.ts'
import { asksForVersion, errorsOf, hasVersion } from './openapi-errors.ts'
import type { RouteEntry, RouteTable } from './route-table.ts'
import { exampleOf, toOpenApiSchema } from './schema-dialect.ts'

type Schema = Record<string, unknown>

export interface ApiDescription {
  title: string
  version: string
  description: string
  access: 'open' | 'private'
  /** Null: the address that the document was fetched from. */
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

/** An empty alternative means that no credential is needed. */
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
  description: 'Makes a repeat of this request harmless for 24 hours',
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
const IF_NONE_MATCH = header(
  'If-None-Match',
  'The `ETag` of the version you have: 304 while it is the present one',
)
const IF_MATCH = header(
  'If-Match',
  'The `ETag` of the version you have read: 412 when there is another by now',
)

const LOCATION: Schema = { Location: { description: 'Where it is', schema: { type: 'string' } } }

const mediaOf = (schema: Schema): Schema => {
  const converted = toOpenApiSchema(schema)
  return { schema: converted, example: exampleOf(converted) }
}

/** A schema stands for JSON; what is not JSON, or not only, says so itself, with OpenAPI's own `content`. */
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
        (schema.description as string | undefined) ?? (status === '204' ? 'Done' : 'The answer')
      const headers = status === '201' && { headers: LOCATION }
      const content = schema.type !== 'null' && { content: contentOf(schema) }
      return [status, { description, ...headers, ...content }]
    }),
  )

/** What is not sent is read as an empty object. */
const mayBeMissing = (body: Schema): boolean =>
  body.type === 'object' && !(body.required as string[] | undefined)?.length && !body.minProperties

const describeScope = (scope: RouteRules['scope']): string | undefined => {
  if (scope === 'any') return 'Takes any personal access token. Its scopes decide what it sees and does.'
  return scope && `A personal access token needs the scope \`${scope}\`.`
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
    entry.ownerOnly && 'While access is private, for the owner alone.',
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

/** OpenAPI 3.0.3 has no null type, and `nullable` counts only beside a `type`. */
const NULL: Schema = { type: 'object', nullable: true, enum: [null] }

const spellOutNull = (schema: Schema): Schema => {
  if (schema.nullable !== true || schema.type !== undefined || !Array.isArray(schema.anyOf)) return schema
  const { nullable: _, anyOf, ...rest } = schema
  return { ...rest, anyOf: [...anyOf, NULL] }
}

/** Every schema that has a title becomes a component, so that generated clients have a named type for it. */
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
    // One name for two things would describe one of them by the other.
    const known = schemas.get(visited.title)
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`Two schemas that say different things are both called ${visited.title}.`)
    schemas.set(visited.title, schema)
    const reference = { $ref: `#/components/schemas/${visited.title}` }
    return nullable === true ? { anyOf: [reference, NULL] } : reference
  }
  const named = visit(paths) as Schema
  return { paths: named, schemas: Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))) }
}

/** The OpenAPI 3.0.3 document, made from the routes themselves. */
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
