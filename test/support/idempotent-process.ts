/**
 * A server in its own process, so that a test can kill it during a request. Its argument is the stop point.
 */
import { openDatabase } from '../../src/database/database.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { type IdempotentRouteHooks, idempotentRoutes } from './idempotent-routes.ts'
import { startTestServer } from './test-server.ts'

const { place, stopAt } = JSON.parse(process.argv[2] ?? '') as {
  place: Parameters<typeof startTestServer>[0]['place']
  /** The point where the first request blocks forever. */
  stopAt: keyof IdempotentRouteHooks
}
const say = (what: string): boolean => process.stdout.write(`${what}\n`)

const database = await openDatabase({ ...place, onIdleError: () => {} })
let stopped = false
const stop = async (): Promise<void> => {
  if (stopped) return
  stopped = true
  say('stopped')
  await new Promise(() => {})
}
const clock = { ...systemClock, advance: () => {} }
const testServer = await startTestServer(
  { database, clock, place },
  idempotentRoutes(database.db, { [stopAt]: stop }),
)
say(testServer.url)
