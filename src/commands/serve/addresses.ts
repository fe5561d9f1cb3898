import { isIPv6 } from 'node:net'
import type { networkInterfaces } from 'node:os'
import type { Config } from '../../config/config.ts'

type Interfaces = ReturnType<typeof networkInterfaces>

/** Link-local addresses need a zone, which browsers do not accept in an address. */
const isLinkLocal = (address: string): boolean => /^fe[89ab]/i.test(address)

const hostsOf = (host: string, interfaces: Interfaces): string[] => {
  if (host !== '0.0.0.0' && host !== '::') return [host]
  const all = Object.values(interfaces)
    .flatMap((entries) => entries ?? [])
    .filter(({ internal, address }) => !internal && !isLinkLocal(address))
  const found = all.filter(({ family }) => host === '::' || family === 'IPv4').map(({ address }) => address)
  // Node listens on `::` for IPv4 as well.
  return ['127.0.0.1', ...(host === '::' ? ['::1'] : []), ...found]
}

/** The addresses at which people can open the console, the one of this machine first. */
export const listAddresses = (
  { host, publicUrl }: Pick<Config, 'host' | 'publicUrl'>,
  port: number,
  interfaces: Interfaces,
): string[] => {
  // With PUBLIC_URL, pages that were opened at any other address may not call the API.
  if (publicUrl !== null) return [publicUrl]
  return hostsOf(host, interfaces).map((each) => `http://${isIPv6(each) ? `[${each}]` : each}:${port}`)
}

/** Why people may be refused at an address that leads here; undefined when nothing is missing. */
export const findMissingNames = ({
  host,
  isLoopbackHost,
  publicUrl,
  allowedHosts,
}: Config): string | undefined =>
  isLoopbackHost || publicUrl !== null || allowedHosts.length > 0
    ? undefined
    : `HOST=${host} without PUBLIC_URL and ALLOWED_HOSTS: this instance is reached by IP address only. To open it by a name, set PUBLIC_URL to that address or add the name to ALLOWED_HOSTS.`
