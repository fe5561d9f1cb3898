import type { Db } from '../../database/database.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'

const WINDOW_MS = 15 * 60_000
const MOST = 10

/**
 * Counts tries at a secret. A try is written down before it is judged, so that a thousand at once are counted as
 * well as a thousand in a row; the one that turns out right is struck out again.
 */
export interface Attempts {
  /** Refuses the eleventh within a quarter of an hour. */
  begin(kind: string, subject: string): Promise<{ forgive(): Promise<void> }>
  /** Strikes out every try, after one that was right. */
  clear(kind: string, subject: string): Promise<void>
  prune(): Promise<void>
}

export const createAttempts = ({ db, clock }: { db: Db; clock: Clock }): Attempts => {
  const windowStart = () => new Date(clock.now().getTime() - WINDOW_MS).toISOString()
  const remove = async (id: number) => void (await db.deleteFrom('attempts').where('id', '=', id).execute())
  return {
    async begin(kind, subject) {
      const { id } = await db
        .insertInto('attempts')
        .values({ kind, subject, at: clock.now().toISOString() })
        .returning('id')
        .executeTakeFirstOrThrow()
      const counted = await db
        .selectFrom('attempts')
        .select((row) => [row.fn.countAll<number>().as('tries'), row.fn.min('at').as('oldest')])
        .where('kind', '=', kind)
        .where('subject', '=', subject)
        .where('at', '>', windowStart())
        .where('id', '<=', id)
        .executeTakeFirstOrThrow()
      if (Number(counted.tries) > MOST) {
        await remove(id)
        const wait = Date.parse(counted.oldest) + WINDOW_MS - clock.now().getTime()
        throw new AppError(
          'rate_limited',
          'rate_limited',
          'Too many failed tries. Wait a while, then try again.',
          {
            details: { retryAfterSeconds: Math.max(1, wait / 1000) },
          },
        )
      }
      return { forgive: () => remove(id) }
    },
    async clear(kind, subject) {
      await db.deleteFrom('attempts').where('kind', '=', kind).where('subject', '=', subject).execute()
    },
    async prune() {
      await db.deleteFrom('attempts').where('at', '<=', windowStart()).execute()
    },
  }
}
