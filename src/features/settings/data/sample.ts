import type { Db } from '../../../database/db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { Clock } from '../../../platform/clock.ts'
import { conflict } from '../../../platform/errors.ts'
import type { Random } from '../../../platform/random.ts'
import type { Visit } from '../../../platform/access/visit.ts'
import type { Activity } from '../../auth/activity.ts'
import type { Passwords } from '../../auth/passwords.ts'
import { findOwner, findUser } from '../../auth/user-store.ts'
import { SAMPLE_EMAIL } from './accounts-part.ts'
import type { DataPart } from './parts.ts'

export interface SampleDeps {
  db: Db
  clock: Clock
  random: Random
  passwords: Passwords
  activity: Activity
  parts: readonly DataPart[]
}

export type SampleData = ReturnType<typeof createSampleData>

/** A believable week to look around in. Every row of it is marked, and goes again with one call. */
export const createSampleData = ({ db, clock, random, passwords, activity, parts }: SampleDeps) => ({
  /** Fills an instance that nobody uses yet. */
  async fill(): Promise<{ email: string; password: string }> {
    const password = random.bytes(9).toString('base64url')
    const passwordHash = await passwords.hash(password)
    await inTransaction(db, async (tx) => {
      if (await findOwner(tx)) throw conflict('This instance is in use: sample data goes into an empty one only.')
      const mark = async (kind: string, reference: string | number): Promise<void> => {
        await tx.insertInto('samples').values({ kind, reference: String(reference) }).execute()
      }
      for (const part of parts) await part.fillSample?.(tx, { now: clock.now(), passwordHash, mark })
    })
    return { email: SAMPLE_EMAIL, password }
  },

  /** Removes the sample and nothing else. Whoever is signed in as the sample's person is signed out by it. */
  remove: (userId: number, visit: Visit): Promise<void> =>
    inTransaction(db, async (tx) => {
      const marked = async (kind: string): Promise<string[]> => {
        const rows = await tx.selectFrom('samples').select('reference').where('kind', '=', kind).execute()
        return rows.map((row) => row.reference)
      }
      for (const part of parts.toReversed()) await part.removeSample?.(tx, marked)
      await tx.deleteFrom('samples').execute()
      if (await findUser(tx, userId)) await activity.record(tx, userId, visit, 'sample_data.removed')
    }),
})
