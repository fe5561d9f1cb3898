import { readCatalogue, type TableShape } from './catalogue.ts'
import type { Engine } from './database.ts'
import type { Db } from './db.ts'
import { raiseSequence, readSequences } from './sequences.ts'

/*
 * A backup knows nothing of what came after it. Once it is restored, ids, versions and places of changes that were given
 * out since would be given out again, and whoever holds one of those would take one thing for another. So what is restored
 * begins an epoch, a number that is larger than any before: versions are told with it, and changes are numbered from it on.
 */

/** 0 where nothing was ever restored. */
export const readEpoch = async (db: Db): Promise<number> => {
  const restored = await db.selectFrom('restores').select('epoch').where('epoch', '>', 0).executeTakeFirst()
  return restored?.epoch ?? 0
}

/** Call it once everything is back. A millisecond is time enough for a change, so that no two epochs overlap. */
export const beginEpoch = async (tx: Db, engine: Engine, now: Date): Promise<void> => {
  const { changes: last = 0 } = await readSequences(tx, engine)
  const epoch = Math.max(now.getTime(), last)
  await tx.insertInto('restores').values({ epoch }).execute()
  const shape = (await readCatalogue(tx, engine)).get('changes') as TableShape
  await raiseSequence(tx, engine, 'changes', shape, epoch)
}
