import type { Db } from '../../../database/db.ts'
import { isDeadlock } from '../../../database/deadlock.ts'
import { inTransaction, isInTransaction } from '../../../database/transaction.ts'
import { isUniqueViolation } from '../../../database/unique-violation.ts'
import { AppError } from '../../../platform/errors.ts'

const TRIES = 5

/**
 * Writes events that others may bring in at the same moment: then there is another to compare with, or both wait for
 * what the other has and the database lets one go on; the work is done anew. As part of a larger transaction it cannot
 * be; whoever asked has to ask again.
 */
export const writeWithOthers = async <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++)
    try {
      return await inTransaction(db, work)
    } catch (error) {
      if (!isUniqueViolation(error) && !isDeadlock(error)) throw error
      if (isInTransaction() || attempt === TRIES)
        throw new AppError(
          'unavailable',
          'unavailable',
          'Someone else brought in the same event at this moment: try again.',
          { cause: error, details: { retryAfterSeconds: 1 } },
        )
    }
}
