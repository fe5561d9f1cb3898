import type { FastifyPluginAsync } from 'fastify'
import type { OpenApiDocument } from '../http/openapi.ts'

/** The API's description, for programs at `/api-docs` and for people at `/docs`. Both are made when first asked for. */
export const docsRoutes =
  (describe: () => OpenApiDocument, baseUrl: () => string): FastifyPluginAsync =>
  async (app) => {
    const config = { access: 'public', page: true } as const
    let document: OpenApiDocument | undefined
    let json: string | undefined
    let page: string | undefined
    const describeOnce = (): OpenApiDocument => {
      document ??= describe()
      return document
    }

    app.get('/api-docs', { config }, (_request, reply) => {
      json ??= JSON.stringify(describeOnce())
      return reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(json)
    })

    app.get('/docs', { config }, async (_request, reply) => {
      const { renderDocs } = await import('./page.ts')
      page ??= renderDocs(describeOnce(), baseUrl())
      return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page)
    })

    app.get('/docs/style.css', { config }, async (_request, reply) => {
      const { readDocsStyle } = await import('./style.ts')
      return reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(readDocsStyle())
    })
  }
