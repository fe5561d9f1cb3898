import type { FoundServer } from './providers.ts'

export interface FoundServers {
  imap: FoundServer
  smtp: FoundServer
  username: string
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const unescaped = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? '').trim()

const fieldOf = (block: string, tag: string): string =>
  unescaped(new RegExp(`<${tag}>([^<]{1,300})</${tag}>`).exec(block)?.[1] ?? '')

const WAYS: Record<string, FoundServer['tls']> = { SSL: 'implicit', STARTTLS: 'starttls' }

const readServer = (block: string): (FoundServer & { username: string }) | undefined => {
  const host = fieldOf(block, 'hostname').toLowerCase()
  const port = Number(fieldOf(block, 'port'))
  // Without encryption is never proposed: who wants that types it in.
  const tls = WAYS[fieldOf(block, 'socketType').toUpperCase()]
  if (!/^[a-z0-9.-]{1,253}$/.test(host) || !(port > 0 && port < 65_536) || !tls) return undefined
  return { host, port, tls, username: fieldOf(block, 'username') }
}

const BLOCKS = {
  imap: /<incomingServer\s+type="imap"\s*>([\s\S]*?)<\/incomingServer>/g,
  smtp: /<outgoingServer\s+type="smtp"\s*>([\s\S]*?)<\/outgoingServer>/g,
}

const firstOf = (xml: string, kind: keyof typeof BLOCKS) =>
  [...xml.matchAll(BLOCKS[kind])]
    .map(([, block]) => readServer(block ?? ''))
    .filter((server) => server !== undefined)
    .toSorted((a, b) => Number(b.tls === 'implicit') - Number(a.tls === 'implicit'))[0]

/** Mozilla's autoconfiguration format, as far as it says where mail is read and sent; undefined when it does not. */
export const readAutoconfig = (template: string, address: string): FoundServers | undefined => {
  const [local = '', domain = ''] = address.split('@')
  const xml = template
    .replaceAll('%EMAILADDRESS%', address)
    .replaceAll('%EMAILLOCALPART%', local)
    .replaceAll('%EMAILDOMAIN%', domain)
  const [imap, smtp] = [firstOf(xml, 'imap'), firstOf(xml, 'smtp')]
  if (!imap || !smtp) return undefined
  const bare = ({ host, port, tls }: FoundServer): FoundServer => ({ host, port, tls })
  return { imap: bare(imap), smtp: bare(smtp), username: imap.username || address }
}
