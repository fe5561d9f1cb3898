import type { Database } from '../../database/database.ts'
import type { Db } from '../../database/db.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import { createJudgedTries } from './judged-tries.ts'

const WINDOW_MS = 15 * 60_000
const MOST = 10
/** Where more failures are allowed than that. */
const MOST_OF_KIND: Readonly<Record<string, number>> = { 'login-account': 50 }
const mostOf = (kind: string): number => MOST_OF_KIND[kind] ?? MOST

/** Tries at one secret that are being judged now, and those that wait for their turn. */
interface Gate {
  running: number
  finished: number
  waiting: (() => void)[]
}

/**
 * Counts failed tries at a secret: ten in 15 minutes (50 for the sign-ins of an account from anywhere), then no more. Right ones cost nothing, however many
 * come at once; but no more are judged at the same time than may still fail, so a thousand guesses at once are
 * counted as well as a thousand in a row.
 */
export interface Attempts {
  /** Runs `judge`; an error of it for which `isFailure` holds is a failed try. */
  judge<T>(
    kind: string,
    subject: string,
    isFailure: (error: unknown) => boolean,
    judge: () => Promise<T>,
  ): Promise<T>
  /** Counts something that anybody may ask for, but not any number of times. */
  spend(kind: string, subject: string): Promise<void>
  /** Strikes out every failure, after a try that was right. */
  clear(kind: string, subject: string): Promise<void>
  prune(): Promise<void>
}

export const createAttempts = ({ database, clock }: { database: Database; clock: Clock }): Attempts => {
  const { db } = database
  const judgedTries = createJudgedTries({ database, clock })
  const gates = new Map<string, Gate>()
  const windowStart = () => new Date(clock.now().getTime() - WINDOW_MS).toISOString()

  const countFailures = async (kind: string, subject: string, on: Db = db) => {
    const { failures, oldest } = await on
      .selectFrom('attempts')
      .select((row) => [row.fn.countAll<number>().as('failures'), row.fn.min('at').as('oldest')])
      .where('kind', '=', kind)
      .where('subject', '=', subject)
      .where('at', '>', windowStart())
      .executeTakeFirstOrThrow()
    return { failures: Number(failures), oldest }
  }

  const refuse = (oldest: string): AppError => {
    const wait = Date.parse(oldest) + WINDOW_MS - clock.now().getTime()
    return new AppError(
      'rate_limited',
      'rate_limited',
      'Too many failed tries in 15 minutes. Wait, then try again.',
      {
        details: { retryAfterSeconds: Math.max(1, wait / 1000) },
      },
    )
  }

  const roomFor = async (tx: Db, kind: string, subject: string): Promise<number> => {
    const { failures, oldest } = await countFailures(kind, subject, tx)
    if (failures >= mostOf(kind)) throw refuse(oldest)
    return mostOf(kind) - failures
  }

  /** Waits until this try may be judged, or throws because too many have failed. */
  const enter = async (gate: Gate, kind: string, subject: string): Promise<void> => {
    for (;;) {
      const { finished } = gate
      const { failures, oldest } = await countFailures(kind, subject)
      if (failures >= mostOf(kind)) throw refuse(oldest)
      // One that finished while we counted may have failed: count again.
      if (gate.finished !== finished) continue
      if (failures + gate.running < mostOf(kind)) break
      await new Promise<void>((resolve) => gate.waiting.push(resolve))
    }
    gate.running++
  }

  const leave = (key: string, gate: Gate): void => {
    gate.running--
    gate.finished++
    for (const wake of gate.waiting.splice(0)) wake()
    if (gate.running === 0 && gate.waiting.length === 0) gates.delete(key)
  }

  return {
    async judge(kind, subject, isFailure, judge) {
      const key = `${kind} ${subject}`
      const gate = gates.get(key) ?? { running: 0, finished: 0, waiting: [] }
      gates.set(key, gate)
      await enter(gate, kind, subject)
      try {
        const judged = await judgedTries.begin(kind, subject, (tx) => roomFor(tx, kind, subject))
        let hasFailed = false
        try {
          return await judge()
        } catch (error) {
          hasFailed = isFailure(error)
          throw error
        } finally {
          await (hasFailed ? judged.fail() : judged.drop())
        }
      } finally {
        leave(key, gate)
      }
    },
    async spend(kind, subject) {
      const { failures, oldest } = await countFailures(kind, subject)
      if (failures >= mostOf(kind)) throw refuse(oldest)
      await db.insertInto('attempts').values({ kind, subject, at: clock.now().toISOString() }).execute()
    },
    async clear(kind, subject) {
      const { failures } = await countFailures(kind, subject)
      if (failures > 0)
        await db.deleteFrom('attempts').where('kind', '=', kind).where('subject', '=', subject).execute()
    },
    async prune() {
      await db.deleteFrom('attempts').where('at', '<=', windowStart()).execute()
    },
  }
}
