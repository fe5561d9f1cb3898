import { createRequire } from 'node:module'
import type { FastifySerializerCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { textIn } from './json-text.ts'
import { toOpenApiSchema } from './schema-dialect.ts'

const require = createRequire(import.meta.url)

/** Writes answers by their schema; what the schema does not name stays inside. Compiled on first use. */
export const compileSerializer: FastifySerializerCompiler<TSchema> = ({ schema }) => {
  let stringify: ((value: unknown) => string) | undefined
  return (value: unknown) => {
    const written = textIn(value)
    if (written !== undefined) return written
    if (!stringify) {
      const build = require('fast-json-stringify') as (schema: unknown) => (value: unknown) => string
      stringify = build(toOpenApiSchema(schema as unknown as Record<string, unknown>))
    }
    return stringify(value)
  }
}
