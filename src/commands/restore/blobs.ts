import { posix } from 'node:path'
import type { Engine } from '../../database/database.ts'
import type { Db } from '../../database/db.ts'
import { blobPath } from '../../platform/blobs/file-blobs.ts'
import { createTableBlobs } from '../../platform/blobs/table-blobs.ts'
import { BLOBS } from '../backup/manifest.ts'
import type { ArchiveReader } from './archive.ts'
import type { Contents } from './contents.ts'

export interface BlobFile {
  /** In DATA_DIR. */
  path: string
  entry: string
}

/** The blobs as files beside the embedded database; PostgreSQL keeps them itself. */
export const blobFiles = ({ blobs }: Contents, engine: Engine): BlobFile[] =>
  engine === 'postgres'
    ? []
    : blobs.map((hash) => ({ path: posix.join('blobs', blobPath(hash)), entry: `${BLOBS}${hash}` }))

/** The blobs into the table that PostgreSQL keeps them in, once their rows are there. */
export const fillBlobs = async (
  tx: Db,
  engine: Engine,
  archive: ArchiveReader,
  { blobs }: Contents,
): Promise<void> => {
  if (engine === 'sqlite') return
  const place = createTableBlobs()
  for (const hash of blobs) await (await place.stage(archive.read(`${BLOBS}${hash}`))).place(tx)
}
