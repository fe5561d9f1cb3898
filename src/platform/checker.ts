import { createRequire } from 'node:module'
import type { TSchema } from 'typebox'
import type { Validator } from 'typebox/compile'

const require = createRequire(import.meta.url)

/** Several routes, jobs and tools share a schema. A compiled one has no state. */
const compiled = new WeakMap<TSchema, unknown>()

/**
 * Compiles a schema, once. TypeBox's compiler consists of some hundred files, so it is loaded with the first
 * value to check. That keeps startup time and memory low.
 */
export const compileChecker = <S extends TSchema>(schema: S): Validator<Record<never, never>, S> => {
  let checker = compiled.get(schema)
  if (!checker) {
    const { Compile } = require('typebox/compile') as typeof import('typebox/compile')
    checker = Compile(schema)
    compiled.set(schema, checker)
  }
  return checker as never
}
