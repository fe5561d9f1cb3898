import type { FastifyReply } from 'fastify'
import type { Caller, Proof, Scope } from './caller.ts'

/**
 * Who may call a route; every route declares it.
 * - `public`: anyone, always.
 * - `switched`: anyone while access is open; a session, or a personal access token with `scope`, while it is private.
 *   Without a `scope` no personal access token will do; with a `purpose` the read-only token of a feed does too.
 * - `session`: someone who is signed in, always; never a personal access token.
 * - `feed`: who has the read-only token for `purpose` in `?token=`, or a session, or a token with `scope`.
 */
export type RouteAccess = 'public' | 'switched' | 'session' | 'feed'

export interface RouteRules {
  access: RouteAccess
  /** `any`: whatever the token was made for. */
  scope?: Scope | 'any'
  purpose?: string
  /** While access is private, only the owner may. */
  ownerOnly?: true
}

declare module 'fastify' {
  interface FastifyContextConfig extends Partial<RouteRules> {
    /**
     * What happens to an `Idempotency-Key`: the answer is kept with the change, or (what makes it waits for others) noted
     * after it, or (it holds a secret) only doubles are held off.
     */
    idempotency?: 'kept' | 'noted' | 'held'
    /** What takes long is done before the transaction that keeps the answer, and not for an answer that is known. */
    prepare?: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
    /** The answer holds a secret: it is never stored, by us or on the way. */
    secret?: true
    /** What else it may answer, beyond what follows from what it takes and who may call it. */
    mayAnswer?: readonly (304 | 404 | 409 | 412 | 429 | 502 | 504)[]
    /** Answers while the instance is stopping. */
    whileDraining?: true
    /** Not part of the API: left out of its description. */
    page?: true
  }
  interface FastifyRequest {
    caller: Caller
    /** What the caller showed; null for nobody. */
    proof: Proof | null
  }
}

const ACCESSES: readonly string[] = ['public', 'switched', 'session', 'feed'] satisfies RouteAccess[]

/** A route that says nothing about who may call it must not exist. */
export const requireRules = (
  method: string,
  url: string,
  rules: Partial<RouteRules> | undefined,
): RouteRules => {
  if (!rules?.access || !ACCESSES.includes(rules.access))
    throw new Error(`${method} ${url} declares no access: say who may call it in config.access.`)
  if (rules.access === 'feed' && !rules.purpose)
    throw new Error(`${method} ${url} must name its feed's purpose.`)
  return rules as RouteRules
}
