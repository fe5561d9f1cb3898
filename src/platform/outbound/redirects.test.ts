import type { IncomingHttpHeaders } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { createLoopbackWorld } from '../../../test/support/loopback-world.ts'
import { nextHop, parseTarget } from './outbound.ts'

const world = createLoopbackWorld()
afterEach(world.end)

const REFUSED = { kind: 'invalid', code: 'validation_failed' }
const FAILED = { kind: 'upstream', code: 'upstream_failed' }

/** Redirects for `/go?to=…&status=…`. Answers any other path with the request that arrived. */
const serveRedirects = () =>
  world.serve(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://x')
    const to = url.searchParams.get('to')
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    if (to !== null)
      response.writeHead(Number(url.searchParams.get('status') ?? 302), { location: to }).end('moved')
    else
      response.end(
        JSON.stringify({
          method: request.method,
          headers: request.headers,
          body: Buffer.concat(parts).toString(),
        }),
      )
  })

const go = (origin: string, to: string, status = 302) =>
  `${origin}/go?status=${status}&to=${encodeURIComponent(to)}`

const arrived = async (answer: { json(): Promise<unknown> }) =>
  (await answer.json()) as { method: string; headers: IncomingHttpHeaders; body: string }

describe('a redirect', () => {
  it('is followed, and each step is reported', async () => {
    const { port } = await serveRedirects()
    const [a, b] = [`http://a.test:${port}`, `http://b.test:${port}`]
    const answer = await world.client().fetch(go(a, go(b, '/end')))
    expect(answer.url).toBe(`${b}/end`)
    expect(answer.redirects).toEqual([go(b, '/end'), `${b}/end`])
    expect((await arrived(answer)).headers.host).toBe(`b.test:${port}`)
  })

  it('to a private address is rejected from any origin', async () => {
    const { port, seen } = await serveRedirects()
    const names = { 'box.lan': ['127.0.0.1'], 'inside.test': ['127.0.0.1'] }
    const client = world.client(names, { allow: ['box.lan', '127.0.0.0/8'], typedMayBePrivate: true })
    for (const trust of ['operator', 'typed', 'content'] as const)
      for (const host of ['127.0.0.1', 'localhost', 'inside.test', '[::1]', '169.254.169.254', '0x7f.1'])
        await expect(
          client.fetch(go(`http://a.test:${port}`, `http://${host}:${port}/inside`), { trust }),
        ).rejects.toMatchObject(REFUSED)
    await expect(
      client.fetch(go(`http://box.lan:${port}`, `http://127.0.0.1:${port}/inside`), { trust: 'operator' }),
    ).rejects.toMatchObject(REFUSED)
    expect(seen.filter((line) => line.endsWith('/inside'))).toEqual([])
  })

  it('within an allowed private origin is followed, but not away from it and back', async () => {
    const { port } = await serveRedirects()
    const client = world.client({ 'box.lan': ['127.0.0.1'] }, { allow: ['box.lan'] })
    const [box, away] = [`http://box.lan:${port}`, `http://away.test:${port}`]
    const answer = await client.fetch(go(box, '/end'), { trust: 'operator' })
    expect((await arrived(answer)).method).toBe('GET')
    await expect(client.fetch(go(box, go(away, `${box}/end`)), { trust: 'operator' })).rejects.toMatchObject(
      REFUSED,
    )
  })

  it.each([
    'file:///etc/passwd',
    'ftp://a.test/',
    'http://user:pw@a.test/',
    'http://',
    'gopher://127.0.0.1:25/',
  ])('to %s is rejected', async (to) => {
    const { port } = await serveRedirects()
    await expect(world.client().fetch(go(`http://a.test:${port}`, to))).rejects.toMatchObject(REFUSED)
  })

  it('that never ends is given up', async () => {
    const { port, seen } = await world.serve((_request, response) =>
      response.writeHead(302, { location: '/' }).end(),
    )
    await expect(world.client().fetch(`http://a.test:${port}/`)).rejects.toMatchObject(FAILED)
    expect(seen).toHaveLength(6)
    await expect(world.client().fetch(`http://a.test:${port}/`, { maxRedirects: 1 })).rejects.toMatchObject(
      FAILED,
    )
    expect(seen).toHaveLength(8)
  })

  it('is a normal response when redirects are disabled or the location is missing', async () => {
    const { port } = await serveRedirects()
    const answer = await world.client().fetch(go(`http://a.test:${port}`, '/end'), { maxRedirects: 0 })
    expect([answer.status, answer.headers.get('location'), await answer.text()]).toEqual([
      302,
      '/end',
      'moved',
    ])
    const bare = await world.serve((_request, response) => response.writeHead(302).end())
    expect((await world.client().fetch(`http://a.test:${bare.port}/`)).status).toBe(302)
  })

  it('keeps secret headers within an origin, and only harmless headers to another origin', async () => {
    const { port } = await serveRedirects()
    const secrets = {
      authorization: 'Bearer s',
      cookie: 's=1',
      'proxy-authorization': 's',
      'x-api-key': 's',
      'x-goog-api-key': 's',
      'api-key': 's',
      'xi-api-key': 's',
      'private-token': 's',
      'x-anything': 's',
    }
    const headers = { ...secrets, accept: 'text/html', 'user-agent': 'me' }
    const a = `http://a.test:${port}`
    const same = await arrived(await world.client().fetch(go(a, '/end'), { headers }))
    expect(same.headers).toMatchObject(headers)
    for (const other of [`http://b.test:${port}/end`, go(`http://b.test:${port}`, `${a}/end`)]) {
      const sent = (await arrived(await world.client().fetch(go(a, other), { headers }))).headers
      expect(sent).toMatchObject({ accept: 'text/html', 'user-agent': 'me' })
      expect(Object.keys(sent).filter((name) => name in secrets)).toEqual([])
    }
  })
})

