import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A booking in neutral form; each fake converts it to its provider's format. */
export interface FakeBooking {
  uid: string
  title: string
  start: string
  end: string
  status: 'accepted' | 'pending' | 'cancelled' | 'rejected'
  guests: { name: string; email: string }[]
  createdAt: string
  /** Null until the first change. */
  updatedAt: string | null
  replaces?: string
  replacedBy?: string
  /** Replaces the provider's JSON. */
  raw?: unknown
}

export type Fault =
  | { status: number; headers?: Record<string, string>; body?: unknown }
  /** The connection breaks in the middle of the response. */
  | 'cut'
  /** 200, without JSON. */
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
  /** All requests so far. */
  asked: Asked[]
  /** Requests and responses that violate the provider's API description. */
  violations: string[]
  /** Called with each request before it is answered. Its result replaces the response. */
  fault: ((asked: Asked, count: number) => Fault | undefined | Promise<Fault | undefined>) | undefined
  /** Number of requests for booking lists. */
  pagesAsked(): number
  noticeOf(booking: FakeBooking, kind: 'created' | 'cancelled' | 'rescheduled', at: string): string
  sign(body: string, secret: string, at?: Date): Record<string, string>
  close(): Promise<void>
}

export interface Reply {
  status: number
  body: unknown
}

/** Starts a server that answers with `answer`, unless a fault is set. */
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

/** Creates a valid booking. */
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
