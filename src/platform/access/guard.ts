import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError, forbidden } from '../errors.ts'
import { type Caller, type Credentials, covers, nobody, type Proof } from './caller.ts'
import type { RouteRules } from './route-access.ts'

const unauthorized = (message: string): AppError => new AppError('unauthenticated', 'unauthorized', message)

const known = async ({ identify }: Proof): Promise<Caller> => {
  const caller = await identify()
  if (!caller) throw unauthorized('This token is not valid, or no longer.')
  return caller
}

const bearerOf = (request: FastifyRequest): string | undefined => {
  const header = request.headers.authorization
  if (header === undefined) return undefined
  const [, token] = /^Bearer +([\w.~+/-]+=*) *$/i.exec(header) ?? []
  if (token === undefined) throw unauthorized('The Authorization header must read "Bearer" and a token.')
  return token
}

const feedTokenOf = (request: FastifyRequest): string | undefined => {
  const { token } = request.query as { token?: unknown }
  return typeof token === 'string' ? token : undefined
}

const SIGN_IN = 'Sign in with your account, and send its token as `Authorization: Bearer`.'
const NO_ACCOUNT =
  'This instance has no account yet. Create one in the console or with POST /api/auth/register, then sign in.'

/** Whether `caller`, whose credential is good, may call a route with these rules. */
const admit = (caller: Caller, rules: RouteRules, access: 'open' | 'private'): void => {
  if (rules.access === 'public') return
  if (caller.kind === 'token') {
    if (rules.access === 'session' || !rules.scope)
      throw forbidden('Personal access tokens do not reach this: sign in.', 'insufficient_scope')
    if (rules.scope !== 'any' && !covers(caller.scopes, rules.scope))
      throw forbidden(`This token lacks the scope ${rules.scope}.`, 'insufficient_scope')
  }
  const needsToken = rules.access !== 'switched' || access === 'private'
  if (needsToken && caller.kind === 'nobody') throw unauthorized('Sign in, or send a token.')
  if (rules.ownerOnly && access === 'private' && !(caller.kind === 'session' && caller.isOwner))
    throw forbidden('Only the owner of this instance may do this.')
}

/** The one place where a caller is let in or turned away, before the body is read. */
export const addGuard = (
  app: FastifyInstance,
  { credentials, access }: { credentials: Credentials; access: 'open' | 'private' },
): void => {
  /** Null when nothing was sent along; what was sent along is always checked. */
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

  app.decorateRequest('caller', null as never)
  app.decorateRequest('proof', null)
  app.addHook('onRequest', (request, _reply, done) => {
    request.caller = nobody
    if (request.is404) return done()
    const rules = request.routeOptions.config as unknown as RouteRules
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
      letIn(request, rules, nobody)
    } catch (refusal) {
      return done(refusal as AppError)
    }
    done()
  })
}
