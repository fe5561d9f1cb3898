import { createServer as createTcpServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createLoopbackWorld, PUBLIC } from '../../../test/support/loopback-world.ts'
import { createOutbound } from './outbound.ts'

const world = createLoopbackWorld()
afterEach(world.end)

const REFUSED = { kind: 'invalid', code: 'validation_failed' }
const FAILED = { kind: 'upstream', code: 'upstream_failed' }

describe('a response', () => {
  it('has status, headers and body for any status', async () => {
    const { port } = await world.serve((_request, response) => {
      response.writeHead(418, { 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'] })
      response.end('{"tea":true}')
    })
    const answer = await world.client().fetch(`http://site.test:${port}/pot?x=1#lid`)
    expect(answer.status).toBe(418)
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(answer.url).toBe(`http://site.test:${port}/pot?x=1`)
    expect(answer.redirects).toEqual([])
    expect(await answer.json()).toEqual({ tea: true })
    expect(await answer.text()).toBe('{"tea":true}')
  })

  it.each([
    ['a string', () => 'häppy'],
    ['bytes', () => new TextEncoder().encode('häppy')],
    ['a stream', () => new Blob(['hä', 'ppy']).stream()],
  ])('arrives for a request whose body is %s', async (_kind, body) => {
    const { port } = await world.serve(async (request, response) => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part)
      const { host, 'user-agent': agent, 'x-mine': mine } = request.headers
      response.end(JSON.stringify([request.method, host, agent, mine, Buffer.concat(parts).toString()]))
    })
    const answer = await world
      .client()
      .fetch(`http://site.test:${port}/`, { method: 'post', headers: { 'X-Mine': 'yes' }, body: body() })
    expect(await answer.json()).toEqual(['POST', `site.test:${port}`, 'factotum-test', 'yes', 'häppy'])
  })

  it('with unusual header bytes is accepted', async () => {
    const { port } = await world.listen(
      createTcpServer((socket) => {
        socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nx-odd: ☃ é\r\n__proto__: x\r\n\r\nhello'))
      }),
    )
    const answer = await world.client().fetch(`http://site.test:${port}/`)
    expect(answer.headers.get('x-odd')).toBe(Buffer.from('☃ é').toString('latin1'))
    expect(await answer.text()).toBe('hello')
  })

  it.each([
    '',
    'HTTP/1.1 banana\r\n\r\n',
    'SSH-2.0-OpenSSH\r\n',
    `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(99_999)}\r\n\r\n`,
  ])('that is not HTTP is an upstream failure (%#)', async (bytes) => {
    const { port } = await world.listen(
      createTcpServer((socket) => void socket.once('data', () => socket.end(bytes))),
    )
    await expect(world.client().fetch(`http://site.test:${port}/`)).rejects.toMatchObject(FAILED)
  })

  it('that never comes, because the server is down, is an upstream failure', async () => {
    const { port, sockets } = await world.serve((_request, response) => response.end())
    const { fetch } = world.client()
    await (await fetch(`http://site.test:${port}/`)).bytes()
    expect(sockets).toHaveLength(1)
    await world.end()
    await expect(world.client().fetch(`http://site.test:${port}/`)).rejects.toMatchObject(FAILED)
  })

  it('is not returned after the client is closed', async () => {
    const { port } = await world.serve((_request, response) => response.end())
    const client = world.client()
    await client.close()
    await expect(client.fetch(`http://site.test:${port}/`)).rejects.toMatchObject(FAILED)
  })
})

describe('a URL', () => {
  it.each([
    'ftp://site.test/',
    'file:///etc/passwd',
    'data:text/plain,hi',
    'javascript:1',
    'http://user@site.test/',
    'http://:secret@site.test/',
    'http://',
    'http://a..b/',
    'no url',
    '',
    '//site.test/',
  ])('%j is not fetched', async (url) => {
    const client = world.client()
    await expect(client.fetch(url, { trust: 'operator' })).rejects.toMatchObject(REFUSED)
    expect(client.asked).toEqual([])
  })

  it.each([
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '0x7f000001',
    '017700000001',
    '127.1',
    '127.0.0.1.',
    '１２７.０.０.１',
    '%31%32%37.0.0.1',
    '0',
    '0.0.0.0',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'deep.localhost',
    'ｌｏｃａｌｈｏｓｔ',
    'inside.test',
    'mixed.test',
    'garbage.test',
    '[::]',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]',
    '10.0.0.1',
    '169.254.169.254',
    '[fe80::1]',
    '[fd00:ec2::254]',
  ])('found in content never reaches %s, whatever is allowed', async (host) => {
    const { port, sockets } = await world.serve((_request, response) => response.end('secret'))
    const names = {
      'inside.test': ['127.0.0.1'],
      'mixed.test': [PUBLIC, '127.0.0.1'],
      'garbage.test': ['127.1'],
    }
    const allow = ['0.0.0.0/0', '::/0', '*.test', 'localhost', '*.localhost', '169.254.0.0/16']
    const client = world.client(names, { allow, typedMayBePrivate: true })
    await expect(client.fetch(`http://${host}:${port}/`)).rejects.toMatchObject(REFUSED)
    expect(client.dialled).toEqual([])
    expect(sockets).toEqual([])
  })

  it('that is rejected does not reveal the resolved address', async () => {
    const client = world.client({ 'inside.test': ['10.1.2.3'] })
    await expect(client.fetch('http://inside.test/')).rejects.not.toThrow('10.1.2.3')
  })

  it('with an unknown name is an upstream failure', async () => {
    const client = world.client({ 'nowhere.test': [] })
    await expect(client.fetch('http://nowhere.test/')).rejects.toMatchObject(FAILED)
    const lookup = async () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))
    const other = world.client({}, { lookup })
    await expect(other.fetch('http://nowhere.test/')).rejects.toMatchObject(FAILED)
  })
})

