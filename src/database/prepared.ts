import { type Compilable, type CompiledQuery, type RawBuilder, SelectQueryNode } from 'kysely'
import type { Db } from './db.ts'
import { accessOf } from './engine-access.ts'
import { withoutLongReads } from './long-reads.ts'

/** Stands for a value while the statement is compiled. */
class Placeholder {
  readonly field: string

  constructor(field: string) {
    this.field = field
  }
}

interface Statement<R> {
  query: CompiledQuery<R>
  isRead: boolean
}

const isRead = ({ query, sql }: CompiledQuery): boolean =>
  SelectQueryNode.is(query) || (query.kind === 'RawNode' && /^\s*(select|with)\b/i.test(sql))

const keyOf = (values: object): string => {
  let key = ''
  for (const name in values) if (values[name as keyof typeof values] !== undefined) key += `${name} `
  return key
}

const toPlaceholders = <V extends object>(values: V): V =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name]) => [name, new Placeholder(name)]),
  ) as V

const run = <R>(db: Db, { query, isRead }: Statement<R>, values: unknown[]): Promise<R[]> | R[] => {
  const { read, runInTurn } = accessOf(db)
  if (db.isTransaction && runInTurn) return runInTurn<R>(query.sql, values)
  if (!db.isTransaction && isRead && read) return withoutLongReads(() => read<R>(query.sql, values))
  return db.executeQuery<R>({ ...query, parameters: values }).then(({ rows }) => rows)
}

/**
 * Prepares a statement that many requests run and that finds few rows, so that it never needs a read thread. `build`
 * writes it with Kysely or `sql`; its values are placeholders. It is compiled once for each set of given values, so an
 * optional filter is a value that may be undefined. `shape` is for variants that are not values, such as the columns.
 *
 * Without it, reading or storing one email takes about a quarter more CPU time. A page of a calendar month takes 1.5 ms
 * instead of 0.4 ms.
 */
export const prepare = <V extends object, R = unknown, S = void>(
  build: (db: Db, values: V, shape: S) => Compilable<R> | RawBuilder<R>,
): ((db: Db, values: V, shape: S) => Promise<R[]>) => {
  const perEngine = new WeakMap<object, Map<string, Statement<R>>>()
  const findStatements = (db: Db): Map<string, Statement<R>> => {
    const engine = db.getExecutor().adapter
    const statements = perEngine.get(engine) ?? new Map<string, Statement<R>>()
    perEngine.set(engine, statements)
    return statements
  }
  return async (db, values, shape) => {
    const statements = findStatements(db)
    const key = shape === undefined ? keyOf(values) : keyOf(values) + JSON.stringify(shape)
    let statement = statements.get(key)
    if (!statement) {
      const query = build(db, toPlaceholders(values), shape).compile(db)
      statement = { query, isRead: isRead(query) }
      statements.set(key, statement)
    }
    const parameters = statement.query.parameters.map((value) =>
      value instanceof Placeholder ? values[value.field as keyof V] : value,
    )
    return run(db, statement, parameters)
  }
}
