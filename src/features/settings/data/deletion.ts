import type { Db } from '../../../database/db.ts'
import type { Changes } from '../../../platform/changes.ts'
import { conflict } from '../../../platform/errors.ts'
import type { Activity } from '../../auth/activity.ts'
import type { User } from '../../auth/user-store.ts'
import type { DataPart } from './parts.ts'

/** Removes an account with all that hangs on it; the owner's takes the whole instance along, and must say so. */
export const createDeletion =
  (deps: { changes: Changes; activity: Pick<Activity, 'forget'>; parts: readonly DataPart[] }) =>
  async (tx: Db, user: User, wipe: boolean): Promise<void> => {
    if (user.role === 'owner') {
      if (!wipe)
        throw conflict('You own this instance: deleting your account deletes everything in it. Send wipe: true to do so.')
      await deps.activity.forget(tx)
      for (const part of deps.parts.toReversed()) await part.wipe(tx)
    } else {
      for (const part of deps.parts) await part.leave?.(tx, user.id)
      await deps.activity.forget(tx, user.id)
      await tx.deleteFrom('users').where('id', '=', user.id).execute()
    }
    await deps.changes.record(tx, { type: 'account.deleted', subject: String(user.id), data: {} })
  }

export type Deletion = ReturnType<typeof createDeletion>
