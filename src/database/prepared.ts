import { type Compilable, type CompiledQuery, type RawBuilder, SelectQueryNode, ValueNode } from 'kysely'
import type { Db } from './db.ts'
import { accessOf } from './engine-access.ts'
import { withoutLongReads } from './long-reads.ts'

/** Stands for a value while the statement is compiled. */
class Placeholder {
  readonly row: number
  readonly field: string

  constructor(row: number, field: string) {
    this.row = row
    this.field = field
  }
}

interface Statement<R> {
  query: CompiledQuery<R>
  isRead: boolean
  /** It finds few rows, so it never needs a thread of its own. */
  isShort: boolean
}

/** The values of a statement: fields, or rows of the same fields. */
type Fields = Readonly<Record<string, unknown>>

/** Rows per statement: the largest size that fits is used, so that few statements are compiled. */
const SIZES = [64, 8, 1]

const isRead = ({ query, sql }: CompiledQuery): boolean =>
  SelectQueryNode.is(query) || (query.kind === 'RawNode' && /^\s*(select|with)\b/i.test(sql))

const hasConstantLimit = ({ query, sql }: CompiledQuery): boolean => {
  if (!SelectQueryNode.is(query)) return /\blimit \d/.test(sql)
  const limit = query.limit?.limit
  return limit !== undefined && ValueNode.is(limit) && typeof limit.value === 'number'
}

const keyOf = (fields: Fields): string => {
  let key = ''
  for (const name in fields) if (fields[name] !== undefined) key += `${name} `
  return key
}

const toPlaceholders = (fields: Fields, row: number): Fields =>
  Object.fromEntries(
    Object.keys(fields)
      .filter((name) => fields[name] !== undefined)
      .map((name) => [name, new Placeholder(row, name)]),
  )

const run = <R>(db: Db, { query, isRead, isShort }: Statement<R>, values: unknown[]): Promise<R[]> | R[] => {
  const { read, runInTurn } = accessOf(db)
  if (!db.isTransaction && isRead && read)
    return isShort ? withoutLongReads(() => read<R>(query.sql, values)) : read<R>(query.sql, values)
  if (db.isTransaction && runInTurn) return runInTurn<R>(query.sql, values)
  return db.executeQuery<R>({ ...query, parameters: values }).then(({ rows }) => rows)
}

/**
 * Prepares a statement that many requests run. `build` writes it with Kysely or `sql`; its values are placeholders. It
 * is compiled once for each set of given values, so an optional filter is a value that may be undefined. `shape` is
 * for variants that are not values, such as the columns. Values that are an array are rows with the same fields.
 *
 * Without it, reading or storing one email takes about a quarter more CPU time. A page of a calendar month takes 1.5 ms
 * instead of 0.4 ms.
 */
export const prepare = <V extends object, R = unknown, S = void>(
  build: (db: Db, values: V, shape: S) => Compilable<R> | RawBuilder<R>,
): ((db: Db, values: V, shape: S) => Promise<R[]>) => {
  const perEngine = new WeakMap<object, Map<string, Statement<R>>>()
  const statementFor = (db: Db, first: Fields, size: number | undefined, shape: S): Statement<R> => {
    const engine = db.getExecutor().adapter
    const statements = perEngine.get(engine) ?? new Map<string, Statement<R>>()
    perEngine.set(engine, statements)
    const key = `${size ?? ''} ${keyOf(first)}${shape === undefined ? '' : JSON.stringify(shape)}`
    let statement = statements.get(key)
    if (!statement) {
      const values =
        size === undefined
          ? toPlaceholders(first, 0)
          : Array.from({ length: size }, (_, row) => toPlaceholders(first, row))
      const query = build(db, values as unknown as V, shape).compile(db)
      statement = { query, isRead: isRead(query), isShort: hasConstantLimit(query) }
      statements.set(key, statement)
    }
    return statement
  }
  const runRows = async (db: Db, rows: readonly Fields[], shape: S): Promise<R[]> => {
    const results: R[] = []
    for (let at = 0; at < rows.length; ) {
      const size = SIZES.find((each) => each <= rows.length - at) as number
      const statement = statementFor(db, rows[at] as Fields, size, shape)
      const values = statement.query.parameters.map((value) =>
        value instanceof Placeholder ? rows[at + value.row]?.[value.field] : value,
      )
      for (const row of await run(db, statement, values)) results.push(row)
      at += size
    }
    return results
  }
  return async (db, values, shape) => {
    if (Array.isArray(values)) return runRows(db, values, shape)
    const fields = values as Fields
    const statement = statementFor(db, fields, undefined, shape)
    return run(
      db,
      statement,
      statement.query.parameters.map((value) => (value instanceof Placeholder ? fields[value.field] : value)),
    )
  }
}
