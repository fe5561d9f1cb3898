import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Static, TObject, TSchema } from 'typebox'
import type { Validator } from 'typebox/compile'
import type { Db } from '../../database/db.ts'
import { type PlainRow, tablePages } from '../../database/schema-info.ts'
import { type Tables, tableKeys } from '../../database/tables.ts'
import { compileChecker } from '../checker.ts'
import { isTimeZone } from '../time.ts'
import {
  type Ids,
  isId,
  type NumberIdTable,
  type References,
  type TextIdTable,
  translateReferences,
} from './references.ts'

/*
 * Defines how the columns of a table are exported, and how they are read back from an untrusted file. JSON
 * stays JSON, 0/1 becomes false/true, secret and derived columns are left out.
 */

export interface Reading {
  /** The account that imports the data. */
  userId: number
  /** Translates the ids of the export. */
  ids: Ids
}

export interface Column<V> {
  /** Converts the value for an export. Without it, the column is not exported. */
  write?(value: V): unknown
  /** The table whose ids the column has. An import may assign other ids. */
  refersTo?: keyof Tables
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

export const orNull = <V>({ write, read, refersTo }: Column<V>): Column<V | null> => ({
  ...(refersTo && { refersTo }),
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

export const color = column<string>(
  'a color such as #3366cc',
  (given) => typeof given === 'string' && /^#[0-9a-f]{6}$/.test(given),
)

export const integer = column<number>('a whole number', Number.isSafeInteger)
export const integerOrNull = orNull(integer)

/** The id of a row of this table: of the row itself, or a reference to another one. */
export const id = (table: NumberIdTable): Column<number> => ({
  write: (value) => value,
  refersTo: table,
  read: (given, { ids }) => (isId(given) ? ids.number(table, given) : refuse('a positive whole number')),
})
export const idOrNull = (table: NumberIdTable): Column<number | null> => orNull(id(table))

/** The same for tables whose ids are texts. */
export const textId = (table: TextIdTable): Column<string> => ({
  write: (value) => value,
  refersTo: table,
  read: (given, reading) => reading.ids.text(table, text.read(given, reading)),
})
export const textIdOrNull = (table: TextIdTable): Column<string | null> => orNull(textId(table))

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
export const json = (schema: TSchema, references: References = {}): Column<string> => {
  let check: Validator | undefined
  return {
    write: (value) => JSON.parse(value) as unknown,
    read(given, { ids }) {
      check ??= compileChecker(schema)
      const [first] = check.Errors(given)
      if (first) throw new Error(`is not valid (${first.instancePath || 'it'} ${first.message})`)
      const written = JSON.stringify(translateReferences(given, references, ids))
      return isText(written) ? written : refuse('text without NUL and unpaired surrogates')
    },
  }
}
export const jsonOrNull = (schema: TSchema, references: References = {}): Column<string | null> =>
  orNull(json(schema, references))

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

/** Returns how a field is exported. Its schema in the API decides. */
const toColumn = (schema: TSchema): Column<never> => {
  const { type, format, anyOf } = schema as { type?: string; format?: string; anyOf?: TSchema[] }
  // A nullable field is null in exports that are older than the field.
  if (anyOf) return added(orNull(toColumn(anyOf[0] as TSchema)), null) as Column<never>
  if ('enum' in schema) return oneOf(...(schema.enum as string[])) as Column<never>
  if (type === 'string') return (format === 'date-time' ? instant : text) as Column<never>
  if (type === 'boolean') return flag as Column<never>
  return (type === 'integer' ? integer : json(schema)) as Column<never>
}

/** Derives the columns of an entity from its schema: text, instants, flags, whole numbers, and JSON. */
export const entityColumns = <S extends TObject, N extends keyof Tables>(schema: S, _table: N) =>
  Object.fromEntries(
    Object.entries(schema.properties).map(([name, field]) => [name, toColumn(field)]),
  ) as unknown as { [C in keyof Static<S> & keyof Row<N>]: Column<Row<N>[C]> }

type Row<N extends keyof Tables> = Selectable<Tables[N]>

/** Conditions that select the rows of a user; each one is queried separately. */
type RowsOf = (userId: number) => readonly RawBuilder<boolean>[]

const ofUserId: RowsOf = (userId) => [sql`${sql.ref('userId')} = ${userId}`]

/** Required for a table without a column `userId`. The default selects the rows with that of the account. */
type Ownership<N extends keyof Tables> = 'userId' extends keyof Row<N> ? { of?: RowsOf } : { of: RowsOf }

/** Describes one table for export, import and deletion of all data. */
interface TableSpec<N extends keyof Tables> {
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
  /** The table may already hold rows: imported rows are added, or replace the only existing row. */
  beside?: 'added' | 'replaced'
  /** Selects rows that every account has. They do not count as data, and imported rows replace them. */
  given?: RawBuilder<boolean>
  /** Translates ids whose table depends on another column. Returns undefined for a row that is left out. */
  translate?: (row: Row<N>, ids: Ids) => Row<N> | undefined
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
  readonly given: RawBuilder<boolean> | undefined
  /** The tables whose ids the columns have. */
  readonly references: Readonly<Record<string, keyof Tables>>
  /** The names of all columns. */
  readonly columns: readonly string[]
  /** Conditions for the rows of a user, one of which must hold. */
  of(userId: number): readonly RawBuilder<boolean>[]
  /** Yields the rows of a user in export form. */
  rows(view: Db, userId: number): AsyncGenerator<Record<string, unknown>>
  /**
   * Validates an untrusted row of an export, and passes its ids to `ids`. Returns an error message, or undefined if the
   * row is valid.
   */
  faultOf(given: unknown, ids: Ids): string | undefined
  /**
   * Converts an exported row to a table row, or to undefined if it is left out. Throws an error with a readable message
   * if that is impossible.
   */
  read(given: unknown, reading: Reading): PlainRow | undefined
  put: ((tx: Db, row: PlainRow, reading: Reading) => Promise<void>) | undefined
  /** Returns the hashes of the blobs that a row refers to. */
  blobsOf(row: PlainRow): string[]
}

const isRecord = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)

export const portable = <N extends keyof Tables>(
  table: N,
  spec: TableSpec<N> & Ownership<N>,
): PortableTable => {
  const columns = Object.entries(spec.columns) as [string, Column<unknown>][]
  const exported = columns.filter(([, { write }]) => write !== undefined)
  const exportedNames = new Set(exported.map(([name]) => name))
  const blobColumns = columns.flatMap(([name, kind]) =>
    [blob, blobOrNull].includes(kind as never) ? [name] : [],
  )
  const complete = spec.complete as ((row: PlainRow) => PlainRow) | undefined
  const translate = spec.translate as ((row: PlainRow, ids: Ids) => PlainRow | undefined) | undefined

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

  const readAll = (row: unknown, reading: Reading): PlainRow | undefined => {
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
    const read = values as PlainRow
    return translate ? translate(read, reading.ids) : read
  }

  const { of = ofUserId }: { of?: RowsOf } = spec

  return {
    table,
    file: spec.file,
    isRestored: spec.isExportOnly !== true,
    isAdded: spec.isAdded ?? false,
    beside: spec.beside ?? 'nothing',
    given: spec.given,
    put: spec.put as PortableTable['put'],
    references: Object.fromEntries(
      columns.flatMap(([name, { refersTo }]) => (refersTo ? [[name, refersTo]] : [])),
    ),
    columns: columns.map(([name]) => name),
    of,

    async *rows(view, userId) {
      for (const where of of(userId))
        for await (const page of tablePages(view, table, tableKeys[table] as readonly string[], where))
          for (const row of page)
            yield Object.fromEntries(exported.map(([name, kind]) => [name, kind.write?.(row[name])]))
    },

    faultOf(given, ids) {
      try {
        readAll(given, { userId: 1, ids })
        return undefined
      } catch (error) {
        return (error as Error).message
      }
    },

    read(given, reading) {
      const row = readAll(given, reading)
      return complete && row ? complete(row) : row
    },

    blobsOf: (row) => blobColumns.flatMap((name) => (row[name] === null ? [] : [row[name] as string])),
  }
}
