import type { RawBuilder, Selectable } from 'kysely'
import type { Db } from '../../database/db.ts'
import { type PlainRow, tablePages } from '../../database/table-pages.ts'
import { type Tables, tableKeys } from '../../database/tables.ts'
import { blob, blobOrNull, type Column, type Reading } from './columns.ts'

type Row<N extends keyof Tables> = Selectable<Tables[N]>

/** One table in what is done with all data at once: named once, it is exported, imported and deleted by that. */
export interface TableSpec<N extends keyof Tables> {
  /** Below the folder of its room. */
  file: string
  /** Every one of them: a new column does not compile until somebody has said what becomes of it. */
  columns: { readonly [C in keyof Row<N> & string]: Column<Row<N>[C]> }
  /**
   * `restored` (unless told): an import brings it back. `told`: it is for the person to read and stays behind, for it
   * is about that instance or of no use without its secret.
   */
  fate?: 'restored' | 'told'
  /** Younger than the exports that are still about: one without it has no such rows. */
  isAdded?: true
  /** Which rows are the person's; several conditions are read one after the other. All rows, unless told. */
  of?: (userId: number) => readonly RawBuilder<boolean>[]
  /** It may hold rows already: what comes is added to them, or takes the place of the only one there is. */
  beside?: 'added' | 'replaced'
  /** What follows from a row that was read: what is left out of exports because it can be worked out. */
  complete?: (row: Row<N>) => Row<N>
  /** Where a row is not simply inserted. */
  put?: (tx: Db, row: Row<N>, reading: Reading) => Promise<void>
}

export interface PortableTable {
  readonly table: keyof Tables
  readonly file: string
  readonly isRestored: boolean
  readonly isAdded: boolean
  readonly beside: 'nothing' | 'added' | 'replaced'
  /** The person's rows as they stand in an export. */
  rows(view: Db, userId: number): AsyncGenerator<Record<string, unknown>>
  /** What is wrong with a row from an export that anybody may have written; undefined when nothing is to be seen. */
  faultOf(given: unknown): string | undefined
  /** The row that it makes here; throws, in words, when it makes none. */
  read(given: unknown, reading: Reading): PlainRow
  put: ((tx: Db, row: PlainRow, reading: Reading) => Promise<void>) | undefined
  /** The blobs that a row holds. */
  blobsOf(row: PlainRow): string[]
}

const isRecord = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)

export const portable = <N extends keyof Tables>(table: N, spec: TableSpec<N>): PortableTable => {
  const columns = Object.entries(spec.columns) as [string, Column<unknown>][]
  const shown = columns.filter(([, { write }]) => write !== undefined)
  const shownNames = new Set(shown.map(([name]) => name))
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

  const readAll = (given: unknown, reading: Reading): PlainRow => {
    if (!isRecord(given)) throw new Error('it is not a JSON object')
    const unknown = Object.keys(given).find((name) => !shownNames.has(name))
    if (unknown !== undefined) throw new Error(`${unknown} is not known here`)
    const missing = shown.find(([name, { before }]) => !before && !Object.hasOwn(given, name))
    if (missing) throw new Error(`${missing[0]} is missing`)
    const row: Record<string, unknown> = {}
    for (const [name, kind] of columns) {
      const isOlder = kind.before !== undefined && !Object.hasOwn(given, name)
      const value = isOlder ? kind.before?.value : readColumn(name, kind, given[name], reading)
      if (value !== undefined) row[name] = value
    }
    return row as PlainRow
  }

  return {
    table,
    file: spec.file,
    isRestored: spec.fate !== 'told',
    isAdded: spec.isAdded ?? false,
    beside: spec.beside ?? 'nothing',
    put: spec.put as PortableTable['put'],

    async *rows(view, userId) {
      for (const where of spec.of?.(userId) ?? [undefined])
        for await (const page of tablePages(view, table, tableKeys[table] as readonly string[], where))
          for (const row of page)
            yield Object.fromEntries(shown.map(([name, kind]) => [name, kind.write?.(row[name])]))
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
