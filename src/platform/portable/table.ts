import type { RawBuilder, Selectable } from 'kysely'
import type { TSchema } from 'typebox'
import type { Validator } from 'typebox/compile'
import type { Db } from '../../database/db.ts'
import { type PlainRow, tablePages } from '../../database/schema-info.ts'
import { type Tables, tableKeys } from '../../database/tables.ts'
import { compileChecker } from '../checker.ts'
import { isTimeZone } from '../time.ts'

/*
 * Defines how the columns of a table are exported, and how they are read back from an untrusted file. JSON
 * stays JSON, 0/1 becomes false/true, secret and derived columns are left out.
 */

export interface Reading {
  /** The account that imports the data. */
  userId: number
}

export interface Column<V> {
  /** Converts the value for an export. Without it, the column is not exported. */
  write?(value: V): unknown
  /** Default for exports that are older than the column. */
  before?: { readonly value: V }
  /**
   * Converts an exported value to a column value. Throws an error whose message continues the column name.
   */
  read(given: unknown, reading: Reading): V
}

const refuse = (what: string): never => {
  throw new Error(`must be ${what}`)
}

const column = <V>(what: string, is: (given: unknown) => boolean): Column<V> => ({
  write: (value) => value,
  read: (given) => (is(given) ? (given as V) : refuse(what)),
})

export const orNull = <V>({ write, read }: Column<V>): Column<V | null> => ({
  write: (value) => (value === null ? null : write?.(value)),
  read: (given, reading) => (given === null ? null : read(given, reading)),
})

/** Text that both databases can store. */
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

/** Far above any id in use, and far below the maximum that a sequence can reach. */
export const HIGHEST_ID = 2 ** 48
export const id = column<number>(
  'a positive whole number',
  (given) => Number.isInteger(given) && (given as number) >= 1 && (given as number) <= HIGHEST_ID,
)
export const idOrNull = orNull(id)

export const flag: Column<number> = {
  write: (value) => value === 1,
  read: (given) => (typeof given === 'boolean' ? Number(given) : refuse('true or false')),
}

export const oneOf = <const T extends string>(...values: readonly T[]): Column<T> =>
  column(`one of ${values.join(', ')}`, (given) => values.includes(given as T))

/** SHA-256 of a file in the archive. */
export const blob = column<string>(
  'a SHA-256',
  (given) => typeof given === 'string' && /^[0-9a-f]{64}$/.test(given),
)
export const blobOrNull = orNull(blob)

/** JSON. The schema checks only the parts that the code relies on. */
export const json = (schema: TSchema): Column<string> => {
  let check: Validator | undefined
  return {
    write: (value) => JSON.parse(value) as unknown,
    read(given) {
      check ??= compileChecker(schema)
      const [first] = check.Errors(given)
      if (first) throw new Error(`is not valid (${first.instancePath || 'it'} ${first.message})`)
      const written = JSON.stringify(given)
      return isText(written) ? written : refuse('text without NUL and unpaired surrogates')
    },
  }
}
export const jsonOrNull = (schema: TSchema): Column<string | null> => orNull(json(schema))

/** The account that owns the row: the importing account. */
export const own: Column<number> = { read: (_given, { userId }) => userId }

/** A column that older exports do not have. They mean `value`. */
export const added = <V>(kind: Column<V>, value: V): Column<V> => ({ ...kind, before: { value } })

/** Not exported. An import writes this value, or one that the table computes. */
export const without = <V>(value: V): Column<V> => ({ read: () => value })

/** Exported, but an import always writes this value. */
export const instead = <V, W extends V>(kind: Column<V>, value: W): Column<V> => ({
  ...(kind.write && { write: kind.write }),
  read(given, reading) {
    kind.read(given, reading)
    return value
  },
})

/** The import assigns a new number. Nothing refers to the old one. */
export const countedAnew: Column<number> = { write: (value) => value, read: () => undefined as never }

type Row<N extends keyof Tables> = Selectable<Tables[N]>

