import { execFileSync } from 'node:child_process'
import { createServer as createTlsServer } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { makeCertificate, trustCertificate } from '../../../test/support/certificates.ts'
import { closed, createLoopbackWorld, PUBLIC } from '../../../test/support/loopback-world.ts'
import type { LookupAll } from './addresses.ts'
import { createOutbound } from './outbound.ts'

const world = createLoopbackWorld()
afterEach(world.end)

const REFUSED = { kind: 'invalid', code: 'validation_failed' }
const FAILED = { kind: 'upstream', code: 'upstream_failed' }

describe('a DNS name that changes its address', () => {
  const rebinding = (): LookupAll => {
    const answers = [PUBLIC, '127.0.0.1']
    return async () => [{ address: answers.shift() ?? '127.0.0.1', family: 4 }]
  }

  it('is resolved once per connection, and the connection uses that result', async () => {
    const { port, seen } = await world.serve((_request, response) => response.end('outside'))
    const client = world.client({}, { lookup: rebinding() })
    expect(await (await client.fetch(`http://rebind.test:${port}/1`)).text()).toBe('outside')
    expect(client.dialled).toEqual([PUBLIC])
    expect(seen).toEqual(['GET /1'])
  })

  it('is rejected as soon as a new connection resolves to a private address', async () => {
    const { port, seen } = await world.serve((_request, response) => {
      response.setHeader('connection', 'close')
      response.end('outside')
    })
    const client = world.client({}, { lookup: rebinding() })
    expect(await (await client.fetch(`http://rebind.test:${port}/1`)).text()).toBe('outside')
    await expect(client.fetch(`http://rebind.test:${port}/2`)).rejects.toMatchObject(REFUSED)
    expect(seen).toEqual(['GET /1'])
  })

  it('connects only to the checked address, because the system resolver is never used', async () => {
    const { port } = await world.serve((request, response) => response.end(request.headers.host))
    const lookup: LookupAll = async () => [{ address: '127.0.0.1', family: 4 }]
    const options = { allow: ['no-such-host.invalid'], typedMayBePrivate: false, userAgent: 'x', lookup }
    const outbound = createOutbound(options)
    const answer = await outbound.fetch(`http://no-such-host.invalid:${port}/`, { trust: 'operator' })
    expect(await answer.text()).toBe(`no-such-host.invalid:${port}`)
    await outbound.close()
  })
})

describe('a name server that never answers', () => {
  afterEach(() => vi.useRealTimers())

  it('causes a timeout', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const client = world.client({}, { lookup: () => new Promise(() => undefined) })
    const waiting = client.resolve('silent.test', 'typed').catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await waiting).toMatchObject({ kind: 'upstream', code: 'upstream_timeout' })
  })
})

describe('a kept-alive connection', () => {
  it('serves the next request of the same trust level', async () => {
    const { port, sockets } = await world.serve((_request, response) => response.end('ok'))
    const client = world.client()
    for (let count = 0; count < 20; count += 1) await (await client.fetch(`http://site.test:${port}/`)).text()
    // A socket is idle for one turn of the event loop between requests, so a second socket may be opened.
    expect(sockets.length).toBeLessThanOrEqual(2)
    expect(client.asked).toHaveLength(sockets.length)
  })

  it('opened for the operator or a typed setting never serves content', async () => {
    const { port, seen } = await world.serve((_request, response) => response.end('inside'))
    const client = world.client({ 'box.lan': ['127.0.0.1'] }, { allow: ['box.lan'] })
    for (const trust of ['operator', 'typed'] as const)
      await (await client.fetch(`http://box.lan:${port}/${trust}`, { trust })).text()
    await expect(client.fetch(`http://box.lan:${port}/content`)).rejects.toMatchObject(REFUSED)
    expect(seen).toEqual(['GET /operator', 'GET /typed'])
  })

  it('is shared: many requests to one host use a few connections', async () => {
    const { port, sockets, seen } = await world.serve((_request, response) => response.end('ok'))
    const client = world.client()
    await Promise.all(
      Array.from({ length: 60 }, async () => (await client.fetch(`http://site.test:${port}/`)).text()),
    )
    expect(seen).toHaveLength(60)
    expect(sockets.length).toBeLessThanOrEqual(8)
  })

  it('is not displaced by hosts that were rejected, unreachable or abandoned', async () => {
    const { port } = await world.serve((_request, response) => response.end('ok'))
    const lookup: LookupAll = async (host) => {
      if (host.startsWith('given-up')) await new Promise(() => undefined)
      return [{ address: host.startsWith('private') ? '10.0.0.1' : PUBLIC, family: 4 }]
    }
    const client = world.client({}, { lookup })
    for (let count = 0; count < 150; count += 1) {
      await expect(client.fetch(`http://private${count}.test/`)).rejects.toMatchObject(REFUSED)
      await expect(client.fetch(`http://closed${count}.test:1/`)).rejects.toMatchObject(FAILED)
    }
    for (let count = 0; count < 5; count += 1) {
      const signal = AbortSignal.timeout(1)
      await expect(client.fetch(`http://given-up.test/`, { signal })).rejects.toThrow()
    }
    expect(await (await client.fetch(`http://site.test:${port}/`)).text()).toBe('ok')
  })
})

const hasOpenssl = (() => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

describe.skipIf(!hasOpenssl)('over TLS', () => {
  const serveSecurely = async (name: string) => {
    const pair = makeCertificate(name)
    const server = createTlsServer(pair, (request, response) => {
      response.end(JSON.stringify([(request.socket as TLSSocket).servername, request.headers.host]))
    })
    return { ...(await world.listen(server)), cert: pair.cert }
  }

  it('the URL determines SNI, Host and certificate name, while the address is pinned', async () => {
    const { port, cert } = await serveSecurely('secure.test')
    const endTrust = trustCertificate(cert)
    try {
      const client = world.client()
      for (const host of ['secure.test', 'SECURE.test.'])
        expect(await (await client.fetch(`https://${host}:${port}/`)).json()).toEqual([
          'secure.test',
          `secure.test:${port}`,
        ])
      await expect(client.fetch(`https://other.test:${port}/`)).rejects.toMatchObject(FAILED)
      await expect(client.fetch(`https://${PUBLIC}:${port}/`)).rejects.toMatchObject(FAILED)
    } finally {
      endTrust()
    }
  })

  it('an untrusted certificate is rejected', async () => {
    const { port, seen } = await serveSecurely('secure.test')
    await expect(world.client().fetch(`https://secure.test:${port}/`)).rejects.toMatchObject(FAILED)
    expect(seen).toEqual([])
  })

  it('private addresses are rejected before a handshake', async () => {
    const { port, sockets } = await serveSecurely('secure.test')
    const client = world.client({ 'secure.test': ['127.0.0.1'] })
    await expect(client.fetch(`https://secure.test:${port}/`)).rejects.toMatchObject(REFUSED)
    expect(sockets).toEqual([])
  })
})

describe('closing the client', () => {
  it('aborts requests in flight', async () => {
    const { port, sockets } = await world.serve((_request, response) => void response.write('begun'))
    const client = world.client()
    const answer = await client.fetch(`http://site.test:${port}/`)
    const reading = answer.text().catch((error: unknown) => error)
    const waiting = client.fetch(`http://site.test:${port}/`).then((second) => second.text())
    const ended = Promise.all([reading, waiting.catch((error: unknown) => error)])
    await client.close()
    for (const failure of await ended) expect(failure).toMatchObject(FAILED)
    await closed(sockets)
  })
})
