import { lookup as systemLookup } from 'node:dns/promises'
import { createRequire } from 'node:module'
import { isIP, type LookupFunction } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import ipaddr from 'ipaddr.js'
import type { Agent, buildConnector } from 'undici'
import { refused, toFailure, upstreamFailed, upstreamTimeout } from './failures.ts'

/**
 * The source of the destination: the operator's configuration, a user's setting, or content (a page, mail or
 * redirect). `bucket` is the one server of BLOBS_URL. `loopback` is an address of this machine that the owner selected, and reaches nothing else.
 */
export type Trust = 'operator' | 'bucket' | 'typed' | 'content' | 'loopback'

/**
 * `guarded` addresses require an entry that names them: cloud metadata, link-local, and tunnels that hide
 * their real target.
 */
export type AddressClass = 'public' | 'private' | 'guarded'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Network = [Address, number]

export type AllowEntry =
  | { kind: 'host'; host: string; subdomains: boolean; port: number | undefined }
  | { kind: 'network'; network: Network; guarded: boolean; port: number | undefined }

interface ReachRules {
  allow: AllowEntry[]
  typedMayBePrivate: boolean
}

export interface Destination {
  /** The requested name, normalized by `normaliseHost`. */
  host: string
  /** Undefined if only a name is resolved. Entries with a port then do not apply. */
  port: number | undefined
  address: string
}

const NAT64 = ipaddr.parseCIDR('64:ff9b::/96')
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3')

const GUARDED = [
  '169.254.0.0/16', // RFC 3927; metadata of AWS, Google, Azure and most others
  '100.100.100.200/32', // metadata of Alibaba Cloud
  '192.0.0.192/32', // metadata of Oracle Cloud
  '168.63.129.16/32', // Azure's host service, although in public address space
  'fe80::/10',
  'fd00:ec2::254/128', // metadata of AWS
  'fd20:ce::254/128', // metadata of Google
  '::/96', // RFC 4291 IPv4-compatible
  '::ffff:0:0:0/96', // RFC 7915 IPv4-translated
  '64:ff9b:1::/48', // RFC 8215 local translation; each network chooses the position of the IPv4 part
  '2001::/32', // RFC 4380 Teredo
  '2002::/16', // RFC 3056 6to4
].map((text) => ipaddr.parseCIDR(text))

const isWithin = (address: Address, network: Network): boolean =>
  address.kind() === network[0].kind() && address.match(network)

/** A mapped or NAT64 address leads to the IPv4 address inside it, so the inner address is classified. */
const unwrap = (address: Address): Address => {
  if (address instanceof ipaddr.IPv4) return address
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  return isWithin(address, NAT64) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address
}

