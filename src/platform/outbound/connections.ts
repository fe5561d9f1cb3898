import { lookup as systemLookup } from 'node:dns/promises'
import { createRequire } from 'node:module'
import { isIP, type LookupFunction } from 'node:net'
import type { Agent, buildConnector } from 'undici'
import { isLocalName, mayReach, type ReachRules, type Trust } from './addresses.ts'
import { refused, toFailure, upstreamFailed, upstreamTimeout } from './failures.ts'

export interface ResolvedAddress {
  address: string
  family: number
}

/** Every address a name has. */
export type LookupAll = (host: string) => Promise<ResolvedAddress[]>

/** Opens the socket to addresses that have been checked, and to no other. */
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

/** Loaded with the first request that goes out: a start need not wait for it. */
const require = createRequire(import.meta.url)
const loadUndici = () => require('undici') as typeof import('undici')

const lookupAll: LookupAll = (host) => systemLookup(host, { all: true, order: 'verbatim' })

/**
 * Pinning: Node asks this "lookup" instead of the DNS, so between the check and the connection no second answer
 * can slip in. The name itself stays in place for the Host header, the TLS server name and the certificate.
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
      ? `${host} is not a public address, and only public addresses are fetched here.`
      : `${host} is a private address that the operator has not allowed (OUTBOUND_ALLOW).`,
    new Error(`${host} leads to ${address}`),
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
    if (found.length === 0) throw upstreamFailed(`${host} could not be found.`)
    // One forbidden address is enough: which of several a connection takes is not ours to predict.
    const forbidden = found.find((address) => !mayReach(rules, trust, { host, port, address }))
    if (forbidden !== undefined) throw refusal(host, trust, forbidden)
    return found.map((address) => ({ address, family: isIP(address) }))
  }

  /**
   * The check sits in the connector, so no socket exists that was not checked. A kept-alive socket is reused without
   * a new check; that is sound because whether it may be open follows from trust, host, port and address alone: the
   * address of an open socket cannot change, an Agent pools by origin (host and port), and each trust has an Agent of
   * its own. A socket opened for the operator can therefore never serve a URL that was found in content.
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
      // Politeness towards strangers; those that were named on purpose are asked by many at once.
      connections: trust === 'content' ? 8 : 64,
      maxOrigins: 256,
      keepAliveTimeout: 4_000,
      keepAliveMaxTimeout: 30_000,
      // However busy a socket is, after this long the name is looked up and checked again.
      clientTtl: 60_000,
      // The deadline of each request rules, also over streams that may be silent for minutes.
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
