import type { Db } from '../../../database/db.ts'
import { afterCommit } from '../../../database/transaction.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { LocalChangeListener } from '../../emails/mail-filing.ts'
import { deleteOutbox } from '../outbox/outbox-store.ts'
import { deletePushesOf, insertPush } from './push-store.ts'

const placementIdsOf = async (tx: Db, emailId: number): Promise<number[]> => {
  const rows = await tx.selectFrom('mail_placements').select('id').where('emailId', '=', emailId).execute()
  return rows.map(({ id }) => id)
}

/** Notes what was done to an e-mail here, in the same transaction, for its server to hear of. */
export const createLocalChanges =
  (deps: { clock: Clock; wake: (accountId: string) => void }): LocalChangeListener =>
  async (tx, { kind, email, before }) => {
    const { accountId, id: emailId } = email
    if (accountId === null) return
    // Whatever is deleted here is not sent either.
    if (kind === 'removed') await deleteOutbox(tx, emailId)
    const placementIds = await placementIdsOf(tx, emailId)
    if (placementIds.length === 0) return
    const createdAt = deps.clock.now().toISOString()
    const push = (what: 'flags' | 'move' | 'delete', wish: unknown): Promise<void> =>
      insertPush(tx, { accountId, kind: what, emailId, wish, createdAt })

    if (kind === 'removed') {
      await deletePushesOf(tx, emailId)
      // The places stay known without the e-mail, so that none of them is fetched again.
      await tx.updateTable('mail_placements').set({ emailId: null }).where('emailId', '=', emailId).execute()
      await push('delete', { placementIds })
    } else {
      const flags = {
        ...(email.read !== before.read && { read: email.read }),
        ...(email.starred !== before.starred && { starred: email.starred }),
      }
      if (Object.keys(flags).length > 0) await push('flags', flags)
      if (email.folder !== before.folder) await push('move', { folder: email.folder })
    }
    afterCommit(() => deps.wake(accountId))
  }
