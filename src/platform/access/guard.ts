import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, forbidden } from '../errors.ts'
import {
  type Caller,
  type Credentials,
  covers,
  nobody,
  type Proof,
  userIdOf,
  type Visit,
  visitOf,
} from './caller.ts'
import type { RouteRules } from './route-access.ts'

declare module 'fastify' {
  interface FastifyContextConfig extends Partial<RouteRules> {
    /**
     * Handling of an `Idempotency-Key`. `kept`: the response is stored with the change. `noted`: it is stored
     * afterwards, because the handler waits for other systems. `held`: it holds a secret and is not stored;
     * only concurrent duplicates are rejected.
     */
    idempotency?: 'kept' | 'noted' | 'held'
    /**
     * Slow work that runs before the transaction that stores the response. It is skipped if the response is
     * already stored.
     */
    prepare?: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
    /** The response holds a secret: neither the server nor a cache stores it. */
    secret?: true
    /** Additional error statuses, besides those that follow from the parameters and access rules. */
    mayAnswer?: readonly (304 | 404 | 409 | 412 | 429 | 502 | 504)[]
    /** The route answers while the instance shuts down. */
    whileDraining?: true
    /** Not part of the API, and left out of its description. */
    page?: true
  }
  interface FastifyRequest {
    caller: Caller
    /** The account that the request acts as. Public routes have none, and throw. */
    readonly user: number
    /** The origin of the request, for the activity log and the limits of attempts. */
    readonly visit: Visit
    /** The verified credential of the caller; null without one. */
    proof: Proof | null
  }
}

const unauthorized = (message: string): AppError => new AppError('unauthenticated', 'unauthorized', message)

const known = async ({ identify }: Proof): Promise<Caller> => {
  const caller = await identify()
  if (!caller) throw unauthorized('This token is invalid or has expired.')
  return caller
}

const bearerOf = (request: FastifyRequest): string | undefined => {
  const header = request.headers.authorization
  if (header === undefined) return undefined
  const [, token] = /^Bearer +([\w.~+/-]+=*) *$/i.exec(header) ?? []
  if (token === undefined) throw unauthorized('The Authorization header must be "Bearer" and a token.')
  return token
}

const feedTokenOf = (request: FastifyRequest): string | undefined => {
  const { token } = request.query as { token?: unknown }
  return typeof token === 'string' ? token : undefined
}

/** RFC 7617, 2 and 2.1. */
const BASIC_CHALLENGE = 'Basic realm="Factotum", charset="UTF-8"'

const SIGN_IN = 'Sign in with your account, and send its token as `Authorization: Bearer`.'
const NO_ACCOUNT =
  'This instance has no account yet. Create one in the console or with POST /api/auth/register, then sign in.'

/** Throws unless `caller`, whose credential is valid, may call a route with these rules. */
const admit = (caller: Caller, rules: RouteRules, access: 'open' | 'private'): void => {
  if (rules.access === 'public') return
  if (caller.kind === 'token') {
    if (rules.access === 'session' || !rules.scope)
      throw forbidden('Personal access tokens cannot call this route. Sign in.', 'insufficient_scope')
    if (rules.scope !== 'any' && !covers(caller.scopes, rules.scope))
      throw forbidden(`This token lacks the scope ${rules.scope}.`, 'insufficient_scope')
  }
  const needsToken = rules.access !== 'switched' || access === 'private'
  if (needsToken && caller.kind === 'nobody') throw unauthorized('Sign in, or send a token.')
  if (rules.ownerOnly && caller.kind !== 'local' && !(caller.kind === 'session' && caller.isOwner))
    throw forbidden('Only the owner of this instance may do this.')
}

/** The only place that authorizes callers. It runs before the body is read. */
export const addGuard = (
  app: FastifyInstance,
  { credentials, access }: { credentials: Credentials; access: 'open' | 'private' },
): void => {
  /** Returns null if the request has no credential. A credential that is present is always verified. */
  const proofOf = (request: FastifyRequest, rules: RouteRules): Proof | null => {
    const bearer = bearerOf(request)
    if (bearer !== undefined) return { key: bearer, identify: () => credentials.identify(bearer) }
    const feedToken = rules.purpose === undefined ? undefined : feedTokenOf(request)
    if (feedToken === undefined) return null
    const purpose = rules.purpose as string
    return {
      key: `${purpose}?${feedToken}`,
      identify: () => credentials.identifyFeed(feedToken, purpose),
    }
  }

  const letIn = (request: FastifyRequest, rules: RouteRules, caller: Caller): void => {
    admit(caller, rules, access)
    request.caller = caller
  }

  const admitApp = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    try {
      request.caller = await credentials.dav.authenticate(request)
    } catch (refusal) {
      if (refusal instanceof AppError && refusal.kind === 'unauthenticated')
        reply.header('www-authenticate', BASIC_CHALLENGE)
      throw refusal
    }
  }

  app.decorateRequest('caller', null as never)
  app.decorateRequest('user', {
    getter() {
      return userIdOf(this.caller)
    },
  })
  app.decorateRequest('visit', {
    getter() {
      return visitOf(this)
    },
  })
  app.decorateRequest('proof', null)
  app.addHook('onRequest', (request, reply, done) => {
    request.caller = nobody
    if (request.is404) return done()
    const rules = request.route.config as unknown as RouteRules
    if (rules.ignoresCredentials) return done()
    if (rules.access === 'dav') {
      admitApp(request, reply).then(() => done(), done)
      return
    }
    try {
      const proof = proofOf(request, rules)
      request.proof = proof
      if (proof) {
        known(proof)
          .then((caller) => letIn(request, rules, caller))
          .then(() => done(), done)
        return
      }
      if (rules.access === 'session') {
        credentials.hasAccounts().then((exists) => done(unauthorized(exists ? SIGN_IN : NO_ACCOUNT)), done)
        return
      }
      if (rules.access === 'switched' && access === 'open') {
        credentials
          .localUserId()
          .then((userId) => letIn(request, rules, { kind: 'local', userId }))
          .then(() => done(), done)
        return
      }
      letIn(request, rules, nobody)
    } catch (refusal) {
      return done(refusal as AppError)
    }
    done()
  })
}
