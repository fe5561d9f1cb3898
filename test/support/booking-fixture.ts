import { ALL_ACCOUNTS } from '../../src/database/all-accounts.ts'
import type { Engine } from '../../src/database/database.ts'
import type { FakeProvider } from './booking-server.ts'
import { startCalcom } from './calcom.ts'
import { startCalendly } from './calendly.ts'
import { type Instance, type InstanceOptions, startInstance } from './instance.ts'

export const FAKES = { calcom: startCalcom, calendly: startCalendly } as const

export const SECRET = 'what notices are signed with'

/** Starts an instance with a configured booking provider. */
export const startBookingFixture = async (
  engine: Engine,
  name: keyof typeof FAKES,
  options: Partial<InstanceOptions> = {},
) => {
  const provider = await FAKES[name]()
  const instance = await startInstance({ engine, ...options })
  await connectBookingFixture(instance, provider)
  return { provider, instance, ...handlesOf(instance, provider) }
}

export const connectBookingFixture = (instance: Instance, provider: FakeProvider) =>
  instance.post('/api/bookingsvc/settings', {
    apiKey: provider.apiKey,
    provider: provider.name,
    baseUrl: provider.url,
    webhookSecret: SECRET,
  })

/** Starts a provider for a shared instance, which forgets all bookings and events. */
export const renewBookingFixture = async (instance: Instance, name: keyof typeof FAKES) => {
  const { db } = instance.database
  const tables = ['bookings', 'booking_sync', 'booking_settings', 'unreadable_bookings', 'events'] as const
  for (const table of tables) await db.deleteFrom(table).modifyEnd(ALL_ACCOUNTS).execute()
  const provider = await FAKES[name]()
  await connectBookingFixture(instance, provider)
  return { provider, instance, ...handlesOf(instance, provider), close: provider.close }
}

/** Common test operations on an instance and its provider. */
export const handlesOf = (instance: Instance, provider: FakeProvider) => ({
  sync: (query = '') => instance.post(`/api/bookingsvc/sync${query}`),
  /** Lists the events of all bookings, in booking order. */
  async events() {
    const all = []
    let cursor: string | null = null
    do {
      const more = cursor === null ? '' : `&cursor=${cursor}`
      const { body } = await instance.get(`/api/calendar/events?source=bookingsvc&limit=200${more}`)
      all.push(...body.events)
      cursor = body.nextCursor
    } while (cursor !== null)
    return all.sort((a, b) => (a.bookingId < b.bookingId ? -1 : 1))
  },
  event: async (uid: string) => {
    const row = await instance.database.db
      .selectFrom('events')
      .select('id')
      .where('bookingId', '=', uid)
      .modifyEnd(ALL_ACCOUNTS)
      .executeTakeFirst()
    return row && (await instance.get(`/api/calendar/events/${row.id}`)).body
  },
  /** Reads all rows of events and bookings, for later comparison. */
  async written() {
    const { db } = instance.database
    const events = await db
      .selectFrom('events')
      .select(['bookingId', 'version'])
      .orderBy('bookingId')
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
    const { last } = await db
      .selectFrom('changes')
      .select((changes) => changes.fn.max('id').as('last'))
      .modifyEnd(ALL_ACCOUNTS)
      .executeTakeFirstOrThrow()
    const bookings = await db
      .selectFrom('bookings')
      .selectAll()
      .orderBy('uid')
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
    return { events, bookings, last }
  },
  notify: (body: string, headers = provider.sign(body, SECRET, instance.clock.now())) =>
    instance.post('/api/bookingsvc/webhook', body, { headers }),
  async close() {
    await instance.close()
    await provider.close()
  },
})
