import type { KeyObject } from 'node:crypto'
import type { Clock } from '../../platform/clock.ts'
import { signJws, verifyJws } from '../../platform/secrets/jws.ts'

const ISSUER = 'factotum'
const AUDIENCE = 'factotum-api'
/** Servers' clocks differ a little. */
const LEEWAY_SECONDS = 30

export interface AccessClaims {
  userId: number
  sessionId: string
}

/** The short-lived token of a session. It is worth something only while the session's row is there. */
export interface AccessTokens {
  sign(claims: AccessClaims): string
  verify(token: string): AccessClaims | undefined
}

const parse = (payload: Buffer): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(payload.toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

export const createAccessTokens = (deps: { key: KeyObject; ttlMs: number; clock: Clock }): AccessTokens => {
  const seconds = () => Math.floor(deps.clock.now().getTime() / 1000)
  return {
    sign({ userId, sessionId }) {
      const iat = seconds()
      const exp = iat + Math.ceil(deps.ttlMs / 1000)
      return signJws(
        JSON.stringify({ iss: ISSUER, aud: AUDIENCE, sub: String(userId), sid: sessionId, iat, exp }),
        deps.key,
      )
    },
    verify(token) {
      const payload = verifyJws(token, deps.key)
      const claims = payload && parse(payload)
      if (!claims) return undefined
      const { iss, aud, sub, sid, iat, exp } = claims
      if (iss !== ISSUER || aud !== AUDIENCE || typeof sid !== 'string' || typeof sub !== 'string')
        return undefined
      if (typeof iat !== 'number' || typeof exp !== 'number') return undefined
      const now = seconds()
      if (exp <= now || iat > now + LEEWAY_SECONDS) return undefined
      const userId = Number(sub)
      return Number.isSafeInteger(userId) ? { userId, sessionId: sid } : undefined
    },
  }
}
