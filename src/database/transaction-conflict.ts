import { setTimeout } from 'node:timers/promises'
import { NoResultError } from 'kysely'

const MOST_ATTEMPTS = 6
const MOST_ATTEMPTS_AT_ROWS = 2
const FIRST_WAIT_MS = 10
const LONGEST_WAIT_MS = 250

/** PostgreSQL rolled a transaction back because of another one: a serialization failure or a deadlock. */
export const CONFLICT_CODES: readonly string[] = ['40001', '40P01']
/** PostgreSQL rejected a row because of a foreign or a unique key. */
const KEY_CODES: readonly string[] = ['23503', '23505']

/**
 * How often something is tried that ended with this error. A conflict is over when the other transaction is. A key
 * may be violated because of another transaction, too, or a row be missing: with READ COMMITTED a row that was read a
 * moment ago may be gone, or one that was missing may exist. Run again, the same code sees that and gives its own answer.
 */
const attemptsFor = (error: unknown): number => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (CONFLICT_CODES.includes(code)) return MOST_ATTEMPTS
  return KEY_CODES.includes(code) || error instanceof NoResultError ? MOST_ATTEMPTS_AT_ROWS : 1
}

/** Runs `work` again, a few times and after a while, when it ends with a conflict with another transaction. */
export const retryConflicts = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++)
    try {
      return await work()
    } catch (error) {
      if (attempt >= attemptsFor(error)) throw error
      // Random, so that two transactions that stopped each other do not meet again.
      await setTimeout(Math.random() * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt))
    }
}
