import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import fastify, { type FastifyPluginAsync, type FastifyReply, type FastifyRequest } from 'fastify'
import { anyone } from '../access/route-access.ts'
import type { OpenApiDocument } from '../http/openapi.ts'
import { sendSmaller } from '../http/responses.ts'
import { REFERENCE_POLICY } from '../http/security-headers.ts'
import { digest } from '../secrets/seal.ts'

interface Written {
  content: Buffer
  gzipped: Buffer
  etag: string
}

const compress = promisify(gzip)

const write = async (text: string): Promise<Written> => {
  const content = Buffer.from(text)
  return {
    content,
    gzipped: await compress(content),
    etag: `"${digest(text).slice(0, 22)}"`,
  }
}

/** Scalar's plugin has the script, but its own page starts it with an inline script, which the policy blocks. */
const readScalar = async (): Promise<string> => {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const app = fastify()
  await app.register(scalar, { routePrefix: '/docs', configuration: { url: '/api-docs' } })
  const { body } = await app.inject('/docs/js/scalar.js')
  return body
}

const readText = (file: URL): Promise<string> => readFile(file, 'utf8')

/** Serves the API description: OpenAPI at `/api-docs`, Scalar at `/docs`. All is read on first request. */
export const docsRoutes =
  (describe: () => Promise<OpenApiDocument>): FastifyPluginAsync =>
  async (app) => {
    const files = {
      '/api-docs': {
        type: 'application/json',
        read: async () => JSON.stringify(await describe()),
      },
      '/docs': {
        type: 'text/html',
        read: () => readText(new URL('./reference.html', import.meta.url)),
      },
      '/docs/reference.js': {
        type: 'text/javascript',
        read: () => readText(new URL('./reference.js', import.meta.url)),
      },
      '/docs/scalar.js': {
        type: 'text/javascript',
        read: readScalar,
      },
    }
    for (const [path, { type, read }] of Object.entries(files)) {
      let written: Promise<Written> | undefined
      app.get(
        path,
        { config: { ...anyone, page: true } },
        async (request: FastifyRequest, reply: FastifyReply) => {
          written ??= read().then(write)
          const { etag, ...content } = await written
          reply.type(`${type}; charset=utf-8`).header('cache-control', 'no-cache').header('etag', etag)
          if (path === '/docs') reply.header('content-security-policy', REFERENCE_POLICY)
          return sendSmaller(request, reply, content)
        },
      )
    }
  }
