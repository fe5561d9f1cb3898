import { afterEach, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { openDatabase } from '../src/database/database.ts'
import type { SyncReport } from '../src/features/bookings/schema.ts'
import { bookingOf, type FakeBooking, type FakeProvider } from './support/booking-server.ts'
import { startCalcom } from './support/calcom.ts'
import { type DataPlace, makeDataPlace, onOneDatabase } from './support/databases.ts'
import { startInstance } from './support/instance.ts'
import { startFactotum } from './support/process.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const environmentOf = (provider: FakeProvider) => ({
  BOOKINGSVC_API_KEY: provider.apiKey,
  BOOKINGSVC_BASE_URL: provider.url,
})

const syncAt = async (url: string) => {
  const response = await fetch(`${url}/api/bookingsvc/sync`, { method: 'POST' })
  return { status: response.status, body: (await response.json()) as SyncReport }
}

/** Starts a server in its own process, which can be killed. */
const launch = async (place: DataPlace, provider: FakeProvider) => {
  const running = await startFactotum({ ...place.environment, ...environmentOf(provider) })
  const kill = async (): Promise<void> => {
    running.child.kill('SIGKILL')
    await running.ended
  }
  closing.push(kill)
  return { sync: () => syncAt(running.url), kill }
}

/** Starts a server in this process, which is faster. */
const open = async (place: DataPlace, provider: FakeProvider) => {
  const instance = await startInstance({ place, environment: environmentOf(provider) })
  closing.push(instance.close)
  return { sync: () => syncAt(instance.url) }
}

/** Returns all rows that a sync writes, without ids and times that differ between runs. */
const stateOf = async (place: DataPlace) => {
  const database = await openDatabase({ ...place, onIdleError: () => {} })
  const events = await database.db
    .selectFrom('events')
    .selectAll()
    .orderBy('bookingId')
    .modifyEnd(ALL_ACCOUNTS)
    .execute()
  const uidOf = new Map(events.map(({ id, bookingId }) => [id, bookingId]))
  const bookings = await database.db
    .selectFrom('bookings')
    .selectAll()
    .orderBy('uid')
    .modifyEnd(ALL_ACCOUNTS)
    .execute()
  await database.close()
  return {
    events: events.map(({ id: _, createdAt: __, updatedAt: ___, ...event }) => event),
    bookings: bookings.map(({ eventId, ...booking }) => ({ ...booking, event: uidOf.get(eventId ?? 0) })),
  }
}

const startAll = async (engine: 'sqlite' | 'postgres', count: number) => {
  const provider = await startCalcom()
  closing.push(provider.close)
  provider.bookings = Array.from({ length: count }, () => bookingOf())
  const [first, second] = provider.bookings as [FakeBooking, FakeBooking]
  const next = bookingOf({ replaces: first.uid })
  Object.assign(first, { status: 'cancelled', replacedBy: next.uid })
  Object.assign(second, { status: 'cancelled' })
  provider.bookings.push(next)
  const makePlace = async (): Promise<DataPlace> => {
    const place = await makeDataPlace(engine, 'prepared')
    closing.push(place.remove)
    return place
  }
  return { provider, makePlace }
}

onOneDatabase('postgres', 'booking sync', (engine) => {
  it('after a crash on any page, a repeated sync produces the same rows as an uninterrupted one', async () => {
    const { provider, makePlace } = await startAll(engine, 1000)
    const [clean, place] = [await makePlace(), await makePlace()]
    expect((await (await open(clean, provider)).sync()).body).toMatchObject({ failed: 0 })
    for (const deadly of [2, 4]) {
      const victim = await launch(place, provider)
      let pages = 0
      const struck = new Promise<void>((resolve) => {
        provider.fault = async ({ path }) => {
          if (path.endsWith('/bookings') && ++pages === deadly) {
            await victim.kill()
            resolve()
          }
          return undefined
        }
      })
      await Promise.all([victim.sync().catch(() => undefined), struck])
      provider.fault = undefined
    }
    const { status, body } = await (await open(place, provider)).sync()
    expect([status, body.failed]).toEqual([200, 0])
    expect(body.unchanged).toBeGreaterThan(100)
    expect(await stateOf(place)).toEqual(await stateOf(clean))
  })

  it('runs once when two processes receive requests at the same time', async () => {
    const { provider, makePlace } = await startAll(engine, 1000)
    const place = await makePlace()
    const [one, other] = [await open(place, provider), await launch(place, provider)]
    const answers = await Promise.all([one.sync(), other.sync(), one.sync(), other.sync()])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(answers.map(({ body }) => body)).toEqual(answers.map(() => answers[0]?.body))
    expect((await stateOf(place)).events).toHaveLength(1000)
    expect(provider.violations).toEqual([])
  })
})
