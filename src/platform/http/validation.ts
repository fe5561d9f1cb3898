import type { FastifyInstance, FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import type { Validator } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { compileChecker } from '../checker.ts'
import { nearest } from '../collections.ts'
import { AppError, type FieldError, invalid, invalidField, sentenceOf } from '../errors.ts'
import { findUnstorable, isStorable } from './responses.ts'

interface ObjectSchema {
  examples?: unknown[]
  properties?: Record<string, { type?: string; items?: { type?: string }; default?: unknown }>
}

/** `/attendees/0/email` → `attendees.0.email`. */
const pathOf = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.')

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)

/** Returns the part of a schema that the schemaPath of an error points to. */
const schemaAt = (schema: unknown, schemaPath: string): ObjectSchema => {
  let place: unknown = schema
  for (const step of schemaPath.split('/').slice(1))
    place = (place as Record<string, unknown> | undefined)?.[step]
  return (place ?? {}) as ObjectSchema
}

const EMPTY = 'must not be empty'
/** Patterns with a readable description. The error for any other pattern contains an example. */
const PATTERNS = new Map([
  ['\\S', EMPTY],
  ['^[^\\u0000-\\u001f\\u007f]*$', 'must be one line, without control characters'],
  ['^[^:\\u0000-\\u001f\\u007f]*$', 'must be one line, without colons and control characters'],
  ['^[\\x21-\\x7e]+$', 'must consist of visible ASCII characters, without spaces'],
])

const describePattern = (pattern: string, { examples }: ObjectSchema): string =>
  PATTERNS.get(pattern) ??
  (examples?.length ? `must have the format of ${examples[0]}` : 'has the wrong format')

const describeSize = (
  keyword: 'minLength' | 'minItems' | 'maxLength' | 'maxItems',
  limit: number,
): string => {
  const [bound, what] = keyword.split(/(?=[LI])/)
  if (bound === 'min' && limit === 1) return EMPTY
  const thing = what === 'Length' ? 'character' : 'item'
  return `must have ${limit} ${thing}${limit === 1 ? '' : 's'} or ${bound === 'min' ? 'more' : 'fewer'}`
}

const describe = (schema: TSchema, error: TLocalizedValidationError): FieldError[] => {
  const path = pathOf(error.instancePath)
  const params = error.params as Record<string, unknown>
  switch (error.keyword) {
    case 'required':
      return (params.requiredProperties as string[]).map((name) => ({
        path: join(path, name),
        message: 'is required',
      }))
    case 'additionalProperties': {
      const known = Object.keys(schemaAt(schema, error.schemaPath).properties ?? {})
      return (params.additionalProperties as string[]).map((name) => {
        const suggestion = nearest(name, known)
        return {
          path: join(path, name),
          message: suggestion ? `is unknown; did you mean ${suggestion}?` : 'is unknown',
        }
      })
    }
    case 'enum':
      return [{ path, message: `must be one of ${(params.allowedValues as unknown[]).join(', ')}` }]
    case 'format':
      return [{ path, message: `must be a valid ${params.format as string}` }]
    case 'minLength':
    case 'minItems':
    case 'maxLength':
    case 'maxItems':
      return [{ path, message: describeSize(error.keyword, params.limit as number) }]
    case 'pattern':
      return [
        { path, message: describePattern(params.pattern as string, schemaAt(schema, error.schemaPath)) },
      ]
    default:
      return [{ path, message: error.message }]
  }
}

const ECHOES = new Set(['anyOf'])
const MAX_ERRORS = 50

interface AnySchema extends ObjectSchema {
  additionalProperties?: unknown
  items?: unknown
  anyOf?: AnySchema[]
}

/** Flattens the nested alternatives of a schema. */
const choicesOf = (schema: AnySchema): AnySchema[] => schema.anyOf?.flatMap(choicesOf) ?? [schema]

/**
 * TypeBox stops after eight errors, and reports unknown fields one by one. This function finds all of them.
 */
