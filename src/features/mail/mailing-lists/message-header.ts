import type { Db } from '../../../database/db.ts'
import type { Blobs } from '../../../platform/blobs/blobs.ts'
import { type HeaderField, MAX_HEADER_BYTES, readHeader } from '../mime/header-fields.ts'

/** Reads the header of a raw message without loading the rest. */
export const readHead = async (db: Db, blobs: Blobs, hash: string): Promise<HeaderField[]> =>
  readHeader(await blobs.readStart(db, hash, MAX_HEADER_BYTES))
