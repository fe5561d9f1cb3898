import type { TSchema } from 'typebox'
import { CHANGES } from '../../src/change-catalogue.ts'
import type { Change, ChangeName, Changes } from '../../src/platform/changes.ts'
import { compileChecker } from '../../src/platform/checker.ts'

interface JsonSchema {
  type?: string
  anyOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
  examples?: unknown[]
  properties?: Record<string, JsonSchema>
  required?: string[]
}

const EMPTY: Readonly<Record<string, unknown>> = {
  array: [],
  boolean: false,
  integer: 1,
  number: 1,
  string: '',
}

/** Adds the required fields that are missing. */
const complete = (schema: JsonSchema, given: unknown): unknown => {
  if (schema.anyOf) {
    if (given === null || (given === undefined && schema.anyOf.some(({ type }) => type === 'null')))
      return null
    return complete(schema.anyOf[0] as JsonSchema, given)
  }
  if (schema.type === 'object' && schema.properties) {
    const fields = (given ?? {}) as Record<string, unknown>
    const missing = (schema.required ?? []).map((name) => [
      name,
      complete(schema.properties?.[name] as JsonSchema, fields[name]),
    ])
    return { ...fields, ...Object.fromEntries(missing) }
  }
  return given ?? schema.const ?? schema.examples?.[0] ?? schema.enum?.[0] ?? EMPTY[schema.type ?? '']
}

/** Makes a change with the given data and samples of all other required fields. */
export const toChange = <N extends ChangeName>(given: {
  userId: number
  type: N
  subject: string
  data: object
}): Change<N> =>
  ({ ...given, data: complete(CHANGES[given.type].payload as JsonSchema, given.data) }) as never

const findMismatches = (schema: TSchema, data: unknown): string[] => {
  const checker = compileChecker(schema)
  // As it is stored.
  const stored = JSON.parse(JSON.stringify(data))
  return checker.Check(stored)
    ? []
    : checker.Errors(stored).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

/** Rejects each transaction with a change whose data does not match its declaration. */
export const requireDeclaredChanges = (changes: Changes): void =>
  changes.accompany(async (_tx, recorded) => {
    for (const { type, data } of recorded) {
      const mismatches = findMismatches(CHANGES[type].payload, data)
      if (mismatches.length > 0)
        throw new Error(
          `${type} does not match its declaration: ${mismatches.join('; ')}. ${JSON.stringify(data)}`,
        )
    }
  })
