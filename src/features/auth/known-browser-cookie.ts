import type { KeyObject } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../platform/clock.ts'
import { type Random, randomId } from '../../platform/random.ts'
import { signJws, verifyJws } from '../../platform/secrets/jws.ts'
import { readCookie } from './cookie-header.ts'

/** Browsers keep a cookie for 400 days at most (RFC 6265bis). */
const VALID_MS = 400 * 86_400_000

/**
 * A cookie that proves that this browser has signed in to an account before (OWASP: "device cookie"). It lets nobody
 * in. Failed sign-ins of such a browser are counted by themselves, so that guesses from elsewhere cannot lock the
 * person out.
 */
export interface KnownBrowserCookie {
  /** The id of this browser if it has signed in to the account before. */
  read(request: FastifyRequest, userId: number): string | undefined
  /** Marks the browser as known, unless it is already. Returns the header to set. */
  issue(request: FastifyRequest, userId: number): string | undefined
}

interface Claims {
  userId: number
  browserId: string
  issuedAt: number
}

const nameFor = (userId: number): string => `factotum_browser_${userId}`

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
    const cookie = readCookie(request, nameFor(userId))
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
        `${nameFor(userId)}=${signJws(JSON.stringify(claims), key)}`,
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
