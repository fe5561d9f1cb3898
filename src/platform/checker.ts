import { createRequire } from 'node:module'
import type { TSchema } from 'typebox'
import type { Validator } from 'typebox/compile'

const require = createRequire(import.meta.url)

/**
 * Compiles a schema. TypeBox's compiler is some hundred files: it is loaded with the first value to check, so that
 * a start neither waits for it nor keeps it in memory before it is needed.
 */
export const compileChecker = <S extends TSchema>(schema: S): Validator<Record<never, never>, S> => {
  const { Compile } = require('typebox/compile') as typeof import('typebox/compile')
  return Compile(schema) as never
}
