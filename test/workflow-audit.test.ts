import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAudits, createPageFetch } from '../src/features/workflow/audits.ts'
import { createMovableClock } from './support/clock.ts'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { createLoopbackWorld, PUBLIC, type Visited } from './support/loopback-world.ts'
import { PASSWORD, register } from './support/people.ts'

const PAGE =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>A page about chairs</title><h1>Chairs</h1><img src="/a.png">'
const HTML = { 'content-type': 'text/html; charset=utf-8' }
/** Compressed before the requests, because a busy machine takes longer than the timeout of a request. */
const BOMB = gzipSync(Buffer.alloc(200_000_000))

/** Starts a site with all kinds of hostile pages. */
const openSite = (world: ReturnType<typeof createLoopbackWorld>): Promise<Visited> =>
  world.serve((request, response) => {
    const path = request.url ?? ''
    const redirect = (location: string) => response.writeHead(302, { location }).end()
    if (path === '/') return response.writeHead(200, HTML).end(PAGE)
    if (path === '/robots.txt') return response.writeHead(200).end('User-agent: *\nDisallow: /secret')
    if (path === '/secret') return response.writeHead(200, HTML).end(PAGE)
    if (path === '/moved') return redirect('/')
    if (path === '/inside') return redirect('http://10.0.0.5/')
    if (path === '/metadata') return redirect('http://169.254.169.254/latest/meta-data/')
    if (path === '/home') return redirect('http://localhost/')
    if (path === '/named') return redirect('http://inside.test/')
    if (path === '/round') return redirect('/round')
    if (path === '/file') return redirect('file:///etc/passwd')
    if (path === '/gone') return response.writeHead(404, HTML).end(PAGE)
    if (path === '/picture') return response.writeHead(200, { 'content-type': 'image/png' }).end('x')
    if (path === '/untold') return response.writeHead(200).end(PAGE)
    if (path === '/large') return response.writeHead(200, HTML).end(Buffer.alloc(6_000_000, 'x'))
    if (path === '/bomb') {
      response.writeHead(200, { ...HTML, 'content-encoding': 'gzip' })
      return response.end(BOMB)
    }
    if (path === '/garbled')
      return response.writeHead(200, { ...HTML, 'content-encoding': 'gzip' }).end('no gzip')
    if (path === '/latin')
      return response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(Buffer.from('<meta charset="iso-8859-1"><title>Caf\xe9 S\xfcd</title>', 'latin1'))
    if (path === '/wrong')
      return response.writeHead(200, HTML).end(Buffer.from('<title>Caf\xe9 in the south</title>', 'latin1'))
    if (path === '/compressed')
      return response.writeHead(200, { ...HTML, 'content-encoding': 'gzip' }).end(gzipSync(PAGE))
    if (path === '/cut') {
      response.writeHead(200, { ...HTML, 'content-length': '5000' }).write(PAGE)
      return setTimeout(() => response.destroy(), 20)
    }
    if (path === '/slow') return response.writeHead(200, HTML).write('<p>')
    // Never responds.
    return undefined
  })

