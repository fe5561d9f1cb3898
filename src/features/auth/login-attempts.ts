import { isIP } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import ipaddr from 'ipaddr.js'
import type { Db } from '../../database/db.ts'
import { lockName } from '../../database/transaction.ts'
import { AppError } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { digest } from '../../platform/secrets/seal.ts'

/**
 * Returns the network that failed attempts are counted for. This is an IPv4 address, or the first 64 bits of
 * an IPv6 address. One subscriber usually has a whole /64. Anything else (`local`) is returned unchanged.
 */
export const networkOf = (ip: string): string => {
  const bare = ip.replace(/%.*$/s, '')
  if (isIP(bare) === 0) return ip
  // A server that listens on `::` sees IPv4 peers as `::ffff:192.0.2.1`.
  const address = ipaddr.process(bare)
  if (address instanceof ipaddr.IPv4) return address.toString()
  const prefix = address.parts.slice(0, 4).map((part) => part.toString(16))
  return `${prefix.join(':')}::/64`
}

const POLL_INTERVAL_MS = 50
/** An attempt that is older than this was interrupted by the end of its process. */
const MAX_RUNNING_MS = 60_000

const runningKind = (kind: string): string => `${kind} running`

type AttemptsPlatform = Pick<Platform, 'database' | 'clock'>

/** An attempt that is being verified, visible to all instances. */
interface RunningAttempt {
  /** Counts the attempt as a failure. */
  fail(): Promise<void>
  /** Forgets the attempt: it succeeded, or its outcome is unknown. */
  drop(): Promise<void>
}

/**
 * Tracks the attempts that are being verified on all instances. A further attempt waits while as many run as
 * may still fail. A single instance needs only its own gate.
 */
const createRunningAttempts = ({ database, clock }: AttemptsPlatform) => {
  const { db, isShared } = database
  const now = (): string => clock.now().toISOString()

  const countRunning = async (tx: Db, kind: string, subject: string): Promise<number> => {
    const { running } = await tx
      .selectFrom('attempts')
      .select((row) => row.fn.countAll<number>().as('running'))
      .where('kind', '=', runningKind(kind))
      .where('subject', '=', subject)
      .where('at', '>', new Date(clock.now().getTime() - MAX_RUNNING_MS).toISOString())
      .executeTakeFirstOrThrow()
    return Number(running)
  }

  /** Inserts the row of an attempt. Returns undefined if too many attempts are running. */
  const tryBegin = (
    kind: string,
    subject: string,
    countRemaining: (tx: Db) => Promise<number>,
  ): Promise<number | undefined> =>
    db.transaction().execute(async (tx) => {
      await lockName(tx, `factotum.attempts ${kind} ${subject}`)
      // Count running attempts first. One that fails in between then counts twice instead of not at all.
      const running = await countRunning(tx, kind, subject)
      if ((await countRemaining(tx)) <= running) return undefined
      const row = { kind: runningKind(kind), subject, at: now() }
      return (await tx.insertInto('attempts').values(row).returning('id').executeTakeFirstOrThrow()).id
    })

  /** `countRemaining` returns how many attempts may run at once. It throws if no more are allowed. */
  const begin = async (
    kind: string,
    subject: string,
    countRemaining: (tx: Db) => Promise<number>,
  ): Promise<RunningAttempt> => {
    if (!isShared)
      return {
        fail: async () =>
          void (await db.insertInto('attempts').values({ kind, subject, at: now() }).execute()),
        drop: async () => undefined,
      }
    for (;;) {
      const id = await tryBegin(kind, subject, countRemaining)
      if (id !== undefined)
        return {
          fail: async () =>
            void (await db.updateTable('attempts').set({ kind, at: now() }).where('id', '=', id).execute()),
          drop: async () => void (await db.deleteFrom('attempts').where('id', '=', id).execute()),
        }
      await pause(POLL_INTERVAL_MS)
    }
  }

  return { begin }
}

const WINDOW_MS = 15 * 60_000
/** A wrong secret that a device keeps sending counts once in this time. */
const REPEATED_MS = 3_600_000
const MAX_FAILURES = 10
/** Kinds with a higher limit. */
const MAX_FAILURES_BY_KIND: Readonly<Record<string, number>> = { 'login-account': 50 }
const maxFailuresOf = (kind: string): number => MAX_FAILURES_BY_KIND[kind] ?? MAX_FAILURES

