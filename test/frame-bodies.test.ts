import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onEveryDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, type Person, register } from './support/people.ts'
import { exchange, type RawCall } from './support/raw-http.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const MIB = 1024 * 1024

let instance: Instance
let person: Person
beforeAll(async () => {
  instance = await startInstance()
  person = await register(instance)
})
afterAll(() => instance.close())

const send = (call: Partial<RawCall>) =>
  exchange(instance.url, {
    method: 'PATCH',
    path: '/api/settings/profile',
    ...call,
    headers: { authorization: `Bearer ${person.token}`, ...(call.headers ?? JSON_TYPE) },
  })
const sendJson = (body: RawCall['body']) => send({ body: body as string })
const nameOf = async (): Promise<string> => (await send({ method: 'GET', headers: {} })).body.name

describe('the body size limit', () => {
  /** Creates a body of exactly this many bytes: valid JSON, padded with spaces. */
  const bodyOf = (bytes: number): string => {
    const body = '{"name":"Ana"}'
    return body + ' '.repeat(bytes - body.length)
  }

  it('accepts one mebibyte and rejects one byte more', async () => {
    expect((await sendJson(bodyOf(MIB))).status).toBe(200)
    const answer = await sendJson(bodyOf(MIB + 1))
    expect(answer.status).toBe(413)
    expect(answer.body.code).toBe('too_large')
  })

  it('also applies to a chunked body without a length', async () => {
    const piece = ' '.repeat(64 * 1024)
    const pieces = (count: number) => ['{"name":"Ana"', ...Array<string>(count).fill(piece), '}']
    const headers = { ...JSON_TYPE, 'transfer-encoding': 'chunked' }
    expect((await send({ body: pieces(15), headers })).status).toBe(200)
    const answer = await send({ body: pieces(16), headers })
    expect(answer.status).toBe(413)
    expect(answer.headers['content-type']).toContain('application/problem+json')
  })

  /** Like many clients: reads nothing before everything is written. */
  const writeThenRead = (head: string, body: Buffer): Promise<string> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(instance.url)
      const socket = connect(Number(port), hostname)
      socket.on('error', reject)
      socket.write(`${head}\r\nHost: ${hostname}\r\nContent-Length: ${body.length}\r\n\r\n`)
      socket.write(body, (failure) => {
        if (failure) return reject(failure)
        socket.once('data', (bytes) => {
          resolve(bytes.toString().slice(9, 12))
          socket.destroy()
        })
      })
    })

  it.each(['keep-alive', 'close'])(
    'lets a client that reads last get the response too: %s',
    async (connection) => {
      for (const [request, type, status] of [
        ['POST /api/tasks', 'application/json', '413'],
        ['POST /api/tasks', 'text/plain', '415'],
        ['POST /api/auth/me', 'text/plain', '405'],
        ['POST /api/settings/tokens', 'application/json', '401'],
      ]) {
        const head = `${request} HTTP/1.1\r\nContent-Type: ${type}\r\nConnection: ${connection}`
        expect(await writeThenRead(head, Buffer.alloc(24 * MIB, 0x20))).toBe(status)
      }
    },
  )

  it('rejects an announced length that is too large before the body is sent', async () => {
    const headers = { ...JSON_TYPE, 'content-length': String(100 * MIB), expect: '100-continue' }
    const answer = await send({ headers }).catch((error: Error) => error)
    expect(answer).toMatchObject({ status: 413 })
  })
})

