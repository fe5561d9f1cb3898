import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Instance, startInstance } from './support/instance.ts'

const SCRIPT = 'document.documentElement.classList.add("dark")'
const PAGE = `<!DOCTYPE html><title>Overview</title><script src="/help/assets/app.1a2b.js"></script><script id="check">${SCRIPT}</script><a href="/help/importing">Import</a>`

describe('the documentation site', () => {
  const directory = mkdtempSync(join(tmpdir(), 'factotum-help-'))
  let instance: Instance

  beforeAll(async () => {
    mkdirSync(join(directory, 'assets'))
    mkdirSync(join(directory, 'internals'))
    writeFileSync(join(directory, 'index.html'), PAGE)
    writeFileSync(join(directory, '404.html'), PAGE.replace('Overview', 'Not found'))
    writeFileSync(join(directory, 'importing.html'), PAGE.replace('Overview', 'Importing'))
    writeFileSync(join(directory, 'internals', 'index.html'), PAGE.replace('Overview', 'Internals'))
    writeFileSync(join(directory, 'assets', 'app.1a2b.js'), `import("/help/assets/x.js")\n`.repeat(50))
    writeFileSync(join(directory, '.packages.json'), '[]')
    instance = await startInstance({ deps: { helpDirectory: directory } })
  })
  afterAll(async () => {
    await instance.close()
    rmSync(directory, { recursive: true })
  })

  it('is served at /help without an account, with addresses that name no file type', async () => {
    const redirect = await instance.get('/help')
    expect([redirect.status, redirect.headers.get('location')]).toEqual([302, '/help/'])
    for (const [path, title] of [
      ['/help/', 'Overview'],
      ['/help/importing', 'Importing'],
      ['/help/importing.html', 'Importing'],
      ['/help/internals/', 'Internals'],
    ] as const) {
      const { status, headers, body } = await instance.get(path)
      expect([path, status, headers.get('cache-control')]).toEqual([path, 200, 'no-cache'])
      expect(body).toContain(`<title>${title}</title>`)
    }
  })

  it('allows its inline scripts by hash, and no others', async () => {
    const policy = (await instance.get('/help/importing')).headers.get('content-security-policy')
    const hash = Buffer.from(
      await crypto.subtle.digest('SHA-256', new TextEncoder().encode(SCRIPT)),
    ).toString('base64')
    expect(policy).toContain(`script-src 'self' 'sha256-${hash}';`)
  })

  it('is compressed, caches hashed assets forever, and answers with 304', async () => {
    const { headers } = await instance.get('/help/assets/app.1a2b.js')
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('content-encoding')).toBe('gzip')
    const page = await instance.get('/help/')
    const etag = page.headers.get('etag') as string
    expect((await instance.get('/help/', { headers: { 'if-none-match': etag } })).status).toBe(304)
  })

  it('answers with its own page for unknown paths, and serves nothing outside its folder', async () => {
    for (const path of [
      '/help/nothing',
      '/help/assets/none.js',
      '/help/.packages.json',
      '/help/..%2f..%2fetc/passwd',
    ]) {
      const { status, headers, body } = await instance.get(path)
      expect([path, status, headers.get('cache-control')]).toEqual([path, 404, 'no-cache'])
      expect(body).toContain('<title>Not found</title>')
    }
  })

  it('says how to build it where it is missing', async () => {
    const bare = await startInstance()
    try {
      const { status, body } = await bare.get('/help/tour')
      expect(status).toBe(404)
      expect(body).toContain('npm run site')
    } finally {
      await bare.close()
    }
  })
})

/** As GitHub and VitePress do. */
const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[`*“”"'()[\].,:;!?/&→+@$…]/g, '')
    .trim()
    .replaceAll(/\s+/g, '-')

describe('links between the documents', () => {
  const documents = globSync(['*.md', 'docs/**/*.md'])
  const withoutCode = (path: string): string => readFileSync(path, 'utf8').replaceAll(/```[\s\S]*?```/g, '')

  it('lead to files and headings that exist', () => {
    const dead = documents.flatMap((document) =>
      [...withoutCode(document).matchAll(/\]\(([^)\s]+)\)|\b(?:src|srcset)="([^"]+)"/g)].flatMap(
        ([, a, b]) => {
          const link = a ?? b ?? ''
          const [path = '', anchor] = link.split('#')
          if (/^[a-z]+:|^\//.test(path)) return []
          const target = path === '' ? document : normalize(join(dirname(document), path))
          if (!existsSync(target)) return [`${document}: ${link}`]
          if (anchor === undefined || !target.endsWith('.md')) return []
          const headings = [...withoutCode(target).matchAll(/^#+ (.+)$/gm)].map(([, text = '']) =>
            toAnchor(text),
          )
          return headings.includes(anchor) ? [] : [`${document}: ${link}`]
        },
      ),
    )
    expect(documents.length).toBeGreaterThan(50)
    expect(dead).toEqual([])
  })
})
