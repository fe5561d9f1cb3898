import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import { AppError, invalid } from '../../platform/errors.ts'
import { deletePieces, findPiece, insertPiece } from './repository.ts'
import type { UploadedFile } from './source.ts'

/** Small enough to hold in memory: with PostgreSQL, a blob is staged there. */
export const PIECE_BYTES = 4 * 1024 * 1024
/** The central directory and an entry of a zip are read in turns. */
const CACHED_PIECES = 3

interface UploadKey {
  userId: number
  importId: number
}

/**
 * Stores uploads in pieces of equal size. All instances can read them, at any position, and no upload is in memory as a
 * whole.
 */
export class UploadStore {
  private readonly deps: { db: Db; blobs: Blobs }

  constructor(deps: UploadStore['deps']) {
    this.deps = deps
  }

  /** Stores a file and returns its size. */
  async write(key: UploadKey, source: AsyncIterable<Buffer>, maxBytes: number): Promise<number> {
    let kept: Buffer[] = []
    let keptBytes = 0
    let size = 0
    let number = 0
    const flush = async (): Promise<void> => {
      const all = Buffer.concat(kept, keptBytes)
      let at = 0
      for (; all.length - at >= PIECE_BYTES; at += PIECE_BYTES)
        await this.writePiece(key, number++, all.subarray(at, at + PIECE_BYTES))
      kept = at < all.length ? [all.subarray(at)] : []
      keptBytes = all.length - at
    }
    for await (const chunk of receive(source)) {
      size += chunk.length
      if (size > maxBytes)
        throw new AppError(
          'too_large',
          'too_large',
          `The file is larger than ${Math.floor(maxBytes / 1024 / 1024)} MiB. IMPORT_LIMIT_MB sets this limit.`,
        )
      kept.push(chunk)
      keptBytes += chunk.length
      if (keptBytes >= PIECE_BYTES) await flush()
    }
    if (keptBytes > 0) await this.writePiece(key, number, Buffer.concat(kept, keptBytes))
    return size
  }

  /** Opens a stored file. */
  open(key: UploadKey, { filename, size }: { filename: string; size: number }): UploadedFile {
    const cache = new Map<number, Buffer>()
    const piece = async (number: number): Promise<Buffer> => {
      const cached = cache.get(number)
      if (cached) return cached
      const bytes = await this.readPiece(key, number)
      cache.set(number, bytes)
      if (cache.size > CACHED_PIECES) cache.delete(cache.keys().next().value as number)
      return bytes
    }
    const read = async (position: number, length: number): Promise<Buffer> => {
      const parts: Buffer[] = []
      for (let at = position; at < position + length; ) {
        const start = at % PIECE_BYTES
        const bytes = await piece(Math.floor(at / PIECE_BYTES))
        const part = bytes.subarray(start, start + position + length - at)
        if (part.length === 0) throw new Error('the file ends too early')
        parts.push(part)
        at += part.length
      }
      return Buffer.concat(parts, length)
    }
    const readPiece = (number: number) => this.readPiece(key, number)
    const stream = async function* (): AsyncGenerator<Buffer> {
      for (let number = 0; number * PIECE_BYTES < size; number++) yield await readPiece(number)
    }
    return { filename, size, read, stream }
  }

  async remove(tx: Db, { userId, importId }: UploadKey): Promise<void> {
    await this.deps.blobs.release(tx, await deletePieces(tx, userId, importId))
  }

  /** Removes all uploads of an account that is deleted. */
  async removeAll(tx: Db, userId: number): Promise<void> {
    await this.deps.blobs.release(tx, await deletePieces(tx, userId))
  }

  private async writePiece({ userId, importId }: UploadKey, number: number, bytes: Buffer): Promise<void> {
    const { db, blobs } = this.deps
    const staged = await blobs.stage(bytes)
    try {
      await inTransaction(db, async (tx) => {
        await blobs.keep(tx, staged)
        await insertPiece(tx, { importId, number, userId, size: staged.size, blob: staged.hash })
      })
    } catch (error) {
      await staged.discard()
      throw error
    }
  }

  private async readPiece({ userId, importId }: UploadKey, number: number): Promise<Buffer> {
    const { db, blobs } = this.deps
    const row = await findPiece(db, userId, importId, number)
    if (!row) throw invalid('The uploaded file is no longer stored. Upload it again.')
    return blobs.readWhole(db, row.blob)
  }
}

/** The client may disconnect during the upload. */
async function* receive(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* source
  } catch (error) {
    throw new AppError('invalid', 'validation_failed', 'The upload was interrupted. Send the file again.', {
      cause: error,
    })
  }
}
