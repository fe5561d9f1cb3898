import type { Db } from '../../database/db.ts'
import { everyRow } from '../../database/every-row.ts'
import type { BlobPlace } from '../../platform/blobs/blob-place.ts'

interface BackedUpBlob {
  hash: string
  content: AsyncIterable<Buffer>
}

/** Opened at its first bytes; undefined when they are gone since the view was taken. */
const openBlob = async (
  view: Db,
  place: BlobPlace,
  hash: string,
): Promise<AsyncIterable<Buffer> | undefined> => {
  const chunks = place.read(view, hash)[Symbol.asyncIterator]()
  const first = await chunks.next().catch(() => undefined)
  if (!first) return undefined
  return (async function* () {
    for (let chunk = first; !chunk.done; chunk = await chunks.next()) yield chunk.value
  })()
}

/** Every blob that `view` knows of and whose bytes are there. */
export async function* backedUpBlobs(
  view: Db,
  place: BlobPlace,
  leaveOut: (hash: string) => void,
): AsyncGenerator<BackedUpBlob> {
  const rows = everyRow<{ hash: string }>((after, limit) =>
    view
      .selectFrom('blobs')
      .select('hash')
      .where('hash', '>', after?.hash ?? '')
      .orderBy('hash')
      .limit(limit)
      .execute(),
  )
  for await (const { hash } of rows) {
    const content = await openBlob(view, place, hash)
    if (content) yield { hash, content }
    else leaveOut(hash)
  }
}
