import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../../platform/errors.ts'
import { sendSmaller } from '../../platform/http/gzip.ts'
import type { Accounts } from '../auth/accounts.ts'
import { type ConsoleFile, listConsoleFiles } from './files.ts'

const config = { access: 'public', page: true } as const
/** The console's own addresses: the page is the same, its script shows what the address says. */
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
  '/assistant',
  '/stream',
  '/audit',
  '/settings',
  '/settings/*',
]
const ASSETS = '/assets/'
/** Built files carry a hash of their contents in their names: they never change. */
const FOREVER = 'public, max-age=31536000, immutable'

const send = (
  request: FastifyRequest,
  reply: FastifyReply,
  file: ConsoleFile,
  cacheControl: string,
): FastifyReply => {
  reply.type(file.contentType).header('cache-control', cacheControl).header('etag', file.etag)
  return sendSmaller(request, reply, file)
}

/** What was built into `directory`; nothing where nothing was. */
export const readConsole = (directory: string) => {
  if (!existsSync(join(directory, 'index.html'))) return undefined
  const files = listConsoleFiles(directory)
  const page = files.get('/index.html') as () => ConsoleFile
  return {
    files,
    page,
    /** It says that there is no such page, and a person can go on from it. */
    noPage: (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
      send(request, reply.code(404), page(), 'no-store'),
  }
}

/** Without the console there is the API, and its description to start from. */
export const consoleRoutes =
  (built: ReturnType<typeof readConsole>, accounts: Pick<Accounts, 'options'>): FastifyPluginAsync =>
  async (app) => {
    // What the page for signing in has to know before anyone has: whether to offer an account, and how.
    app.get('/console/options', { config }, async (_request, reply) =>
      reply.header('cache-control', 'no-store').send(await accounts.options()),
    )
    if (!built) {
      app.get('/', { config }, (_request, reply) => reply.redirect('/docs'))
      return
    }
    const { files, page } = built
    for (const view of VIEWS)
      app.get(view, { config }, (request, reply) => send(request, reply, page(), 'no-cache'))
    const overlay = files.get('/overlay.html')
    if (overlay)
      app.get('/overlay', { config }, (request, reply) => send(request, reply, overlay(), 'no-cache'))
    for (const [address, read] of files)
      if (!address.startsWith(ASSETS))
        app.get(address, { config }, (request, reply) => send(request, reply, read(), 'no-cache'))
    // One route for all of them: they are some hundred, and each would cost the start as much as one of the API.
    app.get<{ Params: { '*': string } }>(`${ASSETS}*`, { config }, (request, reply) => {
      const read = files.get(`${ASSETS}${request.params['*']}`)
      if (!read) throw notFound('page or endpoint')
      return send(request, reply, read(), FOREVER)
    })
  }
