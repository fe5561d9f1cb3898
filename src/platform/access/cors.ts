import type { FastifyReply, FastifyRequest } from 'fastify'

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'
const EXPOSED = [
  'ETag',
  'Location',
  'Retry-After',
  'X-Request-Id',
  'Idempotency-Replayed',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
].join(', ')

/**
 * Lets the pages of invited sites read our answers, refusals included; never with what the browser holds for us.
 * A browser asks first, without a token: `greet` answers that, and says that it has.
 */
export const createCors = (invited: readonly string[]) => {
  const guests = new Set(invited)
  return {
    greet(request: FastifyRequest, reply: FastifyReply): boolean {
      if (guests.size === 0) return false
      reply.header('vary', 'Origin')
      const { origin } = request.headers
      if (origin === undefined || !guests.has(origin)) return false
      reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', EXPOSED)
      if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined)
        return false
      const wanted = request.headers['access-control-request-headers']
      if (wanted !== undefined) reply.header('access-control-allow-headers', wanted)
      reply.header('access-control-allow-methods', METHODS).header('access-control-max-age', '600')
      reply.code(204).send()
      return true
    },
  }
}
