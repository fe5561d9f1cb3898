import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { Db } from '../../database/db.ts'
import type { Clock } from '../../platform/clock.ts'

const LOOK_AGAIN_MS = 50
/** What takes longer was ended with its process. */
const LONGEST_MS = 60_000

const runningKind = (kind: string): string => `${kind} running`

/** A try that is being judged, as all instances see it. */
export interface JudgedTry {
  /** It has failed, and counts from now on. */
  fail(): Promise<void>
  /** It was right, or nobody could tell. */
  drop(): Promise<void>
}

/**
 * The tries that are judged now, on every instance: while as many are as may still fail, the next one waits. Where there
 * is one instance alone, it knows them without being told.
 */
export const createJudgedTries = ({ database, clock }: { database: Database; clock: Clock }) => {
  const { db, engine } = database
  const now = (): string => clock.now().toISOString()

  const countRunning = async (tx: Db, kind: string, subject: string): Promise<number> => {
    const { running } = await tx
      .selectFrom('attempts')
      .select((row) => row.fn.countAll<number>().as('running'))
      .where('kind', '=', runningKind(kind))
      .where('subject', '=', subject)
      .where('at', '>', new Date(clock.now().getTime() - LONGEST_MS).toISOString())
      .executeTakeFirstOrThrow()
    return Number(running)
  }

  /** Its row, unless there is no room for it now. */
  const tryToBegin = (
    kind: string,
    subject: string,
    roomFor: (tx: Db) => Promise<number>,
  ): Promise<number | undefined> =>
    db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtext(${`factotum.attempts ${kind} ${subject}`}))`.execute(tx)
      // First: one that fails in between is counted twice, and not left out.
      const running = await countRunning(tx, kind, subject)
      if ((await roomFor(tx)) <= running) return undefined
      const row = { kind: runningKind(kind), subject, at: now() }
      return (await tx.insertInto('attempts').values(row).returning('id').executeTakeFirstOrThrow()).id
    })

  /** `roomFor` says how many may be judged at once, or throws when none may any more. */
  const begin = async (
    kind: string,
    subject: string,
    roomFor: (tx: Db) => Promise<number>,
  ): Promise<JudgedTry> => {
    if (engine === 'sqlite')
      return {
        fail: async () =>
          void (await db.insertInto('attempts').values({ kind, subject, at: now() }).execute()),
        drop: async () => undefined,
      }
    for (;;) {
      const id = await tryToBegin(kind, subject, roomFor)
      if (id !== undefined)
        return {
          fail: async () =>
            void (await db.updateTable('attempts').set({ kind, at: now() }).where('id', '=', id).execute()),
          drop: async () => void (await db.deleteFrom('attempts').where('id', '=', id).execute()),
        }
      await pause(LOOK_AGAIN_MS)
    }
  }

  return { begin }
}