describe('a redirected request with a body', () => {
  const post = (method = 'POST') => ({ method, body: 'secret', headers: { 'content-type': 'text/plain' } })

  it.each([
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [303, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [307, 'POST', 'POST'],
    [308, 'PUT', 'PUT'],
    [301, 'PROPFIND', 'PROPFIND'],
    [302, 'PUT', 'PUT'],
  ])('with status %i turns %s into %s within its origin', async (status, method, becomes) => {
    const { port } = await serveRedirects()
    const answer = await world.client().fetch(go(`http://a.test:${port}`, '/end', status), post(method))
    const sent = await arrived(answer)
    expect([sent.method, sent.body]).toEqual([becomes, becomes === 'GET' ? '' : 'secret'])
    expect(sent.headers['content-type']).toBe(becomes === 'GET' ? undefined : 'text/plain')
  })

  it.each([301, 302, 303])('with status %i loses the body when it goes to another origin', async (status) => {
    const { port } = await serveRedirects()
    const url = go(`http://a.test:${port}`, `http://b.test:${port}/end`, status)
    const sent = await arrived(await world.client().fetch(url, post()))
    expect([sent.method, sent.body]).toEqual(['GET', ''])
  })

  it.each([
    [307, 'POST'],
    [308, 'POST'],
    [301, 'PROPFIND'],
  ])('with status %i after %s is not sent to another origin', async (status, method) => {
    const { port, seen } = await serveRedirects()
    const url = go(`http://a.test:${port}`, `http://b.test:${port}/end`, status)
    await expect(world.client().fetch(url, post(method))).rejects.toMatchObject(FAILED)
    expect(seen).toHaveLength(1)
  })

  it('that was streamed is not sent twice', async () => {
    const { port, seen } = await serveRedirects()
    const request = { method: 'POST', body: new Blob(['once']).stream() }
    const sending = world.client().fetch(go(`http://a.test:${port}`, '/end', 307), request)
    await expect(sending).rejects.toThrow('cannot be sent twice')
    expect(seen).toHaveLength(1)
  })

  it('keeps the method HEAD', async () => {
    const { port, seen } = await serveRedirects()
    const answer = await world.client().fetch(go(`http://a.test:${port}`, '/end', 303), { method: 'HEAD' })
    expect([answer.status, await answer.text(), seen.at(-1)]).toEqual([200, '', 'HEAD /end'])
  })
})

describe('the next hop', () => {
  const hop = (url: string) => ({
    url: parseTarget(url),
    method: 'GET',
    headers: new Headers(),
    body: undefined,
    trust: 'operator' as const,
  })

  it('never downgrades from https to http', () => {
    expect(() => nextHop(hop('https://a.test/'), 302, 'http://a.test/')).toThrow('https to http')
    expect(() => nextHop(hop('https://a.test/'), 302, 'http://b.test/')).toThrow('https to http')
    expect(nextHop(hop('http://a.test/'), 302, 'https://a.test/')?.trust).toBe('content')
  })

  it('keeps its trust level only for the same scheme, host and port', () => {
    const trustOf = (to: string) => nextHop(hop('http://a.test:8080/x'), 302, to)?.trust
    for (const to of ['/y', 'y?z', '//a.test:8080/', 'http://A.test.:8080/'])
      expect(trustOf(to)).toBe('operator')
    for (const to of ['//a.test/', '//a.test:8081/', 'https://a.test:8080/', '//b.a.test:8080/'])
      expect(trustOf(to)).toBe('content')
  })

  it('decodes a raw UTF-8 location as UTF-8', () => {
    const raw = Buffer.from('/grüße').toString('latin1')
    expect(nextHop(hop('http://a.test/'), 302, raw)?.url.href).toBe('http://a.test/gr%C3%BC%C3%9Fe')
  })

  it('is undefined when there are several Location headers', () => {
    expect(() => nextHop(hop('http://a.test/'), 302, ['/a', '/b'])).toThrow('several Location headers')
  })
})
