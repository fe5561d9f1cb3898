import { createHmac } from 'node:crypto'
import {
  type Asked,
  type FakeBooking,
  type FakeProvider,
  type Reply,
  startProvider,
} from './booking-server.ts'
import { readCalcomDescription } from './calcom-description.ts'

const KEY = 'cal_test_0123456789abcdef'
const HOST = {
  id: 7,
  name: 'Ana Ruiz',
  email: 'ana@example.org',
  displayEmail: 'ana@example.org',
  username: 'ana',
  timeZone: 'Europe/Madrid',
}

const itemOf = (booking: FakeBooking, id: number): unknown =>
  'raw' in booking
    ? booking.raw
    : {
        id,
        uid: booking.uid,
        title: booking.title,
        description: `About ${booking.title}`,
        hosts: [HOST],
        status: booking.status,
        start: booking.start,
        end: booking.end,
        duration: (Date.parse(booking.end) - Date.parse(booking.start)) / 60_000,
        eventTypeId: 50,
        eventType: { id: 50, slug: '30min' },
        location: id % 2 ? 'integrations:google:meet' : `https://meet.example.org/${booking.uid}`,
        absentHost: false,
        createdAt: booking.createdAt,
        updatedAt: booking.updatedAt,
        attendees: booking.guests.map(({ name, email }) => ({
          name,
          email,
          displayEmail: email,
          timeZone: 'Europe/Berlin',
          absent: false,
          language: 'en',
        })),
        bookingFieldsResponses: { name: booking.guests[0]?.name ?? '' },
        ...(booking.replaces !== undefined && { rescheduledFromUid: booking.replaces }),
        ...(booking.replacedBy !== undefined && { rescheduledToUid: booking.replacedBy }),
      }

const EVENT_TYPE = {
  recurrence: { interval: 1, occurrences: 4, frequency: 'weekly' },
  id: 50,
  lengthInMinutes: 30,
  title: 'Half an hour',
  slug: '30min',
  description: 'A talk.',
  locations: [],
  bookingFields: [],
  disableGuests: false,
  metadata: {},
  price: 0,
  currency: 'usd',
  lockTimeZoneToggleOnBookingPage: false,
  forwardParamsSuccessRedirect: {},
  successRedirectUrl: {},
  isInstantEvent: false,
  scheduleId: 1,
  hidden: false,
  ownerId: 7,
  users: [],
  bookingRequiresAuthentication: false,
  bookingUrl: 'https://cal.com/ana/30min',
}

const refuse = (status: number, code: string, message: string): Reply => ({
  status,
  body: { status: 'error', error: { code, message } },
})

const isAfter = (value: string | null, query: URLSearchParams, name: string): boolean => {
  const limit = query.get(name)
  return limit === null || (value !== null && Date.parse(value) > Date.parse(limit))
}

/**
 * Fakes the booking part of Cal.com's API, version 2. Validates every request and response against its
 * description.
 */
export const startCalcom = async (): Promise<FakeProvider> => {
  const description = readCalcomDescription()
  const violations: string[] = []

  const list = (query: URLSearchParams): Reply => {
    const take = Number(query.get('take') ?? 100)
    const skip = Number(query.get('skip') ?? 0)
    if (!(take >= 1 && take <= 250) || !(skip >= 0))
      return refuse(400, 'BAD_REQUEST', 'take must be 1 to 250')
    const found = fake.bookings
      .map((booking, index) => ({ booking, id: index + 1 }))
      .filter(
        ({ booking }) =>
          isAfter(booking.updatedAt, query, 'afterUpdatedAt') &&
          isAfter(booking.createdAt, query, 'afterCreatedAt') &&
          isAfter(booking.start, query, 'afterStart'),
      )
    const order = query.get('sortCreated')
    if (order !== null)
      found.sort((a, b) => (a.booking.createdAt < b.booking.createdAt ? -1 : 1) * (order === 'asc' ? 1 : -1))
    const data = found.slice(skip, skip + take).map(({ booking, id }) => itemOf(booking, id))
    const remainingItems = Math.max(0, found.length - skip - data.length)
    return {
      status: 200,
      body: {
        status: 'success',
        data,
        pagination: {
          totalItems: found.length,
          remainingItems,
          returnedItems: data.length,
          itemsPerPage: take,
          currentPage: Math.floor(skip / take) + 1,
          totalPages: Math.ceil(found.length / take),
          hasNextPage: remainingItems > 0,
          hasPreviousPage: skip > 0,
        },
      },
    }
  }

  const answer = ({ path, query, headers }: Asked): Reply => {
    if (headers.authorization !== `Bearer ${KEY}`) return refuse(401, 'UNAUTHORIZED', 'Invalid API key')
    if (path === '/v2/bookings') return list(query)
    if (path === '/v2/event-types') return { status: 200, body: { status: 'success', data: [EVENT_TYPE] } }
    const [, uid] = /^\/v2\/bookings\/([^/]+)$/.exec(path) ?? []
    const index = fake.bookings.findIndex((booking) => booking.uid === uid)
    const booking = fake.bookings[index]
    if (booking) return { status: 200, body: { status: 'success', data: itemOf(booking, index + 1) } }
    return refuse(404, 'NOT_FOUND', 'There is no such booking')
  }

  const server = await startProvider((asked) => {
    violations.push(...(description?.checkRequest(asked) ?? []))
    const reply = answer(asked)
    const isGarbage = fake.bookings.some((booking) => 'raw' in booking)
    if (reply.status === 200 && !isGarbage)
      violations.push(...(description?.checkAnswer(asked.path, reply.body) ?? []))
    return reply
  })
  const fake: FakeProvider = {
    name: 'calcom',
    url: `${server.url}/v2`,
    apiKey: KEY,
    bookings: [],
    violations,
    asked: server.asked,
    get fault() {
      return server.fault
    },
    set fault(fault) {
      server.fault = fault
    },
    pagesAsked: () => server.asked.filter(({ path }) => path === '/v2/bookings').length,
    noticeOf: (booking, kind, at) =>
      JSON.stringify({
        triggerEvent: `BOOKING_${kind.toUpperCase()}`,
        createdAt: at,
        payload: {
          type: '30min',
          title: booking.title,
          description: `About ${booking.title}`,
          startTime: booking.start,
          endTime: booking.end,
          organizer: { id: 7, name: HOST.name, email: HOST.email, timeZone: HOST.timeZone },
          attendees: booking.guests.map((guest) => ({ ...guest, timeZone: 'Europe/Berlin' })),
          location: 'integrations:google:meet',
          uid: booking.uid,
          status: booking.status.toUpperCase(),
          ...(booking.replaces !== undefined && { rescheduleUid: booking.replaces }),
        },
      }),
    sign: (body, secret) => ({
      'x-cal-signature-256': createHmac('sha256', secret).update(body).digest('hex'),
    }),
    close: server.close,
  }
  return fake
}
