import type { FastifyRequest } from 'fastify'
import type { SessionCaller } from './caller.ts'

/** Where a request came from, as far as one can tell. */
export interface Visit {
  ip: string
  userAgent: string
}

const LONGEST_USER_AGENT = 300

export const visitOf = (request: FastifyRequest): Visit => ({
  ip: request.ip,
  userAgent: (request.headers['user-agent'] ?? '').slice(0, LONGEST_USER_AGENT),
})

/** Who is signed in; on routes for sessions the guard has let nobody else through. */
export const sessionOf = (request: FastifyRequest): SessionCaller => request.caller as SessionCaller