const findUnknown = (schemas: AnySchema[], value: unknown, path = ''): FieldError[] => {
  if (schemas.length === 0) return []
  const choices = schemas.flatMap(choicesOf)
  if (Array.isArray(value)) {
    const items = choices.flatMap((choice) => (choice.items ? [choice.items as AnySchema] : []))
    return value.flatMap((entry, index) => findUnknown(items, entry, join(path, String(index))))
  }
  const objects = choices.filter(({ properties }) => properties !== undefined)
  if (typeof value !== 'object' || value === null || objects.length === 0) return []
  const known = [...new Set(objects.flatMap(({ properties }) => Object.keys(properties ?? {})))]
  return Object.entries(value).flatMap(([name, inner]) => {
    const nested = objects.flatMap(({ properties = {} }) =>
      Object.hasOwn(properties, name) ? [properties[name] as AnySchema] : [],
    )
    if (nested.length > 0) return findUnknown(nested, inner, join(path, name))
    if (objects.some(({ additionalProperties }) => additionalProperties !== false)) return []
    const suggestion = nearest(name, known)
    return [
      {
        path: join(path, name),
        message: suggestion ? `is unknown; did you mean ${suggestion}?` : 'is unknown',
      },
    ]
  })
}

/**
 * Reports each field once, with the most helpful message. `boolean` and `anyOf` errors only repeat another
 * error.
 */
export const explain = (
  schema: TSchema,
  errors: TLocalizedValidationError[],
  value: unknown,
): FieldError[] => {
  const rest = errors.filter(({ keyword }) => keyword !== 'additionalProperties' && keyword !== 'boolean')
  const telling = rest.filter((error) => !ECHOES.has(error.keyword))
  const chosen = telling.length > 0 ? telling : rest
  const unknown = findUnknown([schema as AnySchema], value)
  const paths = [
    ...chosen.map(({ instancePath }) => pathOf(instancePath)),
    ...unknown.map(({ path }) => path),
  ]
  /**
   * An error inside a value shows that the value matches this alternative, so errors of the others do not
   * count.
   */
  const isOtherChoice = ({ keyword, instancePath }: TLocalizedValidationError): boolean =>
    keyword === 'type' && paths.some((path) => path.startsWith(`${pathOf(instancePath)}.`))
  const described = [
    ...chosen.filter((error) => !isOtherChoice(error)).flatMap((error) => describe(schema, error)),
    ...unknown,
  ]
  const byPath = new Map<string, string>()
  for (const { path, message } of described) {
    const before = byPath.get(path)
    if (before === undefined) byPath.set(path, message)
    else if (!before.includes(message)) byPath.set(path, `${before} or ${message}`)
  }
  return [...byPath].map(([path, message]) => ({ path, message }))
}

/** Query and path parameters arrive as text. Text that is exactly a number or a boolean is converted. */
const readText = (type: string | undefined, value: unknown): unknown => {
  if (typeof value !== 'string') return value
  if ((type === 'integer' || type === 'number') && /^-?\d{1,16}(\.\d+)?$/.test(value)) return Number(value)
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

const createTextReader = ({ properties = {} }: ObjectSchema) => {
  const defaults = Object.entries(properties).filter(([, property]) => property.default !== undefined)
  return (given: Record<string, unknown>): Record<string, unknown> => {
    const values: Record<string, unknown> = Object.create(null)
    for (const [name, property] of defaults) values[name] = property.default
    for (const name in given) {
      const expected = Object.hasOwn(properties, name) ? properties[name] : undefined
      values[name] =
        expected?.type === 'array'
          ? [given[name]].flat().map((entry) => readText(expected.items?.type, entry))
          : readText(expected?.type, given[name])
    }
    return values
  }
}

/** Nearly all requests have only such parameters, and need no closer look. */
const areStorableTexts = (given: Record<string, unknown>): boolean => {
  for (const name in given) {
    const value = given[name]
    if (typeof value !== 'string' || !isStorable(value) || !isStorable(name)) return false
  }
  return true
}

const PART_NAMES: Record<string, string> = {
  body: 'body',
  querystring: 'query',
  params: 'path',
  headers: 'headers',
}

/** Validates strictly: drops and coerces nothing. Compiles on first use, to keep startup short. */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  // The feature itself validates binary bodies.
  if (httpPart === 'body' && (schema as { format?: string }).format === 'binary')
    return (value: unknown) => ({ value })
  let validator: Validator | undefined
  let readTexts: ReturnType<typeof createTextReader> | undefined
  const part = PART_NAMES[httpPart ?? 'body'] ?? 'body'
  return (given: unknown) => {
    validator ??= compileChecker(schema) as Validator
    readTexts ??= createTextReader(schema as ObjectSchema)
    const value = httpPart === 'body' ? (given ?? {}) : readTexts(given as Record<string, unknown>)
    if (httpPart !== 'body' && !areStorableTexts(given as Record<string, unknown>)) {
      const unstorable = findUnstorable(value)
      if (unstorable !== undefined)
        return {
          error: invalid('A parameter is not valid text.', [
            { path: unstorable, message: 'contains NUL or is not valid UTF-8' },
          ]),
        }
    }
    if (validator.Check(value)) return { value }
    const errors = explain(schema, validator.Errors(value), value).slice(0, MAX_ERRORS)
    const first = errors[0]
    const detail = first ? sentenceOf(first, `The ${part}`) : 'It is not valid.'
    return {
      error: invalid(errors.length > 1 ? `${detail} (and ${errors.length - 1} more)` : detail, errors),
    }
  }
}

