import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { forbidden } from '../errors.ts'

export interface OriginRules {
  access: 'open' | 'private'
  /** Open access that nobody asked for is for this machine alone. */
  onlyThisMachine: boolean
  publicUrl: string | null
  corsOrigins: readonly string[]
  allowedHosts: readonly string[]
}

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]'])
const isForwarding = (header: string): boolean =>
  header === 'forwarded' || header === 'via' || header.startsWith('x-forwarded-')

const isLoopbackAddress = (address: string | undefined): boolean =>
  address !== undefined && (address === '::1' || address.replace(/^::ffff:/, '').startsWith('127.'))

const hostnameOf = (host: string): string => host.replace(/:\d+$/, '').toLowerCase()
const isAddress = (hostname: string): boolean => isIP(hostname.replace(/^\[|\]$/g, '')) !== 0

/** The address under which a request reached us, as its client wrote it. */
export interface RequestAddress {
  /** `http` or `https`, by a trusted proxy's word where there is one. */
  scheme: string
  /** With its port, if it names one. */
  host: string
}

export interface Arrival extends RequestAddress {
  method: string
  headers: IncomingHttpHeaders
  peer: string | undefined
}

export interface Origins {
  /** Whether a page of this origin is one of ours. */
  isOwn(origin: string, address: RequestAddress): boolean
  check(arrival: Arrival): void
}

const LONGEST_QUOTED = 100

/**
 * Keeps pages of other sites, rebound names and uninvited neighbours out, before anything else is looked at.
 * A browser sends along whatever it holds for us on behalf of any page it shows; none of that may have an effect.
 */
export const createOrigins = (rules: OriginRules): Origins => {
  const guests = new Set(rules.corsOrigins)
  const hosts = new Set([...LOOPBACK_NAMES, ...rules.allowedHosts.map((host) => host.toLowerCase())])
  if (rules.publicUrl) hosts.add(new URL(rules.publicUrl).hostname)
  const isOurs = (hostname: string): boolean => hosts.has(hostname) || isAddress(hostname)

  /**
   * Without PUBLIC_URL a page is ours when it was opened at the address it calls, whatever port is mapped to us. Names
   * must be known: a name of another site that was rebound to our address (DNS rebinding) would pass otherwise.
   */
  const isOwn = (origin: string, { scheme, host }: RequestAddress): boolean => {
    if (rules.publicUrl !== null) return origin === rules.publicUrl
    // `null` is also what the URL parser gives for the origin of a scheme that it does not know.
    if (origin === 'null' || !isOurs(hostnameOf(host))) return false
    return URL.parse(`${scheme}://${host}`)?.origin === origin
  }

  const refuseHost = (hostname: string) =>
    forbidden(
      `This instance does not answer to the name "${hostname.slice(0, LONGEST_QUOTED)}". If people open it by this name, add the name to ALLOWED_HOSTS or set PUBLIC_URL.`,
      'host_not_allowed',
    )

  const refuseOrigin = (origin: string | undefined) => {
    const page =
      origin === undefined ? 'A page of another site' : `The page at ${origin.slice(0, LONGEST_QUOTED)}`
    const remedy =
      rules.publicUrl === null
        ? 'If people open this instance at that address, set PUBLIC_URL to it or add its host name to ALLOWED_HOSTS.'
        : `This instance is opened at ${rules.publicUrl}, because PUBLIC_URL says so.`
    return forbidden(
      `${page} may not call this instance. ${remedy} To let another site call it, add that site to CORS_ORIGINS.`,
      'origin_not_allowed',
    )
  }

  const check = (arrival: Arrival): void => {
    const { method, headers, peer } = arrival
    if (rules.onlyThisMachine) {
      if (!isLoopbackAddress(peer))
        throw forbidden(
          'This instance answers only on its own machine. Set ACCESS=private to open it to others.',
        )
      if (Object.keys(headers).some(isForwarding))
        throw forbidden('This came through a proxy. Set TRUST_PROXY and ACCESS=private to run behind one.')
    }
    if (rules.access === 'open')
      // Both: a page whose name was rebound can set X-Forwarded-Host, and cannot set Host.
      for (const host of [headers.host ?? '', arrival.host])
        if (!isOurs(hostnameOf(host))) throw refuseHost(hostnameOf(host))
    const { origin } = headers
    const isForeign =
      origin === undefined ? isForeignFetch(method, headers) : !isOwn(origin, arrival) && !guests.has(origin)
    if (isForeign) throw refuseOrigin(origin)
  }
  return { isOwn, check }
}

/** Sent by a page of another site, and not by a person following a link. */
const isForeignFetch = (method: string, headers: IncomingHttpHeaders): boolean =>
  headers['sec-fetch-site'] === 'cross-site' &&
  !(headers['sec-fetch-mode'] === 'navigate' && (method === 'GET' || method === 'HEAD'))