/** The attempts at one secret on this instance: running and waiting ones. */
interface Gate {
  running: number
  finished: number
  waiting: (() => void)[]
}

export type Attempts = ReturnType<typeof createAttempts>

/**
 * Limits failed attempts at a secret to ten in 15 minutes. Sign-ins are also limited to 50 per account, from
 * all addresses together. Successful attempts do not count. No more attempts run at once than may still fail,
 * so parallel guesses are counted as reliably as sequential ones.
 */
export const createAttempts = (platform: AttemptsPlatform) => {
  const { clock } = platform
  const { db } = platform.database
  const runningAttempts = createRunningAttempts(platform)
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

  const rateLimited = (oldest: string): AppError => {
    const wait = Date.parse(oldest) + WINDOW_MS - clock.now().getTime()
    return new AppError(
      'rate_limited',
      'rate_limited',
      'Too many failed attempts in 15 minutes. Try again later.',
      {
        details: { retryAfterSeconds: Math.max(1, wait / 1000) },
      },
    )
  }

  const countRemaining = async (tx: Db, kind: string, subject: string): Promise<number> => {
    const { failures, oldest } = await countFailures(kind, subject, tx)
    if (failures >= maxFailuresOf(kind)) throw rateLimited(oldest)
    return maxFailuresOf(kind) - failures
  }

  /** Waits until this attempt may run. Throws if too many have failed. */
  const enter = async (gate: Gate, kind: string, subject: string): Promise<void> => {
    for (;;) {
      const { finished } = gate
      const { failures, oldest } = await countFailures(kind, subject)
      if (failures >= maxFailuresOf(kind)) throw rateLimited(oldest)
      // An attempt that finished during the count may have failed. Count again.
      if (gate.finished !== finished) continue
      if (failures + gate.running < maxFailuresOf(kind)) break
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

  /** Counts a request that anyone may send, but not without a limit. */
  const spend = async (kind: string, subject: string): Promise<void> => {
    const { failures, oldest } = await countFailures(kind, subject)
    if (failures >= maxFailuresOf(kind)) throw rateLimited(oldest)
    await db.insertInto('attempts').values({ kind, subject, at: clock.now().toISOString() }).execute()
  }

  return {
    /** Runs `judge`. An error for which `isFailure` returns true counts as a failed attempt. */
    async judge<T>(
      kind: string,
      subject: string,
      isFailure: (error: unknown) => boolean,
      judge: () => Promise<T>,
    ): Promise<T> {
      const key = `${kind} ${subject}`
      const gate = gates.get(key) ?? { running: 0, finished: 0, waiting: [] }
      gates.set(key, gate)
      await enter(gate, kind, subject)
      try {
        const attempt = await runningAttempts.begin(kind, subject, (tx) => countRemaining(tx, kind, subject))
        let hasFailed = false
        try {
          return await judge()
        } catch (error) {
          hasFailed = isFailure(error)
          throw error
        } finally {
          await (hasFailed ? attempt.fail() : attempt.drop())
        }
      } finally {
        leave(key, gate)
      }
    },
    spend,
    /**
     * Counts a failed attempt with a secret that no one can guess. The same secret counts once an hour, so that a device
     * with an old secret does not use up the attempts of its network.
     */
    async countFailure(kind: string, subject: string, secretHash: string): Promise<void> {
      const repeated = { kind: `${kind} repeated`, subject: digest(`${subject} ${secretHash}`) }
      const known = await db
        .selectFrom('attempts')
        .select('id')
        .where('kind', '=', repeated.kind)
        .where('subject', '=', repeated.subject)
        .where('at', '>', new Date(clock.now().getTime() - REPEATED_MS).toISOString())
        .executeTakeFirst()
      if (known) return
      await spend(kind, subject)
      await db
        .insertInto('attempts')
        .values({ ...repeated, at: clock.now().toISOString() })
        .execute()
    },
    /** Deletes all failures, after a successful attempt. */
    async clear(kind: string, subject: string): Promise<void> {
      const { failures } = await countFailures(kind, subject)
      if (failures > 0)
        await db.deleteFrom('attempts').where('kind', '=', kind).where('subject', '=', subject).execute()
    },
    async prune(): Promise<void> {
      const expiry = new Date(clock.now().getTime() - Math.max(WINDOW_MS, REPEATED_MS)).toISOString()
      await db.deleteFrom('attempts').where('at', '<=', expiry).execute()
    },
  }
}