/** Describes one table for export, import and deletion of all data. */
export interface TableSpec<N extends keyof Tables> {
  /** Path below the folder of the feature. */
  file: string
  /** Contains every column: a new column does not compile until its export is defined. */
  columns: { readonly [C in keyof Row<N> & string]: Column<Row<N>[C]> }
  /**
   * The rows are exported for the user to read, and an import ignores them, because they concern that instance
   * or are useless without its secret.
   */
  isExportOnly?: true
  /** Names that columns have in older exports. */
  formerNames?: { readonly [C in keyof Row<N> & string]?: string }
  /** A table that older exports do not have. They contain no such rows. */
  isAdded?: true
  /** Conditions that select the rows of a user; each one is queried separately. Default: all rows. */
  of?: (userId: number) => readonly RawBuilder<boolean>[]
  /** The table may already hold rows: imported rows are added, or replace the only existing row. */
  beside?: 'added' | 'replaced'
  /** Fills in the columns of a row that are derived and therefore not exported. */
  complete?: (row: Row<N>) => Row<N>
  /** Replaces the plain insert. */
  put?: (tx: Db, row: Row<N>, reading: Reading) => Promise<void>
}

export interface PortableTable {
  readonly table: keyof Tables
  readonly file: string
  readonly isRestored: boolean
  readonly isAdded: boolean
  readonly beside: 'nothing' | 'added' | 'replaced'
  /** Yields the rows of a user in export form. */
  rows(view: Db, userId: number): AsyncGenerator<Record<string, unknown>>
  /** Validates an untrusted row of an export. Returns an error message, or undefined if the row is valid. */
  faultOf(given: unknown): string | undefined
  /**
   * Converts an exported row to a table row. Throws an error with a readable message if that is impossible.
   */
  read(given: unknown, reading: Reading): PlainRow
  put: ((tx: Db, row: PlainRow, reading: Reading) => Promise<void>) | undefined
  /** Returns the hashes of the blobs that a row refers to. */
  blobsOf(row: PlainRow): string[]
}

const isRecord = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)

export const portable = <N extends keyof Tables>(table: N, spec: TableSpec<N>): PortableTable => {
  const columns = Object.entries(spec.columns) as [string, Column<unknown>][]
  const exported = columns.filter(([, { write }]) => write !== undefined)
  const exportedNames = new Set(exported.map(([name]) => name))
  const blobColumns = columns.flatMap(([name, kind]) =>
    [blob, blobOrNull].includes(kind as never) ? [name] : [],
  )
  const complete = spec.complete as ((row: PlainRow) => PlainRow) | undefined

  const readColumn = (name: string, kind: Column<unknown>, given: unknown, reading: Reading): unknown => {
    try {
      return kind.read(given, reading)
    } catch (error) {
      throw new Error(`${name} ${(error as Error).message}`)
    }
  }

  const formerNames = Object.entries<string | undefined>(spec.formerNames ?? {}) as [string, string][]
  const renameFormer = (given: Record<string, unknown>): Record<string, unknown> => {
    const named = { ...given }
    for (const [name, former] of formerNames)
      if (Object.hasOwn(named, former) && !Object.hasOwn(named, name)) {
        named[name] = named[former]
        delete named[former]
      }
    return named
  }

  const readAll = (row: unknown, reading: Reading): PlainRow => {
    if (!isRecord(row)) throw new Error('it is not a JSON object')
    const given = formerNames.length === 0 ? row : renameFormer(row)
    const unknown = Object.keys(given).find((name) => !exportedNames.has(name))
    if (unknown !== undefined) throw new Error(`${unknown} is unknown`)
    const missing = exported.find(([name, { before }]) => !before && !Object.hasOwn(given, name))
    if (missing) throw new Error(`${missing[0]} is missing`)
    const values: Record<string, unknown> = {}
    for (const [name, kind] of columns) {
      const isOlder = kind.before !== undefined && !Object.hasOwn(given, name)
      const value = isOlder ? kind.before?.value : readColumn(name, kind, given[name], reading)
      if (value !== undefined) values[name] = value
    }
    return values as PlainRow
  }

  return {
    table,
    file: spec.file,
    isRestored: spec.isExportOnly !== true,
    isAdded: spec.isAdded ?? false,
    beside: spec.beside ?? 'nothing',
    put: spec.put as PortableTable['put'],

    async *rows(view, userId) {
      for (const where of spec.of?.(userId) ?? [undefined])
        for await (const page of tablePages(view, table, tableKeys[table] as readonly string[], where))
          for (const row of page)
            yield Object.fromEntries(exported.map(([name, kind]) => [name, kind.write?.(row[name])]))
    },

    faultOf(given) {
      try {
        readAll(given, { userId: 1 })
        return undefined
      } catch (error) {
        return (error as Error).message
      }
    },

    read(given, reading) {
      const row = readAll(given, reading)
      return complete ? complete(row) : row
    },

    blobsOf: (row) => blobColumns.flatMap((name) => (row[name] === null ? [] : [row[name] as string])),
  }
}
