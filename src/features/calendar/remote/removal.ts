import Type from 'typebox'
import type { Db } from '../../../database/db.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { MirroredEvents } from '../imports/mirrored-events.ts'
import {
  deleteAccount,
  deletePlaced,
  findRemoved,
  listCopies,
  listRemoved,
  listSomePlaced,
  lockAccount,
} from './repository.ts'

const REMOVE = 'calendar.remove-account'
/** Batch size: small transactions, so that other writers do not wait long. */
const BATCH_SIZE = 50

export type Removal = ReturnType<typeof createRemoval>

/**
 * Removes an account in batches, each in its own transaction. After a crash, the job continues with the rest.
 * Events on the server are not changed.
 */
export const createRemoval = (deps: {
  db: Db
  jobs: Jobs
  mirrored: Pick<MirroredEvents, 'change' | 'lockAll' | 'remove'>
}) => {
  const { db, jobs, mirrored } = deps

  /** Returns true if nothing is left. */
  const removeSome = async (tx: Db, id: string): Promise<boolean> => {
    await lockAccount(tx, id)
    const account = await findRemoved(tx, id)
    if (!account) return true
    const placed = await listSomePlaced(tx, id, BATCH_SIZE)
    const uids = [...new Set(placed)].sort()
    if (uids.length > 0) {
      if (account.removing === 'remove') {
        // Lock the events before reading their other locations. Otherwise two concurrent removals could each
        // leave them to the other.
        await mirrored.lockAll(tx, uids)
        for (const uid of await listCopies(tx, id, uids)) await mirrored.remove(tx, uid)
      }
      await deletePlaced(tx, id, uids)
    }
    const isOver = placed.length < BATCH_SIZE
    if (isOver) await deleteAccount(tx, id)
    return isOver
  }

  const enqueue = (tx: Db, accountId: string) => jobs.enqueue(tx, REMOVE, { accountId }, { key: accountId })

  jobs.define({
    name: REMOVE,
    payload: Type.Object({ accountId: Type.String() }),
    // Each batch is short, so another process can take over soon after a crash.
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
    /** Runs in the transaction that marks the account. A small account is removed at once. */
    async begin(tx: Db, accountId: string): Promise<void> {
      if (!(await removeSome(tx, accountId))) await enqueue(tx, accountId)
    },

    /** Runs in the transaction that deletes the user: afterwards nobody could find the remaining rows. */
    async finish(tx: Db, userId: number): Promise<void> {
      for (const { id } of await listRemoved(tx, userId)) while (!(await removeSome(tx, id)));
    },

    /** Enqueues unfinished removals again, even if their job was lost. */
    async resume(): Promise<void> {
      for (const { id } of await listRemoved(db)) await mirrored.change((tx) => enqueue(tx, id))
    },
  }
}
