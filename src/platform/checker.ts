import { createRequire } from 'node:module'
import type { TSchema } from 'typebox'
import type { Validator } from 'typebox/compile'

const require = createRequire(import.meta.url)

/**
 * Compiles a schema. TypeBox's compiler consists of some hundred files, so it is loaded with the first value
 * to check. That keeps startup time and memory low.
 */
export const compileChecker = <S extends TSchema>(schema: S): Validator<Record<never, never>, S> => {
  const { Compile } = require('typebox/compile') as typeof import('typebox/compile')
  return Compile(schema) as never
}