describe('a request body', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/json-patch+json',
    'application/vnd.api+json',
    'application/jsonp',
    'application/json/x',
    'text/json',
    'json',
    '*/*',
    'text/plain; application/json',
    'text/plain;charset=application/json',
  ])('of type %s is rejected', async (type) => {
    const answer = await send({ body: '{"name":"Eve"}', headers: { 'content-type': type } })
    expect(answer.status).toBe(415)
    expect(answer.body.code).toBe('unsupported_media_type')
  })

  it('without a type is rejected', async () => {
    expect((await send({ body: '{"name":"Eve"}', headers: {} })).status).toBe(415)
    expect((await send({ body: '{"name":"Eve"}', headers: { 'content-type': '' } })).status).toBe(415)
    expect((await send({ body: ['{"name":', '"Eve"}'], headers: {} })).status).toBe(415)
  })

  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
  ])('of type %s is accepted as JSON', async (type) => {
    expect((await send({ body: '{"name":"Ana"}', headers: { 'content-type': type } })).status).toBe(200)
  })

  it('may be an image only where an image is expected, and never SVG', async () => {
    const png = { 'content-type': 'image/png' }
    expect((await send({ body: '\x89PNG', headers: png })).status).toBe(415)
    const avatar = { method: 'PUT', path: '/api/settings/profile/avatar' }
    for (const type of ['image/svg+xml', 'application/json', 'text/html', 'image/png'])
      expect((await send({ ...avatar, body: '{"svg":1}', headers: { 'content-type': type } })).status).toBe(
        415,
      )
  })

  it('must have the type that the error names', async () => {
    const headers = { authorization: `Bearer ${person.token}`, 'content-type': 'text/csv' }
    for (const [method, path, type] of [
      ['POST', '/api/tasks', 'application/json'],
      ['POST', '/api/settings/import', 'application/zip'],
      ['POST', '/api/calendar/import', 'text/calendar'],
      ['POST', '/api/emails', 'message/rfc822'],
      ['PUT', '/api/settings/profile/avatar', 'image/png'],
    ] as const) {
      const { status, body } = await send({ method, path, body: 'a,b', headers })
      expect([path, status]).toEqual([path, 415])
      expect(body.detail).toContain(type)
    }
  })

  it('that is compressed is rejected, whatever its type', async () => {
    for (const coding of ['gzip', 'br', 'gzip, identity', 'x'])
      for (const body of [gzipSync('{"name":"Eve"}'), '{"name":"Eve"}'])
        expect((await send({ body, headers: { ...JSON_TYPE, 'content-encoding': coding } })).body.code).toBe(
          'unsupported_media_type',
        )
    const plain = { ...JSON_TYPE, 'content-encoding': 'identity' }
    expect((await send({ body: '{"name":"Ana"}', headers: plain })).status).toBe(200)
  })

  it.each([
    ['{"name":"Ana","name":"Eve"}', 'name'],
    ['{"name":"Ana", "n\\u0061me" : "Eve"}', 'name'],
    ['{"x":{"y":[{"z":1,"z":1}]}}', 'z'],
    ['{"a\\\\":"\\":","a\\\\":""}', 'a\\'],
    ['{"":1,"":2}', ''],
  ])('with a duplicate name is rejected: %s', async (body, path) => {
    const answer = await sendJson(body)
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toEqual([{ path, message: 'is a duplicate name' }])
  })

  it.each([
    ['nothing', ''],
    ['blanks', '  \n'],
    ['half an object', '{"name":"Ana"'],
    ['two objects', '{"name":"Ana"}{"name":"Eve"}'],
    ['a comma too many', '{"name":"Ana",}'],
    ['single quotes', "{'name':'Ana'}"],
    ['a comment', '{"name":"Ana"} // me'],
    ['NaN', '{"name":NaN}'],
    ['a bare control character', '{"name":"a\u0001b"}'],
    ['a bare NUL', '{"name":"a\0b"}'],
  ])('that is %s is rejected', async (_what, body) => {
    const answer = await sendJson(body)
    expect(answer.status).toBe(400)
    expect(answer.body.code).toBe('validation_failed')
    expect(answer.body.errors).toEqual([{ path: expect.any(String), message: expect.stringMatching(/./) }])
  })

  it.each([
    'null',
    '[]',
    '[{"name":"Eve"}]',
    '"name"',
    '0',
    'true',
    '{"name":{"toString":"Eve"}}',
    '{"name":["Eve"]}',
    '{"name":null}',
    '{"name":" \u2003 "}',
  ])('with JSON of another shape is rejected: %s', async (body) => {
    expect((await sendJson(body)).status).toBe(400)
  })

  it('that is not UTF-8 is rejected, and the next request is not affected', async () => {
    const bytes = (...hostile: number[]) =>
      Buffer.concat([Buffer.from('{"name":"a'), Buffer.from(hostile), Buffer.from('"}')])
    for (const hostile of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xc0, 0xaf]]) {
      expect((await sendJson(bytes(...hostile))).status).toBe(400)
      expect((await sendJson('{"name":"Zoë 🦉"}')).body.name).toBe('Zoë 🦉')
    }
    expect((await sendJson(Buffer.from('\ufeff{"name":"Ana"}'))).status).toBe(200)
    expect((await sendJson(Buffer.from('{"name":"Ana"}', 'utf16le'))).status).toBe(400)
  })

  it.each([
    ['a NUL', '{"name":"a\\u0000b"}', 'name'],
    ['the first half of a pair', '{"name":"a\\ud800b"}', 'name'],
    ['the second half of a pair', '{"name":"\\udc00"}', 'name'],
    ['a pair the wrong way round', '{"name":"\\udc00\\ud800"}', 'name'],
  ])('with %s in a text is rejected', async (_what, body, path) => {
    const answer = await sendJson(body)
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toEqual([{ path, message: expect.any(String) }])
  })

  it('with any other text is stored unchanged', async () => {
    for (const name of [
      '\ud83e\udd89',
      'a\u202eb',
      '\u0007',
      '\ufffe',
      "'; drop table users; --",
      '"name":"a","name":"b"',
      '\\"',
      '%00',
      '\\u0000',
    ])
      expect((await sendJson(JSON.stringify({ name }))).body.name).toBe(name)
    expect((await sendJson('{"name":"\\ud83e\\udd89 \\u0041"}')).body.name).toBe('🦉 A')
  })
})

