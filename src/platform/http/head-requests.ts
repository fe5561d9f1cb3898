import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'

const headRequests = new WeakSet<IncomingMessage>()

/**
 * Lets the GET route answer a HEAD request: Node omits the body by itself, and the headers are those of GET. Separate
 * routes for HEAD would slow down the start.
 */
export const routeHeadAsGet = (request: IncomingMessage): void => {
  if (request.method !== 'HEAD') return
  headRequests.add(request)
  request.method = 'GET'
}

/** Whether the client sent HEAD. The method of such a request is GET. */
export const isHead = ({ raw }: FastifyRequest): boolean => headRequests.has(raw)