describe('a request', () => {
  it.each([
    { headers: { Host: 'other.test' } },
    { headers: { 'x-a': 'b\r\nx-c: d' } },
    { headers: { 'x a': 'b' } },
    { headers: { 'transfer-encoding': 'chunked' } },
    { method: 'CONNECT' },
    { method: 'GET / HTTP/1.1\r\nx:' },
  ])('with ambiguous or forbidden headers is rejected: %j', async (request) => {
    const { port, seen } = await world.serve((_request, response) => response.end())
    await expect(world.client().fetch(`http://site.test:${port}/`, request)).rejects.toMatchObject(REFUSED)
    expect(seen).toEqual([])
  })
})

describe('the allow list', () => {
  it('lets the operator and a typed setting reach a private host by name, network or address', async () => {
    const { port } = await world.serve((_request, response) => response.end('inside'))
    const names = { 'ollama.lan': ['127.0.0.1'] }
    for (const trust of ['operator', 'typed'] as const)
      for (const [allow, host] of [
        ['ollama.lan', 'ollama.lan'],
        [`ollama.lan:${port}`, 'ollama.lan'],
        ['*.lan', 'OLLAMA.lan.'],
        ['127.0.0.0/8', 'ollama.lan'],
        ['127.0.0.1', '2130706433'],
      ] as const) {
        const answer = await world
          .client(names, { allow: [allow] })
          .fetch(`http://${host}:${port}/`, { trust })
        expect(await answer.text()).toBe('inside')
      }
  })

  it('keeps everything else private', async () => {
    const { port, seen } = await world.serve((_request, response) => response.end('inside'))
    const names = {
      'ollama.lan': ['127.0.0.1'],
      localhost: ['127.0.0.1', '::1'],
      'meta.lan': ['169.254.169.254'],
    }
    const client = world.client(names, { allow: ['other.lan', `ollama.lan:${port + 1}`, 'meta.lan'] })
    for (const trust of ['operator', 'typed'] as const)
      for (const host of ['ollama.lan', '127.0.0.1', 'meta.lan', 'localhost'])
        await expect(client.fetch(`http://${host}:${port}/`, { trust })).rejects.toMatchObject(REFUSED)
    expect(seen).toEqual([])
  })

  it('is not needed for typed settings of an open instance', async () => {
    const { port } = await world.serve((_request, response) => response.end('inside'))
    const client = world.client({}, { typedMayBePrivate: true })
    expect(await (await client.fetch(`http://127.0.0.1:${port}/`, { trust: 'typed' })).text()).toBe('inside')
    await expect(client.fetch(`http://127.0.0.1:${port}/`, { trust: 'operator' })).rejects.toMatchObject(
      REFUSED,
    )
    await expect(client.fetch('http://169.254.169.254/', { trust: 'typed' })).rejects.toMatchObject(REFUSED)
  })

  it('with an invalid entry makes the constructor throw', () => {
    const options = { allow: ['http://x'], typedMayBePrivate: false, userAgent: 'x' }
    expect(() => createOutbound(options)).toThrow('is a URL')
  })
})

describe('addresses for other protocols', () => {
  it('are checked like those of a request', async () => {
    const names = { 'imap.test': [PUBLIC, '2606:4700::1111'], 'mail.lan': ['10.0.0.5'] }
    const client = world.client(names, { allow: ['mail.lan:993'] })
    expect(await client.resolve('imap.test', 'content')).toEqual([
      { address: PUBLIC, family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ])
    expect(await client.resolve('Mail.LAN.', 'operator', 993)).toEqual([{ address: '10.0.0.5', family: 4 }])
    await expect(client.resolve('mail.lan', 'operator', 25)).rejects.toMatchObject(REFUSED)
    await expect(client.resolve('mail.lan', 'operator')).rejects.toMatchObject(REFUSED)
    await expect(client.resolve('mail.lan', 'content', 993)).rejects.toMatchObject(REFUSED)
    await expect(client.resolve('0x7f.1', 'typed')).rejects.toMatchObject(REFUSED)
    await expect(client.resolve('a:b', 'typed')).rejects.toMatchObject(REFUSED)
  })
})
