import type { FastifyReply, FastifyRequest } from 'fastify'
import { createCors } from '../access/cors.ts'
import type { Origins } from '../access/origins.ts'
import { requireOneHost } from './one-host.ts'
import { createSecurityHeaders } from './security-headers.ts'

/**
 * What is true of every request before anything of it is looked at: it has a name, its answer has our headers, and
 * it does not come from a stranger's page. True when it has been answered already.
 */
export const createArrival = (options: {
  origins: Origins
  https: boolean
  corsOrigins: readonly string[]
  /** Whether what leads nowhere is answered with a page. */
  isPage: (request: FastifyRequest) => boolean
}) => {
  const headers = createSecurityHeaders(options)
  const cors = createCors(options.corsOrigins)
  return (request: FastifyRequest, reply: FastifyReply): boolean => {
    const { page, secret } = request.routeOptions.config ?? {}
    const isPage = page || (request.is404 && options.isPage(request))
    reply.headers(isPage ? headers.forPages : secret ? headers.forSecrets : headers.forData)
    reply.header('x-request-id', request.id)
    requireOneHost(request.raw)
    const { socket } = request
    options.origins.check({
      method: request.method,
      headers: request.headers,
      peer: socket.remoteAddress,
      scheme: request.protocol,
      host: request.host,
    })
    return cors.greet(request, reply)
  }
}
