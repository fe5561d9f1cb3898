import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { REQUEST_LIMITS } from '../src/platform/http/request-limits.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { type Person, register } from './support/people.ts'

const LIMITS = { headersMs: 400, silenceMs: 400, slowMs: 5_000, totalMs: 60_000, checkEveryMs: 50 }

interface Line {
  socket: Socket
  /** Everything received until the other side closed. */
  closed: Promise<string>
}

describe('a request that does not arrive completely', () => {
  let instance: Instance
  let person: Person
  beforeAll(async () => {
    instance = await startInstance({ deps: { requestLimits: LIMITS } })
    person = await register(instance)
  })
  afterAll(() => instance.close())

  const open = (bytes: string): Line => {
    const { hostname, port } = new URL(instance.url)
    const socket = connect(Number(port), hostname)
    if (bytes !== '') socket.write(bytes)
    const chunks: Buffer[] = []
    const closed = new Promise<string>((resolve) => {
      socket.on('data', (chunk) => chunks.push(chunk))
      socket.on('error', () => {})
      socket.on('close', () => resolve(Buffer.concat(chunks).toString()))
    })
    return { socket, closed }
  }
  const HEAD = (method: string, path: string) =>
    `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n`
  const withToken = () => `Authorization: Bearer ${person.token}\r\n`

  it.each([
    ['in its first line', () => 'POST /api/tas'],
    ['in its headers', () => HEAD('POST', '/api/tasks')],
    ['before its body', () => `${HEAD('POST', '/api/tasks')}Content-Length: 20\r\n\r\n`],
    ['in its body', () => `${HEAD('POST', '/api/tasks')}Content-Length: 20\r\n\r\n{"title":`],
    ['in a chunk', () => `${HEAD('POST', '/api/tasks')}Transfer-Encoding: chunked\r\n\r\n20\r\n{"ti`],
    [
      'in a body that is streamed',
      () =>
        `${HEAD('POST', '/api/settings/import').replace('application/json', 'application/zip')}${withToken()}Content-Length: 9999\r\n\r\nPK`,
    ],
  ])('is answered with 408 and closed if it stops %s', async (_where, bytes) => {
    const answer = await open(bytes()).closed
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    expect(answer).toContain('"status":408')
  })

  it('is closed without a response if nothing was sent, or the response was already given', async () => {
    expect(await open('').closed).toBe('')
    const refused = await open(`${HEAD('POST', '/api/settings/tokens')}Content-Length: 20\r\n\r\n{`).closed
    expect(refused.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401'])
    const unreadable = await open(`${HEAD('POST', '/%')}Content-Length: 20\r\n\r\n{`).closed
    expect(unreadable.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400'])
  })

  it('keeps no connection open, however many there are', async () => {
    const lines = Array.from({ length: 500 }, (_, n) =>
      open(n % 2 ? HEAD('POST', '/api/tasks') : `${HEAD('POST', '/api/tasks')}Content-Length: 20\r\n\r\n{`),
    )
    const answers = await Promise.all(lines.map(({ closed }) => closed))
    // Empty if the limit was reached before the first byte was read.
    for (const answer of answers) expect(answer).toMatch(/^$|^HTTP\/1\.1 408 /)
  })

  it('is accepted while bytes arrive, however slowly', async () => {
    const body = '{"title":"Slow line"}'
    const { socket, closed } = open(
      `${HEAD('POST', '/api/tasks')}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    for (const letter of body) {
      socket.write(letter)
      await pause(LIMITS.silenceMs / 8)
    }
    expect(await closed).toMatch(/^HTTP\/1\.1 201 /)
  })

  it('is answered with 408 if its body drips', async () => {
    const { socket, closed } = open(`${HEAD('POST', '/api/tasks')}Content-Length: 100000\r\n\r\n{`)
    let isClosed = false
    socket.once('close', () => {
      isClosed = true
    })
    while (!isClosed) {
      socket.write(' ')
      await pause(LIMITS.silenceMs / 8)
    }
    expect(await closed).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('does not include event streams and idle keep-alive connections', async () => {
    const stream = open(`GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\n${withToken()}\r\n`)
    const waiting = open('GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
    await pause(LIMITS.silenceMs * 3)
    expect([stream.socket.destroyed, stream.socket.readableEnded]).toEqual([false, false])
    waiting.socket.write('GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n')
    expect((await waiting.closed).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200'])
    stream.socket.destroy()
  })

  it('is closed after 30 seconds by the default limits, or after ten minutes while bytes arrive', () => {
    expect(REQUEST_LIMITS).toMatchObject({
      headersMs: 30_000,
      silenceMs: 30_000,
      slowMs: 60_000,
      totalMs: 600_000,
    })
  })
})
