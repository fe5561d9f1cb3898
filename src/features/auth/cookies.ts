import type { KeyObject } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../platform/clock.ts'
import { type Random, randomId, randomSecret } from '../../platform/random.ts'
import { signJws, verifyJws } from '../../platform/secrets/signatures.ts'

/** Returns the value of a cookie (RFC 6265, section 4.2), or undefined if it was not sent. */
export const readCookie = (request: FastifyRequest, name: string): string | undefined =>
  (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)

/**
 * Decides whether cookies get the attribute Secure. Browsers drop such cookies on plain http, for example on
 * a home network.
 */
export const createIsSecure =
  (publicUrl: string | null) =>
  (request: FastifyRequest): boolean =>
    publicUrl?.startsWith('https:') ?? request.protocol === 'https'

const SESSION_COOKIE = 'factotum_refresh'

/** Keeps the refresh token where no script of a page can read it. */
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
      `${SESSION_COOKIE}=${value}; HttpOnly; Path=/api/auth; Max-Age=${maxAge}; SameSite=Strict${secure ? '; Secure' : ''}`,
    )
  }
  return {
    isWanted: (request) => request.headers['x-session'] === 'cookie',
    read: (request) => readCookie(request, SESSION_COOKIE),
    set(request, reply, refreshToken) {
      put(request, reply, refreshToken, Math.floor(options.maxAgeMs / 1000))
    },
    clear(request, reply) {
      put(request, reply, '', 0)
    },
  }
}

/** Browsers keep a cookie for 400 days at most (RFC 6265bis). */
const VALID_MS = 400 * 86_400_000

/**
 * A cookie that proves that this browser has signed in to an account before (OWASP: "device cookie"). It
 * grants no access. Failed sign-ins from such a browser have their own limit, so guesses from elsewhere
 * cannot lock the person out.
 */
export interface KnownBrowserCookie {
  /** Returns the id of this browser if it has signed in to the account before. */
  read(request: FastifyRequest, userId: number): string | undefined
  /** Returns the Set-Cookie header that marks the browser as known, or undefined if it is known already. */
  issue(request: FastifyRequest, userId: number): string | undefined
}

interface Claims {
  userId: number
  browserId: string
  issuedAt: number
}

const browserCookieName = (userId: number): string => `factotum_browser_${userId}`

export const createKnownBrowserCookie = (deps: {
  clock: Clock
  random: Random
  key: KeyObject
  isSecure: (request: FastifyRequest) => boolean
}): KnownBrowserCookie => {
  const { clock, random, key, isSecure } = deps

  const verify = (cookie: string): Claims | undefined => {
    const payload = verifyJws(cookie, key)
    return payload && (JSON.parse(payload.toString()) as Claims)
  }

  const read = (request: FastifyRequest, userId: number): string | undefined => {
    const cookie = readCookie(request, browserCookieName(userId))
    const claims = cookie === undefined ? undefined : verify(cookie)
    const isValid = claims?.userId === userId && claims.issuedAt > clock.now().getTime() - VALID_MS
    return isValid ? claims.browserId : undefined
  }

  return {
    read,
    issue(request, userId) {
      if (read(request, userId) !== undefined) return undefined
      const claims: Claims = { userId, browserId: randomId(random), issuedAt: clock.now().getTime() }
      const attributes = [
        `${browserCookieName(userId)}=${signJws(JSON.stringify(claims), key)}`,
        'HttpOnly',
        'Path=/api/auth/login',
        `Max-Age=${VALID_MS / 1000}`,
        'SameSite=Strict',
      ]
      if (isSecure(request)) attributes.push('Secure')
      return attributes.join('; ')
    },
  }
}

const RESET_COOKIE = 'factotum_reset'
const PATH = '/api/auth/password-reset'
const VALUE = /^[\w-]{43}$/

/** Binds a reset link to the browser that requested it. Other HTTP clients need a cookie jar. */
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
    const value = readCookie(request, RESET_COOKIE)
    return value !== undefined && VALUE.test(value) ? value : undefined
  }
  const put = (request: FastifyRequest, reply: FastifyReply, value: string, maxAge: number): void => {
    const attributes = `HttpOnly; Path=${PATH}; Max-Age=${maxAge}; SameSite=Strict${options.isSecure(request) ? '; Secure' : ''}`
    reply.header('set-cookie', `${RESET_COOKIE}=${value}; ${attributes}`)
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