describe('a hostile body', () => {
  const nest = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`

  it.each([
    ['deep', `{"name":${nest(100_000)}}`],
    ['deep, with an escape', `{"name":"\\u0041","x":${nest(100_000)}}`],
    ['deep objects', `{"name":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`],
    ['deep objects, with an escape', `{"x":${'{"\\u0061":'.repeat(50_000)}1${'}'.repeat(50_000)}}`],
    ['nothing but opening brackets', '['.repeat(500_000)],
    ['a number beyond all numbers', '{"name":1e400}'],
    ['a number of many digits', `{"name":${'9'.repeat(500_000)}}`],
    ['a negative zero', '{"name":-0}'],
    ['__proto__', '{"__proto__":{"name":"Eve"}}'],
    ['__proto__ beside a name', '{"name":"Eve","__proto__":{"isOwner":true}}'],
    ['__proto__, escaped', '{"name":"Eve","\\u005f_proto__":{"isOwner":true}}'],
    ['constructor', '{"constructor":{"prototype":{"name":"Eve"}}}'],
    ['the names of methods', '{"toString":"Eve","hasOwnProperty":1,"valueOf":2}'],
  ])('is rejected and changes nothing: %s', async (_what, body) => {
    const before = await nameOf()
    const answer = await sendJson(body)
    expect([400, 413]).toContain(answer.status)
    expect(await nameOf()).toBe(before)
    expect(({} as Record<string, unknown>).isOwner).toBeUndefined()
  })

  it('with a thousand unknown fields gets a short response', async () => {
    const many = Object.fromEntries(Array.from({ length: 40_000 }, (_, n) => [`field${n}`, 0]))
    const answer = await sendJson(JSON.stringify(many))
    expect(answer.status).toBe(400)
    expect(answer.body.errors.length).toBeLessThanOrEqual(100)
    expect(answer.text.length).toBeLessThan(100_000)
  })

  it('with a duplicate field is either rejected or parsed in one way', async () => {
    const answer = await sendJson('{"name":"first","name":"second"}')
    if (answer.status === 200) expect(answer.body.name).toBe('second')
    else expect(answer.status).toBe(400)
  })
})

describe('a body where none is expected', () => {
  it('is not ignored silently', async () => {
    const other = await register(instance)
    const headers = { authorization: `Bearer ${other.token}`, ...JSON_TYPE }
    const answer = await send({
      method: 'POST',
      path: '/api/auth/logout',
      body: '{"everywhere":true}',
      headers,
    })
    expect(answer.status).toBe(400)
    expect(answer.body.errors?.[0]?.path).toBe('everywhere')
  })

  it('may be missing or empty', async () => {
    const other = await register(instance)
    const headers = { authorization: `Bearer ${other.token}` }
    expect((await send({ method: 'POST', path: '/api/auth/logout', headers })).status).toBe(204)
  })

  it('may be announced and then not sent, as many clients do', async () => {
    const { token } = await register(instance)
    const headers = { authorization: `Bearer ${token}`, ...JSON_TYPE, 'content-length': '0' }
    const asked = await send({ method: 'POST', path: '/api/auth/login', headers: { ...JSON_TYPE } })
    expect([asked.status, asked.body.errors?.[0]?.path]).toEqual([400, 'email'])
    expect((await send({ method: 'DELETE', path: '/api/tasks/1', headers })).status).toBe(404)
    expect((await send({ method: 'POST', path: '/api/auth/logout', headers })).status).toBe(204)
  })
})

onEveryDatabase('text that a database cannot store', (engine) => {
  let fixture: Instance
  let testServer: TestServer
  let token: string
  beforeAll(async () => {
    fixture = await startInstance({ engine })
    token = (await register(fixture)).token
    testServer = await startTestServer(fixture, async (app) => {
      const Query = Type.Object({ q: Type.Optional(Type.String()) }, { additionalProperties: false })
      app.get('/echo', { config: { access: 'public' }, schema: { querystring: Query } }, ({ query }) => query)
    })
  })
  afterAll(async () => {
    await testServer.close()
    await fixture.close()
  })

  it.each(['%00', 'a%00b'])('is rejected in a path and a query: %s', async (text) => {
    expect((await fixture.get(`/api/settings/tokens/${text}`, { token })).status).toBe(400)
    expect((await testServer.send({ path: `/echo?q=${text}` })).status).toBe(400)
    expect((await testServer.send({ path: `/echo?${text}=1` })).status).toBe(400)
  })

  it.each(['%ED%A0%80', '%F0%9F', '%C0%80', '%FF', '%zz'])(
    'is rejected and not guessed: %s',
    async (text) => {
      expect((await fixture.get(`/api/settings/tokens/${text}`, { token })).status).toBe(400)
      expect((await testServer.send({ path: `/echo?q=${text}` })).status).toBe(400)
    },
  )

  it('is rejected in a client header, or not stored', async () => {
    const answer = await exchange(fixture.url, {
      method: 'POST',
      path: '/api/auth/register',
      body: JSON.stringify({ email: `agent-${engine}@example.org`, password: PASSWORD, name: 'Agent' }),
      headers: { ...JSON_TYPE, 'user-agent': 'caf\u00e9 \u00ff\u0080' },
    })
    expect(answer.status).toBe(201)
  })
})
