import type { Db } from '../../../database/db.ts'
import type { Tables } from '../../../database/tables.ts'
import type { PortableTable } from '../../../platform/portable/table.ts'
import type { ZipSource } from '../../../platform/zip/writing.ts'

/** Adds a file to an export, below the room's folder. Resolves once it has been read. */
export type AddFile = (name: string, source: ZipSource) => Promise<void>

/**
 * What a room adds to what is done with all data at once. Naming its tables is nearly all of it: export, import and
 * deletion follow from that.
 */
export interface DataPart {
  /** Where its files lie in an export. */
  folder: string
  /** Parents before their children. */
  tables: readonly PortableTable[]
  /** Those that are in no export: worked out from others, or of use here alone. They are deleted with everything. */
  others: readonly (keyof Tables)[]
  /** Files beside the rows, in forms that other programs read. */
  files?: {
    /** What they are called. */
    names: RegExp
    /** `view` does not change while it is read; no secret goes in. */
    add(add: AddFile, view: Db, userId: number): Promise<void>
  }
  /** Once every room's rows are here: what is worked out from them, and jobs that wait for a moment. */
  afterImport?(tx: Db): Promise<void>
  /** Before an account goes with all that hangs on it: what must be done about it elsewhere. */
  leave?(tx: Db, userId: number): Promise<void>
  /** Where more is to be done than to delete all rows of its tables. */
  wipe?(tx: Db): Promise<void>
  /** Adds the room's part of a believable week around `now`, every row marked with `mark`. */
  fillSample?(tx: Db, sample: Sample): Promise<void>
  /** Removes what the room marked, and only that. */
  removeSample?(tx: Db, marked: (kind: string) => Promise<string[]>): Promise<void>
}

export interface Sample {
  now: Date
  /** Of the account that the sample belongs to. */
  passwordHash: string
  mark(kind: string, reference: string | number): Promise<void>
}
