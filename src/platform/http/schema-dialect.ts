type Schema = Record<string, unknown>

const isNull = (schema: unknown): boolean => (schema as Schema | undefined)?.type === 'null'

const convertAll = (schemas: Record<string, Schema>): Record<string, Schema> =>
  Object.fromEntries(Object.entries(schemas).map(([name, inner]) => [name, toOpenApiSchema(inner)]))

/**
 * JSON Schema as TypeBox writes it → the dialect of OpenAPI 3.0, which has `nullable` instead of a null type and
 * `enum` instead of `const`. The serialiser takes the same dialect, and is much faster at `nullable` than at unions.
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
  // A record: whatever the name, the value is of this shape.
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

/** A value that fits the schema, put together from the examples of its parts. */
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
