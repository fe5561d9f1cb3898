import { sql } from 'kysely'
import type { Database } from '../../src/database/database.ts'
import { readCatalogue } from '../../src/database/schema-info.ts'

interface Column {
  name: string
  type: string
  isNullable: boolean
  hasDefault: boolean
}

/** The tables by name, with the columns of their unique indexes. */
type Schema = Map<string, { columns: Column[]; unique: string[] }>

const UNIQUE = {
  sqlite: sql<{ table: string; columns: string }>`
    select lists.tbl_name as "table", group_concat(parts.name) as columns
    from sqlite_master as lists, pragma_index_list(lists.tbl_name) as indexes, pragma_index_info(indexes.name) as parts
    where lists.type = 'table' and indexes."unique" group by lists.tbl_name, indexes.name`,
  postgres: sql<{ table: string; columns: string }>`
    select relation.relname as "table", pg_get_indexdef(indexrelid) as columns
    from pg_index join pg_class relation on relation.oid = indrelid where indisunique`,
}

export const readSchema = async ({ db, engine }: Database): Promise<Schema> => {
  const own = await readCatalogue(db)
  const { rows } = await UNIQUE[engine].execute(db)
  const tables = (await db.introspection.getTables()).filter(({ name }) => own.has(name))
  return new Map(
    tables.map(({ name, columns }) => [
      name,
      {
        columns: columns.map((column) => ({
          name: column.name,
          type: column.dataType,
          isNullable: column.isNullable,
          hasDefault: column.hasDefaultValue || column.isAutoIncrementing,
        })),
        unique: rows.filter(({ table }) => table === name).map((row) => row.columns),
      },
    ]),
  )
}

/** Lists the changes that break the statements of a version that knows only `before`. */
export const findBreakingChanges = (before: Schema, after: Schema): string[] =>
  [...before].flatMap(([table, old]) => {
    const now = after.get(table)
    if (!now) return [`${table} was dropped or renamed`]
    const columns = old.columns.flatMap((column) => {
      const kept = now.columns.find(({ name }) => name === column.name)
      if (!kept) return [`${table}.${column.name} was dropped or renamed`]
      if (kept.type !== column.type) return [`${table}.${column.name} changed its type`]
      return column.isNullable && !kept.isNullable ? [`${table}.${column.name} no longer accepts null`] : []
    })
    const required = now.columns
      .filter(({ name, isNullable, hasDefault }) => {
        const isNew = old.columns.every((column) => column.name !== name)
        return isNew && !isNullable && !hasDefault
      })
      .map(({ name }) => `${table}.${name} is required, and has no default`)
    // The older version leaves a new column null, and nulls are never equal.
    const isFree = (index: string): boolean =>
      now.columns.some(
        ({ name, isNullable, hasDefault }) =>
          isNullable &&
          !hasDefault &&
          old.columns.every((column) => column.name !== name) &&
          index.includes(name),
      )
    const unique = now.unique
      .filter((index) => !old.unique.includes(index) && !isFree(index))
      .map((index) => `${table} has a new unique index: ${index}`)
    return [...columns, ...required, ...unique]
  })
