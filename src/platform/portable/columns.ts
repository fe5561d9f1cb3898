import type { TSchema } from 'typebox'
import type { Validator } from 'typebox/compile'
import { compileChecker } from '../checker.ts'
import { isTimeZone } from '../time.ts'

/*
 * How the columns of a table stand in an export, and how they are read back from one that anybody may have written.
 * JSON is JSON there, 0/1 is false or true, and what is secret or worked out is not there at all.
 */

export interface Reading {
  /** Whose import it is. */
  userId: number
}

export interface Column<V> {
  /** What stands in an export; without it, nothing does. */
  write?(value: V): unknown
  /** What stood in no export before the column was there, and is meant where it does not. */
  before?: { readonly value: V }
  /** What the row gets, from what stands there; throws, in words that follow the name, when it is nothing of the kind. */
  read(given: unknown, reading: Reading): V
}

const refuse = (what: string): never => {
  throw new Error(`must be ${what}`)
}

const column = <V>(what: string, is: (given: unknown) => boolean): Column<V> => ({
  write: (value) => value,
  read: (given) => (is(given) ? (given as V) : refuse(what)),
})

const orNull = <V>({ write, read }: Column<V>): Column<V | null> => ({
  write: (value) => (value === null ? null : write?.(value)),
  read: (given, reading) => (given === null ? null : read(given, reading)),
})

/** What both databases keep as it is. */
const isText = (given: unknown): given is string =>
  typeof given === 'string' && given.isWellFormed() && !given.includes('\0')

export const text = column<string>('text', isText)
export const textOrNull = orNull(text)

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
export const instant = column<string>(
  'an instant in UTC with milliseconds',
  (given) => typeof given === 'string' && INSTANT.test(given) && !Number.isNaN(Date.parse(given)),
)
export const instantOrNull = orNull(instant)

export const zone = column<string>(
  'the name of a time zone',
  (given) => typeof given === 'string' && isTimeZone(given),
)

export const integer = column<number>('a whole number', Number.isSafeInteger)
export const integerOrNull = orNull(integer)

/** Far beyond what is ever given out, and far below where counting on ends. */
export const HIGHEST_ID = 2 ** 48
export const id = column<number>(
  'a number of something',
  (given) => Number.isInteger(given) && (given as number) >= 1 && (given as number) <= HIGHEST_ID,
)
export const idOrNull = orNull(id)

export const flag: Column<number> = {
  write: (value) => value === 1,
  read: (given) => (typeof given === 'boolean' ? Number(given) : refuse('true or false')),
}

export const oneOf = <const T extends string>(...values: readonly T[]): Column<T> =>
  column(`one of ${values.join(', ')}`, (given) => values.includes(given as T))

/** The SHA-256 of bytes that come along as a file. */
export const blob = column<string>(
  'a SHA-256',
  (given) => typeof given === 'string' && /^[0-9a-f]{64}$/.test(given),
)
export const blobOrNull = orNull(blob)

/** JSON, of which as much is checked as those rely on who read it. */
export const json = (schema: TSchema): Column<string> => {
  let check: Validator | undefined
  return {
    write: (value) => JSON.parse(value) as unknown,
    read(given) {
      check ??= compileChecker(schema)
      const [first] = check.Errors(given)
      if (first) throw new Error(`is not as it should be (${first.instancePath || 'it'} ${first.message})`)
      const written = JSON.stringify(given)
      return isText(written) ? written : refuse('text that can be kept')
    },
  }
}
export const jsonOrNull = (schema: TSchema): Column<string | null> => orNull(json(schema))

/** The account that it belongs to: whoever imports it. */
export const own: Column<number> = { read: (_given, { userId }) => userId }

/** Younger than the exports that are still about: one without it means `value`. */
export const added = <V>(kind: Column<V>, value: V): Column<V> => ({ ...kind, before: { value } })

/** In no export. An import writes this, or what the table works out in its stead. */
export const without = <V>(value: V): Column<V> => ({ read: () => value })

/** Shown in an export; an import writes this all the same. */
export const instead = <V, W extends V>(kind: Column<V>, value: W): Column<V> => ({
  ...(kind.write && { write: kind.write }),
  read(given, reading) {
    kind.read(given, reading)
    return value
  },
})

/** A number of its own where it comes to; nothing refers to it. */
export const countedAnew: Column<number> = { write: (value) => value, read: () => undefined as never }
