import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { type Random, randomId } from '../random.ts'

/** `true`, a number of hops, or the proxies' own addresses and networks. */
export type TrustProxy = boolean | number | string[]

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

const createPeerTrust = (trust: TrustProxy): ((peer: string | undefined) => boolean) => {
  if (!Array.isArray(trust)) return () => trust === true || (typeof trust === 'number' && trust > 0)
  const proxies = new BlockList()
  for (const entry of trust) {
    const [address = '', bits] = entry.split('/')
    if (bits === undefined) proxies.addAddress(address, familyOf(address))
    else proxies.addSubnet(address, Number(bits), familyOf(address))
  }
  return (peer) => peer !== undefined && proxies.check(peer, familyOf(peer))
}

const WELL_FORMED = /^[\w.-]{1,100}$/

/** Names each request; behind a proxy that names them already, by its name. */
export const createRequestIds = (
  random: Random,
  trust: TrustProxy,
): ((request: IncomingMessage) => string) => {
  const isProxy = createPeerTrust(trust)
  const instance = randomId(random).slice(0, 6)
  let count = 0
  return (request) => {
    const given = request.headers['x-request-id']
    if (typeof given === 'string' && WELL_FORMED.test(given) && isProxy(request.socket.remoteAddress))
      return given
    return `${instance}-${(++count).toString(36)}`
  }
}
