import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { type FoundServers, readAutoconfig } from './document.ts'
import { type FoundServer, findProvider } from './providers.ts'

/** What a domain's records say; every question is answered, an unknown name by nothing. */
export interface MailDns {
  /** RFC 2782, those with the best chance first. */
  services(name: string): Promise<{ host: string; port: number }[]>
  exchangers(domain: string): Promise<string[]>
}

const LARGEST = 200_000
const PATIENCE_MS = 5_000
const DIRECTORY = 'https://autoconfig.thunderbird.net/v1.1'

const documentsFor = (domain: string, address: string): string[] => {
  const who = `emailaddress=${encodeURIComponent(address)}`
  return [
    `https://autoconfig.${domain}/mail/config-v1.1.xml?${who}`,
    `https://${domain}/.well-known/autoconfig/mail/config-v1.1.xml?${who}`,
    // A directory of providers that Mozilla keeps; it gets to know the domain and not the person.
    `${DIRECTORY}/${domain}`,
  ]
}

/** Finds the servers of an address, asking first what costs nothing. Never fails: then nothing is found. */
export const createAutoconfig = (deps: { outbound: Outbound; dns: MailDns }) => {
  const fetchDocument = async (url: string, address: string): Promise<FoundServers | undefined> => {
    try {
      const answer = await deps.outbound.fetch(url, { timeoutMs: PATIENCE_MS, maxBytes: LARGEST })
      return answer.status === 200 ? readAutoconfig(await answer.text(), address) : undefined
    } catch {
      return undefined
    }
  }

  const service = async (
    domain: string,
    names: readonly [name: string, tls: FoundServer['tls']][],
  ): Promise<FoundServer | undefined> => {
    for (const [name, tls] of names) {
      // RFC 6186, 3.4: a single dot says that there is no such service here.
      const [first] = (await deps.dns.services(`${name}._tcp.${domain}`)).filter(({ host }) => host !== '')
      if (first) return { ...first, tls }
    }
    return undefined
  }

  const fromRecords = async (domain: string, address: string): Promise<FoundServers | undefined> => {
    const [imap, smtp] = await Promise.all([
      service(domain, [
        ['_imaps', 'implicit'],
        ['_imap', 'starttls'],
      ]),
      service(domain, [
        ['_submissions', 'implicit'],
        ['_submission', 'starttls'],
      ]),
    ])
    return imap && smtp ? { imap, smtp, username: address } : undefined
  }

  return async (address: string) => {
    const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
    const unknown = { provider: null, signIn: 'password', note: null } as const
    const known = findProvider(domain, []) ?? findProvider(domain, await deps.dns.exchangers(domain))
    if (known) {
      const { name, imap, smtp, signIn, note } = known
      return { source: 'provider', provider: name, imap, smtp, username: address, signIn, note } as const
    }
    const records = await fromRecords(domain, address)
    if (records) return { ...unknown, source: 'dns', ...records } as const
    const documents = documentsFor(domain, address).map((url) => fetchDocument(url, address))
    for (const document of documents) {
      const found = await document
      if (found) return { ...unknown, source: 'autoconfig', ...found } as const
    }
    return { ...unknown, source: 'none', imap: null, smtp: null, username: address } as const
  }
}

export type FindServers = ReturnType<typeof createAutoconfig>
