import { type RawBuilder, sql } from 'kysely'

/** What makes a planner choose the right index. Features use these helpers instead of hints in their SQL. */

/**
 * A column of numbers that only filters rows. SQLite would often search an index of `userId` for all rows of the
 * account, although another condition finds the few rows.
 */
export const filterOnly = (column: string): RawBuilder<number> => sql<number>`+${sql.ref(column)}`

/** The same for a column of texts. */
export const filterOnlyText = <T = string>(column: string): RawBuilder<T> =>
  sql<T>`cast(${sql.ref(column)} as text)`

/** The limit of a prepared raw statement. SQLite plans a statement again for every value of a bare parameter. */
export const limitTo = (limit: unknown): RawBuilder<unknown> => sql`limit cast(${limit} as integer)`
