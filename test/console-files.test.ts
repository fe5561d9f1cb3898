import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Instance, startInstance } from './support/instance.ts'

/** Bytes that are no UTF-8. */
const FONT = Buffer.from([0x77, 0x4f, 0x46, 0x32, 0xff, 0xfe, 0x80])
const SCRIPT = 'console.log("hello")\n'.repeat(100)

describe('console files', () => {
  const consoleDirectory = mkdtempSync(join(tmpdir(), 'factotum-console-'))
  let instance: Instance

  beforeAll(async () => {
    mkdirSync(join(consoleDirectory, 'assets'))
    writeFileSync(join(consoleDirectory, 'index.html'), '<title>The page</title>')
    writeFileSync(join(consoleDirectory, 'index.de.html'), '<title>Die Seite</title>')
    writeFileSync(join(consoleDirectory, 'favicon.svg'), '<svg/>')
    writeFileSync(join(consoleDirectory, 'assets', 'index-1a2b.js'), SCRIPT)
    writeFileSync(join(consoleDirectory, 'assets', 'page-1a2b.js'), SCRIPT)
    writeFileSync(join(consoleDirectory, 'assets', 'font-1a2b.woff2'), FONT)
    writeFileSync(join(consoleDirectory, 'assets', 'page-1a2b.js.br'), brotliCompressSync(SCRIPT))
    instance = await startInstance({ deps: { consoleDirectory } })
  })
  afterAll(async () => {
    await instance.close()
    rmSync(consoleDirectory, { recursive: true })
  })

  it('serves the same page for every view, without caching', async () => {
    const app = readFileSync(new URL('../web/src/app.tsx', import.meta.url), 'utf8')
    const routes = [...app.matchAll(/<Route path="([^"]+)"/g)].map(([, path = '']) => path)
    expect(routes.length).toBeGreaterThan(10)
    const addresses = routes.map((path) => path.replace(/\/(?:\*|:\w+)\?$/, '/7'))
    for (const address of ['/mail', '/settings', '/contacts', ...addresses]) {
      const { status, headers, body } = await instance.get(address)
      expect([address, status, headers.get('cache-control')]).toEqual([address, 200, 'no-cache'])
      expect(body).toContain('The page')
    }
    expect((await instance.get('/favicon.svg')).headers.get('cache-control')).toBe('no-cache')
  })

  it('responds to unknown paths with the page for browsers and with JSON for programs', async () => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
    for (const address of ['/nonsense', '/nonsense/deeper?x=1']) {
      const { status, headers, body } = await instance.get(address, { headers: { accept } })
      expect([status, headers.get('cache-control'), headers.get('content-type')]).toEqual([
        404,
        'no-store',
        'text/html; charset=utf-8',
      ])
      expect(body).toContain('The page')
      expect(headers.get('content-security-policy')).toContain("script-src 'self'")
    }
    for (const [address, headers] of [
      ['/nonsense', {}],
      ['/nonsense', { accept: '*/*' }],
      ['/nonsense', { accept: 'application/json, text/html;q=0' }],
      ['/api', { accept }],
      ['/api/nonsense', { accept }],
    ] as const) {
      const { status, body } = await instance.get(address, { headers })
      expect([address, status, body.code]).toEqual([address, 404, 'not_found'])
    }
    expect((await instance.call('POST', '/nonsense', { headers: { accept } })).body.code).toBe('not_found')
    expect((await instance.call('DELETE', '/mail', { headers: { accept } })).status).toBe(405)
  })

  it.each([
    ['the first accepted language', { 'accept-language': 'de-AT,de;q=0.9,en;q=0.8' }, 'Die Seite'],
    ['the language with the higher weight', { 'accept-language': 'de;q=0.5,en-GB;q=0.9' }, 'The page'],
    ['the first language that exists', { 'accept-language': 'fr,de;q=0.7,en;q=0.3' }, 'Die Seite'],
    ['English before a later German', { 'accept-language': 'en,de' }, 'The page'],
    ['English for an unknown language', { 'accept-language': 'fr' }, 'The page'],
    ['no language with weight 0', { 'accept-language': 'de;q=0' }, 'The page'],
    [
      'the language of the cookie first',
      { 'accept-language': 'en', cookie: 'factotum.language=de' },
      'Die Seite',
    ],
    ['no file that the cookie names', { cookie: 'x=1; factotum.language=../../etc' }, 'The page'],
  ])('selects the page by language: %s', async (_case, headers, title) => {
    const { body, headers: response } = await instance.get('/tasks', { headers })
    expect(body).toContain(title)
    expect(response.get('vary')).toContain('accept-language, cookie')
  })

  it('caches hashed assets forever and compresses them if the client accepts it', async () => {
    const address = '/assets/index-1a2b.js'
    const { status, headers, body } = await instance.get(address)
    expect([status, headers.get('content-encoding'), body]).toEqual([200, 'gzip', SCRIPT])
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    const plain = await instance.get(address, { headers: { 'accept-encoding': 'identity' } })
    expect([plain.headers.get('content-encoding'), plain.body]).toEqual([null, SCRIPT])
    expect((await instance.call('HEAD', address)).status).toBe(200)
    const smallest = await instance.get('/assets/page-1a2b.js', {
      headers: { 'accept-encoding': 'gzip, br' },
    })
    expect([smallest.headers.get('content-encoding'), smallest.body]).toEqual(['br', SCRIPT])
    expect((await instance.get('/assets/page-1a2b.js.br')).status).toBe(404)
    const font = await fetch(`${instance.url}/assets/font-1a2b.woff2`)
    expect(font.headers.get('content-type')).toBe('font/woff2')
    expect(Buffer.from(await font.arrayBuffer())).toEqual(FONT)
  })

  it('compresses long JSON of the API, but none with tokens', async () => {
    const encodingOf = async (address: string, headers = {}) =>
      (await instance.get(address, { headers })).headers.get('content-encoding')
    const title = 'A rather long title of a task. '.repeat(9)
    for (let n = 0; n < 6; n++) await instance.post('/api/tasks', { title })
    expect(await encodingOf('/api/tasks')).toBe('gzip')
    expect(await encodingOf('/api/tasks', { 'accept-encoding': 'gzip;q=0' })).toBeNull()
    expect(await encodingOf('/api/tasks?limit=1')).toBeNull()
    const { body } = await instance.get('/api/tasks')
    expect(body.tasks.map((task: { title: string }) => task.title)).toEqual(Array(6).fill(title.trim()))
    expect(await encodingOf('/api/auth/me?x=1')).toBeNull()
  })

  it('also serves the compressed API documentation', async () => {
    for (const address of ['/docs', '/api-docs']) {
      const { status, headers } = await instance.get(address)
      expect([address, status, headers.get('content-encoding')]).toEqual([address, 200, 'gzip'])
      expect(headers.get('vary')).toContain('accept-encoding')
      const plain = await instance.get(address, { headers: { 'accept-encoding': 'identity' } })
      expect([plain.headers.get('content-encoding'), plain.headers.get('etag')]).toEqual([
        null,
        headers.get('etag'),
      ])
    }
  })

  it('serves no other files', async () => {
    const names = [
      'none.js',
      '',
      '..%2Findex.html',
      '%2e%2e%2findex.html',
      '..%2F..%2F..%2Fetc%2Fhostname',
      '__proto__',
    ]
    for (const name of names) {
      const { status, body } = await instance.get(`/assets/${name}`)
      expect([name, status, body.code]).toEqual([name, 404, 'not_found'])
    }
  })
})
