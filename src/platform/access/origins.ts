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

export interface Arrival {
  method: string
  headers: IncomingHttpHeaders
  peer: string | undefined
  /** The port we listen on. */
  port: number | undefined
}

export interface Origins {
  /** Whether a page of this origin is one of ours. */
  isOwn(origin: string, port: number | undefined): boolean
  check(arrival: Arrival): void
}

/**
 * Keeps pages of other sites, rebound names and uninvited neighbours out, before anything else is looked at.
 * A browser sends along whatever it holds for us on behalf of any page it shows; none of that may have an effect.
 */
export const createOrigins = (rules: OriginRules): Origins => {
  const guests = new Set(rules.corsOrigins)
  const hosts = new Set([...LOOPBACK_NAMES, ...rules.allowedHosts.map((host) => host.toLowerCase())])
  if (rules.publicUrl) hosts.add(new URL(rules.publicUrl).hostname)

  const isOwn = (origin: string, port: number | undefined): boolean => {
    if (rules.publicUrl) return origin === rules.publicUrl
    const url = URL.canParse(origin) ? new URL(origin) : undefined
    return (
      url !== undefined &&
      url.protocol === 'http:' &&
      (LOOPBACK_NAMES.has(url.hostname) || /^127(\.\d{1,3}){3}$/.test(url.hostname)) &&
      Number(url.port || 80) === port
    )
  }

  const check = ({ method, headers, peer, port }: Arrival): void => {
    if (rules.onlyThisMachine) {
      if (!isLoopbackAddress(peer))
        throw forbidden(
          'This instance answers only on its own machine. Set ACCESS=private to open it to others.',
        )
      if (Object.keys(headers).some(isForwarding))
        throw forbidden('This came through a proxy. Set TRUST_PROXY and ACCESS=private to run behind one.')
    }
    const host = hostnameOf(headers.host ?? '')
    if (rules.access === 'open' && !hosts.has(host) && !isAddress(host))
      throw forbidden(
        `This instance does not answer to the name "${host.slice(0, 100)}". Add it to ALLOWED_HOSTS if it should.`,
        'host_not_allowed',
      )
    const origin = headers.origin
    if (origin === undefined ? isForeignFetch(method, headers) : !isOwn(origin, port) && !guests.has(origin))
      throw forbidden(
        'Pages of other sites may not call this. If it is yours, set PUBLIC_URL to its address or add it to CORS_ORIGINS.',
        'origin_not_allowed',
      )
  }
  return { isOwn, check }
}

/** Sent by a page of another site, and not by a person following a link. */
const isForeignFetch = (method: string, headers: IncomingHttpHeaders): boolean =>
  headers['sec-fetch-site'] === 'cross-site' &&
  !(headers['sec-fetch-mode'] === 'navigate' && (method === 'GET' || method === 'HEAD'))
