import { CompiledQuery, sql } from 'kysely'
import { type ConstructorOptions, fromKysely, PgBoss } from 'pg-boss'
import type { Db } from '../../database/db.ts'
import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import { indexJobLists } from './postgres-job-rows.ts'

type BossDatabase = NonNullable<ConstructorOptions['db']>

/** Some of its statements begin a transaction of their own: when one fails, the connection must not stay in it. */
const over = (db: Db): BossDatabase => ({
  executeSql: (text, values) =>
    db.connection().execute(async (connection) => {
      try {
        return await fromKysely(connection).executeSql(text, values)
      } catch (error) {
        await connection.executeQuery(CompiledQuery.raw('rollback')).catch(() => {})
        throw error
      }
    }),
})

/** On the house's own pool. Its timers do next to nothing, and keep no process alive. */
const createBoss = (db: Db, clock: Clock, log: Logger): PgBoss => {
  const boss = new PgBoss({
    db: over(db),
    supervise: false,
    schedule: false,
    queueCacheIntervalSeconds: 3600,
    bamIntervalSeconds: 3600,
    clock: {
      now: () => clock.now().getTime(),
      setTimeout: (call, ms) => setTimeout(call, ms).unref(),
      clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
      setInterval: (call, ms) => setInterval(call, ms).unref(),
      clearInterval: (timer) => clearInterval(timer as NodeJS.Timeout),
    },
  })
  boss.on('error', (error) => log.error({ err: error }, 'pg-boss failed'))
  boss.on('warning', (warning) => log.warn({ warning }, 'pg-boss warns'))
  return boss
}

/**
 * Installs or updates pg-boss's tables where needed. One instance after the other: its own lock comes after its look
 * at the catalogue, and two first starts at the same moment would sometimes both create the schema.
 */
export const startBoss = async (db: Db, clock: Clock, log: Logger): Promise<PgBoss> => {
  const boss = createBoss(db, clock, log)
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('factotum.jobs'))`.execute(tx)
    await boss.start()
    await indexJobLists(tx)
  })
  return boss
}
