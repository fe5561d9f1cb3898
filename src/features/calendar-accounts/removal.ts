import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { MirroredEvents } from '../calendar/imports/mirrored-events.ts'
import {
  deleteAccount,
  deletePlaced,
  findRemoved,
  listCopies,
  listRemoved,
  listSomePlaced,
} from './removal-store.ts'
import { lockAccount } from './store.ts'

const REMOVE = 'calendar.remove-account'
/** Removed together: nobody else waits long to write. */
const AT_ONCE = 50

export type Removal = ReturnType<typeof createRemoval>

/**
 * An account that was marked as removed goes in pieces, each a transaction: a process that is killed in between has
 * lost nothing, for what is left is what is to be done. Nothing happens to what lies on the server.
 */
export const createRemoval = (deps: {
  db: Db
  jobs: Jobs
  mirrored: Pick<MirroredEvents, 'change' | 'holdAll' | 'remove'>
}) => {
  const { db, jobs, mirrored } = deps

  /** True when nothing is left. */
  const removeSome = async (tx: Db, id: string): Promise<boolean> => {
    await lockAccount(tx, id)
    const account = await findRemoved(tx, id)
    if (!account) return true
    const placed = await listSomePlaced(tx, id, AT_ONCE)
    const uids = [...new Set(placed)].sort()
    if (uids.length > 0) {
      if (account.removing === 'remove') {
        // Held before it is asked where else they lie, so that two removals do not each leave them to the other.
        await mirrored.holdAll(tx, uids)
        for (const uid of await listCopies(tx, id, uids)) await mirrored.remove(tx, uid)
      }
      await deletePlaced(tx, id, uids)
    }
    const isOver = placed.length < AT_ONCE
    if (isOver) await deleteAccount(tx, id)
    return isOver
  }

  const enqueue = (tx: Db, accountId: string) => jobs.enqueue(tx, REMOVE, { accountId }, { key: accountId })

  jobs.define({
    name: REMOVE,
    payload: Type.Object({ accountId: Type.String() }),
    // Each piece takes a moment: a process that was killed need not be waited for long.
    leaseSeconds: 10,
    async run({ accountId }, context) {
      const removeMore = (tx: Db): Promise<boolean> =>
        removeSome(tx, accountId).then(async (isOver) => {
          if (isOver) await context.complete(tx)
          return isOver
        })
      do context.signal.throwIfAborted()
      while (!(await mirrored.change(removeMore)))
    },
  })

  return {
    /** Part of the transaction that marked it; a small one is gone with that. */
    async begin(tx: Db, accountId: string): Promise<void> {
      if (!(await removeSome(tx, accountId))) await enqueue(tx, accountId)
    },

    /** Part of the transaction in which the person goes: nobody could find afterwards what is left to be done. */
    async finish(tx: Db, userId: number): Promise<void> {
      for (const { id } of await listRemoved(tx, userId)) while (!(await removeSome(tx, id)));
    },

    /** Whatever became of its job, a removal goes on. */
    async goOn(): Promise<void> {
      for (const { id } of await listRemoved(db)) await mirrored.change((tx) => enqueue(tx, id))
    },
  }
}
