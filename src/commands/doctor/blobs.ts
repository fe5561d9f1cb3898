import { createHash } from 'node:crypto'
import type { Db } from '../../database/db.ts'
import { everyRow } from '../../database/every-row.ts'
import type { BlobPlace } from '../../platform/blobs/blob-place.ts'
import { openBlobPlace } from '../../platform/blobs/blobs.ts'
import { type Check, fail, ok } from './finding.ts'

/** What is read through; of the others it is only seen that they are there. */
const MOST_READ = 1024 * 1024 * 1024

type Fault = 'missing' | 'damaged'

const faultOf = async (
  db: Db,
  place: BlobPlace,
  hash: string,
  isRead: boolean,
): Promise<Fault | undefined> => {
  if (!(await place.has(db, hash))) return 'missing'
  if (!isRead) return undefined
  const sum = createHash('sha256')
  try {
    for await (const chunk of place.read(db, hash)) sum.update(chunk)
  } catch {
    return 'damaged'
  }
  return sum.digest('hex') === hash ? undefined : 'damaged'
}

const MEND = 'restore it from a backup; the e-mails that have it are there, without these bytes'

export const blobsCheck: Check = {
  what: 'blobs',
  async run({ context, config, database, migration }) {
    if (
      !database ||
      !migration ||
      migration.at === null ||
      migration.pending.length + migration.unknown.length > 0
    )
      return []
    const { db } = database
    const place = openBlobPlace({ ...context, database, dataDir: config.dataDir })
    const rows = everyRow<{ hash: string; size: number }>((after, limit) =>
      db
        .selectFrom('blobs')
        .select(['hash', 'size'])
        .where('hash', '>', after?.hash ?? '')
        .where('unusedSince', 'is', null)
        .orderBy('hash')
        .limit(limit)
        .execute(),
    )
    const faults: Record<Fault, string[]> = { missing: [], damaged: [] }
    let count = 0
    let read = 0
    for await (const { hash, size } of rows) {
      count++
      read += size
      const fault = await faultOf(db, place, hash, read <= MOST_READ)
      if (fault) faults[fault].push(hash)
    }
    const findings = (Object.entries(faults) as [Fault, string[]][]).flatMap(([fault, hashes]) =>
      hashes.length === 0
        ? []
        : [fail(`${hashes.length} of ${count} ${fault}, the first is ${hashes[0]}`, MEND)],
    )
    return findings.length > 0 ? findings : [ok(`${count} kept, all there`)]
  },
}
