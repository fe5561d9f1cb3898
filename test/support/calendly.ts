import { createHmac } from 'node:crypto'
import {
  type Asked,
  type FakeBooking,
  type FakeProvider,
  type Reply,
  startProvider,
} from './booking-server.ts'

const KEY = 'calendly-test-0123456789abcdef'
const API = 'https://api.calendly.com'
const USER = `${API}/users/ANA`

const eventOf = (booking: FakeBooking): unknown =>
  'raw' in booking
    ? booking.raw
    : {
        uri: `${API}/scheduled_events/${booking.uid}`,
        name: booking.title,
        meeting_notes_plain: null,
        status: booking.status === 'cancelled' || booking.status === 'rejected' ? 'canceled' : 'active',
        start_time: booking.start.replace('.000Z', '.000000Z'),
        end_time: booking.end.replace('.000Z', '.000000Z'),
        event_type: `${API}/event_types/HALF`,
        location: {
          type: 'google_conference',
          status: 'pushed',
          join_url: `https://meet.example.org/${booking.uid}`,
        },
        invitees_counter: { total: booking.guests.length, active: booking.guests.length, limit: 1 },
        created_at: booking.createdAt,
        updated_at: booking.updatedAt ?? booking.createdAt,
        event_memberships: [{ user: USER, user_email: 'ana@example.org', user_name: 'Ana Ruiz' }],
        event_guests: [],
      }

const inviteeUri = (uid: string): string => `${API}/scheduled_events/${uid}/invitees/I${uid}`

const inviteesOf = (booking: FakeBooking): unknown[] =>
  booking.guests.map(({ name, email }) => ({
    uri: inviteeUri(booking.uid),
    name,
    email,
    status: booking.status === 'cancelled' ? 'canceled' : 'active',
    timezone: 'Europe/Berlin',
    rescheduled: booking.replacedBy !== undefined,
    new_invitee: booking.replacedBy === undefined ? null : inviteeUri(booking.replacedBy),
    old_invitee: booking.replaces === undefined ? null : inviteeUri(booking.replaces),
    questions_and_answers: [],
  }))

const refuse = (status: number, title: string): Reply => ({ status, body: { title, message: `${title}.` } })

const EVENT_TYPE = {
  uri: `${API}/event_types/HALF`,
  name: 'Half an hour',
  slug: '30min',
  duration: 30,
  active: true,
  description_plain: 'A talk.',
  scheduling_url: 'https://calendly.com/ana/30min',
}

/** Fakes the booking part of Calendly's API, version 2. */
export const startCalendly = async (): Promise<FakeProvider> => {
  const violations: string[] = []
  const expect = (holds: boolean, what: string): void => void (holds || violations.push(what))

  const page = (items: readonly unknown[], query: URLSearchParams): Reply => {
    const count = Number(query.get('count') ?? 20)
    if (!(count >= 1 && count <= 100)) return refuse(400, 'Invalid Argument')
    const from = Number(query.get('page_token')?.replace('at-', '') ?? 0)
    const next = from + count < items.length ? `at-${from + count}` : null
    return {
      status: 200,
      body: {
        collection: items.slice(from, from + count),
        pagination: { count, next_page: null, next_page_token: next, previous_page_token: null },
      },
    }
  }

  const answer = ({ path, query, headers }: Asked): Reply => {
    if (headers.authorization !== `Bearer ${KEY}`) return refuse(401, 'Unauthenticated')
    if (path === '/users/me') return { status: 200, body: { resource: { uri: USER, name: 'Ana Ruiz' } } }
    if (path === '/event_types') return page([EVENT_TYPE], query)
    if (path === '/scheduled_events') {
      expect(query.get('user') === USER, 'the events of nobody in particular were asked for')
      const from = query.get('min_start_time')
      const found = fake.bookings.filter(
        ({ start }) => from === null || Date.parse(start) >= Date.parse(from),
      )
      found.sort((a, b) => (a.start < b.start ? -1 : 1))
      return page(found.map(eventOf), query)
    }
    const [, uid, rest] = /^\/scheduled_events\/([^/]+)(\/invitees)?$/.exec(path) ?? []
    const booking = fake.bookings.find((one) => one.uid === uid)
    expect(uid !== undefined, `${path} is no path of Calendly`)
    if (!booking) return refuse(404, 'Resource Not Found')
    return rest ? page(inviteesOf(booking), query) : { status: 200, body: { resource: eventOf(booking) } }
  }

  const server = await startProvider(answer)
  const fake: FakeProvider = {
    name: 'calendly',
    url: server.url,
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
    pagesAsked: () => server.asked.filter(({ path }) => path === '/scheduled_events').length,
    noticeOf: (booking, kind, at) => {
      const called = kind === 'cancelled' ? { ...booking, status: 'cancelled' as const } : booking
      return JSON.stringify({
        event: kind === 'cancelled' ? 'invitee.canceled' : 'invitee.created',
        created_at: at,
        created_by: USER,
        payload: { ...(inviteesOf(called)[0] as object), scheduled_event: eventOf(called) },
      })
    },
    sign: (body, secret, at = new Date()) => {
      const t = Math.floor(at.getTime() / 1000)
      const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')
      return { 'calendly-webhook-signature': `t=${t},v1=${v1}` }
    },
    close: server.close,
  }
  return fake
}
