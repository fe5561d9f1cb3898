/** The parts of an OpenAPI 3.0 schema that the digest names. */
interface Schema {
  $ref?: string
  type?: string
  nullable?: boolean
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  required?: string[]
  [limit: string]: unknown
}

type Content = Record<string, { schema: Schema }>

interface Operation {
  parameters?: { in: string; name: string; required: boolean; schema: Schema }[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<
    string,
    { $ref?: string; headers?: Record<string, { schema: Schema }>; content?: Content }
  >
  security: Record<string, string[]>[]
}

interface ApiDocument {
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    responses: Operation['responses']
  }
}

const LIMITS = [
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'default',
]

const formatType = (schema: Schema): string => {
  if (schema.$ref) return schema.$ref.replace(/^.*\//, '')
  const { type = 'any', items, anyOf, enum: values, nullable } = schema
  if (values?.length === 1 && values[0] === null) return 'null'
  const name = anyOf ? anyOf.map(formatType).join('|') : items ? `${formatType(items)}[]` : type
  return nullable ? `${name}|null` : name
}

const formatLimits = (schema: Schema): string[] => {
  const closed = schema.additionalProperties === false ? ['closed'] : []
  const values = schema.enum ? [`enum=${schema.enum.join('|')}`] : []
  const limits = LIMITS.filter((name) => schema[name] !== undefined)
  return [...values, ...limits.map((name) => `${name}=${JSON.stringify(schema[name])}`), ...closed]
}

/** One line for a schema and one for each field inside it. A reference is named, not followed. */
const listFields = (place: string, schema: Schema, isRequired = false): string[] => {
  const line = [place, formatType(schema), isRequired && 'required', ...formatLimits(schema)]
  const { properties = {}, required = [], additionalProperties, items, anyOf = [] } = schema
  return [
    line.filter(Boolean).join(' '),
    ...Object.entries(properties).flatMap(([name, inner]) =>
      listFields(`${place}.${name}`, inner, required.includes(name)),
    ),
    ...(typeof additionalProperties === 'object' ? listFields(`${place}.*`, additionalProperties) : []),
    ...(items && !items.$ref ? listFields(`${place}[]`, items) : []),
    ...anyOf.flatMap((inner, index) => (inner.properties ? listFields(`${place}(${index})`, inner) : [])),
  ]
}

const listContent = (place: string, content: Content = {}, isRequired = false): string[] =>
  Object.entries(content).flatMap(([type, { schema }]) =>
    listFields(type === 'application/json' ? place : `${place} ${type}`, schema, isRequired),
  )

const listResponses = (place: string, responses: Operation['responses']): string[] => {
  const all = Object.entries(responses)
  const shared = all.filter(([, { $ref }]) => $ref).map(([status]) => status)
  return [
    ...all
      .filter(([, { $ref }]) => !$ref)
      .flatMap(([status, { headers = {}, content }]) => [
        ...Object.entries(headers).flatMap(([name, { schema }]) =>
          listFields(`${place} ${status} header ${name}`, schema),
        ),
        ...(content ? listContent(`${place} ${status}`, content) : [`${place} ${status}`]),
      ]),
    ...(shared.length > 0 ? [`${place} errors ${shared.join(' ')}`] : []),
  ]
}

const listOperation = (place: string, operation: Operation): string[] => [
  `${place} security ${operation.security.map((way) => Object.keys(way).join('+') || 'none').join(' or ')}`,
  ...(operation.parameters ?? []).flatMap(({ in: where, name, required, schema }) =>
    listFields(`${place} ${where} ${name}`, schema, required),
  ),
  ...listContent(`${place} body`, operation.requestBody?.content, operation.requestBody?.required),
  ...listResponses(place, operation.responses),
]

/** Lists the API with one line per field: operation, place, name, type, required, limits. */
export const digestApi = ({ paths, components }: ApiDocument): string[] => [
  ...Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      listOperation(`${method.toUpperCase()} ${path}`, operation),
    ),
  ),
  ...listResponses('any', components.responses),
  ...Object.entries(components.schemas).flatMap(([name, schema]) => listFields(name, schema)),
]
