import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { forbidden } from '../errors.ts'

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'
const EXPOSED = [
  'ETag',
  'Location',
  'Retry-After',
  'X-Request-Id',
  'Idempotency-Replayed',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
].join(', ')

/**
 * Lets pages of the allowed origins read responses, including errors, but never with cookies. A browser sends
 * a preflight request without a token first: `answerPreflight` answers it and returns true.
 */
export const createCors = (allowedOrigins: readonly string[]) => {
  const allowed = new Set(allowedOrigins)
  return {
    answerPreflight(request: FastifyRequest, reply: FastifyReply): boolean {
      if (allowed.size === 0) return false
      reply.header('vary', 'Origin')
      const { origin } = request.headers
      if (origin === undefined || !allowed.has(origin)) return false
      reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', EXPOSED)
      if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined)
        return false
      const wanted = request.headers['access-control-request-headers']
      if (wanted !== undefined) reply.header('access-control-allow-headers', wanted)
      reply.header('access-control-allow-methods', METHODS).header('access-control-max-age', '600')
      reply.code(204).send()
      return true
    },
  }
}

export interface OriginRules {
  access: 'open' | 'private'
  /** Open access that was not configured explicitly is limited to this machine. */
  onlyThisMachine: boolean
  publicUrl: string | null
  corsOrigins: readonly string[]
  allowedHosts: readonly string[]
}

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]'])
const isForwarding = (header: string): boolean =>
  header === 'forwarded' || header === 'via' || header.startsWith('x-forwarded-')

/** Whether the request names a proxy that it came through. */
export const isForwarded = (headers: IncomingHttpHeaders): boolean => Object.keys(headers).some(isForwarding)

export const isLoopbackAddress = (address: string | undefined): boolean =>
  address !== undefined && (address === '::1' || address.replace(/^::ffff:/, '').startsWith('127.'))

const hostnameOf = (host: string): string => host.replace(/:\d+$/, '').toLowerCase()
const isAddress = (hostname: string): boolean => isIP(hostname.replace(/^\[|\]$/g, '')) !== 0

/** The address of a request as the client wrote it. */
export interface RequestAddress {
  /** `http` or `https`, as a trusted proxy reports it if there is one. */
  scheme: string
  /** With the port, if the client sent one. */
  host: string
}

export interface Arrival extends RequestAddress {
  method: string
  headers: IncomingHttpHeaders
  peer: string | undefined
}

export interface Origins {
  /** Whether an origin belongs to this instance. */
  isOwn(origin: string, address: RequestAddress): boolean
  check(arrival: Arrival): void
}

const MAX_QUOTED_LENGTH = 100

/**
 * Rejects requests from pages of other sites, rebound DNS names and other machines, before anything else is
 * checked. A browser sends its cookies with requests of any page, and those must have no effect.
 */
export const createOrigins = (rules: OriginRules): Origins => {
  const allowed = new Set(rules.corsOrigins)
  const hosts = new Set([...LOOPBACK_NAMES, ...rules.allowedHosts.map((host) => host.toLowerCase())])
  const publicUrl = rules.publicUrl === null ? null : new URL(rules.publicUrl)
  if (publicUrl) hosts.add(publicUrl.hostname)
  const isOwnHost = (hostname: string): boolean => hosts.has(hostname) || isAddress(hostname)

  /**
   * Without PUBLIC_URL, an origin is ours if it equals the address that the request was sent to, on any
   * mapped port. The host must be a known name, because a foreign name could be rebound to our address (DNS
   * rebinding).
   */
  const isOwn = (origin: string, { scheme, host }: RequestAddress): boolean => {
    if (publicUrl !== null) return origin === publicUrl.origin
    // The URL parser also returns `null` for the origin of an unknown scheme.
    if (origin === 'null' || !isOwnHost(hostnameOf(host))) return false
    return URL.parse(`${scheme}://${host}`)?.origin === origin
  }

  const refuseHost = (hostname: string) =>
    forbidden(
      `This instance does not accept the host name "${hostname.slice(0, MAX_QUOTED_LENGTH)}". If users open it by this name, add the name to ALLOWED_HOSTS or set PUBLIC_URL.`,
      'host_not_allowed',
    )

  const requireOwnHost = (host: string): void => {
    const hostname = hostnameOf(host)
    if (!isOwnHost(hostname)) throw refuseHost(hostname)
  }

  const refuseOrigin = (origin: string | undefined) => {
    const page =
      origin === undefined ? 'A page of another site' : `The page at ${origin.slice(0, MAX_QUOTED_LENGTH)}`
    const remedy =
      rules.publicUrl === null
        ? 'If users open this instance at that address, set PUBLIC_URL to it or add its host name to ALLOWED_HOSTS.'
        : `PUBLIC_URL is ${rules.publicUrl}.`
    return forbidden(
      `${page} may not call this instance. ${remedy} To allow another site, add it to CORS_ORIGINS.`,
      'origin_not_allowed',
    )
  }

  const check = (arrival: Arrival): void => {
    const { method, headers, peer } = arrival
    if (rules.onlyThisMachine) {
      if (!isLoopbackAddress(peer))
        throw forbidden(
          'This instance only accepts requests from its own machine. Set ACCESS=private to allow others.',
        )
      if (isForwarded(headers))
        throw forbidden(
          'The request came through a proxy. To run behind a proxy, set TRUST_PROXY and ACCESS=private.',
        )
    }
    if (rules.access === 'open') {
      // Checks both, because a page with a rebound name can set X-Forwarded-Host but not Host.
      requireOwnHost(headers.host ?? '')
      if (arrival.host !== headers.host) requireOwnHost(arrival.host)
    }
    const { origin } = headers
    const isForeign =
      origin === undefined ? isForeignFetch(method, headers) : !isOwn(origin, arrival) && !allowed.has(origin)
    if (isForeign) throw refuseOrigin(origin)
  }
  return { isOwn, check }
}

/** Whether a page of another site sent the request, and not a user who followed a link. */
const isForeignFetch = (method: string, headers: IncomingHttpHeaders): boolean =>
  headers['sec-fetch-site'] === 'cross-site' &&
  !(headers['sec-fetch-mode'] === 'navigate' && (method === 'GET' || method === 'HEAD'))
