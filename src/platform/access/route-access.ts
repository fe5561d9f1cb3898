import type { Area, Scope } from './caller.ts'

/**
 * Declares who may call a route. Every route has it.
 * - `public`: anyone, always.
 * - `switched`: anyone while access is open. While it is private, a session or a personal access token with
 *   `scope`. Without a `scope`, personal access tokens are rejected. With a `purpose`, the read-only token of
 *   a feed works too.
 * - `session`: a signed-in user, always; never a personal access token.
 * - `feed`: the read-only token for `purpose` in `?token=`, a session, or a token with `scope`.
 * - `dav`: a calendar, task or contact app, always with an app password or a personal access token. The route checks
 *   what the app may reach.
 */
export type RouteAccess = 'public' | 'switched' | 'session' | 'feed' | 'dav'

export interface RouteRules {
  access: RouteAccess
  /** `any`: a token with any scope. */
  scope?: Scope | 'any'
  purpose?: string
  /** A public route that programs call with credentials for another one: they are not checked. */
  ignoresCredentials?: true
  /** Only the owner may call the route, or the local account. */
  ownerOnly?: true
}

/** The access of a route in one word: `config: read('mail')`, or `config: { ...read('mail'), longReads: true }`. */
export const read = (area: Area | 'metrics') => ({ access: 'switched', scope: `${area}:read` }) as const
export const write = (area: Area) => ({ access: 'switched', scope: `${area}:write` }) as const
export const draft = { access: 'switched', scope: 'mail:draft' } as const
/** A personal access token with any scope is enough. */
export const anyScope = { access: 'switched', scope: 'any' } as const
/** A person, signed in or local. Programs with a personal access token cannot read secrets or undo actions. */
export const person = { access: 'switched' } as const
/** The owner, signed in or local. */
export const owner = { access: 'switched', ownerOnly: true } as const
export const session = { access: 'session' } as const
/** Returns a new secret. The idempotency key prevents duplicates, but the response is never stored. */
export const secretSession = { ...session, secret: true, idempotency: 'held' } as const
export const ownerSession = { access: 'session', ownerOnly: true } as const
export const anyone = { access: 'public' } as const
export const dav = { access: 'dav' } as const

const ACCESSES: readonly string[] = ['public', 'switched', 'session', 'feed', 'dav'] satisfies RouteAccess[]

/** A route without access rules must not exist. */
export const requireRules = (
  method: string,
  url: string,
  rules: Partial<RouteRules> | undefined,
): RouteRules => {
  if (!rules?.access || !ACCESSES.includes(rules.access))
    throw new Error(`${method} ${url} declares no access. Set config.access.`)
  if (rules.access === 'feed' && !rules.purpose)
    throw new Error(`${method} ${url} must name its feed's purpose.`)
  return rules as RouteRules
}
