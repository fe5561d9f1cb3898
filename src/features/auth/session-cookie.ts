import type { FastifyReply, FastifyRequest } from 'fastify'
import { readCookie } from './cookie-header.ts'

const NAME = 'factotum_refresh'

/** Browsers keep the refresh token where no script of a page can read it. */
export interface SessionCookie {
  isWanted(request: FastifyRequest): boolean
  read(request: FastifyRequest): string | undefined
  set(request: FastifyRequest, reply: FastifyReply, refreshToken: string): void
  clear(request: FastifyRequest, reply: FastifyReply): void
}

export const createSessionCookie = (options: {
  maxAgeMs: number
  isSecure: (request: FastifyRequest) => boolean
}): SessionCookie => {
  const put = (request: FastifyRequest, reply: FastifyReply, value: string, maxAge: number): void => {
    const secure = options.isSecure(request)
    reply.header(
      'set-cookie',
      `${NAME}=${value}; HttpOnly; Path=/api/auth; Max-Age=${maxAge}; SameSite=Strict${secure ? '; Secure' : ''}`,
    )
  }
  return {
    isWanted: (request) => request.headers['x-session'] === 'cookie',
    read: (request) => readCookie(request, NAME),
    set(request, reply, refreshToken) {
      put(request, reply, refreshToken, Math.floor(options.maxAgeMs / 1000))
    },
    clear(request, reply) {
      put(request, reply, '', 0)
    },
  }
}
