import { type SelectQueryBuilder, sql } from 'kysely'

/** Counts the rows of a query. PostgreSQL returns the number as text. */
export const countRows = async <D, T extends keyof D>(
  query: SelectQueryBuilder<D, T, object>,
): Promise<number> => {
  const { count } = (await query
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()) as unknown as { count: number }
  return Number(count)
}

/** Whether a query finds a row. */
export const hasRows = async <D, T extends keyof D>(
  query: SelectQueryBuilder<D, T, object>,
): Promise<boolean> => (await query.select(sql.lit(1).as('one')).limit(1).executeTakeFirst()) !== undefined
