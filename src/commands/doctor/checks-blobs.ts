import { createHash } from 'node:crypto'
import type { Db } from '../../database/db.ts'
import { everyRow } from '../../database/schema-info.ts'
import type { OpenedPlace } from '../../platform/blobs/blobs.ts'
import { createSizeFinder } from '../../platform/blobs/bucket.ts'
import type { BlobPlace } from '../../platform/blobs/storage.ts'
import { messageOf } from '../command.ts'
import { withBlobPlace } from '../instance.ts'
import { type Check, currentDatabase, fail, ok } from './checks-instance.ts'

/** Total size of files that are read completely. For further files only their existence is checked. */
const MAX_READ_BYTES = 1024 * 1024 * 1024

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

const REPAIR_HINT =
  'restore it from a backup; the emails that refer to it exist, but the attachment is missing'
const NO_BUCKET_HINT = `${REPAIR_HINT}. If it is in a bucket, set BLOBS_URL`

/** Local bytes are read. Of objects in the bucket only the size is compared, because reading them may cost money. */
const findFaults = async (db: Db, { local, bucket }: OpenedPlace) => {
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
  const findSize = bucket && createSizeFinder(bucket)
  const faults: Record<Fault, string[]> = { missing: [], damaged: [] }
  let count = 0
  let read = 0
  for await (const { hash, size } of rows) {
    count++
    if (findSize && !(await local.has(db, hash))) {
      const found = await findSize(hash)
      if (found !== Number(size)) faults[found === undefined ? 'missing' : 'damaged'].push(hash)
      continue
    }
    read += size
    const fault = await faultOf(db, local, hash, read <= MAX_READ_BYTES)
    if (fault) faults[fault].push(hash)
  }
  return { count, faults }
}

export const blobsCheck: Check = {
  what: 'blobs',
  async run(instance) {
    const { context, config } = instance
    const database = currentDatabase(instance)
    if (!database) return []
    const { count, faults } = await withBlobPlace(context, database, (opened) =>
      findFaults(database.db, opened),
    )
    const hint = config.blobs === null ? NO_BUCKET_HINT : REPAIR_HINT
    const findings = (Object.entries(faults) as [Fault, string[]][]).flatMap(([fault, hashes]) =>
      hashes.length === 0
        ? []
        : [fail(`${hashes.length} of ${count} ${fault}, the first is ${hashes[0]}`, hint)],
    )
    return findings.length > 0 ? findings : [ok(`${count} stored, none missing`)]
  },
}

const countLocal = async (db: Db, { local }: OpenedPlace): Promise<number> => {
  let count = 0
  for await (const _ of local.list(db)) count++
  return count
}

/** Writes an object and removes it. */
export const bucketCheck: Check = {
  what: 'bucket',
  async run(instance) {
    const { context, config } = instance
    const database = currentDatabase(instance)
    if (config.blobs === null || !database) return []
    return withBlobPlace(context, database, async (opened) => {
      const { bucket, readDatabaseId } = opened
      if (bucket === null) return []
      try {
        await bucket.check()
        await bucket.checkWrites()
      } catch (error) {
        return [fail(`${bucket.location} cannot be used: ${messageOf(error)}`, 'check BLOBS_URL')]
      }
      const owner = await bucket.findOwner()
      if (owner !== undefined && owner !== (await readDatabaseId()))
        return [
          fail(
            `${bucket.location} belongs to another database`,
            'use another prefix in BLOBS_URL; if that database is gone, run: factotum blobs claim',
          ),
        ]
      const count = await countLocal(database.db, opened)
      return [ok(`${bucket.location} can be read and written; ${count} blobs are still local`)]
    })
  },
}
