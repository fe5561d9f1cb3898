import type { FastifyReply, FastifyRequest } from 'fastify'

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
  publicUrl: string | null
}): SessionCookie => {
  const attributesFor = (request: FastifyRequest): string => {
    const secure = options.publicUrl?.startsWith('https:') ?? request.protocol === 'https'
    return `HttpOnly; SameSite=Strict; Path=/api/auth${secure ? '; Secure' : ''}`
  }
  return {
    isWanted: (request) => request.headers['x-session'] === 'cookie',
    read: (request) =>
      (request.headers.cookie ?? '')
        .split(';')
        .map((pair) => pair.trim())
        .find((pair) => pair.startsWith(`${NAME}=`))
        ?.slice(NAME.length + 1),
    set(request, reply, refreshToken) {
      const maxAge = Math.floor(options.maxAgeMs / 1000)
      reply.header('set-cookie', `${NAME}=${refreshToken}; Max-Age=${maxAge}; ${attributesFor(request)}`)
    },
    clear(request, reply) {
      reply.header('set-cookie', `${NAME}=; Max-Age=0; ${attributesFor(request)}`)
    },
  }
}
