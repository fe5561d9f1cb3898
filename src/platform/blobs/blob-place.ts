import type { Db } from '../../database/db.ts'
import { createBreather } from '../breather.ts'

export type BlobSource = Buffer | AsyncIterable<Buffer>

/** Hashing so much takes a few milliseconds. */
const PIECE = 1024 * 1024

/** The bytes in pieces, with time for others between them: hashing a large message at once takes 100 ms. */
export async function* piecesOf(source: BlobSource): AsyncGenerator<Buffer> {
  if (!Buffer.isBuffer(source)) return yield* source
  const breathe = createBreather()
  for (let at = 0; at < source.length || at === 0; at += PIECE) {
    yield source.subarray(at, at + PIECE)
    await breathe()
  }
}

/** Bytes that lie ready and are nobody's yet: kept in a transaction, or discarded. */
export interface StagedBlob {
  readonly hash: string
  readonly size: number
  /** Puts them in their place. Called inside a transaction that holds the blob's row. */
  place(tx: Db): Promise<void>
  discard(): Promise<void>
}

/** Where the bytes lie. */
export interface BlobPlace {
  stage(source: BlobSource): Promise<StagedBlob>
  /** Nothing is read before it is asked for; missing bytes are an error then. */
  read(db: Db, hash: string): AsyncIterable<Buffer>
  has(db: Db, hash: string): Promise<boolean>
  /** Called inside a transaction that holds the blob's row, or its absence. */
  erase(tx: Db, hash: string): Promise<void>
  /** Removes what crashes have left. `part` of `parts` is looked through, for there may be many. */
  tidy(db: Db, part: number, parts: number): Promise<void>
}
