import type { FastifyReply, FastifyRequest } from 'fastify'

/** What is sent, and the same compressed; null where that gains nothing. */
interface Compressible {
  content: string | Buffer
  gzipped: Buffer | null
}

/** Sends it compressed to whoever takes that. */
export const sendSmaller = (
  request: FastifyRequest,
  reply: FastifyReply,
  { content, gzipped }: Compressible,
): FastifyReply => {
  if (gzipped === null) return reply.send(content)
  reply.header('vary', [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', '))
  const takesGzip = /\bgzip\b(?!;q=0\b)/.test(String(request.headers['accept-encoding'] ?? ''))
  return takesGzip ? reply.header('content-encoding', 'gzip').send(gzipped) : reply.send(content)
}
