import { ALL_ACCOUNTS } from '../../../database/all-accounts.ts'
import type { Database } from '../../../database/database.ts'
import type { Db } from '../../../database/db.ts'
import type { Blobs } from '../../../platform/blobs/blobs.ts'
import type { Changes } from '../../../platform/changes.ts'
import { conflict } from '../../../platform/errors.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { Activity } from '../../auth/activity.ts'
import { forgetAddress } from '../../auth/password-reset.ts'
import type { User } from '../../auth/repository.ts'
import { hasMembers } from '../administration/repository.ts'
import type { DataPart } from './parts.ts'
import type { Uploads } from './uploads.ts'

export interface DeletionDeps {
  database: Database
  blobs: Blobs
  jobs: Pick<Jobs, 'forget'>
  changes: Changes
  activity: Pick<Activity, 'forget'>
  uploads: Uploads
  parts: readonly DataPart[]
}

export type Deletion = ReturnType<typeof createDeletion>

/** Deletes an account and its data. Deleting the owner deletes the whole instance and requires `wipe`. */
export const createDeletion = (deps: DeletionDeps) => {
  const { database, blobs, jobs, changes, activity, uploads, parts } = deps

  const wipePart = async (tx: Db, part: DataPart): Promise<void> => {
    if (part.wipe) return part.wipe(tx)
    const tables = [...part.others, ...part.tables.map(({ table }) => table).toReversed()]
    for (const table of tables) await tx.deleteFrom(table).modifyEnd(ALL_ACCOUNTS).execute()
  }

  return {
    async remove(tx: Db, user: User, wipe: boolean): Promise<void> {
      if (user.role === 'owner') {
        if (await hasMembers(tx))
          throw conflict(
            'Other accounts exist in this instance. Delete them, or hand the instance over to one of them first.',
          )
        if (!wipe)
          throw conflict(
            'You own this instance, so deleting your account deletes everything in it. Send wipe: true to confirm.',
          )
        await activity.forget(tx)
        // Delete queued jobs first. The parts then enqueue jobs to clean up external systems.
        await jobs.forget(tx)
        for (const part of parts.toReversed()) await wipePart(tx, part)
      } else {
        for (const part of parts) await part.leave?.(tx, user.id)
        await activity.forget(tx, user.id)
        await forgetAddress(tx, user.email)
        await tx.deleteFrom('users').where('id', '=', user.id).execute()
      }
      await changes.record(tx, {
        userId: user.id,
        type: 'account.deleted',
        subject: String(user.id),
        data: {},
      })
    },

    /**
     * Runs after the commit and removes deleted content from the files on disk. Housekeeping retries what
     * fails here.
     */
    async settle(): Promise<void> {
      await blobs.settled()
      await uploads.prune(true)
      await database.tidy()
    },
  }
}
