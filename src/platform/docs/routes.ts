import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { OpenApiDocument } from '../http/openapi.ts'
import { sendSmaller } from '../http/responses.ts'
import { digest } from '../secrets/seal.ts'

interface Written {
  content: string
  gzipped: Buffer
  etag: string
}

const compress = promisify(gzip)

const write = async (content: string): Promise<Written> => ({
  content,
  gzipped: await compress(content),
  etag: `"${digest(content).slice(0, 22)}"`,
})

/** Serves the API description: OpenAPI at `/api-docs`, HTML at `/docs`. Both are created on first request. */
export const docsRoutes =
  (describe: () => OpenApiDocument, baseUrl: () => string): FastifyPluginAsync =>
  async (app) => {
    const config = { access: 'public', page: true } as const
    let document: OpenApiDocument | undefined
    let json: Promise<Written> | undefined
    let page: Promise<Written> | undefined
    const describeOnce = (): OpenApiDocument => {
      document ??= describe()
      return document
    }
    const writePage = async (): Promise<Written> => {
      const { renderDocs } = await import('./page.ts')
      return write(renderDocs(describeOnce(), baseUrl()))
    }

    const send = (request: FastifyRequest, reply: FastifyReply, written: Written): FastifyReply =>
      sendSmaller(request, reply.header('cache-control', 'no-cache').header('etag', written.etag), written)

    app.get('/api-docs', { config }, async (request, reply) => {
      json ??= write(JSON.stringify(describeOnce()))
      return send(request, reply.type('application/json; charset=utf-8'), await json)
    })

    app.get('/docs', { config }, async (request, reply) => {
      page ??= writePage()
      return send(request, reply.type('text/html; charset=utf-8'), await page)
    })

    app.get('/docs/style.css', { config }, async (_request, reply) => {
      const { readDocsStyle } = await import('./html.ts')
      return reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(readDocsStyle())
    })
  }
