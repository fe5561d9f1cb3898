import type { FastifyReply, FastifyRequest } from 'fastify'
import { digest } from '../../platform/secrets/digest.ts'

const NAME = 'factotum_refresh'
/** Another one with every token, and no secret: it tells a page whether the token it cannot read has arrived. */
const SIGN = 'factotum_renewed'

export const readCookie = (request: FastifyRequest, name: string): string | undefined =>
  (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)

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
  const put = (request: FastifyRequest, reply: FastifyReply, values: [string, string], maxAge: number) => {
    const secure = options.publicUrl?.startsWith('https:') ?? request.protocol === 'https'
    const shared = `Max-Age=${maxAge}; SameSite=Strict${secure ? '; Secure' : ''}`
    const [refreshToken, sign] = values
    reply.header('set-cookie', [
      `${NAME}=${refreshToken}; HttpOnly; Path=/api/auth; ${shared}`,
      `${SIGN}=${sign}; Path=/; ${shared}`,
    ])
  }
  return {
    isWanted: (request) => request.headers['x-session'] === 'cookie',
    read: (request) => readCookie(request, NAME),
    set(request, reply, refreshToken) {
      const sign = digest(refreshToken).slice(0, 8)
      put(request, reply, [refreshToken, sign], Math.floor(options.maxAgeMs / 1000))
    },
    clear(request, reply) {
      put(request, reply, ['', ''], 0)
    },
  }
}