/** Normalizes a host like the URL parser (IDNA, odd number forms), without brackets and final dot. */
export const normaliseHost = (text: string): string | undefined => {
  const literal = isIP(text) === 6 ? `[${text}]` : text
  if (/[\s/?#@\\%]/.test(literal) || (literal.includes(':') && !/^\[.*\]$/.test(literal))) return undefined
  const hostname = URL.parse(`http://${literal}/`)?.hostname ?? ''
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return host === '' || host.length > 253 || host.split('.').includes('') ? undefined : host
}

/** Uses the URL parser first: ipaddr.js takes `::8.8.8.8` for `::ffff:8.8.8.8`, unlike the network. */
const readAddress = (text: string): Address => ipaddr.parse(normaliseHost(text) ?? text)

const parseAddress = (text: string): Address | undefined => {
  const bare = text.replace(/%.*$/s, '')
  return isIP(bare) === 0 ? undefined : unwrap(readAddress(bare))
}

export const classifyAddress = (text: string): AddressClass => {
  const address = parseAddress(text)
  if (address === undefined || text.includes('%')) return 'guarded'
  const range = address.range()
  if (range === 'loopback' || range === 'unspecified') return 'private'
  if (GUARDED.some((network) => isWithin(address, network))) return 'guarded'
  if (range !== 'unicast') return 'private'
  return address.kind() === 'ipv4' || isWithin(address, GLOBAL_UNICAST) ? 'public' : 'private'
}

/** RFC 6761: these names mean the machine itself, whatever a resolver returns. */
export const isLocalName = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost')

const parseNetwork = (text: string): AllowEntry => {
  const [base = '', bits = ''] = text.split('/', 2)
  const name = JSON.stringify(text)
  const family = isIP(base)
  const widest = family === 4 ? 32 : 128
  if (family === 0 || base.includes('%') || !/^\d{1,3}$/.test(bits) || Number(bits) > widest)
    throw new Error(`${name} is not a network; write it like "192.168.1.0/24" or "fd00::/8"`)
  const network: Network = [readAddress(base), Number(bits)]
  if (unwrap(network[0]) !== network[0])
    throw new Error(`${name} wraps an IPv4 address; write the IPv4 address itself`)
  const first = (family === 4 ? ipaddr.IPv4 : ipaddr.IPv6).networkAddressFromCIDR(
    `${network[0].toString()}/${bits}`,
  )
  if (first.toString() !== network[0].toString())
    throw new Error(`${name} has host bits set; write "${first.toString()}/${bits}"`)
  return { kind: 'network', network, guarded: classifyAddress(base) === 'guarded', port: undefined }
}

/**
 * Parses an entry of the allow list: `ollama.lan`, `ollama.lan:11434`, `*.lan`, `10.0.0.5`, `[::1]:8080`,
 * `192.168.0.0/16`.
 */
export const parseAllowEntry = (text: string): AllowEntry => {
  const entry = text.trim()
  const name = JSON.stringify(entry)
  if (entry === '') throw new Error('an allow entry is empty')
  if (entry.includes('://')) throw new Error(`${name} is a URL; name the host alone, like "ollama.lan:11434"`)
  if (/^[^/]+\/[^/]*$/.test(entry)) return parseNetwork(entry)

  const parts = isIP(entry) === 6 ? ['', entry] : /^(\[[^\]]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(entry)
  const asked = (parts?.[1] ?? '').replace(/^\[|\]$/g, '')
  const port = parts?.[2] === undefined ? undefined : Number(parts[2])
  if (port !== undefined && (port < 1 || port > 65535))
    throw new Error(`${name} has a port outside 1 to 65535`)
  if (isIP(asked) !== 0) return { ...parseNetwork(`${asked}/${isIP(asked) === 4 ? 32 : 128}`), port }

  const subdomains = asked.startsWith('*.')
  const host = normaliseHost(subdomains ? asked.slice(2) : asked)
  const isName = host !== undefined && /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(host)
  if (!isName) throw new Error(`${name} is not a host name, an address or a network`)
  if (isIP(host) !== 0) throw new Error(`${name} is an address in an unusual form; write "${host}"`)
  return { kind: 'host', host, subdomains, port }
}

/**
 * A name or a wide network never opens a guarded address. An operator who allows `ollama.lan` does not mean
 * that its DNS may lead to the metadata service. Only an entry inside the guarded range does.
 */
const names = (entry: AllowEntry, to: Destination, isGuarded: boolean): boolean => {
  if (entry.port !== undefined && entry.port !== to.port) return false
  if (entry.kind === 'network') {
    const address = parseAddress(to.address)
    return (entry.guarded || !isGuarded) && address !== undefined && isWithin(address, entry.network)
  }
  if (isGuarded) return false
  return entry.subdomains ? to.host.endsWith(`.${entry.host}`) : to.host === entry.host
}

const isLoopback = (text: string): boolean => parseAddress(text)?.range() === 'loopback'

export const mayReach = (rules: ReachRules, trust: Trust, to: Destination): boolean => {
  if (trust === 'loopback') return isLoopback(to.address)
  const found = classifyAddress(to.address)
  if (found === 'public') return true
  if (trust === 'content') return false
  if (found === 'private' && trust === 'bucket') return true
  if (found === 'private' && trust === 'typed' && rules.typedMayBePrivate) return true
  return rules.allow.some((entry) => names(entry, to, found === 'guarded'))
}

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
      : `${host} is a private address. To allow it, add it to OUTBOUND_ALLOW in the configuration of the server.`,
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
