import type { ZipFile } from 'yazl'
import type { Db } from '../../../database/db.ts'

/** What a room adds to what is done with all data at once. */
export interface DataPart {
  /** Adds the room's files to an export. `view` does not change while it is read; no secret goes in. */
  addToExport(zip: ZipFile, view: Db, userId: number): Promise<void>
  /** Before an account goes with all that hangs on it: what must be done about it elsewhere. */
  leave?(tx: Db, userId: number): Promise<void>
  /** Removes everything the room holds. */
  wipe(tx: Db): Promise<void>
  /** Adds the room's part of a believable week around `now`, every row marked with `mark`. */
  fillSample(tx: Db, sample: Sample): Promise<void>
  /** Removes what the room marked, and only that. */
  removeSample(tx: Db, marked: (kind: string) => Promise<string[]>): Promise<void>
}

export interface Sample {
  now: Date
  /** Of the account that the sample belongs to. */
  passwordHash: string
  mark(kind: string, reference: string | number): Promise<void>
}
