import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A booking as a test thinks of it; each fake tells it in its provider's words. */
export interface FakeBooking {
  uid: string
  title: string
  start: string
  end: string
  status: 'accepted' | 'pending' | 'cancelled' | 'rejected'
  guests: { name: string; email: string }[]
  createdAt: string
  /** Null until it is first changed. */
  updatedAt: string | null
  replaces?: string
  replacedBy?: string
  /** In place of what the provider would say. */
  raw?: unknown
}

export type Fault =
  | { status: number; headers?: Record<string, string>; body?: unknown }
  /** The connection breaks in the middle of the answer. */
  | 'cut'
  /** 200, and no JSON. */
  | 'garbage'

export interface Asked {
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
}

export interface FakeProvider {
  readonly name: 'calcom' | 'calendly'
  readonly url: string
  readonly apiKey: string
  bookings: FakeBooking[]
  /** Every request there was. */
  asked: Asked[]
  /** What a request or an answer had against the provider's own description. */
  violations: string[]
  /** Called with each request before it is answered; what it returns is answered instead. */
  fault: ((asked: Asked, count: number) => Fault | undefined | Promise<Fault | undefined>) | undefined
  /** How many requests listed bookings. */
  pagesAsked(): number
  noticeOf(booking: FakeBooking, kind: 'created' | 'cancelled' | 'rescheduled', at: string): string
  sign(body: string, secret: string, at?: Date): Record<string, string>
  close(): Promise<void>
}

export interface Reply {
  status: number
  body: unknown
}

/** A server that answers as `answer` says, unless a fault is in the way. */
export const startProvider = async (
  answer: (asked: Asked) => Reply,
): Promise<Pick<FakeProvider, 'url' | 'asked' | 'fault' | 'close'>> => {
  const fake = {
    url: '',
    asked: [] as Asked[],
    fault: undefined as FakeProvider['fault'],
    async close() {
      server.closeAllConnections()
      server.close()
    },
  }
  const server = createServer(async (request, response) => {
    const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://provider')
    const asked = { path, query, headers: request.headers }
    fake.asked.push(asked)
    const fault = await fake.fault?.(asked, fake.asked.length)
    if (fault === 'garbage')
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Just a moment…</html>')
    if (typeof fault === 'object') {
      response.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers })
      return void response.end(JSON.stringify(fault.body ?? {}))
    }
    const { status, body } = answer(asked)
    const text = JSON.stringify(body)
    response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    })
    if (fault !== 'cut') return void response.end(text)
    response.write(text.slice(0, text.length / 2))
    setImmediate(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return fake
}

let made = 0

/** A booking that makes sense. */
export const bookingOf = (given: Partial<FakeBooking> = {}): FakeBooking => {
  const n = ++made
  const start = Date.parse('2027-03-01T09:00:00Z') + n * 3_600_000
  return {
    uid: `bk${String(n).padStart(6, '0')}`,
    title: `Talk ${n}`,
    start: new Date(start).toISOString(),
    end: new Date(start + 1_800_000).toISOString(),
    status: 'accepted',
    guests: [{ name: `Guest ${n}`, email: `guest${n}@example.org` }],
    createdAt: new Date(Date.parse('2026-01-01T00:00:00Z') + n * 60_000).toISOString(),
    updatedAt: null,
    ...given,
  }
}
