import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The network that failed tries are counted for: an IPv4 address, or the first 64 bits of an IPv6 address, because one
 * subscriber usually has a whole /64. Anything else (`local`) stands for itself.
 */
export const networkOf = (ip: string): string => {
  const bare = ip.replace(/%.*$/s, '')
  if (isIP(bare) === 0) return ip
  // A server that listens on `::` sees IPv4 peers as `::ffff:192.0.2.1`.
  const address = ipaddr.process(bare)
  if (address instanceof ipaddr.IPv4) return address.toString()
  const prefix = address.parts.slice(0, 4).map((part) => part.toString(16))
  return `${prefix.join(':')}::/64`
}
