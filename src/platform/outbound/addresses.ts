import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The source of the destination: the operator's configuration, a user's setting, or content (a page, mail or
 * redirect).
 */
export type Trust = 'operator' | 'typed' | 'content'

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

export interface ReachRules {
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

export const mayReach = (rules: ReachRules, trust: Trust, to: Destination): boolean => {
  const found = classifyAddress(to.address)
  if (found === 'public') return true
  if (trust === 'content') return false
  if (found === 'private' && trust === 'typed' && rules.typedMayBePrivate) return true
  return rules.allow.some((entry) => names(entry, to, found === 'guarded'))
}
