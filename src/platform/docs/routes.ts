import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import type { OpenApiDocument } from '../http/openapi.ts'
import { digest } from '../secrets/digest.ts'

interface Written {
  text: string
  etag: string
}

const written = (text: string): Written => ({ text, etag: `"${digest(text).slice(0, 22)}"` })

/** The API's description, for programs at `/api-docs` and for people at `/docs`. Both are made when first asked for. */
export const docsRoutes =
  (describe: () => OpenApiDocument, baseUrl: () => string): FastifyPluginAsync =>
  async (app) => {
    const config = { access: 'public', page: true } as const
    let document: OpenApiDocument | undefined
    let json: Written | undefined
    let page: Written | undefined
    const describeOnce = (): OpenApiDocument => {
      document ??= describe()
      return document
    }

    const send = (reply: FastifyReply, { text, etag }: Written): FastifyReply =>
      reply.header('cache-control', 'no-cache').header('etag', etag).send(text)

    app.get('/api-docs', { config }, (_request, reply) => {
      json ??= written(JSON.stringify(describeOnce()))
      return send(reply.type('application/json; charset=utf-8'), json)
    })

    app.get('/docs', { config }, async (_request, reply) => {
      const { renderDocs } = await import('./page.ts')
      page ??= written(renderDocs(describeOnce(), baseUrl()))
      return send(reply.type('text/html; charset=utf-8'), page)
    })

    app.get('/docs/style.css', { config }, async (_request, reply) => {
      const { readDocsStyle } = await import('./style.ts')
      return reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(readDocsStyle())
    })
  }
