import type { Db } from '../../database/db.ts'
import { everyRow } from '../../database/every-row.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import { type ChainEnds, commitmentOf, EMPTY, linkOf } from './activity-chain.ts'
import {
  type ActivityRecord,
  blankOld,
  deleteSealed,
  findSeal,
  listSealed,
  listUnsealed,
  lockSeal,
  writeLink,
  writeSeal,
} from './activity-store.ts'

const CONTEXT = 'activity_seal'
const AT_ONCE = 500

/** What is wrong with the chain, in words for the operator; null when nothing is. */
/** Nobody can say whether it holds: that takes the key that was in use. */
export const FOREIGN_SEAL = 'it was sealed with another SECRET_KEY'

export interface Examination {
  entries: number
  unsealed: number
  fault: string | null
}

/** The chain of what was done: made longer by what happened, shorter by age, and looked through. */
export const createActivityLog = ({ db, sealer }: { db: Db; sealer: Sealer }) => {
  const readEnds = (sealed: string | null): ChainEnds =>
    sealed === null || sealed === '' ? EMPTY : (JSON.parse(sealer.open(sealed, CONTEXT)) as ChainEnds)
  const keep = (tx: Db, ends: ChainEnds): Promise<void> =>
    writeSeal(tx, sealer.seal(JSON.stringify(ends), CONTEXT))

  const sealSome = (): Promise<number> =>
    inTransaction(db, async (tx) => {
      const ends = { ...readEnds(await lockSeal(tx)) }
      const rows = await listUnsealed(tx, AT_ONCE)
      for (const row of rows) {
        ends.position++
        ends.hash = linkOf(ends.hash, ends.position, row)
        await writeLink(tx, row.id, ends.position, ends.hash)
      }
      if (rows.length > 0) await keep(tx, ends)
      return rows.length
    })

  const faultOf = (row: ActivityRecord, before: string, position: number): string | null => {
    if (row.position !== position) return `entry ${position} is missing`
    if (row.hash !== linkOf(before, position, row)) return `entry ${position} was changed`
    const isBlanked = row.salt === ''
    return isBlanked || row.commitment === commitmentOf(row.salt, row)
      ? null
      : `entry ${position} was changed: who did it, or from where`
  }

  return {
    /** Takes in what has happened since. */
    async seal(): Promise<void> {
      while ((await sealSome()) === AT_ONCE);
    },

    /**
     * Lets go of what is older, and keeps where the chain goes on from. What is older and stands behind something
     * younger, as what was imported does, stays a link of the chain and tells nothing more.
     */
    prune: (before: string): Promise<void> =>
      inTransaction(db, async (tx) => {
        const ends = readEnds(await lockSeal(tx))
        let last: ActivityRecord | undefined
        const rows = everyRow<ActivityRecord>((after, limit) =>
          listSealed(tx, after?.position ?? ends.prunedPosition, limit),
        )
        for await (const row of rows) {
          if (row.at >= before) break
          last = row
        }
        if (last?.position != null && last.hash !== null) {
          await deleteSealed(tx, last.position)
          await keep(tx, { ...ends, prunedPosition: last.position, prunedHash: last.hash })
        }
        await blankOld(tx, before)
      }),

    /** After a rotation of the key. */
    async reseal(tx: Db): Promise<void> {
      const sealed = await lockSeal(tx)
      if (sealed && sealer.isStale(sealed)) await keep(tx, readEnds(sealed))
    },

    async examine(): Promise<Examination> {
      const unsealed = (await listUnsealed(db, AT_ONCE)).length
      const found = (entries: number, fault: string | null): Examination => ({ entries, unsealed, fault })
      let ends: ChainEnds
      const sealed = await findSeal(db)
      if (sealed && !sealer.opens(sealed)) return found(0, FOREIGN_SEAL)
      try {
        ends = readEnds(sealed)
      } catch {
        return found(0, 'its seal does not open')
      }
      let [position, hash] = [ends.prunedPosition, ends.prunedHash]
      const rows = everyRow<ActivityRecord>((after, limit) => listSealed(db, after?.position ?? 0, limit))
      for await (const row of rows) {
        const fault = faultOf(row, hash, position + 1)
        if (fault) return found(position, fault)
        position++
        hash = row.hash as string
      }
      const kept = position - ends.prunedPosition
      if (position !== ends.position || hash !== ends.hash)
        return found(kept, `${ends.position - position} entries are missing at its end`)
      return found(kept, null)
    },
  }
}

export type ActivityLog = ReturnType<typeof createActivityLog>
