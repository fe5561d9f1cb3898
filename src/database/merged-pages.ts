import { type RawBuilder, sql } from 'kysely'
import type { Db } from './db.ts'
import { prepare } from './prepared.ts'
import type { DirectReading } from './sqlite.ts'

type Parameter<P> = <K extends keyof P & string>(name: K) => P[K]

/**
 * Several queries that each give a page in the same order, as one page of at most `limit` rows. Where a query is a
 * journey they travel together, as one statement; in the embedded database each runs by itself, which costs a
 * quarter of that.
 */
export const prepareMerged = <P extends { limit: number }, R>(
  build: (parameter: Parameter<P>) => readonly RawBuilder<R>[],
  order: readonly (keyof R & string)[],
): ((db: Db, parameters: P) => Promise<R[]>) => {
  const apart: ReturnType<typeof prepare<P, R>>[] = build((() => 0) as never).map((_, index) =>
    prepare<P, R>((_db, parameter) => build(parameter)[index] as RawBuilder<R>),
  )
  const together = prepare<P, R>((_db, parameter) => {
    const pages = build(parameter).map(
      (page, index) => sql`select * from (${page}) as ${sql.id(`page${index}`)}`,
    )
    return sql<R>`${sql.join(pages, sql` union all `)}
      order by ${sql.join(order.map((name) => sql.ref(name)))} limit cast(${parameter('limit')} as integer)`
  })
  const inOrder = (a: R, b: R): number => {
    for (const name of order) if (a[name] !== b[name]) return a[name] < b[name] ? -1 : 1
    return 0
  }
  return async (db, parameters) => {
    const engine: object & DirectReading = db.getExecutor().adapter
    if (!engine.readDirectly) return together(db, parameters)
    const pages: R[][] = []
    for (const read of apart) {
      const page = await read(db, parameters)
      if (page.length > 0) pages.push(page)
    }
    return pages.length < 2 ? (pages[0] ?? []) : pages.flat().sort(inOrder).slice(0, parameters.limit)
  }
}
