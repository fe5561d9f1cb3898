import { sql } from 'kysely'
import type { Database } from './database.ts'

/**
 * What everything takes on the disk, in bytes. The embedded database has its blobs in files beside it: they are added
 * up over an index of their sizes. PostgreSQL has them inside.
 */
export const readSize = async ({ engine, db }: Pick<Database, 'engine' | 'db'>): Promise<number> => {
  const own =
    engine === 'sqlite'
      ? sql<{
          bytes: number
        }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
      : sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
  const { rows } = await own.execute(db)
  const bytes = Number(rows[0]?.bytes ?? 0)
  if (engine === 'postgres') return bytes
  const blobs = await db
    .selectFrom('blobs')
    .select(({ fn }) => fn.sum<number | null>('size').as('bytes'))
    .executeTakeFirstOrThrow()
  return bytes + Number(blobs.bytes ?? 0)
}