onOneDatabase('sqlite', 'a page audit', (engine) => {
  const world = createLoopbackWorld()
  let instance: Instance
  let site: Visited
  let inside: Visited
  const client = world.client({
    'inside.test': ['10.0.0.5'],
    'half.test': [PUBLIC, '127.0.0.1'],
    'sly.test': ['127.0.0.1'],
  })
  beforeAll(async () => {
    site = await openSite(world)
    inside = await world.serve((_request, response) => response.writeHead(200, HTML).end(PAGE))
    instance = await startInstance({ engine, deps: { outbound: client } })
  })
  afterAll(async () => {
    await instance.close()
    await world.end()
  })
  const audit = (body: Record<string, unknown>) => instance.post('/api/workflow/digital-audit', body)
  const at = (path: string) => `http://chairs.test:${site.port}${path}`

  it('fetches the page and returns findings and a score', async () => {
    const { status, body } = await audit({ url: at('/moved'), company: 'Chairs Ltd' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      title: 'Digital audit of Chairs Ltd',
      engine: 'builtin',
      model: 'model_a',
      provider: 'builtin',
      usage: { inputTokens: 0, outputTokens: 0 },
      url: at('/'),
      fetched: true,
      bytes: PAGE.length,
      pageTitle: 'A page about chairs',
    })
    expect(body.sections.map(({ heading }: { heading: string }) => heading)).toContain('Security')
    const findings = body.sections.flatMap(({ findings }: { findings: object[] }) => findings)
    expect(findings).toContainEqual(
      expect.objectContaining({
        check: 'image-alternatives',
        severity: 'high',
        evidence: '<img src="/a.png">',
      }),
    )
    expect(findings).toContainEqual(expect.objectContaining({ check: 'https', severity: 'critical' }))
    expect(findings).toContainEqual(expect.objectContaining({ check: 'sitemap' }))
    expect(findings).not.toContainEqual(expect.objectContaining({ check: 'robots-disallow' }))
    expect(body.markdown).toContain('# Digital audit of Chairs Ltd')
    expect(body.markdown).toContain(`**Score: ${body.score} of 100**`)
    expect(body.score).toBeGreaterThan(0)
    expect(body.score).toBeLessThan(100)
  })

  it('reports in the language of the account, and in that of the owner without a token', async () => {
    const english = await register(instance, { locale: 'fr-FR' })
    const german = await register(instance, { locale: 'de-AT' })
    const auditAs = async (options?: { token: string }) =>
      (
        await instance.post(
          '/api/workflow/digital-audit',
          { html: PAGE, company: 'Chairs Ltd', focus: ['accessibility'] },
          options,
        )
      ).body
    const { title, summary, explanation, sections, markdown } = await auditAs({ token: german.token })
    expect(title).toBe('Website-Audit von Chairs Ltd')
    expect(summary).toMatch(/^Die Seite von Chairs Ltd ist .* Punkten, 2 Probleme, davon 2 schwerwiegend\./)
    expect(explanation).toMatch(/^Jeder Bereich beginnt mit 100 Punkten .*, abgerundet\.$/)
    expect(sections[0].heading).toBe('Barrierefreiheit')
    expect(sections[0].findings.map(({ text }: { text: string }) => text)).toEqual([
      'Die Seite hat keinen Viewport. Handys zeigen sie deshalb als verkleinerte Desktop-Seite.',
      '1 von 1 Bild hat keinen Alternativtext.',
    ])
    expect(sections[0].recommendations[1]).toMatch(/^Beschreibe jedes Bild in alt\./)
    expect(markdown).toContain('### Empfehlungen')
    const { auditedAt: _one, ...anonymous } = await auditAs()
    const { auditedAt: _two, ...asEnglish } = await auditAs({ token: english.token })
    expect(anonymous.title).toBe('Digital audit of Chairs Ltd')
    expect(anonymous.sections[0].findings[1].text).toBe('1 of 1 image has no alternative text.')
    expect(asEnglish).toEqual(anonymous)
  })

  it('checks only the requested sections', async () => {
    const before = site.seen.length
    const { body } = await audit({ url: at('/secret'), focus: ['security'] })
    expect(body.sections.map(({ key }: { key: string }) => key)).toEqual(['security'])
    expect(site.seen.slice(before)).toEqual(['GET /secret'])
    const { body: seo } = await audit({ url: at('/secret'), focus: ['SEO'] })
    expect(seo.markdown).toContain('Disallow: /secret')
  })

  it('decodes compressed pages and their character encoding', async () => {
    expect((await audit({ url: at('/compressed') })).body.pageTitle).toBe('A page about chairs')
    expect((await audit({ url: at('/latin') })).body.pageTitle).toBe('Café Süd')
    const { body } = await audit({ url: at('/wrong') })
    expect(body.pageTitle).toBe('Caf\ufffd in the south')
    expect(body.markdown).toContain('1 character could not be decoded as utf-8')
  })

  it('fetches nothing for HTML in the request', async () => {
    const [before, dialled] = [site.seen.length, client.dialled.length]
    const { status, body } = await audit({ html: PAGE, url: 'https://chairs.test/' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      fetched: false,
      url: 'https://chairs.test/',
      title: 'Digital audit of chairs.test',
    })
    expect((await audit({ html: '<p>' })).body).toMatchObject({ url: null, pageTitle: '' })
    expect([site.seen.length, client.dialled.length]).toEqual([before, dialled])
  })

  it.each([
    [{}, 'url'],
    [{ url: 'javascript:alert(1)' }, 'url'],
    [{ url: 'ftp://chairs.test/' }, 'url'],
    [{ url: 'https://' }, 'url'],
    [{ html: '' }, 'html'],
    [{ url: 'https://a.test/', focus: 'seo' }, 'focus'],
    [{ url: 'https://a.test/', compny: 'x' }, 'compny'],
  ])('rejects an invalid request: %j', async (body, path) => {
    const answer = await audit(body)
    expect(answer.status).toBe(400)
    expect(answer.body.errors[0].path).toBe(path)
  })

  it.each([
    ['http://127.0.0.1:{inside}/', 'address'],
    ['http://localhost:{inside}/', 'address'],
    ['http://[::1]:{inside}/', 'address'],
    ['http://0x7f000001:{inside}/', 'address'],
    ['http://sly.test:{inside}/', 'address'],
    ['http://half.test:{inside}/', 'address'],
    ['http://169.254.169.254/latest/meta-data/', 'address'],
    ['http://user:word@chairs.test/', 'address'],
    ['{site}/inside', 'redirect'],
    ['{site}/metadata', 'redirect'],
    ['{site}/home', 'redirect'],
    ['{site}/named', 'redirect'],
    ['{site}/round', 'redirect'],
    ['{site}/gone', 'status'],
    ['{site}/picture', 'type'],
    ['{site}/untold', 'type'],
    ['{site}/large', 'body'],
    ['{site}/bomb', 'body'],
    ['{site}/garbled', 'body'],
    ['{site}/cut', 'body'],
    ['http://chairs.test:1/', 'connection'],
  ])('returns a 400 for %s that names the failed step: %s', async (template, step) => {
    const url = template.replace('{site}', at('')).replace('{inside}', String(inside.port))
    const { status, body } = await audit({ url })
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'page_unavailable' })
    expect(body.errors).toEqual([{ path: 'url', message: expect.stringContaining(`${step}: `) }])
    expect(inside.seen).toEqual([])
  })

  it('rejects a redirect to a URL that is not http or https', async () => {
    const { status, body } = await audit({ url: at('/file') })
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'page_unavailable' })
  })

  it('requires a token with the workflow scope', async () => {
    const { token } = await register(instance)
    const make = async (scopes: string[]) =>
      (await instance.post('/api/settings/tokens', { password: PASSWORD, name: 'n', scopes }, { token })).body
        .token
    const ask = async (scopes: string[]) =>
      (await instance.post('/api/workflow/digital-audit', { html: PAGE }, { token: await make(scopes) }))
        .status
    expect(await ask(['workflow:read', 'mail:write'])).toBe(403)
    expect(await ask(['workflow:write'])).toBe(200)
  })
})

describe('a slow server', () => {
  const world = createLoopbackWorld()
  afterAll(world.end)
  const createHastyAudits = () =>
    createAudits({
      fetchPage: createPageFetch(
        { outbound: world.client(), clock: createMovableClock() },
        { timeoutMs: 300, maxBytes: 1_000_000 },
      ),
      clock: createMovableClock(),
      reword: async () => {
        throw new Error('There is no page to put into words.')
      },
      languageOf: async () => 'en',
    })

  it.each([
    ['/never', 'answer'],
    ['/slow', 'body'],
  ])('is disconnected after the timeout: %s', async (path, step) => {
    const { port } = await openSite(world)
    const asker = { userId: 1, tokenId: null, signal: new AbortController().signal }
    const audits = createHastyAudits()
    await expect(audits.audit({ url: `http://a.test:${port}${path}` }, asker, 1)).rejects.toMatchObject({
      code: 'page_unavailable',
      details: { errors: [{ path: 'url', message: expect.stringContaining(`${step}: `) }] },
    })
  })
})
