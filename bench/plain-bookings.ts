/*
 * A provider with many bookings that implements the list endpoint of Cal.com, with an optional network delay.
 */
import { createServer } from 'node:http'

const COUNT = Number(process.env.COUNT)
const DELAY_MS = Number(process.env.DELAY_MS)

const createBooking = (n: number) => ({
  id: n,
  uid: `bench${String(n).padStart(8, '0')}`,
  title: `Half an hour between Ana Ruiz and Guest ${n}`,
  description: 'What shall we talk about? '.repeat(3),
  hosts: [
    {
      id: 7,
      name: 'Ana Ruiz',
      email: 'ana@example.org',
      displayEmail: 'ana@example.org',
      username: 'ana',
      timeZone: 'Europe/Madrid',
    },
  ],
  status: n % 20 === 0 ? 'cancelled' : 'accepted',
  start: new Date(1_900_000_000_000 + n * 3_600_000).toISOString(),
  end: new Date(1_900_000_000_000 + n * 3_600_000 + 1_800_000).toISOString(),
  duration: 30,
  eventTypeId: 50,
  eventType: { id: 50, slug: '30min' },
  meetingUrl: `https://meet.example.org/${n}`,
  location: `https://meet.example.org/${n}`,
  absentHost: false,
  createdAt: new Date(1_700_000_000_000 + n * 60_000).toISOString(),
  updatedAt: new Date(1_700_000_000_000 + n * 60_000).toISOString(),
  metadata: { videoCallUrl: `https://meet.example.org/${n}` },
  attendees: [
    {
      name: `Guest ${n}`,
      email: `guest${n}@example.org`,
      displayEmail: `guest${n}@example.org`,
      timeZone: 'Europe/Berlin',
      absent: false,
      language: 'en',
    },
  ],
  guests: [],
  bookingFieldsResponses: { name: `Guest ${n}`, email: `guest${n}@example.org`, notes: '' },
})

const items = Array.from({ length: COUNT }, (_, n) => createBooking(n))

createServer((request, response) => {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://provider')
  if (pathname !== '/v2/bookings') return void response.end('ready')
  const take = Number(query.get('take') ?? 100)
  const skip = Number(query.get('skip') ?? 0)
  const after = query.get('afterUpdatedAt') ?? query.get('afterCreatedAt')
  const found = after === null ? items : items.filter(({ updatedAt }) => updatedAt > after)
  const data = found.slice(skip, skip + take)
  const pagination = { totalItems: found.length, hasNextPage: skip + data.length < found.length }
  const answer = (): void => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ status: 'success', data, pagination }))
  }
  if (DELAY_MS > 0) setTimeout(answer, DELAY_MS)
  else answer()
}).listen(Number(process.env.PORT), '127.0.0.1')
