import type { Db } from '../../../database/db.ts'
import type { Blobs } from '../../../platform/blobs/blobs.ts'
import { type HeaderField, LARGEST_HEADER, readHeader } from '../mime/header-fields.ts'

/** The header of a raw message, without the rest being read. */
export const readHead = async (db: Db, blobs: Blobs, hash: string): Promise<HeaderField[]> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of blobs.read(db, hash) as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= LARGEST_HEADER) break
  }
  return readHeader(Buffer.concat(chunks))
}
