import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyPluginAsync } from 'fastify'

const config = { access: 'public', page: true } as const
/** The console's own addresses: the page is the same, its script shows what the address says. */
const VIEWS = ['/', '/login', '/register', '/settings', '/settings/*']

/** The console: what was built into `directory`. Without it there is the API, and its description to start from. */
export const consoleRoutes =
  (directory: string): FastifyPluginAsync =>
  async (app) => {
    if (!existsSync(join(directory, 'index.html'))) {
      app.get('/', { config }, (_request, reply) => reply.redirect('/docs'))
      return
    }
    await app.register(fastifyStatic, {
      root: directory,
      serve: false,
      index: false,
      cacheControl: false,
    })
    for (const view of VIEWS)
      app.get(view, { config }, (_request, reply) => reply.header('cache-control', 'no-cache').sendFile('index.html'))
    // Built files carry a hash of their contents in their names: they never change.
    app.get('/assets/*', { config }, (request, reply) =>
      reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .sendFile(join('assets', (request.params as { '*': string })['*'])),
    )
    app.get('/favicon.svg', { config }, (_request, reply) =>
      reply.header('cache-control', 'public, max-age=86400').sendFile('favicon.svg'),
    )
  }
