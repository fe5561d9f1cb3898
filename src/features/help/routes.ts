import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { anyone } from '../../platform/access/route-access.ts'
import { toBasePath } from '../../platform/http/base-path.ts'
import { sendSmaller } from '../../platform/http/responses.ts'
import { createHelpPolicy } from '../../platform/http/security-headers.ts'
import { listStaticFiles, type StaticFile } from '../../platform/http/static-files.ts'

const config = { ...anyone, page: true } as const
/** The site was built for this path. */
const BUILT_FOR = '/help/'
const ASSETS = 'assets/'
const IMMUTABLE = 'public, max-age=31536000, immutable'

const escapeHtml = (text: string): string =>
  text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] as string)

const MAX_LOG_LENGTH = 2000

/** Returns the output of a build that failed, or is running: see `buildSiteLater` in bin/launcher.mjs. */
const readBuildLog = (directory: string): string => {
  const file = join(directory, '..', 'build.log')
  return existsSync(file) ? readFileSync(file, 'utf8').trim().slice(-MAX_LOG_LENGTH) : ''
}

const describeMissing = (log: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="10">
<title>Factotum: documentation</title>
<h1>Documentation</h1>
<p>The documentation is not built yet. <code>npm start</code> builds it in the background, which takes about a minute and needs the npm registry. This page reloads by itself.</p>
<p>If nothing changes, run <code>npm run site</code> in the folder of Factotum. The same pages are in the folder <code>docs</code>.</p>
${log === '' ? '' : `<pre>${escapeHtml(log)}</pre>`}
</html>
`

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g

/** VitePress selects the color scheme with inline scripts before the first paint. */
const hashInlineScripts = (html: string): string[] =>
  [...html.matchAll(INLINE_SCRIPT)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )

/** `page`, `page.html` and `folder/` are names of HTML files. */
const findFile = (files: Map<string, () => StaticFile>, path: string): (() => StaticFile) | undefined =>
  files.get(path) ??
  files.get(`${path}.html`) ??
  files.get(path === '' || path.endsWith('/') ? `${path}index.html` : `${path}/index.html`)

/** Serves the documentation site at `/help`. */
export const helpRoutes =
  ({ directory, publicUrl }: { directory: string; publicUrl: string | null }): FastifyPluginAsync =>
  async (app) => {
    const basePath = toBasePath(publicUrl)
    const addBasePath = (text: string): string =>
      basePath === '' ? text : text.replaceAll(BUILT_FOR, `${basePath}${BUILT_FOR}`)
    app.get('/help', { config }, (_request, reply) => reply.redirect(BUILT_FOR))
    // Listed at the first request: hundreds of files would slow down the start.
    let listed: Map<string, () => StaticFile> | undefined
    let policy: string | undefined
    const send = (request: FastifyRequest, reply: FastifyReply, path: string): FastifyReply => {
      if (!listed && !existsSync(join(directory, 'index.html')))
        return reply
          .code(404)
          .type('text/html; charset=utf-8')
          .header('cache-control', 'no-store')
          .send(describeMissing(readBuildLog(directory)))
      listed ??= listStaticFiles(directory, addBasePath)
      const found = findFile(listed, path)
      const file = (found ?? (listed.get('404.html') as () => StaticFile))()
      // All pages have the same inline scripts.
      policy ??= createHelpPolicy(hashInlineScripts(String(listed.get('index.html')?.().content)))
      reply
        .code(found ? 200 : 404)
        .type(file.contentType)
        .header('cache-control', found && path.startsWith(ASSETS) ? IMMUTABLE : 'no-cache')
        .header('etag', file.etag)
        .header('content-security-policy', policy)
      return sendSmaller(request, reply, file)
    }
    app.get<{ Params: { '*': string } }>('/help/*', { config }, (request, reply) =>
      send(request, reply, request.params['*']),
    )
  }
