import { createHash } from 'node:crypto'
import Type, { type Static } from 'typebox'
import type { Db } from '../database/db.ts'
import { type PlainRow, tablePages } from '../database/schema-info.ts'

/** The rows of a table: their number and a checksum of their contents. */
const TableSummary = Type.Object({
  rows: Type.Integer({ minimum: 0 }),
  checksum: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})
export type TableSummary = Static<typeof TableSummary>

const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' })

/** The last entry of a backup. `factotum verify` compares a restored copy with it. */
export const Summary = Type.Object({
  tables: Type.Record(Type.String(), TableSummary),
  files: Type.Integer({ minimum: 0 }),
  blobs: Type.Integer({ minimum: 0 }),
  jobs: Type.Integer({ minimum: 0 }),
  /** Blobs that were deleted while the backup was written. Nothing refers to them any more. */
  deletedBlobs: Type.Array(Hash),
  /** Blobs that emails refer to, but that have no bytes. */
  missingBlobs: Type.Array(Hash),
})
export type Summary = Static<typeof Summary>

const MODULUS = 1n << 256n

/**
 * Computes the checksum of a table. It is the sum of the hashes of the rows, because the engines sort text
 * differently.
 */
export const createTableChecksum = () => {
  let rows = 0
  let sum = 0n
  let columns: string[] | undefined
  return {
    add(row: PlainRow): void {
      columns ??= Object.keys(row).sort()
      const values = columns.map((column) => row[column])
      const hash = createHash('sha256').update(JSON.stringify(values)).digest('hex')
      sum = (sum + BigInt(`0x${hash}`)) % MODULUS
      rows++
    },
    finish: (): TableSummary => ({ rows, checksum: sum.toString(16).padStart(64, '0') }),
  }
}

/** Reads a whole table of the database, in pages. */
export const summarizeTable = async (
  view: Db,
  table: string,
  key: readonly string[],
): Promise<TableSummary> => {
  const checksum = createTableChecksum()
  for await (const rows of tablePages(view, table, key)) for (const row of rows) checksum.add(row)
  return checksum.finish()
}

export const isEqualTable = (one: TableSummary, other: TableSummary): boolean =>
  one.rows === other.rows && one.checksum === other.checksum
