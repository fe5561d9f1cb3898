import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Random, randomSecret } from '../../platform/random.ts'
import { readCookie } from './cookie-header.ts'

const NAME = 'factotum_reset'
const PATH = '/api/auth/password-reset'
const VALUE = /^[\w-]{43}$/

/** Ties a reset link to the browser that asked for it. Other HTTP clients need a cookie jar. */
export interface ResetCookie {
  read(request: FastifyRequest): string | undefined
  /** Returns the value. A browser that asks twice keeps its cookie, so that both links work in it. */
  set(request: FastifyRequest, reply: FastifyReply): string
  clear(request: FastifyRequest, reply: FastifyReply): void
}

export const createResetCookie = (options: {
  random: Random
  maxAgeMs: number
  isSecure: (request: FastifyRequest) => boolean
}): ResetCookie => {
  const read = (request: FastifyRequest): string | undefined => {
    const value = readCookie(request, NAME)
    return value !== undefined && VALUE.test(value) ? value : undefined
  }
  const put = (request: FastifyRequest, reply: FastifyReply, value: string, maxAge: number): void => {
    const attributes = `HttpOnly; Path=${PATH}; Max-Age=${maxAge}; SameSite=Strict${options.isSecure(request) ? '; Secure' : ''}`
    reply.header('set-cookie', `${NAME}=${value}; ${attributes}`)
  }
  return {
    read,
    set(request, reply) {
      const value = read(request) ?? randomSecret(options.random)
      put(request, reply, value, Math.floor(options.maxAgeMs / 1000))
      return value
    },
    clear: (request, reply) => put(request, reply, '', 0),
  }
}
