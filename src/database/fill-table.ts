import type { Kysely } from 'kysely'
import type { Db } from './db.ts'
import { type PlainRow, sizeOf } from './schema-info.ts'

const BATCH_BYTES = 4 * 1024 * 1024
/** Below the limit of both engines for one statement. */
const BATCH_PARAMETERS = 30_000
const BATCH_ROWS = 500

type AnyTables = Kysely<Record<string, PlainRow>>

/** Inserts rows with equal columns in batches. Returns their number. */
export const fillTable = async (tx: Db, table: string, rows: AsyncIterable<PlainRow>): Promise<number> => {
  let batch: PlainRow[] = []
  let bytes = 0
  let count = 0
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await (tx as unknown as AnyTables).insertInto(table).values(batch).execute()
    count += batch.length
    batch = []
    bytes = 0
  }
  for await (const row of rows) {
    batch.push(row)
    bytes += sizeOf(row)
    const most = Math.min(BATCH_ROWS, Math.floor(BATCH_PARAMETERS / Object.keys(row).length))
    if (batch.length >= most || bytes >= BATCH_BYTES) await flush()
  }
  await flush()
  return count
}
