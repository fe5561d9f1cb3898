import type { Db } from '../../../database/db.ts'
import { inTransaction, isInTransaction } from '../../../database/transaction.ts'
import { isUniqueViolation } from '../../../database/unique-violation.ts'
import { AppError } from '../../../platform/errors.ts'

const TRIES = 5

/**
 * Writes events that others may import at the same moment. After a unique violation the work runs again and compares
 * with the other's event. As part of a larger transaction it cannot, so the caller is asked to try again.
 */
export const writeWithOthers = async <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++)
    try {
      return await inTransaction(db, work)
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      if (isInTransaction() || attempt === TRIES)
        throw new AppError(
          'unavailable',
          'unavailable',
          'Someone else brought in the same event at this moment: try again.',
          { cause: error, details: { retryAfterSeconds: 1 } },
        )
    }
}
