/** A server in a process of its own, so that it can be killed in the middle of a request. Its one argument says where. */
import { openDatabase } from '../../src/database/database.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { type IdempotentRoomHooks, idempotentRoom } from './idempotent-room.ts'
import { startToy } from './toy-server.ts'

const { place, stopAt } = JSON.parse(process.argv[2] ?? '') as {
  place: Parameters<typeof startToy>[0]['place']
  /** Where the first request stops, for ever. */
  stopAt: keyof IdempotentRoomHooks
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
const toy = await startToy({ database, clock, place }, idempotentRoom(database.db, { [stopAt]: stop }))
say(toy.url)
