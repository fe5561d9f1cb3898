import type { KeyObject } from 'node:crypto'
import type { Clock } from '../../platform/clock.ts'
import { signJws, verifyJws } from '../../platform/secrets/jws.ts'

const ISSUER = 'factotum'
const AUDIENCE = 'factotum-api'
/** Servers' clocks differ a little. */
const LEEWAY_SECONDS = 30
const MOST_REMEMBERED = 1_000

export interface AccessClaims {
  userId: number
  sessionId: string
}

/** The short-lived token of a session. It is worth something only while the session's row is there. */
export interface AccessTokens {
  sign(claims: AccessClaims): string
  verify(token: string): AccessClaims | undefined
}

interface VerifiedClaims extends AccessClaims {
  issuedAt: number
  expiresAt: number
}

/** What a token says, when its signature is right and it says all that it must; times are for the caller to judge. */
const readClaims = (token: string, key: KeyObject): VerifiedClaims | undefined => {
  const payload = verifyJws(token, key)
  if (!payload) return undefined
  let claims: unknown
  try {
    claims = JSON.parse(payload.toString('utf8'))
  } catch {
    return undefined
  }
  if (typeof claims !== 'object' || claims === null) return undefined
  const { iss, aud, sub, sid, iat, exp } = claims as Record<string, unknown>
  if (iss !== ISSUER || aud !== AUDIENCE || typeof sid !== 'string' || typeof sub !== 'string')
    return undefined
  if (typeof iat !== 'number' || typeof exp !== 'number') return undefined
  const userId = Number(sub)
  return Number.isSafeInteger(userId) ? { userId, sessionId: sid, issuedAt: iat, expiresAt: exp } : undefined
}

export const createAccessTokens = (deps: { key: KeyObject; ttlMs: number; clock: Clock }): AccessTokens => {
  const seconds = () => Math.floor(deps.clock.now().getTime() / 1000)
  /** A signature that was right stays right: the tokens seen last need not be worked out again. */
  const verified = new Map<string, VerifiedClaims>()
  const readOnce = (token: string): VerifiedClaims | undefined => {
    const known = verified.get(token)
    if (known) return known
    const claims = readClaims(token, deps.key)
    if (!claims) return undefined
    if (verified.size >= MOST_REMEMBERED) verified.delete(verified.keys().next().value as string)
    verified.set(token, claims)
    return claims
  }
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
      const claims = readOnce(token)
      if (!claims) return undefined
      const now = seconds()
      return claims.expiresAt <= now || claims.issuedAt > now + LEEWAY_SECONDS ? undefined : claims
    },
  }
}
