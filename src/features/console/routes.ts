import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { anyone } from '../../platform/access/route-access.ts'
import { notFound } from '../../platform/errors.ts'
import { sendSmaller } from '../../platform/http/responses.ts'
import { listStaticFiles, type StaticFile } from '../../platform/http/static-files.ts'
import type { Accounts } from '../auth/accounts.ts'

/**
 * The build writes relative addresses (`./assets/…`), so that it works below any path. They are relative to the base
 * path, not to the page, because `/settings/profile` returns the same file.
 */
const withBasePath = (html: string, basePath: string): string =>
  html
    .replaceAll('="./', `="${basePath}/`)
    .replace('<meta name="base-path" content=""', `<meta name="base-path" content="${basePath}"`)

const config = { ...anyone, page: true } as const
/** Client-side routes: all of them return the same page. */
const VIEWS = [
  '/',
  '/login',
  '/register',
  '/forgotten',
  '/reset-password',
  '/mail',
  '/mail/*',
  '/calendar',
  '/tasks',
  '/promises',
  '/contacts',
  '/contacts/*',
  '/assistant',
  '/stream',
  '/audit',
  '/insights',
  '/settings',
  '/settings/*',
]
const ASSETS = 'assets/'
/** File names contain a content hash, so the files never change. */
const IMMUTABLE = 'public, max-age=31536000, immutable'

/** The console stores the language of the account here, because the page is requested without a token. */
const LANGUAGE_COOKIE = /(?:^|;\s*)factotum\.language=(\w+)/

/** Returns the built languages that a request prefers, best first: the cookie, then Accept-Language. */
const preferredLanguages = ({ headers }: FastifyRequest): string[] => {
  const ranges = (headers['accept-language'] ?? '').split(',').map((range) => {
    const [tag = '', weight] = range.trim().split(/;\s*q=/)
    return {
      language: tag.split('-')[0]?.toLowerCase() ?? '',
      quality: weight === undefined ? 1 : Number(weight) || 0,
    }
  })
  const accepted = ranges.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality)
  const chosen = LANGUAGE_COOKIE.exec(headers.cookie ?? '')?.[1]
  return [chosen ?? [], accepted.map(({ language }) => language)].flat()
}

type SelectFile = (request: FastifyRequest) => StaticFile

/** Selects `index.de.html` for German, and `index.html` for English and every other language. */
const selectByLanguage = (files: Map<string, () => StaticFile>, name: string): SelectFile | undefined => {
  const english = files.get(`${name}.html`)
  if (!english) return undefined
  return (request) => {
    for (const language of preferredLanguages(request)) {
      if (language === 'en') break
      const translated = files.get(`${name}.${language}.html`)
      if (translated) return translated()
    }
    return english()
  }
}

const send = (
  request: FastifyRequest,
  reply: FastifyReply,
  file: StaticFile,
  cacheControl: string,
): FastifyReply => {
  reply.type(file.contentType).header('cache-control', cacheControl).header('etag', file.etag)
  return sendSmaller(request, reply, file)
}

const sendPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  select: SelectFile,
  cacheControl: string,
): FastifyReply => {
  reply.header('vary', 'accept-language, cookie')
  return send(request, reply, select(request), cacheControl)
}

/** Returns undefined if the console has not been built. */
export const readConsole = (directory: string, basePath: string) => {
  if (!existsSync(join(directory, 'index.html'))) return undefined
  const files = listStaticFiles(directory, (text, extension) =>
    extension === '.html' ? withBasePath(text, basePath) : text,
  )
  const page = selectByLanguage(files, 'index') as SelectFile
  return {
    files,
    page,
    /** The page shows "not found" and lets the user navigate on. */
    noPage: (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
      sendPage(request, reply.code(404), page, 'no-store'),
  }
}

/** Without a built console, `/` redirects to the API documentation. */
export const consoleRoutes =
  (built: ReturnType<typeof readConsole>, accounts: Pick<Accounts, 'options'>): FastifyPluginAsync =>
  async (app) => {
    // The sign-in page needs to know whether registration is offered, before anyone is signed in.
    app.get('/console/options', { config }, async (_request, reply) =>
      reply.header('cache-control', 'no-store').send(await accounts.options()),
    )
    if (!built) {
      app.get('/', { config }, (_request, reply) => reply.redirect('/docs'))
      return
    }
    const { files, page } = built
    for (const view of VIEWS)
      app.get(view, { config }, (request, reply) => sendPage(request, reply, page, 'no-cache'))
    const overlay = selectByLanguage(files, 'overlay')
    if (overlay)
      app.get('/overlay', { config }, (request, reply) => sendPage(request, reply, overlay, 'no-cache'))
    for (const [path, read] of files)
      if (!path.startsWith(ASSETS))
        app.get(`/${path}`, { config }, (request, reply) => send(request, reply, read(), 'no-cache'))
    // One route for all assets: hundreds of routes would slow down the start.
    app.get<{ Params: { '*': string } }>(`/${ASSETS}*`, { config }, (request, reply) => {
      const read = files.get(`${ASSETS}${request.params['*']}`)
      if (!read) throw notFound('page or endpoint')
      return send(request, reply, read(), IMMUTABLE)
    })
  }
