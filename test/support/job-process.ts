/** A separate process that runs jobs, so that a test can kill it. Its argument contains the configuration. */
import { pino } from 'pino'
import Type from 'typebox'
import { openDatabase } from '../../src/database/database.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import type { JobDefinition } from '../../src/platform/jobs/jobs.ts'
import { openJobs } from '../../src/platform/jobs/open-jobs.ts'
import { systemRandom } from '../../src/platform/random.ts'
import type { Place } from './job-fixture.ts'

const { place, aheadMs } = JSON.parse(process.argv[2] ?? '') as { place: Place; aheadMs: number }

const database = await openDatabase({ ...place, onIdleError: () => {} })
const jobs = await openJobs({
  database,
  clock: { now: () => new Date(Date.now() + aheadMs) },
  random: systemRandom,
  log: pino({ level: 'silent' }),
  pollMs: 20,
})
const say = (what: string): boolean => process.stdout.write(`${what}\n`)
const forever = new Promise<void>(() => {})
const Mark = Type.Object({ mark: Type.String() })

const define = (name: string, run: JobDefinition<typeof Mark>['run'], retries = 5): void =>
  jobs.define({ name, payload: Mark, run, retries, leaseSeconds: 10 })

const markAndComplete: JobDefinition<typeof Mark>['run'] = ({ mark }, context) =>
  inTransaction(database.db, async (tx) => {
    await tx
      .insertInto('attempts')
      .values({ kind: 'job', subject: mark, at: new Date().toISOString() })
      .execute()
    await context.complete(tx)
  })

const hang = (name: string) => (): Promise<void> => {
  say(`running ${name}`)
  return forever
}
define('hangs', hang('hangs'))
define('hangs-once', hang('hangs-once'), 0)
define('hangs-when-done', async (payload, context) => {
  await markAndComplete(payload, context)
  say('committed')
  await forever
})
define('marks', async (payload, context) => {
  await markAndComplete(payload, context)
  say('marked')
})

await jobs.start()
say('ready')
setInterval(() => {}, 60_000)
