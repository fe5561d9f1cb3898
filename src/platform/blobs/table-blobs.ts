import { createHash } from 'node:crypto'
import { type BlobPlace, piecesOf } from './blob-place.ts'

const CHUNK = 256 * 1024

/** Blobs in a table, in chunks: no more than one is in memory while they are read. */
export const createTableBlobs = (): BlobPlace => ({
  async stage(source) {
    // Held in memory until their transaction: whoever stages bounds the size.
    const chunks: Buffer[] = []
    const sum = createHash('sha256')
    for await (const chunk of piecesOf(source)) {
      sum.update(chunk)
      chunks.push(chunk)
    }
    const content = Buffer.isBuffer(source) ? source : Buffer.concat(chunks)
    const hash = sum.digest('hex')
    return {
      hash,
      size: content.length,
      async place(tx) {
        // Whoever holds the blob's row is the only one to write its chunks.
        const there = await tx
          .selectFrom('blob_chunks')
          .select('number')
          .where('hash', '=', hash)
          .limit(1)
          .executeTakeFirst()
        if (there) return
        for (let number = 0; number * CHUNK < content.length; number++)
          await tx
            .insertInto('blob_chunks')
            .values({ hash, number, content: content.subarray(number * CHUNK, (number + 1) * CHUNK) })
            .execute()
      },
      discard: async () => {},
    }
  },

  async *read(db, hash) {
    const blob = await db.selectFrom('blobs').select('size').where('hash', '=', hash).executeTakeFirst()
    let left = blob?.size ?? Number.NaN
    for (let number = 0; left > 0; number++) {
      const chunk = await db
        .selectFrom('blob_chunks')
        .select('content')
        .where('hash', '=', hash)
        .where('number', '=', number)
        .executeTakeFirst()
      if (!chunk) break
      left -= chunk.content.length
      yield chunk.content
    }
    if (left !== 0) throw new Error('A blob is missing, or not whole.')
  },

  async has(db, hash) {
    const blob = await db
      .selectFrom('blobs')
      .leftJoin('blob_chunks', 'blob_chunks.hash', 'blobs.hash')
      .select(['blobs.size', 'blob_chunks.number'])
      .where('blobs.hash', '=', hash)
      .limit(1)
      .executeTakeFirst()
    return blob !== undefined && (blob.size === 0 || blob.number !== null)
  },

  // Goes with its row.
  erase: async () => {},
  tidy: async () => {},
})
