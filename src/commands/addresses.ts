import type { networkInterfaces } from 'node:os'
import type { Config } from '../config/config.ts'

type Interfaces = ReturnType<typeof networkInterfaces>

/** Link-local addresses need a zone, which browsers do not accept in an address. */
const isLinkLocal = (address: string): boolean => /^fe[89ab]/i.test(address)

const hostsOf = (host: string, interfaces: Interfaces): string[] => {
  if (host !== '0.0.0.0' && host !== '::') return [host]
  const all = Object.values(interfaces)
    .flatMap((entries) => entries ?? [])
    .filter(({ internal, address }) => !internal && !isLinkLocal(address))
  const found = all.filter(({ family }) => host === '::' || family === 'IPv4').map(({ address }) => address)
  // Node also listens on IPv4 for `::`.
  return ['127.0.0.1', ...(host === '::' ? ['::1'] : []), ...found]
}

/** Returns the addresses of the console, that of this machine first. */
export const listAddresses = (
  { host, publicUrl }: Pick<Config, 'host' | 'publicUrl'>,
  port: number,
  interfaces: Interfaces,
): string[] => {
  // With PUBLIC_URL, pages at any other address may not call the API.
  if (publicUrl !== null) return [publicUrl]
  return hostsOf(host, interfaces).map((each) => `http://${each.includes(':') ? `[${each}]` : each}:${port}`)
}

/** Explains why requests to some address of this machine may be rejected; undefined if nothing is missing. */
export const findMissingNames = ({
  host,
  isLoopbackHost,
  publicUrl,
  allowedHosts,
}: Config): string | undefined =>
  isLoopbackHost || publicUrl !== null || allowedHosts.length > 0
    ? undefined
    : `HOST=${host} without PUBLIC_URL and ALLOWED_HOSTS: this instance is reachable by IP address only. To open it by name, set PUBLIC_URL to that address or add the name to ALLOWED_HOSTS.`