/** For routes whose handler reads the raw body, which no schema describes. The other parts are validated. */
export const compileExceptBody = (part: { httpPart?: string | undefined }) =>
  part.httpPart === 'body' ? () => true : compileValidator(part as never)

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Returns the index of the closing quote of the string that starts at `start`. */
const endOfString = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++
    if (escapes % 2 === 0) return end
  }
}

const COLON = /[ \t\r\n]*:/y

const isName = (text: string, end: number): boolean => {
  COLON.lastIndex = end + 1
  return COLON.test(text)
}

/**
 * Finds a duplicate name in an object of valid JSON text. `JSON.parse` silently keeps the last value (RFC
 * 8259 section 4 allows that), but this API rejects it.
 */
const findDuplicateName = (text: string): string | undefined => {
  const open: Set<string>[] = []
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x7b) open.push(new Set())
    else if (code === 0x7d) open.pop()
    else if (code === QUOTE) {
      const end = endOfString(text, at)
      if (isName(text, end)) {
        const written = text.slice(at + 1, end)
        const name = written.includes('\\') ? (JSON.parse(`"${written}"`) as string) : written
        const names = open.at(-1) as Set<string>
        if (names.has(name)) return name
        names.add(name)
      }
      at = end
    }
  }
  return undefined
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

const readJson = (bytes: Buffer, method: string): unknown => {
  if (bytes.length === 0) {
    // Many clients send a JSON content type with every request. An action may have an empty body; a change
    // may not.
    if (method === 'POST' || method === 'DELETE') return undefined
    throw invalid('The body is empty, but Content-Type is JSON.')
  }
  let value: unknown
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw invalid('The body is not UTF-8.')
  }
  try {
    value = JSON.parse(text)
  } catch {
    throw invalid('The body is not JSON.')
  }
  if (typeof value !== 'object' || value === null) throw invalidField('', 'must be an object')
  const duplicate = findDuplicateName(text)
  if (duplicate !== undefined)
    throw invalid(`${duplicate} is a duplicate name.`, [{ path: duplicate, message: 'is a duplicate name' }])
  // Only an escape can contain characters that the databases reject, so most bodies need no second check.
  if (text.includes('\\u')) {
    const path = findUnstorable(value)
    if (path !== undefined)
      throw invalid(`${path === '' ? 'The body' : path} contains a character that cannot be stored.`, [
        { path, message: 'contains NUL or an unpaired surrogate' },
      ])
  }
  return value
}

/** Accepts only JSON, unless a route adds its own parser. */
export const addBodyParsers = (app: FastifyInstance): void => {
  // Rejects compressed bodies: their bytes would be stored as if they had the declared type.
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const coding = request.headers['content-encoding']
    if (coding === undefined || coding.toLowerCase() === 'identity') return done(null, payload)
    done(
      new AppError(
        'unsupported',
        'unsupported_media_type',
        'Send the body uncompressed, without Content-Encoding.',
      ),
    )
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // The answer to an unknown path or method does not depend on the body.
    if (request.is404) return done(null, undefined)
    try {
      done(null, readJson(body as Buffer, request.method))
    } catch (error) {
      done(error as Error)
    }
  })
}
