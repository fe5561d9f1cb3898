import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OWN_SEGMENTS } from '../src/config/values.ts'
import { createUrlRewriter } from '../src/platform/http/base-path.ts'
import { type Instance, startInstance } from './support/instance.ts'

const PASSWORD = 'a calm and quiet harbour'
const PUBLIC_URL = 'https://home.example/apps/factotum'
const BASE = '/apps/factotum'
const PAGE =
  '<meta name="base-path" content="" /><link href="./favicon.svg"><script src="./assets/index-1.js"></script>'

describe('the URL of a request', () => {
  const rewrite = createUrlRewriter('/factotum')
  it.each([
    ['/factotum', '/'],
    ['/factotum/', '/'],
    ['/factotum?x=1', '/?x=1'],
    ['/factotum/api/tasks?x=/factotum/', '/api/tasks?x=/factotum/'],
    ['/factotum/factotum/api', '/factotum/api'],
    ['/factotum2/api', '/factotum2/api'],
    ['/api/tasks', '/api/tasks'],
    ['/', '/'],
    ['*', '*'],
  ])('%s becomes %s', (url, expected) => {
    expect(rewrite({ url })).toBe(expected)
    expect(createUrlRewriter('')({ url })).toBe(url)
  })
})

describe('an instance below a path', () => {
  const consoleDirectory = mkdtempSync(join(tmpdir(), 'factotum-console-'))
  let instance: Instance
  let token = ''
  const headers = { host: 'home.example', origin: 'https://home.example', 'x-forwarded-proto': 'https' }

  beforeAll(async () => {
    mkdirSync(join(consoleDirectory, 'assets'))
    writeFileSync(join(consoleDirectory, 'index.html'), PAGE)
    writeFileSync(join(consoleDirectory, 'assets', 'index-1.js'), 'run()')
    instance = await startInstance({
      environment: { PUBLIC_URL, TRUST_PROXY: '127.0.0.1', METRICS: 'on' },
      deps: { consoleDirectory },
    })
  })
  afterAll(async () => {
    await instance.close()
    rmSync(consoleDirectory, { recursive: true })
  })

  it('accepts requests with and without the path, so a proxy may remove it', async () => {
    for (const path of ['/api/health', `${BASE}/api/health`])
      expect((await instance.get(path)).status).toBe(200)
    expect((await instance.get('/apps/other/api/health')).status).toBe(404)
    expect((await instance.get('/apps/factotum2/api/health')).status).toBe(404)
  })

  it('sets cookies for its own path only, and accepts them', async () => {
    const account = { name: 'Ana', email: 'ana@example.org', password: PASSWORD }
    const made = await instance.post(`${BASE}/api/auth/register`, account, {
      headers: { ...headers, 'x-session': 'cookie' },
    })
    expect(made.status).toBe(201)
    token = made.body.token
    expect(made.headers.get('location')).toBe(`${BASE}/api/auth/me`)
    const cookies = made.headers.getSetCookie()
    expect(cookies.map((cookie) => /Path=([^;]*)/.exec(cookie)?.[1]).sort()).toEqual([
      `${BASE}/api/auth`,
      `${BASE}/api/auth/login`,
    ])
    const cookie = cookies.map((text) => text.split(';')[0]).join('; ')
    const renewed = await instance.post('/api/auth/refresh', undefined, { headers: { ...headers, cookie } })
    expect(renewed.status).toBe(200)
    expect(renewed.headers.getSetCookie()).toHaveLength(1)
  })

  it('accepts pages of its origin only', async () => {
    const tasks = (origin: string) =>
      instance.get(`${BASE}/api/tasks`, { token, headers: { ...headers, origin } })
    expect((await tasks('https://home.example')).status).toBe(200)
    expect((await tasks('https://other.example')).body.code).toBe('origin_not_allowed')
  })

  it('names created resources and error pages below its path', async () => {
    const created = await instance.post(
      `${BASE}/api/tasks`,
      { title: 'One' },
      { token, headers: { ...headers, 'idempotency-key': 'one' } },
    )
    expect(created.headers.get('location')).toBe(`${BASE}/api/tasks/${created.body.id}`)
    // The stored response is the same for both forms of the URL.
    const replayed = await instance.post(
      '/api/tasks',
      { title: 'One' },
      { token, headers: { ...headers, 'idempotency-key': 'one' } },
    )
    expect(replayed.headers.get('idempotency-replayed')).toBe('true')
    expect(replayed.headers.get('location')).toBe(`${BASE}/api/tasks/${created.body.id}`)
    const unknown = await instance.get(`${BASE}/api/tasks/999`, { token })
    expect(unknown.body.type).toBe(`${BASE}/docs#error-not_found`)
  })

  it('completes the addresses of the console page, also on a deep page', async () => {
    for (const path of [
      BASE,
      `${BASE}/`,
      `${BASE}/settings/profile`,
      '/settings/profile',
      `${BASE}/nonsense`,
    ]) {
      const { body } = await instance.get(path, { headers: { accept: 'text/html' } })
      expect(body).toContain(`<meta name="base-path" content="${BASE}" />`)
      expect(body).toContain(`href="${BASE}/favicon.svg"`)
      expect(body).toContain(`src="${BASE}/assets/index-1.js"`)
    }
    expect((await instance.get(`${BASE}/assets/index-1.js`)).body).toBe('run()')
  })

  it('describes the API at its address', async () => {
    expect((await instance.get(`${BASE}/api-docs`)).body.servers).toEqual([{ url: PUBLIC_URL }])
    // The page of the reference has relative addresses.
    const { body } = await instance.get(`${BASE}/docs`)
    expect(body).not.toMatch(/(?:src|href)="\//)
  })

  it('puts its path into links that leave the instance', async () => {
    const invitation = await instance.post(
      `${BASE}/api/settings/invitations`,
      { password: PASSWORD },
      { token, headers },
    )
    expect(invitation.body.url).toMatch(`${PUBLIC_URL}/register?invitation=`)
  })

  it('streams live events', async () => {
    const controller = new AbortController()
    const response = await fetch(`${instance.url}${BASE}/api/events`, {
      headers: { authorization: `Bearer ${token}` },
      signal: controller.signal,
    })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    controller.abort()
  })

  it('has no route below a path that the configuration would allow as a base path', () => {
    const first = new Set(
      instance.app.routes
        .entries()
        .map(({ url }) => url.split('/')[1] ?? '')
        .filter((name) => !name.includes('.')),
    )
    first.delete('')
    first.delete('*')
    expect([...first].filter((name) => !OWN_SEGMENTS.has(name))).toEqual([])
  })
})
