import { lookup as systemLookup } from 'node:dns/promises'
import { createRequire } from 'node:module'
import { isIP, type LookupFunction } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import type { Agent, buildConnector } from 'undici'
import { isLocalName, mayReach, type ReachRules, type Trust } from './addresses.ts'
import { refused, toFailure, upstreamFailed, upstreamTimeout } from './patience.ts'

/**
 * A server with a pinned certificate is identified by that certificate only, whatever name it contains.
 * Without one, the trust store of the machine decides.
 */
export const trustIn = (certificate: string | null): ConnectionOptions =>
  certificate === null
    ? { minVersion: 'TLSv1.2' }
    : {
        minVersion: 'TLSv1.2',
        ca: certificate,
        allowPartialTrustChain: true,
        checkServerIdentity: (_host, peer) =>
          certificate.replace(/\s/g, '').includes(peer.raw.toString('base64'))
            ? undefined
            : Object.assign(new Error('The certificate differs from the pinned one.'), {
                code: 'CERT_UNTRUSTED',
              }),
      }

export interface ResolvedAddress {
  address: string
  family: number
}

/** Resolves all addresses of a name. */
export type LookupAll = (host: string) => Promise<ResolvedAddress[]>

/** Opens a socket to checked addresses, and to no other. */
export type Dial = (
  addresses: ResolvedAddress[],
  options: buildConnector.Options,
  callback: buildConnector.Callback,
) => void

export interface Connections {
  resolve(host: string, trust: Trust, port: number | undefined): Promise<ResolvedAddress[]>
  agent(trust: Trust): Agent
  close(): Promise<void>
}

const CONNECT_TIMEOUT_MS = 10_000

/** Loaded with the first outbound request, to keep startup short. */
const require = createRequire(import.meta.url)
const loadUndici = () => require('undici') as typeof import('undici')

const lookupAll: LookupAll = (host) => systemLookup(host, { all: true, order: 'verbatim' })

/**
 * Pins the addresses: Node calls this "lookup" instead of DNS, so no second DNS answer can slip in between
 * check and connection. The name stays in place for the Host header, the TLS server name and the certificate.
 */
export const dialPinned: Dial = (addresses, options, callback) => {
  const pinned: LookupFunction = (_host, { all }, done) => {
    const [first] = addresses
    if (all) done(null, addresses)
    else done(null, first?.address ?? '', first?.family)
  }
  const { buildConnector } = loadUndici()
  buildConnector({ lookup: pinned, allowH2: false, maxCachedSessions: 0, timeout: CONNECT_TIMEOUT_MS })(
    options,
    callback,
  )
}

const inTime = async <T>(work: Promise<T>, host: string): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(upstreamTimeout(host)), CONNECT_TIMEOUT_MS)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

const refusal = (host: string, trust: Trust, address: string) =>
  refused(
    trust === 'content'
      ? `${host} is not a public address. Only public addresses can be fetched.`
      : `${host} is a private address that the operator has not allowed (OUTBOUND_ALLOW).`,
    new Error(`${host} resolves to ${address}`),
  )

export const createConnections = (
  rules: ReachRules,
  lookup: LookupAll = lookupAll,
  dial: Dial = dialPinned,
): Connections => {
  const resolve: Connections['resolve'] = async (host, trust, port) => {
    if (trust === 'content' && isLocalName(host)) throw refusal(host, trust, 'this machine')
    const literal = isIP(host) !== 0
    const found = literal ? [host] : (await inTime(lookup(host), host)).map(({ address }) => address)
    if (found.length === 0) throw upstreamFailed(`DNS lookup for ${host} failed.`)
    // One forbidden address is enough to reject the name, because the connection may use any of them.
    const forbidden = found.find((address) => !mayReach(rules, trust, { host, port, address }))
    if (forbidden !== undefined) throw refusal(host, trust, forbidden)
    return found.map((address) => ({ address, family: isIP(address) }))
  }

  /**
   * The check is part of the connector, so every socket is checked. A kept-alive socket is reused without a
   * new check. That is safe: the check depends only on trust, host, port and address. The address of an open
   * socket cannot change, an Agent pools by origin (host and port), and each trust level has its own Agent. A
   * socket opened for the operator can therefore never serve a URL that was found in content.
   */
  const connectAs =
    (trust: Trust): buildConnector.connector =>
    (options, callback) => {
      const host = options.hostname
      const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80)
      resolve(host, trust, port).then(
        (addresses) => dial(addresses, options, callback),
        (error) => callback(toFailure(error, host), null),
      )
    }

  const createAgent = (trust: Trust): Agent =>
    new (loadUndici().Agent)({
      connect: connectAs(trust),
      allowH2: false,
      // A low limit protects unknown servers. Configured servers get many requests at the same time.
      connections: trust === 'content' ? 8 : 64,
      maxOrigins: 256,
      keepAliveTimeout: 4_000,
      keepAliveMaxTimeout: 30_000,
      // After this time the name is resolved and checked again, even if the socket is busy.
      clientTtl: 60_000,
      // The deadline of each request applies, also to streams that may be silent for minutes.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  const agents = new Map<Trust, Agent>()
  let isClosed = false

  return {
    resolve,
    agent(trust) {
      const known = agents.get(trust)
      if (known) return known
      if (isClosed) throw new Error('The client is closed.')
      const agent = createAgent(trust)
      agents.set(trust, agent)
      return agent
    },
    close: async () => {
      isClosed = true
      await Promise.all([...agents.values()].map((agent) => agent.destroy()))
    },
  }
}
