import { existsSync, readFileSync } from 'node:fs'
import { Compile } from 'typebox/schema'
import type { Asked } from './booking-server.ts'

const DOCUMENT = '../shared/data/openapi-peers/calcom-v2.json'

interface Parameter {
  name: string
  in: 'header' | 'query' | 'path'
  required: boolean
  schema: { type?: string; enum?: string[]; default?: string; items?: { enum?: string[] } }
}

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is what it is
type Json = any

/** The booking types overlap in the document, and `updatedAt` is null until the first change. */
const relax = (schemas: Json): Json =>
  JSON.parse(JSON.stringify(schemas).replaceAll('"oneOf":', '"anyOf":'), (key, value) =>
    key === 'updatedAt' && value.type === 'string' ? { ...value, type: ['string', 'null'] } : value,
  )

const accepts = (schema: Parameter['schema'], text: string): boolean => {
  if (schema.type === 'number') return text !== '' && !Number.isNaN(Number(text))
  if (schema.type === 'array')
    return text.split(',').every((one) => schema.items?.enum?.includes(one) ?? true)
  return schema.enum === undefined || schema.enum.includes(text)
}

/** Validates requests and responses against Cal.com's API description; undefined if it is not available. */
export const readCalcomDescription = () => {
  if (!existsSync(DOCUMENT)) return undefined
  const document: Json = JSON.parse(readFileSync(DOCUMENT, 'utf8'))
  const components = { schemas: relax(document.components.schemas) }
  const compiled = new Map<string, ReturnType<typeof Compile>>()

  const operationAt = (path: string): [string, Json] | undefined => {
    for (const [template, methods] of Object.entries<Json>(document.paths)) {
      const pattern = new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`)
      if (pattern.test(path) && methods.get) return [template, methods.get]
    }
    return undefined
  }

  const validatorOf = (template: string, operation: Json) => {
    const schema = operation.responses['200'].content['application/json'].schema
    const known = compiled.get(template) ?? Compile({ ...schema, components })
    compiled.set(template, known)
    return known
  }

  return {
    checkRequest({ path, query, headers }: Asked): string[] {
      const [, operation] = operationAt(path) ?? []
      if (!operation) return [`${path} is not described`]
      const parameters = operation.parameters as Parameter[]
      const violations: string[] = []
      const known = new Map(parameters.filter((one) => one.in === 'query').map((one) => [one.name, one]))
      for (const [name, value] of query) {
        const parameter = known.get(name)
        if (!parameter) violations.push(`${path}: the query ${name} is not described`)
        else if (!accepts(parameter.schema, value)) violations.push(`${path}: ${name} may not be ${value}`)
      }
      for (const { name, required, schema, in: place } of parameters) {
        if (place !== 'header') continue
        const value = headers[name.toLowerCase()]
        if (required && value === undefined) violations.push(`${path}: the header ${name} is missing`)
        if (name === 'cal-api-version' && value !== schema.default)
          violations.push(`${path}: ${name} is ${value}, not ${schema.default}`)
      }
      return violations
    },
    checkAnswer(path: string, body: unknown): string[] {
      const [template, operation] = operationAt(path) ?? []
      if (!operation) return []
      const validator = validatorOf(template as string, operation)
      if (validator.Check(body)) return []
      const [, errors] = validator.Errors(body) as unknown as [
        boolean,
        { instancePath: string; message: string }[],
      ]
      return errors.slice(0, 3).map(({ instancePath, message }) => `${path} ${instancePath} ${message}`)
    },
  }
}
